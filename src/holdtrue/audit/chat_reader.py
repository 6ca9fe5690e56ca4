"""Read what users said in logged conversations, and check the answers by it, where a log has no constraints."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from holdtrue.audit.auditor import Explain, Wanted
from holdtrue.audit.raw_turn import RawTurn, conversation_of, name_of
from holdtrue.audit.verdict_table import FoundTurn
from holdtrue.budget import Budget
from holdtrue.conversation.logged_chat import CheckedChatTurn, check_chat, exchanges_in
from holdtrue.errors import InputError, RecordError, SettingsError
from holdtrue.language.reading import Extractor
from holdtrue.models.chat import ChatModel
from holdtrue.models.shared_calls import SharedCallLog
from holdtrue.record import TurnOutcome
from holdtrue.verification.logged import read_setting
from holdtrue.world.domain import Domain

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

    async def check(self, turn: RawTurn | None, line: bytes | None) -> list[FoundTurn]:
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
