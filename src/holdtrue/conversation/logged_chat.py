"""Check a logged chat turn by turn: read the users' messages, and verify the assistant's answers.

It is played as a `Session` with a model that repeats the log and a method that asks only once.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from holdtrue.budget import Budget
from holdtrue.conversation.session import Session
from holdtrue.errors import RecordError
from holdtrue.kinds.assignment.method import Method
from holdtrue.kinds.assignment.record import AssignmentRecord
from holdtrue.language.reading import Extractor
from holdtrue.models.scripted import ScriptedReply, ScriptModel
from holdtrue.record import AnswerStatus, EventRecord, ReadingRecord, ReplyKind, VerdictRecord
from holdtrue.verification.coverage import Coverage, coverage_of, unread_of
from holdtrue.verification.logged_turn import CheckedTurn, nearest_answer
from holdtrue.world.instance import Instance
from holdtrue.world.lenient_json import strip_thinking

# The roles that are neither user nor assistant.
_PASSED_OVER = frozenset({"system", "developer", "tool", "function"})
_LOGGED = Method("logged", format_retries=0, truncation_retries=0)
_KIND_WORDS = {
    "added": "Agreed",
    "restated": "Said again",
    "amended": "Replaced",
    "withdrawn": "Taken back",
    "set_aside": "Set aside",
    "reinstated": "Back again",
    "rejected": "Not let in",
}


@dataclass(frozen=True, slots=True)
class LoggedExchange:
    """The user's messages since the last answer, and the answer, or the text of its refusal."""

    message: str
    answer: str
    refused: bool = False


@dataclass(frozen=True, slots=True)
class CheckedChatTurn:
    """The verdict on one answer of a chat, with the changes that the messages before it made.

    If `prose` is true, the answer has no start of a JSON object. It may not have been meant as an answer.
    """

    turn: int
    checked: CheckedTurn
    events: tuple[EventRecord, ...]
    unread: tuple[ReadingRecord, ...]
    prose: bool
    coverage: Coverage

    def after(self, earlier: Sequence[CheckedChatTurn]) -> CheckedChatTurn:
        """Return this turn with the events and unread sentences of earlier, skipped turns put before its events."""
        turns = (*earlier, self)
        return replace(
            self,
            events=tuple(event for turn in turns for event in turn.events),
            unread=tuple(reading for turn in turns for reading in turn.unread),
        )

    def to_json(self) -> dict[str, Any]:
        events = [{"kind": e.kind, "id": e.id, "sentence": e.sentence, "reason": e.reason} for e in self.events]
        unread = [{"sentence": reading.sentence, "reason": reading.reason} for reading in self.unread]
        coverage = self.coverage.to_json()
        return {**self.checked.to_json(), "turn": self.turn, "events": events, "unread": unread, "coverage": coverage}

    @property
    def sentences(self) -> list[str]:
        """Return the changes that the messages made, and then the verdict, in sentences."""
        events = [f'{_KIND_WORDS[event.kind]}: {event.id}, "{event.sentence}".' for event in self.events]
        own = {each.sentence for each in self.coverage.unread}  # the verdict lists these
        passed_over = [each for each in unread_of(self.unread) if each.sentence not in own]
        unread = [f"Not taken in: {each}." for each in passed_over]
        return [*events, *unread, *self.checked.sentences]


def exchanges_in(messages: object) -> list[LoggedExchange]:
    """Return the exchanges of a list of messages.

    All messages of users before an answer belong to that answer. An answer may also follow an answer, or come first. A
    message with a `refusal` is a refusal. Messages of the system and of tools are skipped, and so are tool calls
    without a text. Raises `RecordError` for a message that does not fit, or for no list.
    """
    if not isinstance(messages, list):
        raise RecordError("messages: a list of messages is needed")
    return _pair_up((f"message {number}", item) for number, item in enumerate(messages, 1))


async def check_chat(
    exchanges: Sequence[LoggedExchange],
    instance: Instance,
    extractor: Extractor,
    *,
    name: str,
    budget: Budget,
    wants_nearest: Callable[[VerdictRecord], bool] = lambda _: True,
) -> AsyncIterator[CheckedChatTurn]:
    """Yield the verdict on each answer by the ledger at that time. Raises the errors of the extractor.

    `wants_nearest` decides by the verdict whether the nearest valid answer is searched.
    """
    kinds = {True: ReplyKind.REFUSED, False: ReplyKind.ANSWER}
    replies = [ScriptedReply(exchange.answer, kind=kinds[exchange.refused]) for exchange in exchanges]
    script = ScriptModel(replies, name="logged")
    session = Session(instance, model=script, method=_LOGGED, extractor=extractor, budget=budget)
    for exchange in exchanges:
        record = await session.turn(exchange.message)
        yield _check(session, record, f"{name}/{record.turn}", wants_nearest(record.final.verdict))


def _pair_up(messages: Iterable[tuple[str, object]]) -> list[LoggedExchange]:
    exchanges: list[LoggedExchange] = []
    said: list[str] = []
    for place, message in messages:
        if not isinstance(message, Mapping):
            raise RecordError(f"{place}: a message is a JSON object, not {type(message).__name__}")
        role = message.get("role")
        if role in _PASSED_OVER:
            continue
        if role not in ("user", "assistant"):
            known = ", ".join(sorted(_PASSED_OVER))
            raise RecordError(f"{place}: the role {role!r:.40} is neither user nor assistant, nor one of {known}")
        content = _content(place, message)
        if role == "user":
            said.append(content)
        else:
            refusal = _refusal(message)
            if refusal or content.strip():
                exchanges.append(LoggedExchange("\n".join(said), refusal or content, bool(refusal)))
                said = []
    if not exchanges:
        raise RecordError("no message of an assistant says anything: there is nothing to verify")
    return exchanges


def _check(session: Session, record: AssignmentRecord, id: str, wants_nearest: bool) -> CheckedChatTurn:
    verdict, text = record.final.verdict, record.final.text
    closest: tuple[dict[str, Any] | None, bool | None] = None, None
    if wants_nearest:
        closest = nearest_answer(session.verifier, session.ledger, session.instance.read_answer(text), verdict)
    return CheckedChatTurn(
        record.turn,
        CheckedTurn(id, verdict, *closest, None, None, tuple(session.explain(record)), session.engine),
        record.events,
        tuple(reading for reading in record.readings if reading.status == "rejected"),
        prose=verdict.answer is AnswerStatus.UNPARSED and "{" not in strip_thinking(text),
        coverage=coverage_of(record),
    )


def _refusal(message: Mapping[str, Any]) -> str:
    """Return the text of a refusal in a message's field or part, or '' if it is none."""
    content = message.get("content")
    parts = [part for part in content if isinstance(part, dict)] if isinstance(content, list) else []
    found = [message.get("refusal"), *(part.get("refusal") for part in parts)]
    return next((text for text in found if isinstance(text, str) and text.strip()), "")


def _content(place: str, message: Mapping[str, Any]) -> str:
    """Return the text of a message, or of its parts. It is '' for an assistant that only calls a tool."""
    content = message.get("content")
    if content is None and message["role"] == "assistant":
        return ""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        raise RecordError(f"{place}: content: a text, or a list of parts with texts, is needed")
    texts = [part.get("text", part.get("refusal")) if isinstance(part, dict) else None for part in content]
    for number, part in enumerate(texts, 1):
        if not isinstance(part, str):
            raise RecordError(f"{place}: content: part {number} is no text, and only texts can be read")
    return "\n".join(map(str, texts))
