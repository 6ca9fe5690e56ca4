"""Keep what a local model computed of the fixed beginnings of prompts, in files that later processes load.

A prompt begins with instructions and examples that no user wrote and that never change: its frame. On two cores a frame
of a thousand tokens takes 15 seconds to compute, and its file of 30 MB some milliseconds to load.
"""

from __future__ import annotations

import hashlib
import json
import os
import urllib.error
import urllib.request
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from holdtrue.models.chat import Message

MOST_BYTES = 1 << 30
"""Bytes of all files together; the ones that were not used for longest are deleted beyond it."""

SHORTEST = 800
"""Characters of the shortest frame that has a file: less is computed nearly as fast as it is loaded."""

_SECONDS = 60.0


@dataclass(slots=True)
class Frames:
    """`Frames` are the files of one model in a `folder`, moved by the server of llama.cpp at `address`.

    `model` names the file and the program that computed a frame: what another one computed is not loaded. Nothing here
    raises where a disk is full or a file is damaged: the frame is computed as if there was none.
    """

    folder: Path
    model: str
    address: str
    api_key: str
    _seen: set[str] = field(default_factory=set)

    def prepare(self, messages: Sequence[Message], make_room: Callable[[], None], compute: Callable[[], None]) -> None:
        """Have the model hold a frame, from its file or computed and then kept, once in this process.

        `make_room` puts aside what the model holds, and `compute` lets it compute the frame and nothing after it.
        """
        text = json.dumps([message.to_json() for message in messages], ensure_ascii=False)
        if len(text) < SHORTEST:
            return
        name = hashlib.sha256(f"{self.model}\n{text}".encode("utf-8", "surrogatepass")).hexdigest()[:32]
        if name in self._seen:
            return
        self._seen.add(name)
        file = self.folder / f"{name}.bin"
        if file.is_file():
            make_room()
            if self._move("restore", file.name):
                with suppress(OSError):
                    os.utime(file)
                return
            with suppress(OSError):
                file.unlink()
        compute()
        self._save(file)

    def _save(self, file: Path) -> None:
        # Another process may write the same frame, and this one may be killed: a file appears whole or not at all.
        partial = self.folder / f"{file.stem}.{os.getpid()}.part"
        try:
            if self._move("save", partial.name):
                partial.replace(file)
            self._delete_old()
        except OSError:
            return
        finally:
            with suppress(OSError):
                partial.unlink(missing_ok=True)

    def _delete_old(self) -> None:
        files = sorted(self.folder.glob("*.bin"), key=lambda file: file.stat().st_mtime, reverse=True)
        total = 0
        for file in files:
            total += file.stat().st_size
            if total > MOST_BYTES:
                file.unlink(missing_ok=True)

    def _move(self, action: str, name: str) -> bool:
        """Let the server save or restore what its only slot holds; return whether it did."""
        request = urllib.request.Request(
            f"{self.address}/slots/0?action={action}",
            data=json.dumps({"filename": name}).encode(),
            headers={"Authorization": f"Bearer {self.api_key}", "Content-Type": "application/json"},
        )
        # The door is on this machine: a proxy that the environment names has nothing to do with it.
        direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        try:
            with direct.open(request, timeout=_SECONDS) as answer:
                return int(answer.status) == 200
        except (urllib.error.URLError, OSError):
            return False
