"""Recorded conversations of agents with tools: their calls, each with what was seen before it.

Whatever a guard decides about a recorded call, what follows is what its tool gave back then.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from holdtrue.errors import RecordError
from holdtrue.fields import expect
from holdtrue.guard.facts import Facts
from holdtrue.guard.hidden_calls import refuse_hidden, refuse_hidden_in
from holdtrue.guard.recorded_forms import (
    RecordedMessage,
    WrittenCall,
    WrittenResult,
    plain_name,
    read_message,
)

if TYPE_CHECKING:
    from holdtrue.guard.policy import Policy


@dataclass(frozen=True, slots=True)
class RecordedCall:
    """One call of a tool as an agent made it.

    `message` is the place of its message in the conversation, from 0, and `said` what the user had said last. `text`
    has the arguments as they were written, and `arguments` what they are, None where they are no JSON object. `result`
    is what the tool gave, None where nothing is recorded, `answered` the place of its message, and `failed` whether
    the recorder marked it as an error.
    """

    message: int
    said: str
    tool: str
    text: str
    arguments: Mapping[str, Any] | None
    result: str | None
    answered: int | None = None
    failed: bool = False


Call = TypeVar("Call", bound=RecordedCall)
Written = tuple[tuple[int, str], ...]
"""A user's messages, each with its place in the conversation, from 0."""


@dataclass(frozen=True, slots=True)
class Recording:
    """A `Recording` is what was read of a conversation.

    Attributes:
        messages: How many messages it has.
        written: What the user wrote.
        calls: The agent's calls in their order, each with its result.
        strays: Results that belong to no call, in words.
    """

    messages: int
    written: Written
    calls: tuple[RecordedCall, ...]
    strays: tuple[str, ...]


_LISTS = ("messages", "conversations", "contents", "traj", "history", "conversation", "trajectory", "input")
"""Keys that a conversation's messages stand under."""
_REPLIES = ("response", "responses", "choices", "candidates", "output", "outputs", "completion", "completions")
_REPLIES += ("reply", "message", "generation", "generations", "answer", "result", "prediction")
"""Keys that a reply stands under which is none of the messages yet."""
_DECLARED = {"tools", "functions", "toolchoice", "toolconfig", "availabletools", "tooldefs"}


def read_conversation(record: Mapping[str, Any], where: str, tools: Collection[str] = ()) -> Recording:
    """Return what a conversation says, in whatever form a recorder wrote it; a reply beside its messages is the last.

    `tools` are the names that calls are known by where they stand in no form that is read. Raises `RecordError`, which
    begins with `where`, for what is no conversation, and for whatever could hold a call, a role or a result and is not
    understood.
    """
    key = next((own for own in _LISTS if _list_in(record.get(own)) is not None), "messages")
    if key not in record:
        raise RecordError(f"{where}: messages is missing")
    given = expect(_list_in(record[key]) or record[key], list, f"{where}.{key}")
    messages = [read_message(value, f"{where}.{key}[{place}]") for place, value in enumerate(given)]
    rest = {name: own for name, own in record.items() if name != key and plain_name(name) not in _DECLARED}
    unread: dict[str, Any] = {}
    for name in filter(rest.__contains__, _REPLIES):
        own = rest.pop(name)
        reply = _reply_in(own)
        if reply is None:
            unread[name] = own
            continue
        added = [read_message(value, f"{where}.{name}") for value in reply]
        if [own.calls for own in added if own.calls] != [own.calls for own in messages[-1:] if own.calls]:
            messages += added
    known = {call.key for message in messages for call in message.calls}
    refuse_hidden(messages, tools)
    refuse_hidden_in(unread, where, known, tools)
    refuse_hidden_in(rest, where, known, tools, loud=False)
    return _matched(messages, tools)


def _list_in(value: object) -> list[Any] | None:
    """Return a list of objects, which may be JSON in a text."""
    own = _parsed(value)
    return own if isinstance(own, list) and (not own or isinstance(own[0], dict)) else None


def _parsed(value: object) -> Any:
    if isinstance(value, str) and value.lstrip()[:1] in ("{", "["):
        try:
            return json.loads(value)
        except (ValueError, RecursionError):
            return value
    return value


def _reply_in(value: object) -> list[Any] | None:
    """Return the messages of a reply as servers give it; None where it is no such reply."""
    match _parsed(value):
        case {"choices": [{"message": dict() as own}]} | [{"message": dict() as own}] | {"message": dict() as own}:
            return [own]
        case {"candidates": [{"content": dict() as own}]} | [{"content": {"parts": list()} as own}]:
            return [own]
        case {"output": list() | dict() as own}:
            return _reply_in(own)
        case {"role": str()} as own:
            return [own]
        case [*several] if several and all(isinstance(own, dict) and own.keys() & {"role", "type"} for own in several):
            return several
    return None


@dataclass(slots=True)
class _Asked:
    """A call with its place, whose result may not have come yet."""

    place: int
    said: str
    call: WrittenCall
    agent: bool
    result: WrittenResult | None = None
    answered: int | None = None

    def take(self, result: WrittenResult, place: int) -> None:
        self.result, self.answered = result, place


def _matched(messages: Sequence[RecordedMessage], tools: Collection[str]) -> Recording:
    """Return the calls of messages with their results."""
    said, written = "", list[tuple[int, str]]()
    asked, strays = list[_Asked](), list[str]()
    nameless: list[tuple[int, WrittenResult]] = []
    for place, message in enumerate(messages):
        if message.role == "user":
            if message.texts or not message.results:
                said = message.text
                written.append((place, said))
            if named := [own.tool for own in message.calls if own.tool in tools]:
                raise RecordError(f"{message.where}: a user calls {named[0]:.40}, a tool of the policy")
        if message.calls:
            _match_nameless(asked, nameless, strays, messages)
        asked += [_Asked(place, said, own, message.role == "assistant") for own in message.calls]
        for result in message.results:
            found = _with_id(asked, result)
            if found is not None:
                found.take(result, place)
            elif result.id is None or not (result.surely or _is_known(asked, result)):
                nameless.append((place, result))
            else:
                _tell_stray(asked, result, message.where, strays)
    _match_nameless(asked, nameless, strays, messages)
    calls = tuple(_recorded(own) for own in asked if own.agent)
    return Recording(len(messages), tuple(written), calls, tuple(strays))


def _recorded(own: _Asked) -> RecordedCall:
    call, result = own.call, own.result
    text, failed = (None, False) if result is None else (result.text, result.failed)
    return RecordedCall(own.place, own.said, call.tool, call.text, call.arguments, text, own.answered, failed)


def _is_known(asked: Sequence[_Asked], result: WrittenResult) -> bool:
    return any(own.call.id == result.id for own in asked)


def _with_id(asked: Sequence[_Asked], result: WrittenResult) -> _Asked | None:
    """Return the call that a result names: the nearest open one of the id, since recorders use ids again."""
    if result.id is None:
        return None
    found = [own for own in asked if own.result is None and own.call.id == result.id]
    return next((own for own in found if own.place == found[-1].place), None)


def _match_nameless(
    asked: Sequence[_Asked],
    nameless: list[tuple[int, WrittenResult]],
    strays: list[str],
    messages: Sequence[RecordedMessage],
) -> None:
    """Match the results without an id since the last calls: all of them in order, or each by its tool, or the only one.

    A result that names a call of no open tool belongs to none.
    """
    open_ones = [own for own in asked if own.result is None]
    newest = [own for own in open_ones if own.place == asked[-1].place]
    fits = len(newest) == len(nameless) and all(
        own.call.tool == result.tool or (result.tool is None and result.id is None)
        for own, (_, result) in zip(newest, nameless, strict=True)
    )
    for number, (place, result) in enumerate(nameless):
        among = [own for own in asked if own.result is None]
        if fits:
            among = [newest[number]]
        elif result.tool is not None:
            among = [own for own in among if own.call.tool == result.tool]
        elif result.id is not None:
            among = []  # It may be the message's own id, or that of a call that is not there.
        if len(among) == 1:
            among[0].take(result, place)
        else:
            _tell_stray(asked, result, messages[place].where, strays)
    nameless.clear()


def _tell_stray(asked: Sequence[_Asked], result: WrittenResult, where: str, strays: list[str]) -> None:
    """Tell of a result that belongs to no call. Raises `RecordError` where it may belong to one that is still open."""
    of = f" of id {result.id!r:.40}" if result.id is not None else f" of {result.tool:.40}" if result.tool else ""
    known = result.id is not None and _is_known(asked, result)
    if not known and any(own.result is None for own in asked):
        raise RecordError(f"{where}: it cannot be told which call the result{of} belongs to")
    strays.append(f"{where}: the result{of} belongs to no call")


def follow_calls(
    policy: Policy, written: Iterable[tuple[int, str]], calls: Iterable[Call], now: str | None
) -> Iterator[tuple[Call, Facts]]:
    """Yield each call with the facts before it: results and effects of earlier ones, and the ids that the user wrote.

    The ids count literally, and nobody reads the words around them. A call without a recorded result shows nothing.
    `now` is the moment of all calls; the one that the policy states if none is given.
    """
    return ((call, facts) for call, facts in follow_to_end(policy, written, calls, now) if call is not None)


def follow_to_end(
    policy: Policy, written: Iterable[tuple[int, str]], calls: Iterable[Call], now: str | None
) -> Iterator[tuple[Call | None, Facts]]:
    """Yield calls as `follow_calls` does, and then None with the facts at the end of the conversation.

    A result counts from where it stands. Within one message a call counts the results of calls before it, unless these
    stand behind a later message with calls.
    """
    facts, words, waiting = Facts.none(), list(written), list[Call]()
    every = list(calls)
    later = _places_after(every)
    for call, after in zip(every, later, strict=True):
        for own in [
            own for own in waiting if _answered(own) < (after if own.message == call.message else call.message)
        ]:
            waiting.remove(own)
            facts = _seen(policy, facts, own, now)
        while words and words[0][0] < call.message:
            facts = facts.with_words(words.pop(0)[1])
        yield call, facts
        if call.result is not None:
            waiting = sorted([*waiting, call], key=_answered)
    for own in waiting:
        facts = _seen(policy, facts, own, now)
    for _, text in words:
        facts = facts.with_words(text)
    yield None, facts


def _seen(policy: Policy, facts: Facts, call: RecordedCall, now: str | None) -> Facts:
    """Return the facts after the result of a call."""
    failed = True if call.failed else None
    return policy.saw(facts, call.tool, call.text, call.result, at=now or policy.now, failed=failed)


def _answered(call: RecordedCall) -> int:
    return call.message if call.answered is None else call.answered


def _places_after(calls: Sequence[RecordedCall]) -> list[float]:
    """Return, for each call, the place of the next message with calls."""
    found: list[float] = [float("inf")] * len(calls)
    for place in range(len(calls) - 2, -1, -1):
        here, then = calls[place].message, calls[place + 1].message
        found[place] = then if then != here else found[place + 1]
    return found
