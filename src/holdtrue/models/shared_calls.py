"""A log of paid calls that several processes of a machine write to at the same time."""

from __future__ import annotations

import sqlite3
from contextlib import suppress
from pathlib import Path

from holdtrue.errors import InfrastructureError, JournalError
from holdtrue.models.call_lines import decode, encode
from holdtrue.models.chat import Reply, Request
from holdtrue.record import Usage

_BUSY_S = 60.0
"""So long a process waits for another one that writes."""
_TABLES = """
CREATE TABLE IF NOT EXISTS call (key TEXT PRIMARY KEY, line BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS paid (one INTEGER PRIMARY KEY CHECK (one = 1), calls INTEGER NOT NULL,
    prompt_tokens INTEGER NOT NULL, completion_tokens INTEGER NOT NULL, latency_s REAL NOT NULL);
INSERT OR IGNORE INTO paid VALUES (1, 0, 0, 0, 0.0);
"""
_ADD = """
UPDATE paid SET calls = calls + ?, prompt_tokens = prompt_tokens + ?, completion_tokens = completion_tokens + ?,
    latency_s = latency_s + ?
"""


class SharedCallLog:
    """A `SharedCallLog` keeps calls in a SQLite file, and what all processes together have paid.

    A reply survives the death of the process as soon as it is there. Two processes that ask the same at the same moment
    both pay, and both are counted; the first reply is kept. Raises `JournalError` where the file cannot be opened.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._base = sqlite3.connect(path, timeout=_BUSY_S, isolation_level=None)
            try:
                self._base.execute("PRAGMA journal_mode = WAL")
                self._base.execute("PRAGMA synchronous = NORMAL")
                self._base.executescript(_TABLES)
            except BaseException:
                self._base.close()
                raise
        except (sqlite3.Error, OSError) as error:
            raise JournalError(f"{path}: the call log cannot be opened: {error}") from error

    @property
    def usage(self) -> Usage:
        """Return what all processes have paid so far."""
        calls, prompt, completion, latency_s = self._ask("SELECT calls, prompt_tokens, completion_tokens, latency_s")
        return Usage(calls, prompt, completion, latency_s)

    @property
    def tokens(self) -> int:
        """Return how many tokens all processes have paid for so far."""
        return sum(self._ask("SELECT prompt_tokens, completion_tokens"))

    def find(self, key: str) -> Reply | None:
        """Return the reply that was paid for under this key, or None; raises `JournalError` if it is damaged."""
        try:
            found = self._base.execute("SELECT line FROM call WHERE key = ?", (key,)).fetchone()
        except sqlite3.Error as error:
            raise InfrastructureError(f"{self.path}: the call log cannot be read: {error}") from error
        try:
            return None if found is None else decode(found[0]).reply
        except (ValueError, KeyError, TypeError) as error:
            raise JournalError(f"{self.path}, call {key}: a damaged call, remove the file: {error!r}") from error

    def append(self, key: str, model: str, request: Request, reply: Reply) -> None:
        """Write down a paid call; raises `JournalError` where that fails."""
        self._write(reply.usage, (key, encode(key, model, request, reply)))

    def lose(self, usage: Usage) -> None:
        """Count what was paid for a call that brought no reply; raises `JournalError` where that fails."""
        self._write(usage, None)

    def _write(self, usage: Usage, call: tuple[str, bytes] | None) -> None:
        try:
            self._base.execute("BEGIN IMMEDIATE")
            try:
                if call is not None:
                    self._base.execute("INSERT OR IGNORE INTO call VALUES (?, ?)", call)
                paid = (usage.calls, usage.prompt_tokens, usage.completion_tokens, usage.latency_s)
                self._base.execute(_ADD, paid)
                self._base.execute("COMMIT")
            except BaseException:
                with suppress(sqlite3.Error):  # a disk that is full has ended the transaction by itself
                    self._base.execute("ROLLBACK")
                raise
        except sqlite3.Error as error:
            raise JournalError(f"{self.path}: the call log cannot be written: {error}") from error

    def close(self) -> None:
        """Close the file; calling it twice is harmless."""
        self._base.close()

    def _ask(self, question: str) -> tuple[int, ...]:
        try:
            found: tuple[int, ...] = self._base.execute(f"{question} FROM paid").fetchone()
        except sqlite3.Error as error:
            raise InfrastructureError(f"{self.path}: the call log cannot be read: {error}") from error
        return found
