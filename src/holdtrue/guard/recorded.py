"""Recorded conversations of agents with tools: their calls, each with what was seen before it.

Whatever a guard decides about a recorded call, what follows is what its tool gave back then.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from math import inf
from typing import TYPE_CHECKING, Any, TypeVar

from holdtrue.errors import RecordError
from holdtrue.fields import expect
from holdtrue.guard.facts import Facts
from holdtrue.guard.hidden_calls import NAMED, QUIET, HiddenCalls, named_as_prose, refuse_hidden
from holdtrue.guard.recorded_forms import RecordedMessage, WrittenCall, WrittenResult, read_message
from holdtrue.guard.recorded_words import LISTS, json_in, plain_name

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
        named: Where assistants' texts name tools and nothing there is read as a call, in words.
    """

    messages: int
    written: Written
    calls: tuple[RecordedCall, ...]
    strays: tuple[str, ...]
    named: tuple[str, ...] = ()


_REPLIES = (
    *("response", "responses", "choices", "candidates", "output", "outputs", "completion", "completions", "reply"),
    *("message", "generation", "generations", "answer", "result", "prediction"),
)
"""Keys that a reply stands under which is none of the messages yet."""
_DECLARED = {"tools", "functions", "toolchoice", "toolconfig", "availabletools", "tooldefs"}


def read_conversation(record: Mapping[str, Any], where: str, tools: Collection[str] = ()) -> Recording:
    """Return what a conversation says, in whatever form a recorder wrote it; a reply beside its messages is the last.

    `tools` are the names that calls are known by where they stand in no form that is read. Raises `RecordError`, which
    begins with `where`, for what is no conversation, and for whatever could hold a call, a role or a result and is not
    understood.
    """
    listed = {own: found for own in LISTS if isinstance(found := json_in(record.get(own), where), list)}
    key = next((own for own in listed if all(isinstance(each, dict) for each in listed[own])), "messages")
    if key not in record:
        raise RecordError(f"{where}: messages is missing; there is {', '.join([*record][:8]) or 'nothing':.200}")
    given = expect(listed.get(key, record[key]), list, f"{where}.{key}")
    messages = [read_message(value, f"{where}.{key}[{place}]") for place, value in enumerate(given)]
    rest = {name: own for name, own in record.items() if name != key and plain_name(name) not in _DECLARED}
    unread: dict[str, Any] = {}
    for name in filter(rest.__contains__, _REPLIES):
        own = json_in(said := rest.pop(name), f"{where}.{name}") or said
        added = [read_message(value, f"{where}.{name}") for value in _reply_in(own)]
        made = [each.calls for each in added if each.calls]
        if not made or made != [each.calls for each in messages[-1:]]:  # Some recorders write the last one twice.
            messages += added
        unread |= {} if added else {name: own}
    refuse_hidden(messages, tools)
    HiddenCalls((), tools).look(unread, where)
    calls = [call for own in messages for call in own.calls]
    HiddenCalls(calls, tools, QUIET if calls else NAMED).look(rest, where)
    matching = _Matching(tools)
    ids, turn = {own.id for own in calls if own.id}, 0
    for place, message in enumerate(messages):
        _refuse_other_ids(message, ids)
        # Items of one turn that call, as Responses has them, are one message in other forms.
        goes_on = all(
            0 < at <= len(given) and _is_call_item(given[at - 1], messages[at - 1]) for at in (place, place + 1)
        )
        turn = turn if goes_on else place
        matching.take(turn, message)
    matching.match_nameless()
    asked = tuple(own.recorded for own in matching.asked if own.agent)
    return Recording(
        len(messages), tuple(matching.written), asked, tuple(matching.strays), named_as_prose(messages, tools)
    )


def _is_call_item(value: Mapping[str, Any], message: RecordedMessage) -> bool:
    return "role" not in value and bool(message.calls) and not message.results


def _refuse_other_ids(message: RecordedMessage, ids: Collection[str]) -> None:
    """Raise `RecordError` for a result without an id where one of a call stands under a key that is not read."""
    if any(own.id is None or not own.surely for own in message.results):
        for where, rest in message.unknown:
            for key, own in rest.items():
                inner = own.values() if isinstance(own, dict) else (own,)
                if any(isinstance(each, str) and each in ids for each in inner):
                    raise RecordError(f"{where}.{key}: the id of a call, under a key that is not read")


def _reply_in(value: object) -> list[Any]:
    """Return the messages of a reply as servers give it; none where it is no such reply."""
    match value:
        case {"choices": [{"message": dict() as own}]} | [{"message": dict() as own}] | {"message": dict() as own}:
            return [own]
        case {"candidates": [{"content": dict() as own}]} | [{"content": {"parts": list()} as own}]:
            return [own]
        case {"output": list() | dict() as own}:
            return _reply_in(own)
        case {"role": str()} as own:
            return [own]
        case [*several] if all(isinstance(own, dict) and own.keys() & {"role", "type"} for own in several):
            return several
    return []


@dataclass(slots=True)
class _Asked:
    """A call with its place; `result`, and the place of that, are there once it is answered."""

    place: int
    said: str
    call: WrittenCall
    agent: bool
    result: WrittenResult | None = None
    answered: int | None = None

    @property
    def recorded(self) -> RecordedCall:
        call, result = self.call, self.result
        text, failed = (None, False) if result is None else (result.text, result.failed or call.failed)
        return RecordedCall(self.place, self.said, call.tool, call.text, call.arguments, text, self.answered, failed)


class _Matching:
    """Matches results with the calls before them, message by message."""

    def __init__(self, tools: Collection[str]) -> None:
        self.tools = tools
        self.asked: list[_Asked] = []
        self.written: list[tuple[int, str]] = []
        self.strays: list[str] = []
        self._nameless: list[tuple[int, str, WrittenResult]] = []
        """Results without the id of a call since the last calls, each with its place, and that in words."""

    def take(self, place: int, message: RecordedMessage) -> None:
        """Take in the next message."""
        if message.role == "user":
            if message.texts or not message.results:
                self.written.append((place, message.text))
            if tool := next((own.tool for own in message.calls if own.tool in self.tools), None):
                raise RecordError(f"{message.where}: a user calls {tool:.40}, a tool of the policy")
        if message.calls:
            self.match_nameless()
        said = self.written[-1][1] if self.written else ""
        self.asked += [_Asked(place, said, own, message.role == "assistant") for own in message.calls]
        for result in (own.unwrapped({each.call.tool for each in self.asked}) for own in message.results):
            named = [own for own in self.asked if own.call.id == result.id is not None]
            if found := [own for own in named if own.result is None]:
                nearest = next(own for own in found if own.place == found[-1].place)  # Recorders use ids again.
                nearest.result, nearest.answered = result, place
            elif result.id is not None and any(own.call.id for own in self.asked) and (result.surely or named):
                self._tell_stray(result, message.where, answered=bool(named))
            else:
                known_ids = result.surely or any(own.call.id for own in self.asked)
                self._nameless.append((place, message.where, result if known_ids else replace(result, id=None)))

    def match_nameless(self) -> None:
        """Match the results without an id since the last calls: all in order, or each by its tool, or the only one."""
        newest = [own for own in self.asked if own.result is None and own.place == self.asked[-1].place]
        fits = len(newest) == len(self._nameless) and all(
            (result.id is None or not result.surely)
            and (own.call.tool == result.tool or (result.tool is None and result.id is None))
            for own, (_, _, result) in zip(newest, self._nameless, strict=True)
        )
        for number, (place, where, result) in enumerate(self._nameless):
            among = [newest[number]] if fits else [own for own in self.asked if own.result is None]
            if result.tool is not None:
                among = [own for own in among if own.call.tool == result.tool]
            elif result.id is not None and any(own.call.id for own in self.asked):
                among = []  # It may be the message's own id, or that of a call that is not there.
            if len(among) == 1:
                among[0].result, among[0].answered = result, place
            else:
                self._tell_stray(result, where, answered=False)
        self._nameless.clear()

    def _tell_stray(self, result: WrittenResult, where: str, *, answered: bool) -> None:
        """Tell of a result that belongs to no call. Raises `RecordError` where it may belong to an open one."""
        of = f" of id {result.id!r:.40}" if result.id is not None else f" of {result.tool:.40}" if result.tool else ""
        if not answered and any(own.result is None for own in self.asked):
            raise RecordError(f"{where}: it cannot be told which call the result{of} belongs to")
        HiddenCalls((), self.tools).look(result.text, where)
        self.strays.append(f"{where}: the result{of} belongs to no call")


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
    stand behind a later message with calls. What an earlier call read never hides what later ones have shown or done.
    """
    words, every, waiting, taken, again = list(written), list(calls), list[int](), list[int](), 0
    stands = [own.message if own.answered is None else own.answered for own in every]
    facts = before = Facts.none()  # `before` the calls that are `taken` in while one before them waits.
    for number, call in enumerate((*every, None)):
        here = inf if call is None else call.message
        later = next((own.message for own in islice(every, number, None) if own.message != here), inf)
        while words and words[0][0] < here:
            said = words.pop(0)[1]
            facts, before = facts.with_words(said), before.with_words(said)
        come = [n for n in waiting if stands[n] < (later if every[n].message == here else here)]
        waiting, old = sorted({*waiting}.difference(come)), [*taken]
        for n in sorted(come, key=stands.__getitem__):
            newer = (place for place, own in enumerate(taken) if own > n and not policy.writes(every[n].tool))
            taken.insert(next(newer, len(taken)), n)
        if taken[: len(old)] != old:
            facts, old, again = before, [], again + len(taken)
            if again > 10_000:
                raise RecordError(f"{every[come[0]].tool:.40}: too many results stand behind those of later calls")
        for own in (every[n] for n in taken[len(old) :]):
            facts = policy.saw(facts, own.tool, own.text, own.result, at=now or policy.now, failed=own.failed or None)
        before, taken = (before, taken) if waiting and waiting[0] < max(taken, default=0) else (facts, [])
        yield call, facts
        if call is not None and call.result is not None:
            waiting.append(number)
