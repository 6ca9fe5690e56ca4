"""Computed frames are kept in files, complete or not at all, and no reply needs them."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from holdtrue.models import frames as module
from holdtrue.models.chat import Message, system, user
from holdtrue.models.frames import SHORTEST, Frames
from tests.models.web import Answer, Asked, serve

KEY = "secret"
LONG = (system("Say what is asked. " * (SHORTEST // 10)), user("An example."))
OTHER = (system("Say nothing at all. " * (SHORTEST // 10)),)


@dataclass
class SlotServer:
    """A server with one slot that holds a text, which it saves in files of `folder` and restores from them."""

    folder: Path
    slot: str = ""
    moves: list[str] = field(default_factory=list)
    full: bool = False
    address: str = ""

    def answer(self, asked: Asked) -> Answer:
        url, file = urlsplit(asked.path), self.folder / json.loads(asked.body)["filename"]
        assert url.path == "/slots/0"
        self.moves.append(url.query.removeprefix("action="))
        if asked.headers.get("authorization") != f"Bearer {KEY}":
            return Answer(status=401)
        if self.moves[-1] == "save":
            file.write_text("half of it" if self.full else self.slot, encoding="utf-8")
            return Answer(status=500 if self.full else 200)
        if not file.read_text(encoding="utf-8").startswith("computed "):
            return Answer(status=400)
        self.slot = file.read_text(encoding="utf-8")
        return Answer()


@pytest.fixture
def server(tmp_path: Path) -> Iterator[SlotServer]:
    state = SlotServer(tmp_path)
    with serve(state.answer) as web:
        state.address = web.url
        yield state


@dataclass
class Process:
    """A process with the frames of a folder. `did` lists its steps for the last frame."""

    server: SlotServer
    model: str = "a model"
    key: str = KEY
    did: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.frames = Frames(self.server.folder, self.model, self.server.address, self.key)

    def prepare(self, messages: tuple[Message, ...]) -> list[str]:
        self.did.clear()

        def make_room() -> None:
            self.did.append("room")
            self.server.slot = ""

        def compute() -> None:
            self.did.append("computed")
            self.server.slot = f"computed {messages[0].content}"

        self.frames.prepare(messages, make_room, compute)
        return self.did


def files(folder: Path) -> list[str]:
    return sorted(file.suffix for file in folder.iterdir())


def test_a_frame_is_computed_once_and_loaded_by_the_next_process(server: SlotServer) -> None:
    first = Process(server)
    assert first.prepare(LONG) == ["computed"]
    assert first.prepare(LONG) == []
    assert files(server.folder) == [".bin"]
    held = server.slot
    assert Process(server).prepare(LONG) == ["room"]
    assert server.slot == held
    assert server.moves == ["save", "restore"]


def test_each_frame_and_each_model_has_its_own_file(server: SlotServer) -> None:
    assert Process(server).prepare(LONG) == ["computed"]
    assert Process(server).prepare(OTHER) == ["computed"]
    assert Process(server, "another model").prepare(LONG) == ["computed"]
    assert files(server.folder) == [".bin"] * 3


def test_what_is_short_has_no_file(server: SlotServer) -> None:
    assert Process(server).prepare((system("Be brief."),)) == []
    assert files(server.folder) == server.moves == []


def test_a_damaged_file_is_computed_and_written_again(server: SlotServer) -> None:
    Process(server).prepare(LONG)
    (file,) = server.folder.iterdir()
    file.write_text("damaged", encoding="utf-8")
    assert Process(server).prepare(LONG) == ["room", "computed"]
    assert file.read_text(encoding="utf-8").startswith("computed ")


def test_nothing_is_left_of_what_could_not_be_saved_whole(server: SlotServer) -> None:
    server.full = True
    assert Process(server).prepare(LONG) == ["computed"]
    assert files(server.folder) == []
    assert Process(server, key="a wrong key").prepare(LONG) == ["computed"]
    assert files(server.folder) == []


def test_an_unreachable_server_only_costs_the_file(server: SlotServer) -> None:
    process = Process(server)
    process.frames.address = "http://127.0.0.1:9"
    assert process.prepare(LONG) == ["computed"]
    assert files(server.folder) == []


def test_the_files_that_were_used_long_ago_make_room(server: SlotServer, monkeypatch: pytest.MonkeyPatch) -> None:
    for age, name in enumerate(("young", "old", "oldest"), start=1):
        file = server.folder / f"{name}.bin"
        file.write_bytes(b"x" * 4000)
        os.utime(file, (1_700_000_000 - age, 1_700_000_000 - age))
    monkeypatch.setattr(module, "MOST_BYTES", 9_000)
    Process(server).prepare(LONG)
    kept = {file.stem for file in server.folder.iterdir()}
    assert "young" in kept and not {"old", "oldest"} & kept and len(kept) == 2
