"""Check the arguments of a conversation's methods, and build events from them. Nothing invalid may become an event."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, get_args

from holdtrue.budget import Budget
from holdtrue.errors import InputError
from holdtrue.guard.call_commitments import check_expression
from holdtrue.guard.conversation.state_parts import Speaker
from holdtrue.guard.decision import as_json
from holdtrue.guard.json_values import plain
from holdtrue.guard.listening import CallCommitment
from holdtrue.guard.moment_texts import moment_text_of
from holdtrue.language.requests.operation import Act
from holdtrue.ledger.requests import RequestWord
from holdtrue.logic.value_sorts import DATE, WEEKDAYS, Calendar
from holdtrue.record import ALL_REQUESTS, SlotRelation
from holdtrue.rules.local_clocks import FIXED
from holdtrue.rules.types import Number, without_null
from holdtrue.rules.values import Reader, ValueFault, moment_text, read_moment

if TYPE_CHECKING:
    from holdtrue.guard.conversation.state import ConversationState


def check_texts(*, none: bool = False, empty: bool = True, **texts: Any) -> None:
    """Raise `InputError`, with the parameter's name, for a value that is no text.

    If `none` is true, None is valid. If `empty` is false, "" is invalid.
    """
    for name, text in texts.items():
        if text is None and none:
            continue
        if not isinstance(text, str) or not (text or empty):
            raise InputError(f"{name}: a text {'' if empty else 'that is not empty '}is needed, not {text!r:.60}")


def check_words(**texts: Any) -> None:
    """Raise `InputError` if no speaker has a text, or if a text is no string."""
    if all(text is None for text in texts.values()):
        raise InputError("heard takes what the user said, what the assistant said, or both")
    for who, text in texts.items():
        if text is not None and not isinstance(text, str):
            raise InputError(f"{who}: what was said is a text, not {text!r:.60}")


def signature(by: Any, role: Any) -> dict[str, str]:
    """Return the person and the role of an event, without those that are None. Raises `InputError` for no text."""
    check_texts(none=True, empty=False, by=by, role=role)
    if by is None and role is not None:
        raise InputError("role: a role needs the person who has it, as by=")
    return {name: own for name, own in (("by", by), ("role", role)) if own is not None}


def check_one_of(name: str, value: Any, known: Iterable[Any]) -> None:
    """Raise `InputError`, with the parameter's name, for a value that is not among the known ones."""
    names = [own for own in known if own is not None]
    if not isinstance(value, str) or value not in names:
        raise InputError(f"{name} is {', '.join(names[:-1])} or {names[-1]}, not {value!r:.60}")


def check_flags(**flags: Any) -> None:
    """Raise `InputError`, with the parameter's name, for a value that is neither True nor False."""
    for name, flag in flags.items():
        if not isinstance(flag, bool):
            raise InputError(f"{name} is True or False, not {flag!r:.60}")


def check_budget(budget: Any) -> None:
    """Raise `InputError` for a value that is no `Budget`."""
    if not isinstance(budget, Budget):
        raise InputError(f"budget is a Budget, such as Budget(timeout_s=2.0), not {budget!r:.60}")


def check_moment(name: str, text: Any, type: Calendar) -> str | None:
    """Return a moment in the policy's local time, or None. Raises `InputError`, with the parameter's name."""
    if text is None:
        return None
    check_texts(**{name: text})
    value = read_moment(text, type, name)
    check_time(name, text, type)
    return str(text) if type.zone in FIXED else moment_text(value, type)


def check_time(name: str, text: Any, type: Calendar) -> str | None:
    """Return a date with a time, or None. An offset is converted to the policy's local time. Raises `InputError`."""
    if text is None:
        return None
    check_texts(**{name: text})
    try:
        moment = datetime.fromisoformat(text)
        return str(text) if moment.tzinfo is None or type.zone in FIXED else moment_text_of(moment, type)
    except (ValueError, OverflowError) as error:
        raise InputError(f"{name}: a moment (ISO 8601) is needed, not {text!r:.60}") from error


def argument_value(acts: Mapping[str, Act], argument: str, relation: Any, value: Any) -> Any:
    """Return the value for an argument as JSON. Raises `InputError` for an unknown argument or an invalid value."""
    check_texts(argument=argument)
    known = {own.id: own for act in acts.values() for own in act.arguments.values()}
    own = known.get(argument)
    if own is None:
        raise InputError(f"there is no argument {argument!r:.60}; there is {', '.join(known) or 'none'}")
    check_one_of("relation", relation, get_args(SlotRelation))
    type = without_null(own.type)
    if relation not in ("is", "not") and not isinstance(type, Number | Calendar):
        raise InputError(f"relation: {argument} is neither a number nor a time, so that it can only be 'is' or 'not'")
    if value is None:
        raise InputError(f"value: {argument} needs one; withdraw(id) takes one back")
    if isinstance(value, str) and value in WEEKDAYS and type == DATE and relation in ("is", "not"):
        return value  # The name of a weekday stands for all its dates.
    try:
        # A text stays a text: '4711' may be a name.
        found = plain(value)
        if isinstance(type, Number) and relation != "is":
            type = replace(type, low=None, high=None)  # A limit may exceed the tool's range.
        Reader().read(found, type, "value")
    except ValueFault as error:
        raise InputError(f"value: {argument}: {error.message}") from error
    except InputError as error:
        raise InputError(f"value: {error}") from error
    if not isinstance(found, str | int | float | bool | list | dict):
        raise InputError(f"value: {found!r:.60} has more digits than can be kept")
    return found


def value_entry(
    acts: Mapping[str, Act], argument: str, relation: SlotRelation, value: Any, source: Speaker, quote: str
) -> dict[str, Any]:
    """Return the body of the event that commits a value of an argument. Raises `InputError` for an invalid value."""
    given = argument_value(acts, argument, relation, value)
    act, _, name = argument.rpartition(".")
    of = {"request": ALL_REQUESTS, "act": act, "argument": name}
    return {"entry": {**of, "relation": relation, "value": given, "quote": quote, "source": source}}


def rule_entry(state: ConversationState, rule: str, on: Any, say: str, source: Speaker, quote: str) -> dict[str, Any]:
    """Return the body of the event that commits a rule on tools. Raises `InputError` if they do not fit."""
    if isinstance(on, str) or not isinstance(on, Sequence) or not all(isinstance(own, str) for own in on):
        raise InputError(f"on: the names of tools are needed, such as on=['book'], not {on!r:.60}")
    if not on:
        raise InputError("a rule that is agreed names the tools that it is on: on=['book']")
    for tool in on:
        check_expression(state.policy, rule, tool)
    id = f"R{1 + sum(each.startswith('R') for each in state.expressions) + state.seq:03d}"
    own = CallCommitment(id, tuple(on), say or f"It was agreed that {rule}.", source, state.turn, quote, rule=rule)
    return {"rule": True, "commitment": as_json(own)}


def committed_id(state: ConversationState, body: Mapping[str, Any]) -> str:
    """Return the id of the entry that was just committed. A repeated value has the id of the earlier entry."""
    if "commitment" in body:
        id: str = body["commitment"]["id"]
        return id
    return state.ledger.events[-1].entry.id


def amended(acts: Mapping[str, Act], entry: RequestWord, value: Any) -> dict[str, Any]:
    """Return the body of the event that replaces an entry's value. Raises `InputError` for an invalid value."""
    given = argument_value(acts, f"{entry.act}.{entry.argument}", entry.relation, value)
    own = {name: getattr(entry, name) for name in ("request", "act", "argument", "relation", "quote")}
    return {"entry": {**own, "value": given, "source": entry.source.value}, "replaces": entry.id}


def active_entry(state: ConversationState, id: str) -> RequestWord:
    """Return the active entry with an id. Raises `InputError` if there is none."""
    if id not in state.ledger.active:
        holds = ", ".join((*state.ledger.active, *state.expressions))
        raise InputError(f"nothing that holds has the id {id!r}; there is {holds or 'none'}")
    return state.ledger.active[id]
