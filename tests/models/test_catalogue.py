"""The catalogue: complete, consistent, and honest about what is there."""

from __future__ import annotations

import os
import re
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from holdtrue.errors import ModelError, SettingsError
from holdtrue.models.catalogue import find_model, find_model_file, load_catalogue, models_folder


def test_every_entry_is_complete() -> None:
    models = load_catalogue()
    assert [model.name for model in models] == ["qwen2.5-coder-1.5b", "qwen2.5-coder-0.5b", "smollm2-135m"]
    for model in models:
        assert re.fullmatch("[0-9a-f]{64}", model.sha256)
        assert model.licence == "Apache-2.0"
        assert urlsplit(model.url).scheme == "https"
        assert model.url.endswith(f"/{model.file}")


def test_the_pieces_in_wheels_make_up_the_whole_file() -> None:
    for model in load_catalogue():
        assert sum(wheel.size for wheel in model.wheels) == model.size
        assert all(re.fullmatch("[0-9a-f]{64}", wheel.sha256) for wheel in model.wheels)
        members = [wheel.member for wheel in model.wheels]
        assert members == sorted(members, key=lambda member: [int(n) for n in re.findall(r"\d+", member)])
        assert len({wheel.sha256 for wheel in model.wheels}) == len(model.wheels)


def test_the_folder_is_the_user_s_cache_or_the_one_that_was_chosen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOLDTRUE_CACHE", str(tmp_path))
    assert models_folder() == tmp_path / "models"
    monkeypatch.delenv("HOLDTRUE_CACHE")
    assert models_folder().parts[-2:] == ("holdtrue", "models")


def test_a_model_is_found_only_when_it_is_there_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOLDTRUE_CACHE", str(tmp_path))
    model = find_model("smollm2-135m")
    model.path.parent.mkdir()
    model.path.touch()
    with pytest.raises(ModelError, match="holdtrue models pull smollm2-135m"):
        find_model_file("smollm2-135m")
    os.truncate(model.path, model.size)
    assert find_model_file("smollm2-135m") == model.path


def test_a_file_is_found_by_its_path(tmp_path: Path) -> None:
    path = tmp_path / "mine.gguf"
    with pytest.raises(ModelError, match=r"mine\.gguf"):
        find_model_file(str(path))
    path.touch()
    assert find_model_file(str(path)) == path


def test_an_unknown_name_lists_the_known_ones() -> None:
    with pytest.raises(SettingsError, match="smollm2-135m"):
        find_model("smollm3")
