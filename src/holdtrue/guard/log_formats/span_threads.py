"""Make conversations of the spans of a trace: histories that models got, their replies, and runs of tools.

Each span of a model has the whole history so far, or a part of it. A history that shares a message with an earlier one
goes on with that thread. Any other history, such as that of a second agent, is a conversation of its own.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from holdtrue.errors import RecordError
from holdtrue.guard.hidden_calls import QUIET, HiddenCalls
from holdtrue.guard.log_formats.log_format import Conversations, Values, keys_of
from holdtrue.guard.recorded_forms import RecordedMessage, WrittenCall, read_message, reply_in
from holdtrue.guard.recorded_words import FAILED_CALLS, OTHER_SPANS, json_in, listed


@dataclass(frozen=True, slots=True)
class Span:
    """A `Span` is a call of a model or the run of a function. Its `trace` may belong to a `thread` of traces.

    It has messages or arguments (`given`), and a reply or result (`gave`), each under one of its `keys`. Its `kind` is
    `model`, `tool`, or `other` for a function that may be a tool. Spans are sorted by `at`.
    """

    where: str
    trace: str
    thread: str | None
    at: Any
    kind: str
    name: str
    given: Any
    gave: Any
    keys: tuple[str, str]
    id: str | None = None
    error: Any = None


def conversations(values: Values, spans_of: Callable[[Any, str], Iterable[Span]]) -> Conversations:
    """Yield a conversation for each thread, and for each trace without a thread. `spans_of` reads a value's spans."""
    found: list[Span] = []
    for where, value in values:
        try:
            found += list(spans_of(value, where))
        except RecordError as error:
            yield error
    threads = {own.trace: own.thread for own in found if own.thread}
    groups: dict[str, list[Span]] = defaultdict(list)
    for own in sorted(found, key=lambda own: own.at):
        groups[own.thread or threads.get(own.trace, own.trace)].append(own)
    for name, mine in groups.items():
        try:
            yield from _conversations(name, mine)
        except RecordError as error:
            yield RecordError(f"{name}: {error}")


def moment_in(record: Mapping[str, Any], key: str, where: str) -> datetime:
    """Return the moment under a key, in UTC unless it says otherwise. Raises `RecordError` if there is none."""
    try:
        found = datetime.fromisoformat(str(record.get(key)))
    except ValueError as error:
        raise RecordError(f"{where}: {key} is missing, or no moment; {keys_of(record)}") from error
    return found if found.tzinfo else found.replace(tzinfo=UTC)


@dataclass(slots=True, eq=False)
class _Thread:
    """The messages of one history, as they were written and as they are read, with the numbers of their spans.

    `before` are messages to put before a place.
    """

    messages: list[Any] = field(default_factory=list)
    read: list[RecordedMessage] = field(default_factory=list)
    spans: list[int] = field(default_factory=list)
    before: dict[int, list[Any]] = field(default_factory=lambda: defaultdict(list))

    def new_in(self, history: Iterable[RecordedMessage]) -> list[bool]:
        """Return for each message of a history whether this thread has not had it yet."""
        found, at = [], 0
        for message in history:
            place = next((own for own in range(at, len(self.read)) if _same(self.read[own], message)), None)
            found.append(place is None)
            at = at if place is None else place + 1
        return found

    @property
    def whole(self) -> list[Any]:
        places = range(len(self.messages) + 1)
        return [own for at in places for own in (*self.before[at], *self.messages[at : at + 1])]


@dataclass(slots=True)
class _Asked:
    """A call in a thread, by the place of its message. `taken` says whether its run was found."""

    thread: _Thread
    place: int
    call: WrittenCall
    taken: bool = False

    @property
    def answered(self) -> bool:
        """Return whether a later message has, or may have, the result."""
        results = [own for message in self.thread.read[self.place :] for own in message.results]
        with_ids = self.call.id is not None and any(own.id is not None for own in results)
        return any(own.id == self.call.id for own in results) if with_ids else bool(results)


def _same(one: RecordedMessage, other: RecordedMessage) -> bool:
    """Return whether two spans have the same message. Results of one id may be spelled differently."""
    pairs = [*zip(one.calls, other.calls, strict=False)]
    if one.role != other.role or not len(one.calls) == len(other.calls) == len(pairs):
        return False
    if any(mine.key != its.key or (mine.id != its.id and mine.id and its.id) for mine, its in pairs):
        return False
    gave, its_gave = ([own.id or own.text for own in message.results] for message in (one, other))
    return gave == its_gave and bool(one.calls or gave or one.text.strip() == other.text.strip())


def _conversations(name: str, spans: Sequence[Span]) -> Conversations:
    """Yield the conversations of spans. Raises `RecordError` for a span that is not understood."""
    threads: list[_Thread] = []
    runs: list[tuple[int, Span, _Thread, int]] = []
    for number, own in enumerate(spans):
        if own.kind == "model":
            _take(threads, own, number)
        else:
            threads = threads or [_Thread()]
            runs.append((number, own, threads[-1], len(threads[-1].messages)))
    calls = [_Asked(each, at, call) for each in threads for at, own in enumerate(each.read) for call in own.calls]
    known, others, failed = [own.call for own in calls], list[Any](), list[str]()
    for number, run, thread, place in runs:
        if run.kind == "tool":
            failed += _run(run, thread, place, [own for own in calls if own.thread.spans[own.place] < number or run.id])
        else:
            asked = run.given
            if isinstance(asked, dict) and asked.keys() == {"args", "kwargs"} and not asked["args"]:
                asked = asked["kwargs"]  # So a decorator writes the arguments of a function.
            others.append({"name": run.name, "input": asked, "output": run.gave})
            HiddenCalls(known, (), QUIET).look([asked, run.gave], run.where)
    found = [messages for own in threads if (messages := own.whole)]
    if not found:
        raise RecordError("no span has the messages of a model, or a call of a tool")
    for number, messages in enumerate(found, 1):
        id = name if number == 1 else f"{name}/{number}"
        yield {"id": id, "messages": messages, OTHER_SPANS: others, FAILED_CALLS: failed}


def _take(threads: list[_Thread], span: Span, number: int) -> None:
    """Add the new messages of a model's span to the thread with the most of its history, which becomes the last."""
    place, gave_at = (f"{span.where}: {key}" for key in span.keys)
    history = [(own, read_message(own, place)) for own in _given(span.given, place)]
    history = [own for own in history if own[1].role != "system"]
    no_reply = span.gave is None and span.error
    gave = [] if no_reply else [(own, read_message(own, gave_at)) for own in _gave(span.gave, gave_at)]
    news = [own.new_in(read for _, read in history) for own in threads]
    fits = [at for at, own in enumerate(threads) if not all(news[at]) or not own.messages]
    best = min(fits, key=lambda at: sum(news[at]), default=None)
    new, thread = ([True] * len(history), _Thread()) if best is None else (news[best], threads.pop(best))
    threads.append(thread)
    more = [own for is_new, own in zip(new, history, strict=True) if is_new]
    end = [*thread.read, *(read for _, read in more)][-len(gave) :]
    if len(end) < len(gave) or not all(_same(one, own) for one, (_, own) in zip(end, gave, strict=False)):
        more += gave  # Otherwise two recorders wrote a span each about the same reply.
    thread.messages += [own for own, _ in more]
    thread.read += [read for _, read in more]
    thread.spans += [number] * len(more)


def _given(value: Any, where: str) -> list[Any]:
    """Return the messages that a model was given. Raises `RecordError` if there are none."""
    own: Any = json_in(value, where) or value
    if isinstance(own, dict) and not own.keys() & {"role", "kwargs"}:
        own = next((own[key] for key in ("messages", "input", "contents", "prompts", "prompt") if own.get(key)), None)
    own = own[0] if isinstance(own, list) and len(own) == 1 and isinstance(own[0], list) else own  # LangChain's batch
    if not own:
        raise RecordError(f"{where} is missing, or has no messages; {keys_of(value)}")
    return [{"role": "user", "content": each} if isinstance(each, str) else each for each in listed(own)]


def _gave(value: Any, where: str) -> list[Any]:
    """Return the messages that a model gave. Raises `RecordError` for a reply that is not understood."""
    own: Any = json_in(value, where) or value
    if isinstance(own, str):
        return [{"role": "assistant", "content": own}]
    if isinstance(own, dict) and isinstance(own.get("generations"), list):  # LangChain's list of batches
        return [each for row in own["generations"] for one in listed(row) for each in _gave(one, where)]
    if isinstance(own, dict) and own.keys() & {"content", "tool_calls"} and not own.keys() & {"role", "type"}:
        own = {"role": "assistant", **own}
    if found := reply_in(own) or (reply_in([own]) if isinstance(own, dict) else []):
        return found
    inner = [own[key] for key in ("messages", "output", "text") if own.get(key)] if isinstance(own, dict) else []
    if not inner:
        raise RecordError(f"{where} is missing, or has no reply that is understood; {keys_of(value)}")
    return _gave(inner[0], where)


def _run(run: Span, thread: _Thread, place: int, calls: Sequence[_Asked]) -> list[str]:
    """Add the run of a tool to its thread: its result, or the call too if no message has it.

    Return the id of the call if the run failed although a message has its result.
    """
    id, error, (given, gave) = run.id, run.error, (json_in(own, run.where) or own for own in (run.given, run.gave))
    gave = gave["output"] if isinstance(gave, dict) and gave.keys() == {"output"} else gave
    if isinstance(gave, dict) and isinstance(inner := gave.get("kwargs", gave), dict) and inner.get("tool_call_id"):
        [result] = read_message({**inner, "role": "tool"}, run.where).results  # a message of LangChain
        id, gave, error = result.id, result.text, error or result.failed
    if isinstance(given, dict) and given.keys() == {"input"} and isinstance(own := json_in(given["input"], ""), dict):
        given = own
    found = _call_of(run, id, given, calls)
    if found is not None:
        thread, place, id, found.taken = found.thread, found.place + 1, found.call.id, True
        if found.answered and error and id is None:
            raise RecordError(f"{run.where}: {run.name:.40} failed, and the result in the messages has no id")
        if found.answered:
            return [str(id)] if error else []
    elif given is None:
        raise RecordError(f"{run.where}: {run.keys[0]} is missing, and no message has the call of {run.name:.40}")
    else:
        call = {"function": {"name": run.name, "arguments": given}}
        thread.before[place].append({"role": "assistant", "tool_calls": [call if id is None else {"id": id, **call}]})
    gave = str(error) if gave is None and error else gave
    said = {"name": run.name, "content": gave if isinstance(gave, str) else json.dumps(gave), "is_error": bool(error)}
    if gave is not None:
        thread.before[place].append({"role": "tool", **said, **({} if id is None else {"tool_call_id": id})})
    return []


def _call_of(run: Span, id: str | None, given: Any, calls: Sequence[_Asked]) -> _Asked | None:
    """Return the call that was run: by its id, by its arguments, or as the only one without a result."""
    mine = [own for own in calls if own.call.tool == run.name]
    by_id = [own for own in mine if id is not None and own.call.id == id]
    free = [own for own in by_id or mine if not own.taken and (by_id or id is None or own.call.id is None)]
    same = [own for own in free if own.call.arguments == given]
    if by_id or same:
        return (same or free or by_id)[0]
    if isinstance(given, dict) and given.keys() != {"input"}:
        return None  # LangChain may write arguments as a text under `input`, which cannot be compared.
    still = [own for own in free if not own.answered]
    if len(still) > 1:
        raise RecordError(f"{run.where}: it cannot be told which call of {run.name:.40} was run")
    return next(iter(still or free), None)
