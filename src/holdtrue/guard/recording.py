"""Read recorded conversations of agents with tools, and follow their calls with the facts before each.

Whatever a guard decides about a recorded call, the conversation goes on with the recorded result.
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
from holdtrue.guard.log_formats.log_format import keys_of
from holdtrue.guard.log_formats.log_reading import FORMATS
from holdtrue.guard.recorded_forms import RecordedMessage, WrittenCall, WrittenResult, read_message, reply_in
from holdtrue.guard.recorded_words import FAILED_CALLS, LISTS, OTHER_SPANS, json_in, listed, plain_name

if TYPE_CHECKING:
    from holdtrue.guard.policy import Policy


@dataclass(frozen=True, slots=True)
class RecordedCall:
    """A `RecordedCall` is one call that an agent made.

    Attributes:
        message: The place of its message in the conversation, from 0.
        said: The user's last message before the call.
        text: The arguments as they were written.
        arguments: The arguments as values, or None if they are no JSON object.
        result: The tool's result, or None if none is recorded.
        answered: The place of the result's message.
        failed: Whether the recorder marked the result as an error.
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
    """A `Recording` is a recorded conversation after reading.

    Attributes:
        messages: The number of its messages.
        written: The user's messages.
        calls: The agent's calls in order, each with its result.
        strays: A sentence for each result that belongs to no call.
        named: A sentence for each place at which an assistant's text names a tool without a call.
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
"""Keys that hold a reply which is not yet one of the messages."""
_DECLARED = {"tools", "functions", "toolchoice", "toolconfig", "availabletools", "tooldefs"}


def read_conversation(record: Mapping[str, Any], where: str, tools: Collection[str] = ()) -> Recording:
    """Return a conversation in any known form. A reply next to its messages counts as the last message.

    `tools` are the names by which calls in unknown forms are detected. Raises `RecordError`, which begins with `where`,
    for a value that is no conversation. It also raises it for any part that could hold a call, a role or a result and
    is not understood.
    """
    record = _exchange(record, where)
    key, given = _listed(record, where)
    messages = [read_message(value, f"{where}.{key}[{place}]") for place, value in enumerate(given)]
    rest = {name: own for name, own in record.items() if name != key and plain_name(name) not in _DECLARED}
    unread: dict[str, Any] = {}
    for name in filter(rest.__contains__, _REPLIES):
        own = json_in(said := rest.pop(name), f"{where}.{name}") or said
        added = [read_message(value, f"{where}.{name}") for value in reply_in(own)]
        made = [each.calls for each in added if each.calls]
        if not made or made != [each.calls for each in messages[-1:]]:  # Some recorders write the last message twice.
            messages += added
        unread |= {} if added else {name: own}
    refuse_hidden(messages, tools)
    HiddenCalls((), tools).look(unread, where)
    calls = [call for own in messages for call in own.calls]
    failed = rest.pop(FAILED_CALLS, ())
    HiddenCalls(calls, tools, NAMED).look(rest.pop(OTHER_SPANS, None), f"{where}.{OTHER_SPANS}")
    HiddenCalls(calls, tools, QUIET if calls else NAMED).look(rest, where)
    matching = _Matching(tools)
    ids, turn = {own.id for own in calls if own.id}, 0
    for place, message in enumerate(messages):
        _refuse_other_ids(message, ids)
        # In Responses, each call is an item; in other forms the calls of a turn share one message.
        goes_on = all(
            0 < at <= len(given) and _is_call_item(given[at - 1], messages[at - 1]) for at in (place, place + 1)
        )
        turn = turn if goes_on else place
        matching.take(turn, message)
    matching.match_nameless()
    asked = tuple(
        replace(own.recorded, failed=True) if own.call.id in failed else own.recorded
        for own in matching.asked
        if own.agent
    )
    return Recording(
        len(messages), tuple(matching.written), asked, tuple(matching.strays), named_as_prose(messages, tools)
    )


def spoken_in(record: Mapping[str, Any], where: str) -> list[Any]:
    """Return the messages of a conversation with texts alone, for readers of words. Other messages stay as they are.

    Raises `RecordError` if the record has no list of messages.
    """
    record = _exchange(record, where)
    _, given = _listed(record, where)
    replies = [own for name in _REPLIES for own in reply_in(json_in(record.get(name), where) or record.get(name))]
    return [_spoken(own) for own in (*given, *(own for own in replies if own != given[-1]))]


def _spoken(message: Any) -> Any:
    plain = isinstance(message, dict) and "role" in message and "parts" not in message
    if plain and isinstance(message.get("content", ""), str | None):
        return message
    try:
        read = read_message(message, "message")
    except RecordError:
        return message
    parts = listed(message.get("content", message.get("parts")))  # A picture for the user's words is none of them.
    is_whole = read.role == "assistant" or len(read.texts) + len(read.results) >= len(parts)
    return {"role": read.role, "content": read.text} if is_whole and "refusal" not in str(message) else message


def _listed(record: Mapping[str, Any], where: str) -> tuple[str, list[Any]]:
    """Return the messages of a record, and their key. Raises `RecordError` if there are none."""
    lists = {own: found for own in LISTS if isinstance(found := json_in(record.get(own), where), list)}
    key = next((own for own in lists if all(isinstance(each, dict) for each in lists[own])), "messages")
    if key not in record:
        known = ", ".join(FORMATS)
        raise RecordError(f"{where}: messages is missing; {keys_of(record)}; known formats are {known}")
    return key, expect(lists.get(key, record[key]), list, f"{where}.{key}")


def _exchange(record: Mapping[str, Any], where: str) -> Mapping[str, Any]:
    """Return a row of a request and a response, each perhaps within a `body`, as messages beside a reply."""
    asked, gave = (json_in(record.get(key), where) for key in ("request", "response"))
    if isinstance(asked, dict) and not record.keys() & {*LISTS}:
        asked, gave = (
            json_in(own["body"], where) if isinstance(own, dict) and "body" in own else own for own in (asked, gave)
        )
        record = {**record, **(asked or {}), "response": gave}
        record.pop("request")
    if isinstance(record.get("input"), str) and isinstance(record.get("output", gave), list | dict):
        record = {**record, "input": [{"role": "user", "content": record["input"]}]}
    return record


def _is_call_item(value: Mapping[str, Any], message: RecordedMessage) -> bool:
    return "role" not in value and bool(message.calls) and not message.results


def _refuse_other_ids(message: RecordedMessage, ids: Collection[str]) -> None:
    """Raise `RecordError` for a result without an id if an unread key next to it holds the id of a call."""
    if any(own.id is None or not own.surely for own in message.results):
        for where, rest in message.unknown:
            for key, own in rest.items():
                inner = own.values() if isinstance(own, dict) else (own,)
                if any(isinstance(each, str) and each in ids for each in inner):
                    raise RecordError(f"{where}.{key}: the id of a call, under a key that is not read")


@dataclass(slots=True)
class _Asked:
    """An `_Asked` is a call with its place. `result` and `answered` are set when its result is found."""

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
    """Matches results with earlier calls, message by message."""

    def __init__(self, tools: Collection[str]) -> None:
        self.tools = tools
        self.asked: list[_Asked] = []
        self.written: list[tuple[int, str]] = []
        self.strays: list[str] = []
        self._nameless: list[tuple[int, str, WrittenResult]] = []
        """Results without a call's id since the last calls, each with its place, and the place in words."""

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
                nearest = next(own for own in found if own.place == found[-1].place)  # Recorders reuse ids.
                nearest.result, nearest.answered = result, place
            elif result.id is not None and any(own.call.id for own in self.asked) and (result.surely or named):
                self._tell_stray(result, message.where, answered=bool(named))
            else:
                known_ids = result.surely or any(own.call.id for own in self.asked)
                self._nameless.append((place, message.where, result if known_ids else replace(result, id=None)))

    def match_nameless(self) -> None:
        """Match the results without an id since the last calls: in order, by tool, or as the only candidate."""
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
                among = []  # It may be the id of the message, or of a missing call.
            if len(among) == 1:
                among[0].result, among[0].answered = result, place
            else:
                self._tell_stray(result, where, answered=False)
        self._nameless.clear()

    def _tell_stray(self, result: WrittenResult, where: str, *, answered: bool) -> None:
        """Note a result that belongs to no call. Raises `RecordError` if it may belong to an open call."""
        of = f" of id {result.id!r:.40}" if result.id is not None else f" of {result.tool:.40}" if result.tool else ""
        if not answered and any(own.result is None for own in self.asked):
            raise RecordError(f"{where}: it cannot be told which call the result{of} belongs to")
        HiddenCalls((), self.tools).look(result.text, where)
        self.strays.append(f"{where}: the result{of} belongs to no call")


def follow_calls(
    policy: Policy, written: Iterable[tuple[int, str]], calls: Iterable[Call], now: str | None
) -> Iterator[tuple[Call, Facts]]:
    """Yield each call with the facts before it: effects and results of earlier calls, and ids that the user wrote.

    The ids count literally; nothing else of the user's words is read. A call without a recorded result shows nothing.
    `now` is the moment of all calls; the default is the one that the policy states.
    """
    return ((call, facts) for call, facts in follow_to_end(policy, written, calls, now) if call is not None)


def follow_to_end(
    policy: Policy, written: Iterable[tuple[int, str]], calls: Iterable[Call], now: str | None
) -> Iterator[tuple[Call | None, Facts]]:
    """Yield calls as `follow_calls` does, and then None with the facts at the end of the conversation.

    A result counts from the place at which it was recorded. Within one message, a call also sees the results of the
    calls before it, except results after a later message with calls. The result of an earlier reading call never
    replaces facts of later calls.
    """
    words, every, waiting, taken, again = list(written), list(calls), list[int](), list[int](), 0
    stands = [own.message if own.answered is None else own.answered for own in every]
    facts = before = Facts.none()  # `before`: the facts before the calls in `taken`, while an earlier call waits.
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
