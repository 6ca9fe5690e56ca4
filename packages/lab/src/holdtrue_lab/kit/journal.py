"""This module reads and writes the journal of a run, an append-only file of JSON lines with one entry each.

One `write` to the system commits a line, so killing the process loses no committed entry. It may leave a torn last
line, which is dropped when the journal is opened again. The file is synced only when it is closed. A crash of the
machine may lose the last turns, which the call log then reproduces.

The standard library parses and writes the lines, because it accepts lone surrogates in a model's text. Pydantic checks
the fields of each entry.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, BinaryIO, TypeVar

from holdtrue.errors import JournalError, RecordError, SettingsError
from holdtrue.wire import first_fault, plain_fields
from holdtrue_lab.kit.entry import Entry, FailureEntry, PlayedEntry
from holdtrue_lab.kit.registry import KINDS
from holdtrue_lab.kit.settings import JOURNAL_FILE, SETTINGS_FILE, RunSettings, keep_settings

if TYPE_CHECKING:
    from pydantic import TypeAdapter


FAILURE = "failure"


def encode(entry: Entry) -> bytes:
    """Return the entry as one line of ASCII JSON, with the newline."""
    return json.dumps(entry, default=plain_fields, separators=(",", ":")).encode("ascii") + b"\n"


def decode(line: bytes | str) -> Entry:
    """Return the entry that `encode` wrote; raises `RecordError`, which names the field that does not fit."""
    from pydantic import ValidationError

    try:
        data: Any = json.loads(line)
        kind = data.get("kind") if isinstance(data, dict) else None
        if not isinstance(kind, str):
            raise RecordError("kind: a journal entry says what kind of answer it holds")
        entry: Entry = _adapter(kind).validate_python(data)
        return entry
    except ValidationError as error:
        raise RecordError(first_fault(error)) from None
    except (ValueError, RecursionError) as error:
        raise RecordError(f"not JSON: {error}") from None


@cache
def _adapter(kind: str) -> TypeAdapter[Any]:
    from pydantic import TypeAdapter

    if kind == FAILURE:
        return TypeAdapter(FailureEntry)
    try:
        return TypeAdapter(KINDS.find(kind).entry)
    except SettingsError as error:
        raise RecordError(f"kind: {error}") from None


_BLOCK = 1 << 16


def read_entries(folder: Path) -> Iterator[Entry]:
    """Yield the entries of a run's folder in order; an incomplete last line is left out. See `read_placed`."""
    return (entry for _, entry in read_placed(folder))


def read_placed(folder: Path) -> Iterator[tuple[int, Entry]]:
    """Yield each entry of a run's folder with the byte offset of its line in the journal, for `read_at`.

    No lock is taken, so an active run can be read. If a line is damaged or repeats a turn, raises `RecordError`, which
    names the line's number.
    """
    path, place = folder / JOURNAL_FILE, 0
    seen: set[tuple[str, str, int]] = set()
    try:
        with path.open("rb") as file:
            for number, line in enumerate(file, start=1):
                if not line.endswith(b"\n"):
                    return
                try:
                    entry = decode(line)
                except RecordError as error:
                    raise RecordError(f"{path}, line {number}: {error}") from None
                if not isinstance(entry, FailureEntry):
                    turn = (entry.problem, entry.method, entry.turn)
                    if turn in seen:
                        raise RecordError(f"{path}, line {number}: turn {entry.turn} of {entry.problem} is there twice")
                    seen.add(turn)
                yield place, entry
                place += len(line)
    except OSError as error:
        raise RecordError(f"{path}: cannot be read: {error.strerror}") from error


def read_at(file: BinaryIO, place: int) -> Entry:
    """Return the entry at a byte offset of an open journal; raises `RecordError`."""
    file.seek(place)
    return decode(file.readline())


Played = TypeVar("Played", bound=PlayedEntry[Any])


def each_of(folders: Sequence[Path], kind: type[Played]) -> Iterator[tuple[Path, Played]]:
    """Yield the entries of one kind in these runs, each with its folder, in the order of their journals."""
    for folder in dict.fromkeys(folders):
        for entry in read_entries(folder):
            if isinstance(entry, kind):
                yield folder, entry


class Journal:
    """A `Journal` is a run's journal, open for writing and locked by this process.

    Opening it makes the folder and writes its settings, or raises `SettingsError` if the folder has other settings. It
    also drops a torn last line. The system releases the lock when the process ends.
    """

    def __init__(self, folder: Path, settings: RunSettings) -> None:
        self.folder = folder
        self.path = folder / JOURNAL_FILE
        self._fault: str | None = None
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._file = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o644)
            try:
                self._lock()
                self._check_settings(settings)
                self._size = self._drop_torn_line()
            except BaseException:
                os.close(self._file)  # the caller gets no object to close the file with
                raise
        except OSError as error:
            raise JournalError(f"{self.path} cannot be opened: {error.strerror}") from error

    def _lock(self) -> None:
        import fcntl

        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise JournalError(f"{self.folder} is held by another run; wait for it, or choose another --out") from None

    def _check_settings(self, settings: RunSettings) -> None:
        if os.fstat(self._file).st_size and not (self.folder / SETTINGS_FILE).exists():
            raise RecordError(f"{self.folder} has a journal and no {SETTINGS_FILE}: it cannot be resumed")
        keep_settings(self.folder, settings)

    def _drop_torn_line(self) -> int:
        """Cut the file after its last newline, and return its size in bytes."""
        end = size = os.fstat(self._file).st_size
        while end > 0:
            start = max(0, end - _BLOCK)
            newline = os.pread(self._file, end - start, start).rfind(b"\n")
            if newline >= 0:
                end = start + newline + 1
                break
            end = start
        if end != size:
            os.ftruncate(self._file, end)
        return end

    def entries(self) -> Iterator[Entry]:
        return read_entries(self.folder)

    def append(self, entry: Entry) -> None:
        """Commit one entry. If this fails, raises `JournalError`; the journal then holds the same entries as before."""
        if self._fault is not None:
            raise JournalError(self._fault)
        line = encode(entry)
        written = 0
        try:
            if os.fstat(self._file).st_nlink == 0:
                raise FileNotFoundError(0, "it was deleted")
            while written < len(line):
                written += os.write(self._file, line[written:])
        except OSError as error:
            self._fault = f"{self.path} cannot be written: {error.strerror}"
            # If the torn line stays, opening the journal again drops it; `_fault` blocks further writes until then.
            with suppress(OSError):
                os.ftruncate(self._file, self._size)
            raise JournalError(self._fault) from error
        self._size += len(line)

    def close(self) -> None:
        """Sync the journal to disk and release it; closing twice is harmless."""
        if self._file >= 0:
            file, self._file = self._file, -1
            try:
                os.fsync(file)
            except OSError as error:
                raise JournalError(f"{self.path} cannot be made durable: {error.strerror}") from error
            finally:
                os.close(file)

    def __enter__(self) -> Journal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
