"""Make rules of what somebody's words demand of a call: they are decided, mended and told like those of a policy.

Whether an argument is what was agreed is told by the letters of the texts: they are one value, or cannot be, or only
somebody can say.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from difflib import SequenceMatcher
from typing import Any

from holdtrue.errors import InputError
from holdtrue.guard.decision import Change, Origin
from holdtrue.guard.listening import CallCommitment, Listening
from holdtrue.guard.policy_parts import (
    DONE,
    NOW,
    SAID,
    WRITTEN,
    PolicyParts,
    Rule,
    RuleOnTool,
    Severity,
    Tool,
)
from holdtrue.language.names import without_accents
from holdtrue.language.requests.spans import LONGEST_TEXT
from holdtrue.logic.value_sorts import DATE, WEEKDAYS, WHOLE
from holdtrue.rules.cel import read_cel
from holdtrue.rules.checker import FactKind as FactType
from holdtrue.rules.checker import Scope, check_condition
from holdtrue.rules.comparison import AT_MOST, EQUAL, LESS
from holdtrue.rules.dates import WEEKDAY
from holdtrue.rules.typed_expressions import Apply, Get, Given, Node, Not, Root
from holdtrue.rules.types import FLAG, TEXT, ListOf, Name, Number, Type, without_null
from holdtrue.rules.values import NotSeen, Reader, ValueFault, to_json


def _may_be_short_for(own: CallCommitment, type: Type, called: Any) -> bool:
    """Return whether a text may be another name of what was said, whatever a model says: they are alike.

    A model's word alone proves nothing, so that only texts without likeness are told apart by it.
    """
    plain = without_null(type)
    if not isinstance(plain, Name) or plain.values is not None or plain.kind or not isinstance(called, str):
        return False
    return len(called) <= LONGEST_TEXT and are_alike(str(own.value), called)


def _milder(severity: Severity) -> Severity:
    """Return what becomes of a commitment that is not known to be broken."""
    return "ask" if severity == "block" else severity


def commitment_rules(policy: PolicyParts, heard: Listening, tool: Tool, call: Mapping[str, Any]) -> tuple[Rule, ...]:
    """Return what was agreed about calls of a tool, as rules on this call of it."""
    found = (
        _expression(policy, own, tool) if own.rule else _argument(own, heard, tool, call)
        for own in heard.commitments
        if tool.name in own.on
    )
    return tuple(rule for rule in found if rule is not None)


def check_expression(policy: PolicyParts, text: str, tool: str) -> RuleOnTool:
    """Return an expression over calls of a tool, with its types. Raises `InputError` for one that is none."""
    own = policy.tools.get(tool)
    if own is None:
        raise InputError(f"the policy names no tool {tool!r}; it names {', '.join(policy.tools) or 'none'}")
    kinds = {name: FactType(tuple(each.keys.values()), each.record) for name, each in policy.facts.items()}
    roots: dict[str, Type] = {
        own.root: own.arguments,
        NOW: policy.moment,
        SAID: policy.said_type,
        DONE: policy.done_type,
        WRITTEN: ListOf(TEXT),
    }
    return RuleOnTool(None, check_condition(read_cel(text), Scope(roots, kinds, policy.given)))


def _expression(policy: PolicyParts, own: CallCommitment, tool: Tool) -> Rule:
    on_tool = {tool.name: check_expression(policy, own.rule, tool.name)}
    return Rule(own.id, own.say, own.severity, on_tool, "", own.rule, origin=_origin(own))


def _origin(own: CallCommitment) -> Origin:
    return Origin(own.source, own.turn, own.quote, own.argument)


def _argument(own: CallCommitment, heard: Listening, tool: Tool, call: Mapping[str, Any]) -> Rule | None:
    """Return a commitment about an argument, as a rule; None where the tool has no such argument."""
    field = tool.arguments.fields.get(own.argument)
    if field is None:
        return None
    called = call.get(own.argument)
    if own.value in WEEKDAYS and without_null(field.type) == DATE:
        return _on_weekday(own, tool, called)
    severity = own.severity
    assumptions: tuple[str, ...] = ()
    value = _value(own, field.type)
    others = [_value(replace(own, value=each), field.type) for each in own.others]
    if called is not None and called in others:
        value = called
    if called is None:
        # What a call leaves out has the default of its schema, if that is what was said.
        default = tool.schema.defaults.get(own.argument)
        hold: Node = Given(own.relation != "is" or (default is not None and default == own.value), FLAG)
    elif value is None:
        # What was said is no value of this tool's: a person says what it is.
        hold, severity = Given(False, FLAG), _milder(severity)
    else:
        same = _same(own, heard, field.type, called)
        if same is True and isinstance(called, str):
            if comparable(str(value)) != comparable(called):
                how = "because of their letters" if is_short_for(str(value), called) else "which a model said"
                assumptions = (f"{own.value!r} and {called!r} were taken for the same, {how}",)
            value = called
        elif own.relation == "is" and (same is None or _may_be_short_for(own, field.type, called)):
            severity = _milder(severity)
        hold = _node(own, Get(Root(tool.root, tool.arguments), own.argument, field.type), value, field.type)
        if own.relation == "not" and same is None and _may_be_short_for(own, field.type, called):
            # It may be what was not wanted, by another name: nobody has said.
            hold, severity = Given(False, FLAG), _milder(severity)
    on_tool = {tool.name: RuleOnTool(None, hold)}
    return Rule(own.id, own.say, severity, on_tool, "", "", origin=_origin(own), assumptions=assumptions)


def _on_weekday(own: CallCommitment, tool: Tool, called: Any) -> Rule:
    """Return a commitment to a day of the week, or to another one than this."""
    if called is None:
        hold: Node = Given(own.relation != "is", FLAG)
    else:
        day = Get(Root(tool.root, tool.arguments), own.argument, tool.arguments.fields[own.argument].type)
        numbers = Apply(WEEKDAY, (day,), Number(WHOLE)), Given(WEEKDAYS.index(own.value), Number(WHOLE))
        same = Apply(EQUAL, numbers, FLAG)
        hold = Not(same) if own.relation == "not" else same
    return Rule(own.id, own.say, own.severity, {tool.name: RuleOnTool(None, hold)}, "", "", origin=_origin(own))


def _value(own: CallCommitment, type: Type) -> Any:
    """Return what was said as a value of an argument's type; None where it is none."""
    try:
        return Reader().read(own.value, without_null(type), own.argument)
    except ValueFault:
        return None


def _same(own: CallCommitment, heard: Listening, type: Type, called: Any) -> bool | None:
    """Return whether what is called is what was said, by other letters or by another name; None if it is not known.

    Only texts that are neither ids nor of a list can be the same in other words.
    """
    plain = without_null(type)
    if not isinstance(plain, Name) or not isinstance(called, str) or not isinstance(own.value, str):
        return False
    if len(called) > LONGEST_TEXT or differ_surely(own.value, called):
        return False
    if comparable(own.value) == comparable(called):
        return True
    if plain.values is not None or plain.kind:
        return False
    if is_short_for(own.value, called):
        return True
    return next((same for said, other, same in heard.alike if said == own.value and other == called), None)


def differing_texts(heard: Listening, tool: Tool, call: Mapping[str, Any]) -> Iterator[tuple[CallCommitment, str]]:
    """Yield the commitments that a call has another text for, of which nobody has said whether they mean the same."""
    known = {(said, called) for said, called, _ in heard.alike}
    for own in heard.commitments:
        field, called = tool.arguments.fields.get(own.argument), call.get(own.argument)
        if field is None or tool.name not in own.on or not isinstance(called, str):
            continue
        if own.relation != "is" and not (own.relation == "not" and _may_be_short_for(own, field.type, called)):
            continue
        if (own.value, called) not in known and _same(own, heard, field.type, called) is None:
            yield own, called


def _node(own: CallCommitment, called: Node, value: Any, type: Type) -> Node:
    said = Given(value, without_null(type))
    match own.relation:
        case "is":
            return Apply(EQUAL, (called, said), FLAG)
        case "not":
            return Not(Apply(EQUAL, (called, said), FLAG))
        case "at_least":
            return Apply(AT_MOST, (said, called), FLAG)
        case "at_most":
            return Apply(AT_MOST, (called, said), FLAG)
        case "more_than":
            return Apply(LESS, (said, called), FLAG)
        case _:
            return Apply(LESS, (called, said), FLAG)


def with_agreed_values(
    heard: Listening, tool: Tool, call: Mapping[str, Any], arguments: Any, broken: frozenset[str]
) -> tuple[dict[str, Any], Any, tuple[Change, ...]]:
    """Return a call, and its arguments as JSON, with the values of the `broken` commitments in place, and the changes.

    Every call that keeps a commitment to one value has just that value, so these changes have to be made.
    """
    changed, given, changes = dict(call), dict(arguments), []
    for own in heard.commitments:
        field = tool.arguments.fields.get(own.argument)
        if own.id not in broken or own.relation != "is" or field is None or tool.name not in own.on:
            continue
        if getattr(without_null(field.type), "kind", "") and isinstance(without_null(field.type), Name):
            continue  # Another id is another thing, which nobody may put in the place of this one.
        value = _value(own, field.type)
        if value is None or isinstance(call.get(own.argument), NotSeen):
            continue
        changes.append(Change(own.argument, given.get(own.argument), to_json(value, without_null(field.type))))
        changed[own.argument], given[own.argument] = value, changes[-1].after
    return changed, given, tuple(changes)


_ALIKE = 0.6
_WORD = re.compile(r"[\w+#*@=<>%&$\u20ac\u00a3]+|(?<=\w)-(?!\w)|(?<!\w)-(?=\d)")
_APOSTROPHE = re.compile(r"(?<=\w)['\u2019](?=\w)")
_CODE = re.compile(r"@|://|\w\.\w\w|/")
_NUMBER = re.compile(r"[0-9]+")
_CODED = re.compile(r"(?=.*\d)(?=.*[A-Z])[A-Z\d]+(?:[ -][A-Z\d]+)*")
"""A postcode, a plate or a number of an order: what is written in capitals and digits only."""
_MAIL = re.compile(r"[^@\s]+@[^@\s]+")
_CLOCK = re.compile(r"\d{1,2}[:.]\d{2}|\d{1,4}[/.-]\d{1,2}(?:[/.-]\d{1,4})?")
_ARTICLES = ("the ", "a ", "an ")
_FOREIGN_ARTICLES = frozenset("el la las los le les l der die das il lo".split())
"""Articles of names that people leave out, `Vegas`, though they keep them in short forms: `LA`."""


def comparable(text: str) -> str:
    """Return a text in small letters, without accents, marks that only part words, and an article before it.

    Marks that say something stay: `A+` is no `A-`, and `C++` no `C`.
    """
    words = " ".join(_WORD.findall(_APOSTROPHE.sub("", without_accents(text.casefold()))))
    return next((words[len(own) :] for own in _ARTICLES if words.startswith(own)), words) or text.strip()


def is_short_for(one: str, other: str) -> bool:
    """Return whether of two texts one is a short form of the other, by its letters.

    It is how it begins (`The Weight`, `The Weight of the Badge`), its first letters (`SD`, `San Diego`), or has words
    cut short (`San Fran`). Addresses of mail or of pages, and numbers, have no short forms.

    >>> is_short_for("NYC", "New York"), is_short_for("San Fran", "San Francisco"), is_short_for("Leeds", "London")
    (True, True, False)
    """
    short, long = sorted((comparable(one), comparable(other)), key=len)
    few, many = short.split(), long.split()
    if not few or "".join(few) == "".join(many):
        return bool(few)
    if any(_CODE.search(own) for own in (one, other)):
        return False
    if few in (many[: len(few)], many[1 : 1 + len(few)] if many[0] in _FOREIGN_ARTICLES else None):
        return True
    written = one if comparable(one) == short else other
    first = "".join(word[0] for word in many)
    if len(few) == 1 and len(many) > 1 and written.isupper() and short in (first, f"{first}c"):
        return True
    return len(few) == len(many) > 1 and all(
        cut == whole or (whole.startswith(cut) and len(cut) >= min(3, len(whole)) and whole.isalpha())
        for cut, whole in zip(few, many, strict=True)
    )


def differ_surely(one: str, other: str) -> bool:
    """Return whether two texts cannot mean the same, whatever anybody says: two addresses of mail, or other numbers.

    The numbers tell them apart only where all the rest is alike, as of two houses of a street, or two telephones.

    >>> differ_surely("80 Quay Street", "18 Quay Street"), differ_surely("7 pm", "19:00")
    (True, False)
    """
    first, second = one.casefold().strip(), other.casefold().strip()
    if _MAIL.fullmatch(first) and _MAIL.fullmatch(second):
        return first != second
    if _CODED.fullmatch(one.strip()) and _CODED.fullmatch(other.strip()):
        short, long = sorted((re.sub(r"[ -]", "", own.strip()) for own in (one, other)), key=len)
        return not (long.startswith(short) or long.endswith(short))
    if _NUMBER.sub("", comparable(one)).split() != _NUMBER.sub("", comparable(other)).split():
        return False
    if not _NUMBER.sub("", comparable(one)).split():
        # Only digits, as of telephones: a prefix may be left out. Hours and days can be written in two ways.
        if _CLOCK.fullmatch(first) or _CLOCK.fullmatch(second):
            return False
        all_digits = ["".join(_NUMBER.findall(own)).lstrip("0") for own in (one, other)]
        short, long = sorted(all_digits, key=len)
        return not long.endswith(short)
    numbers = [sorted(int(own) for own in _NUMBER.findall(each)) for each in (one, other)]
    return all(numbers) and numbers[0] != numbers[1]


def are_alike(one: str, other: str) -> bool:
    """Return whether two texts may be two names of one thing, by their letters, though nothing says so.

    A model's word alone proves nothing, so that only texts without likeness are told apart by it.
    """
    if differ_surely(one, other):
        return False
    one, other = _without_common_start(comparable(one), comparable(other))
    first = "".join(word[0] for word in max(one, other, key=len).split())
    is_alike = SequenceMatcher(None, one, other, autojunk=False).ratio() >= _ALIKE or one[:3] == other[:3]
    return is_alike or (len(first) > 1 and min(one, other, key=len).startswith(first[:2]))


def _without_common_start(one: str, other: str) -> tuple[str, str]:
    """Return two texts without the words with which both begin: two nurses are not alike for being nurses."""
    first, second = one.split(), other.split()
    while len(first) > 1 and len(second) > 1 and first[0] == second[0]:
        del first[0], second[0]
    return " ".join(first), " ".join(second)
