"""Check answers in logged conversations that list no constraints, which are first read from the user's messages.

The paid model calls are kept in a SQLite file that several processes of one machine share.
"""

from __future__ import annotations

import sqlite3
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from holdtrue.audit.log_row import LogRow, conversation_of, name_of
from holdtrue.audit.shard_job import RULES, AuditSettings, Explaining, ReadingMeans
from holdtrue.audit.verdict_table import FoundTurn
from holdtrue.conversation.logged_chat import CheckedChatTurn, check_chat, exchanges_in
from holdtrue.errors import InfrastructureError, InputError, JournalError, RecordError, SettingsError
from holdtrue.guard.recording import spoken_in
from holdtrue.language.reading import Extractor
from holdtrue.models.call_lines import decode, encode
from holdtrue.models.chat import ChatModel, Reply, Request
from holdtrue.record import TurnOutcome, Usage
from holdtrue.verification.logged_turn import read_setting
from holdtrue.world.domain import Domain
from holdtrue.world.registry import BUILTIN

_BUSY_S = 60.0
"""Seconds that a process waits for another one's write."""
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
    """A `SharedCallLog` keeps model calls in a SQLite file, with the usage of all processes.

    A stored reply survives the death of the process. If two processes ask the same at once, both pay, both are counted,
    and the first reply is kept. Raises `JournalError` if the file cannot be opened.
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
        """Return the usage of all processes so far."""
        calls, prompt, completion, latency_s = self._ask("SELECT calls, prompt_tokens, completion_tokens, latency_s")
        return Usage(calls, prompt, completion, latency_s)

    @property
    def tokens(self) -> int:
        """Return the number of tokens that all processes have paid for so far."""
        return sum(self._ask("SELECT prompt_tokens, completion_tokens"))

    def find(self, key: str) -> Reply | None:
        """Return the paid reply for a key, or None. Raises `JournalError` if the reply is damaged."""
        try:
            found = self._base.execute("SELECT line FROM call WHERE key = ?", (key,)).fetchone()
        except sqlite3.Error as error:
            raise InfrastructureError(f"{self.path}: the call log cannot be read: {error}") from error
        try:
            return None if found is None else decode(found[0]).reply
        except (ValueError, KeyError, TypeError) as error:
            raise JournalError(f"{self.path}, call {key}: a damaged call, remove the file: {error!r}") from error

    def append(self, key: str, model: str, request: Request, reply: Reply) -> None:
        """Store a paid call. Raises `JournalError` if that fails."""
        self._write(reply.usage, (key, encode(key, model, request, reply)))

    def lose(self, usage: Usage) -> None:
        """Count the usage of a call without a reply. Raises `JournalError` if the file cannot be written."""
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
                with suppress(sqlite3.Error):  # a full disk ends the transaction
                    self._base.execute("ROLLBACK")
                raise
        except sqlite3.Error as error:
            raise JournalError(f"{self.path}: the call log cannot be written: {error}") from error

    def close(self) -> None:
        """Close the file. A second call is harmless."""
        self._base.close()

    def _ask(self, question: str) -> tuple[int, ...]:
        try:
            found: tuple[int, ...] = self._base.execute(f"{question} FROM paid").fetchone()
        except sqlite3.Error as error:
            raise InfrastructureError(f"{self.path}: the call log cannot be read: {error}") from error
        return found


CALLS = "calls.sqlite"
"""The file in the folder of an audit with the replies of the model that reads."""


class ReaderUnavailable(SettingsError):
    """The model that reads cannot be opened. No row is at fault."""


class ChatReader:
    """A `ChatReader` reads the user's messages and verifies each answer, as `check --chat` does.

    A model's replies are kept in the folder `out` for all processes, so that a stored reply is never paid for again.
    """

    def __init__(self, default: Domain | None, settings: AuditSettings, means: ReadingMeans, out: str) -> None:
        self.default, self.settings, self.means, self.out = default, settings, means, out
        self.at_once = 1 if settings.reader == RULES else means.connections
        self._extractor: Extractor | None = None
        self._model: ChatModel | None = None
        self._log: SharedCallLog | None = None

    async def check(self, turn: LogRow | None, line: bytes | None) -> list[FoundTurn]:
        """Return the verdicts on the answers of a row's conversation.

        Raises `RecordError` for a row that is no conversation, `TokenLimitReached` at the limit, and the model's
        errors.
        """
        record = conversation_of(turn, line)
        instance = read_setting(record, BUILTIN, self.default)
        exchanges = exchanges_in(spoken_in(record, "row") if record["messages"] else record["messages"])
        conversation, wanted = name_of(record), Explaining(self.settings.explain)
        found: list[FoundTurn] = []
        before: list[CheckedChatTurn] = []
        played = check_chat(
            exchanges,
            instance,
            self._reading(),
            name=conversation or "chat",
            budget=self.settings.budget,
            wants_nearest=lambda verdict: wanted.take(broken=verdict.outcome is not TurnOutcome.CONSISTENT),
        )
        async for each in played:
            if self.settings.skip_prose and each.prose:
                before.append(each)
                continue
            whole, before = each.after(before), []
            found.append(self._found(conversation, whole, explained=wanted.last))
        if not found:
            raise RecordError("messages: no answer has any JSON in it: nothing was verified")
        return found

    def _found(self, conversation: str | None, turn: CheckedChatTurn, *, explained: bool) -> FoundTurn:
        checked = turn.checked
        if not explained:
            checked = replace(checked, verdict=replace(checked.verdict, mus=None))
        return FoundTurn(conversation, checked, self.settings.reader, turn.to_json()["events"], turn.coverage)

    def _reading(self) -> Extractor:
        """Return the reader. A model is opened at the first conversation, once in each process."""
        if self._extractor is None:
            try:
                self._extractor = self._open()
            except InputError as error:
                raise ReaderUnavailable(str(error)) from error
        return self._extractor

    def _open(self) -> Extractor:
        from holdtrue.language.extract import LlmExtractor
        from holdtrue.language.readers import TemplateExtractor
        from holdtrue.models.cache import LoggedModel
        from holdtrue.models.gate import Gate
        from holdtrue.models.model_registry import open_model

        if self.settings.reader == RULES:
            return TemplateExtractor()
        model = open_model(self.settings.reader, base_url=self.means.base_url)
        self._log = log = SharedCallLog(Path(self.out) / CALLS)
        limit = self.means.token_limit
        gate = Gate(model, self.means.connections, token_limit=limit, paid=lambda: log.tokens)
        self._model = LoggedModel(gate, log)
        return LlmExtractor(self._model)

    async def aclose(self) -> None:
        """Release the model and the file with its replies."""
        self._extractor = None
        if self._model is not None:
            await self._model.aclose()
        if self._log is not None:
            self._log.close()


def paid_in(out: str) -> dict[str, Any]:
    """Return an audit folder's model calls and tokens so far, or an empty dictionary if no model was used."""
    path = Path(out) / CALLS
    if not path.is_file():
        return {}
    log = SharedCallLog(path)
    try:
        usage = log.usage
    finally:
        log.close()
    return {
        "calls": usage.calls,
        "prompt_tokens": usage.prompt_tokens,
        "completion_tokens": usage.completion_tokens,
    }
