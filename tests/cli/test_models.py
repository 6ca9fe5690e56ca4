"""`holdtrue models`: what it lists, and how it fetches."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from holdtrue.cli.models import models_app
from holdtrue.errors import DownloadError, SettingsError
from holdtrue.models import catalogue
from tests.models.carriers import CONTENT, ranges, toy_model
from tests.models.web import Answer, serve

runner = CliRunner()


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOLDTRUE_CACHE", str(tmp_path))
    return tmp_path / "models"


def test_the_list_tells_size_licence_and_how_to_get_what_is_not_here() -> None:
    result = runner.invoke(models_app, ["list"])
    assert result.exit_code == 0
    assert result.stdout.splitlines()[0].split() == [
        "local/qwen2.5-coder-1.5b", "1117", "MB", "Apache-2.0",
        "not", "here:", "holdtrue", "models", "pull", "qwen2.5-coder-1.5b",
    ]  # fmt: skip
    assert len(result.stdout.splitlines()) == 3


def test_the_list_as_json(cache: Path) -> None:
    rows = json.loads(runner.invoke(models_app, ["list", "--json"]).stdout)
    assert [row["name"] for row in rows][-1] == "local/smollm2-135m"
    assert rows[-1]["size"] == 98362432
    assert rows[-1]["downloaded"] is False
    assert rows[-1]["path"] == str(cache / "SmolLM2-135M-Instruct.Q4_1.gguf")


@pytest.mark.parametrize("name", ["toy", "local/toy"])
def test_a_model_is_pulled_and_then_listed(name: str, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with serve(lambda asked: ranges(CONTENT, asked)) as web:
        toy = toy_model(f"{web.url}/toy.gguf")
        monkeypatch.setattr(catalogue, "load_catalogue", lambda: (toy,))
        first = runner.invoke(models_app, ["pull", name])
        assert first.exit_code == 0, first.output
        assert "toy from 127.0.0.1" in first.stderr
        assert f"{cache / 'toy.gguf'}: 3 MB, licence MIT" in first.stdout
        assert "already there" in runner.invoke(models_app, ["pull", name]).stdout
    assert len(web.asked) == 1
    assert str(cache / "toy.gguf") in runner.invoke(models_app, ["list"]).stdout


def test_what_goes_wrong_is_an_error_of_our_own(monkeypatch: pytest.MonkeyPatch) -> None:
    assert isinstance(runner.invoke(models_app, ["pull", "gpt-9"]).exception, SettingsError)
    with serve(lambda asked: Answer(status=403)) as web:
        toy = toy_model(f"{web.url}/toy.gguf")
        monkeypatch.setattr(catalogue, "load_catalogue", lambda: (toy,))
        failed = runner.invoke(models_app, ["pull", "toy"])
    assert isinstance(failed.exception, DownloadError)
    assert "403" in str(failed.exception)
