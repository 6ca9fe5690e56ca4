"""Look at what a conversation is given before anything of it is written down: an event that is none would stay."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, get_args

from holdtrue.budget import Budget
from holdtrue.errors import InputError
from holdtrue.guard.call_commitments import check_expression
from holdtrue.guard.conversation.happenings import Speaker
from holdtrue.guard.conversation.state import ConversationState
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
    pass


def check_texts(*, none: bool = False, empty: bool = True, **texts: Any) -> None:
    """Raise `InputError`, with its name, for what is no text; `none` and `empty` say whether that will do, too."""
    for name, text in texts.items():
        if text is None and none:
            continue
        if not isinstance(text, str) or not (text or empty):
            raise InputError(f"{name}: a text {'' if empty else 'that is not empty '}is needed, not {text!r:.60}")


def check_words(**texts: Any) -> None:
    """Raise `InputError` where nobody said anything, or what somebody said is no text."""
    if all(text is None for text in texts.values()):
        raise InputError("heard takes what the user said, what the assistant said, or both")
    for who, text in texts.items():
        if text is not None and not isinstance(text, str):
            raise InputError(f"{who}: what was said is a text, not {text!r:.60}")


def check_one_of(name: str, value: Any, known: Iterable[Any]) -> None:
    """Raise `InputError`, with its name, for a value that is none of those that it may be."""
    names = [own for own in known if own is not None]
    if not isinstance(value, str) or value not in names:
        raise InputError(f"{name} is {', '.join(names[:-1])} or {names[-1]}, not {value!r:.60}")


def check_flags(**flags: Any) -> None:
    """Raise `InputError`, with its name, for what is neither True nor False."""
    for name, flag in flags.items():
        if not isinstance(flag, bool):
            raise InputError(f"{name} is True or False, not {flag!r:.60}")


def check_budget(budget: Any) -> None:
    """Raise `InputError` for a budget that is none."""
    if not isinstance(budget, Budget):
        raise InputError(f"budget is a Budget, such as Budget(timeout_s=2.0), not {budget!r:.60}")


def check_moment(name: str, text: Any, type: Calendar) -> str | None:
    """Return a moment as clocks at the policy's place show it; None is the moment now.

    Raises `InputError`, with its name, for what is no moment as the policy has them.
    """
    if text is None:
        return None
    check_texts(**{name: text})
    value = read_moment(text, type, name)
    check_time(name, text, type)
    return str(text) if type.zone in FIXED else moment_text(value, type)


def check_time(name: str, text: Any, type: Calendar) -> str | None:
    """Return a date with a time, one with an offset as clocks at the policy's place show it; None is the moment now.

    Raises `InputError`, with its name, for what is no date with a time.
    """
    if text is None:
        return None
    check_texts(**{name: text})
    try:
        moment = datetime.fromisoformat(text)
        return str(text) if moment.tzinfo is None or type.zone in FIXED else moment_text_of(moment, type)
    except (ValueError, OverflowError) as error:
        raise InputError(f"{name}: a moment (ISO 8601) is needed, not {text!r:.60}") from error


def argument_value(acts: Mapping[str, Act], argument: str, relation: Any, value: Any) -> Any:
    """Return a value that an argument is to have, as JSON.

    Raises `InputError` for an argument that there is not, or a value that it cannot be.
    """
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
        return value  # All dates of its name.
    try:
        # A text is taken as it is: '4711' may be a name.
        found = plain(value)
        if isinstance(type, Number) and relation != "is":
            type = replace(type, low=None, high=None)  # A limit may lie outside of what the tool takes.
        Reader().read(found, type, "value")
    except ValueFault as error:
        raise InputError(f"value: {argument}: {error.message}") from error
    except InputError as error:
        raise InputError(f"value: {error}") from error
    if not isinstance(found, str | int | float | bool | list | dict):
        raise InputError(f"value: {found!r:.60} has more digits than can be kept")
    return found


def tool_names(on: Any) -> tuple[str, ...]:
    """Return the tools that a rule is on. Raises `InputError` for what is no list of names, or an empty one."""
    if isinstance(on, str) or not isinstance(on, Sequence) or not all(isinstance(own, str) for own in on):
        raise InputError(f"on: the names of tools are needed, such as on=['book'], not {on!r:.60}")
    if not on:
        raise InputError("a rule that is agreed names the tools that it is on: on=['book']")
    return tuple(on)


def value_entry(
    acts: Mapping[str, Act], argument: str, relation: SlotRelation, value: Any, source: Speaker, quote: str
) -> dict[str, Any]:
    """Return an argument's value as an event has it. Raises `InputError` for one that it cannot have."""
    given = argument_value(acts, argument, relation, value)
    act, _, name = argument.rpartition(".")
    of = {"request": ALL_REQUESTS, "act": act, "argument": name}
    return {"entry": {**of, "relation": relation, "value": given, "quote": quote, "source": source}}


def rule_entry(
    state: ConversationState, rule: str, on: Sequence[str], say: str, source: Speaker, quote: str
) -> dict[str, Any]:
    """Return a rule on tools as an event has it. Raises `InputError` for one that cannot be on them."""
    tools = tool_names(on)
    for tool in tools:
        check_expression(state.policy, rule, tool)
    id = f"R{1 + sum(each.startswith('R') for each in state.expressions) + state.seq:03d}"
    own = CallCommitment(id, tools, say or f"It was agreed that {rule}.", source, state.turn, quote, rule=rule)
    return {"rule": True, "commitment": as_json(own)}


def committed_id(state: ConversationState, body: Mapping[str, Any]) -> str:
    """Return the id of what was just committed; what is said again has the id that it has already."""
    if "commitment" in body:
        id: str = body["commitment"]["id"]
        return id
    return state.ledger.events[-1].entry.id


def amended(acts: Mapping[str, Act], entry: RequestWord, value: Any) -> dict[str, Any]:
    """Return an entry with another value, as an event has it. Raises `InputError` for one that it cannot have."""
    given = argument_value(acts, f"{entry.act}.{entry.argument}", entry.relation, value)
    own = {name: getattr(entry, name) for name in ("request", "act", "argument", "relation", "quote")}
    return {"entry": {**own, "value": given, "source": entry.source.value}, "replaces": entry.id}


def active_entry(state: ConversationState, id: str) -> RequestWord:
    """Return what holds and has an id. Raises `InputError` where nothing has it."""
    if id not in state.ledger.active:
        holds = ", ".join((*state.ledger.active, *state.expressions))
        raise InputError(f"nothing that holds has the id {id!r}; there is {holds or 'none'}")
    return state.ledger.active[id]
