"""Cache a local model's computation for the fixed beginnings of prompts, in files that later processes load.

A prompt begins with instructions and examples that never change, its *frame*. On two cores, computing a frame of a
thousand tokens takes 15 seconds, and loading its file of 30 MB some milliseconds.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from holdtrue.models.chat import Message

MOST_BYTES = 1 << 30
"""The most bytes of all files together. Beyond that the least recently used are deleted."""

SHORTEST = 800
"""The shortest frame that gets a file, in characters. A shorter one is computed nearly as fast as it is loaded."""

_SECONDS = 60.0


@dataclass(slots=True)
class Frames:
    """The files of one model in a `folder`. The server of llama.cpp at `address` writes and loads them.

    `model` names the model file and the version of the program, so that no other computation is loaded. Nothing here
    raises if a disk is full or a file is damaged. The frame is then computed without a file.
    """

    folder: Path
    model: str
    address: str
    api_key: str
    _seen: set[str] = field(default_factory=set)

    def prepare(self, messages: Sequence[Message], make_room: Callable[[], None], compute: Callable[[], None]) -> None:
        """Load a frame from its file into the model, or compute and save it, once in this process.

        `make_room` moves the model's current state aside. `compute` lets the model compute the frame and nothing more.
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
        # Another process may write the same frame, and this one may be killed, so the file appears at once.
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
        """Let the server save or restore the state of its only slot. Return whether it did."""
        import httpx2

        try:
            # The server is on this machine, so no proxy and no certificates are needed.
            with httpx2.Client(timeout=_SECONDS, trust_env=False, verify=False) as client:
                answer = client.post(
                    f"{self.address}/slots/0?action={action}",
                    json={"filename": name},
                    headers={"Authorization": f"Bearer {self.api_key}"},
                )
        except httpx2.HTTPError:
            return False
        return answer.status_code == 200
