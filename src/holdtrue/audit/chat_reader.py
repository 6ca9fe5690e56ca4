"""Read what users said in logged conversations, and check the answers by it, where a log has no constraints.

The paid calls are in a log that several processes of a machine write to at the same time.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from holdtrue.audit.auditor import Explain, Wanted
from holdtrue.audit.log_row import LogRow, conversation_of, name_of
from holdtrue.audit.verdict_table import FoundTurn
from holdtrue.budget import Budget
from holdtrue.conversation.logged_chat import CheckedChatTurn, check_chat, exchanges_in
from holdtrue.errors import InfrastructureError, InputError, JournalError, RecordError, SettingsError
from holdtrue.language.reading import Extractor
from holdtrue.models.call_lines import decode, encode
from holdtrue.models.chat import ChatModel, Reply, Request
from holdtrue.record import TurnOutcome, Usage
from holdtrue.verification.logged_turn import read_setting
from holdtrue.world.domain import Domain

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


RULES = "rules"
CALLS = "calls.sqlite"
"""Replies of the model that reads are kept here, in the folder of the audit."""


@dataclass(frozen=True, slots=True)
class ReadingMeans:
    """`ReadingMeans` are how a model that reads is reached; none of them changes what is found.

    Attributes:
        base_url: Where it is served.
        connections: So many calls of a process are under way at a time.
        token_limit: No call begins once all processes together have paid for so many tokens; None is no limit.
    """

    base_url: str | None = None
    connections: int = 8
    token_limit: int | None = None


NO_MEANS = ReadingMeans()


class ReaderUnavailable(SettingsError):
    """The model that is to read cannot be opened, which is the fault of no row."""


class ChatReader:
    """A `ChatReader` checks conversations as `check --chat` does: what users said is read, and each answer verified.

    `reader` is `rules`, or the name of a model that reads besides; what it replied is kept in the folder `out`, for all
    processes, so that nothing is asked twice. `skip_prose` passes over answers without any JSON.
    """

    def __init__(
        self,
        domains: Mapping[str, Domain],
        default: Domain | None,
        *,
        reader: str,
        skip_prose: bool,
        means: ReadingMeans,
        out: str,
        explain: Explain,
        budget: Budget,
    ) -> None:
        self.domains, self.default, self.reader, self.skip_prose = domains, default, reader, skip_prose
        self.means, self.out, self.explain, self.budget = means, out, explain, budget
        self.at_once = 1 if reader == RULES else means.connections
        self._extractor: Extractor | None = None
        self._model: ChatModel | None = None
        self._log: SharedCallLog | None = None

    async def check(self, turn: LogRow | None, line: bytes | None) -> list[FoundTurn]:
        """Return the verdicts on the answers of a row's conversation.

        Raises `RecordError` for a row that is none, `TokenLimitReached` once the limit is reached, and what the model
        raises.
        """
        record = conversation_of(turn, line)
        instance = read_setting(record, self.domains, self.default)
        exchanges = exchanges_in(record["messages"])
        conversation, wanted = name_of(record), Wanted(self.explain)
        found: list[FoundTurn] = []
        before: list[CheckedChatTurn] = []
        played = check_chat(
            exchanges,
            instance,
            self._reading(),
            name=conversation or "chat",
            budget=self.budget,
            wants_nearest=lambda verdict: wanted.take(broken=verdict.outcome is not TurnOutcome.CONSISTENT),
        )
        async for each in played:
            if self.skip_prose and each.prose:
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
        return FoundTurn(conversation, checked, self.reader, turn.to_json()["events"], turn.coverage)

    def _reading(self) -> Extractor:
        """Return who reads; a model is opened when the first conversation is read, once for a process."""
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

        if self.reader == RULES:
            return TemplateExtractor()
        model = open_model(self.reader, base_url=self.means.base_url)
        self._log = log = SharedCallLog(Path(self.out) / CALLS)
        limit = self.means.token_limit
        gate = Gate(model, self.means.connections, token_limit=limit, paid=lambda: log.tokens)
        self._model = LoggedModel(gate, log)
        return LlmExtractor(self._model)

    async def aclose(self) -> None:
        """Release the model that reads, and the file of what it replied."""
        self._extractor = None
        if self._model is not None:
            await self._model.aclose()
        if self._log is not None:
            self._log.close()


def paid_in(out: str) -> dict[str, Any]:
    """Return what reading cost so far in an audit's folder: calls and tokens; nothing where no model read."""
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
