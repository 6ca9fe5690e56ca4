"""Turn the commitments of a conversation about a call into rules, so that they are decided like a policy's rules.

A *commitment* is a demand of a user, or a promise of the assistant, on an argument of a call. The letters of both texts
tell whether an argument matches its commitment. The texts are equal, they cannot mean the same, or a person has to
decide.
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
from holdtrue.guard.policy_parts import PolicyParts, Rule, RuleOnTool, Severity, Tool
from holdtrue.language.names import without_accents
from holdtrue.language.requests.spans import LONGEST_TEXT
from holdtrue.logic.value_sorts import DATE, WEEKDAYS, WHOLE
from holdtrue.rules.cel import read_cel
from holdtrue.rules.checker import FactKind as FactType
from holdtrue.rules.checker import Scope, check_condition
from holdtrue.rules.comparison import AT_MOST, EQUAL, LESS
from holdtrue.rules.dates import WEEKDAY
from holdtrue.rules.typed_expressions import Apply, Get, Given, Node, Not, Root
from holdtrue.rules.types import FLAG, Name, Number, Type, without_null
from holdtrue.rules.values import NotSeen, Reader, ValueFault, to_json


def _may_be_short_for(own: CallCommitment, type: Type, called: Any) -> bool:
    """Return whether a text is similar to the promised value, so that both may name one thing whatever a model says."""
    plain = without_null(type)
    if not isinstance(plain, Name) or plain.values is not None or plain.kind or not isinstance(called, str):
        return False
    return len(called) <= LONGEST_TEXT and are_alike(str(own.value), called)


def _milder(severity: Severity) -> Severity:
    return "ask" if severity == "block" else severity


def commitment_rules(policy: PolicyParts, heard: Listening, tool: Tool, call: Mapping[str, Any]) -> tuple[Rule, ...]:
    """Return the commitments about calls of a tool as rules on this call."""
    found = (
        _expression(policy, own, tool) if own.rule else _argument(own, heard, tool, call)
        for own in heard.commitments
        if tool.name in own.on
    )
    return tuple(rule for rule in found if rule is not None)


def check_expression(policy: PolicyParts, text: str, tool: str) -> RuleOnTool:
    """Return a typed expression over calls of a tool. Raises `InputError` if it is malformed."""
    own = policy.tools.get(tool)
    if own is None:
        raise InputError(f"the policy names no tool {tool!r}; it names {', '.join(policy.tools) or 'none'}")
    kinds = {name: FactType(tuple(each.keys.values()), each.record) for name, each in policy.facts.items()}
    scope = Scope({own.root: own.arguments, **policy.roots}, kinds, policy.given)
    return RuleOnTool(None, check_condition(read_cel(text), scope))


def _expression(policy: PolicyParts, own: CallCommitment, tool: Tool) -> Rule:
    on_tool = {tool.name: check_expression(policy, own.rule, tool.name)}
    return Rule(own.id, own.say, own.severity, on_tool, "", own.rule, origin=_origin(own))


def _origin(own: CallCommitment) -> Origin:
    return Origin(own.source, own.turn, own.quote, own.argument)


def _argument(own: CallCommitment, heard: Listening, tool: Tool, call: Mapping[str, Any]) -> Rule | None:
    """Return a commitment about an argument as a rule, or None if the tool has no such argument."""
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
        # A missing argument keeps the commitment if the schema's default is the promised value.
        default = tool.schema.defaults.get(own.argument)
        hold: Node = Given(own.relation != "is" or (default is not None and default == own.value), FLAG)
    elif value is None:
        # The promised value does not fit the argument's type, so a person is asked.
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
            # It may be the unwanted value by another name, and nobody has told them apart.
            hold, severity = Given(False, FLAG), _milder(severity)
    on_tool = {tool.name: RuleOnTool(None, hold)}
    return Rule(own.id, own.say, severity, on_tool, "", "", origin=_origin(own), assumptions=assumptions)


def _on_weekday(own: CallCommitment, tool: Tool, called: Any) -> Rule:
    if called is None:
        hold: Node = Given(own.relation != "is", FLAG)
    else:
        day = Get(Root(tool.root, tool.arguments), own.argument, tool.arguments.fields[own.argument].type)
        numbers = Apply(WEEKDAY, (day,), Number(WHOLE)), Given(WEEKDAYS.index(own.value), Number(WHOLE))
        same = Apply(EQUAL, numbers, FLAG)
        hold = Not(same) if own.relation == "not" else same
    return Rule(own.id, own.say, own.severity, {tool.name: RuleOnTool(None, hold)}, "", "", origin=_origin(own))


def _value(own: CallCommitment, type: Type) -> Any:
    """Return the promised value in an argument's type, or None if it does not fit."""
    try:
        return Reader().read(own.value, without_null(type), own.argument)
    except ValueFault:
        return None


def _same(own: CallCommitment, heard: Listening, type: Type, called: Any) -> bool | None:
    """Return whether the call has the promised text in other letters or by another name; None if that is unknown.

    Only free texts can mean the same in other words. Ids and members of a closed list cannot.
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
    """Yield the commitments for which the call has another text, if it is unknown whether the two mean the same."""
    known = {(said, called) for said, called, _ in heard.alike}
    for own in heard.commitments:
        field, called = tool.arguments.fields.get(own.argument), call.get(own.argument)
        if field is None or tool.name not in own.on or not isinstance(called, str):
            continue
        if own.relation != "is" and not (own.relation == "not" and _may_be_short_for(own, field.type, called)):
            continue
        if (own.value, called) not in known and _same(own, heard, field.type, called) is None:
            yield own, called


_COMPARED = {"is": EQUAL, "not": EQUAL, "at_least": AT_MOST, "at_most": AT_MOST, "more_than": LESS, "less_than": LESS}


def _node(own: CallCommitment, called: Node, value: Any, type: Type) -> Node:
    sides = called, Given(value, without_null(type))
    found = Apply(_COMPARED[own.relation], sides[::-1] if own.relation in ("at_least", "more_than") else sides, FLAG)
    return Not(found) if own.relation == "not" else found


def with_agreed_values(
    heard: Listening, tool: Tool, call: Mapping[str, Any], arguments: Any, broken: frozenset[str]
) -> tuple[dict[str, Any], Any, tuple[Change, ...]]:
    """Return a call with the promised values of the `broken` commitments, its JSON arguments, and the changes.

    These changes are necessary, because a commitment to one value is kept by that value only.
    """
    changed, given, changes = dict(call), dict(arguments), []
    for own in heard.commitments:
        field = tool.arguments.fields.get(own.argument)
        if own.id not in broken or own.relation != "is" or field is None or tool.name not in own.on:
            continue
        if getattr(without_null(field.type), "kind", "") and isinstance(without_null(field.type), Name):
            continue  # An id is never changed, because another id names another object.
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
"""A code in capitals and digits only: a postcode, a licence plate or an order number."""
_MAIL = re.compile(r"[^@\s]+@[^@\s]+")
_CLOCK = re.compile(r"\d{1,2}[:.]\d{2}|\d{1,4}[/.-]\d{1,2}(?:[/.-]\d{1,4})?")
_ARTICLES = ("the ", "a ", "an ")
_FOREIGN_ARTICLES = frozenset("el la las los le les l der die das il lo".split())
"""Articles that people leave out of a name (`Vegas`) and keep in its short form (`LA`)."""


def comparable(text: str) -> str:
    """Return a text in lower case, without accents, separators and a leading article. `A+` stays other than `A-`."""
    words = " ".join(_WORD.findall(_APOSTROPHE.sub("", without_accents(text.casefold()))))
    return next((words[len(own) :] for own in _ARTICLES if words.startswith(own)), words) or text.strip()


def is_short_for(one: str, other: str) -> bool:
    """Return whether one of two texts is a short form of the other, by its letters.

    A short form is a beginning (`The Weight` of `The Weight of the Badge`), initials (`SD` of `San Diego`), or cut
    words (`San Fran`). Email addresses, page addresses and numbers have no short forms.

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
    """Return whether two texts can never mean the same, such as two email addresses or two house numbers.

    Numbers separate two texts only if the rest of both is equal, as in two houses of one street.

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
        # Digits only, such as a telephone number: a prefix may be missing. Times and dates have several spellings.
        if _CLOCK.fullmatch(first) or _CLOCK.fullmatch(second):
            return False
        all_digits = ["".join(_NUMBER.findall(own)).lstrip("0") for own in (one, other)]
        short, long = sorted(all_digits, key=len)
        return not long.endswith(short)
    numbers = [sorted(int(own) for own in _NUMBER.findall(each)) for each in (one, other)]
    return all(numbers) and numbers[0] != numbers[1]


def are_alike(one: str, other: str) -> bool:
    """Return whether the letters of two texts allow that both name the same thing."""
    if differ_surely(one, other):
        return False
    one, other = _without_common_start(comparable(one), comparable(other))
    first = "".join(word[0] for word in max(one, other, key=len).split())
    is_alike = SequenceMatcher(None, one, other, autojunk=False).ratio() >= _ALIKE or one[:3] == other[:3]
    return is_alike or (len(first) > 1 and min(one, other, key=len).startswith(first[:2]))


def _without_common_start(one: str, other: str) -> tuple[str, str]:
    """Return two texts without the words with which both begin, because a shared title proves no likeness."""
    first, second = one.split(), other.split()
    while len(first) > 1 and len(second) > 1 and first[0] == second[0]:
        del first[0], second[0]
    return " ".join(first), " ".join(second)
