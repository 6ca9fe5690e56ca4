"""Models by name."""

from __future__ import annotations

from pathlib import Path

import pytest

from holdtrue.errors import ModelError, SettingsError
from holdtrue.models import model_registry
from holdtrue.models.model_registry import open_model, register
from holdtrue.models.openai_compatible import OpenAIModel
from holdtrue.models.scripted import ScriptModel


@pytest.mark.parametrize("name", ["gpt", "local/", "nowhere/x", ""])
def test_an_unknown_kind_lists_the_kinds_there_are(name: str) -> None:
    with pytest.raises(SettingsError, match=r"local/.*, openai/.*, replay/.*, script/"):
        open_model(name)


def test_an_unknown_local_model_lists_the_catalogue() -> None:
    with pytest.raises(SettingsError, match=r"qwen2\.5-coder-1\.5b, qwen2\.5-coder-0\.5b, smollm2-135m"):
        open_model("local/gpt-9")


def test_a_model_that_is_not_downloaded_says_how_to_get_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOLDTRUE_CACHE", str(tmp_path))
    with pytest.raises(ModelError, match="holdtrue models pull smollm2-135m"):
        open_model("local/smollm2-135m")
    with pytest.raises(ModelError, match=r"no model file .*gone\.gguf"):
        open_model(f"local/{tmp_path}/gone.gguf")


def test_only_servers_take_a_base_url(tmp_path: Path) -> None:
    (tmp_path / "talk.json").write_text("[]")
    with pytest.raises(SettingsError, match="takes no base URL"):
        open_model(f"script/{tmp_path / 'talk.json'}", base_url="http://127.0.0.1:1")
    model = open_model("openai/org/m", base_url="http://127.0.0.1:1")
    assert isinstance(model, OpenAIModel)
    assert model.name == "openai/org/m"


def test_another_kind_plugs_itself_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(model_registry, "_factories", dict(model_registry._factories))
    register("toy", lambda rest, base_url: ScriptModel([], name=f"toy/{rest}@{base_url}"))
    assert open_model("toy/a/b", base_url="u").name == "toy/a/b@u"
