"""Make mutants of rules: policies in which one rule is changed in one place, as somebody who errs would write it.

The change is made on the syntax tree, written as CEL and type-checked again. A mutant that has no type is no mutant.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import islice
from typing import Literal

from holdtrue.guard.policy import Policy
from holdtrue.guard.policy_parts import Rule, RuleOnTool
from holdtrue.guard.rule_building import retyped
from holdtrue.logic.units import SECOND
from holdtrue.logic.value_sorts import Calendar, int_if_whole
from holdtrue.rules import typed_expressions as t
from holdtrue.rules.cel import read_cel, write_cel
from holdtrue.rules.comparison import AT_MOST, EQUAL, IN_LIST, LESS
from holdtrue.rules.syntax import Constant, Expression, Invoke, Items, Place, RuleError, Select, parts, with_part
from holdtrue.rules.types import FLAG, ListOf, Name, Number, Record, Type, without_null
from holdtrue.rules.unknowns import FINEST
from holdtrue.rules.values import to_json

MutantKind = Literal[
    "loosened",
    "tightened",
    "dropped",
    "condition dropped",
    "converse",
    "wrong field",
    "forgotten exception",
    "wrong constant",
    "wrong severity",
]
"""The mistake that a mutant makes. `forgotten exception` lacks a part of a condition, or an item of a list.

`wrong severity` has one severity for all calls where the rule's depends on the call.
"""
MOST_MUTANTS = 80
"""At most this many mutants are made of one rule."""
MOST_OTHERS = 3
"""At most this many other fields, or other values of an enumeration, are put in one place."""


@dataclass(frozen=True)
class Mutant:
    """A `Mutant` is a policy in which one rule is changed in one place, or left out if `changed` is None."""

    kind: MutantKind
    rule: str
    policy: Policy
    changed: Rule | None

    def on_tool(self, tool: str, part: Rule) -> RuleOnTool:
        """Return the changed rule on a tool, with the severity of a part of it. A part that is missing is kept."""
        parts = () if self.changed is None else self.changed.parts
        found = (own.tools[tool] for own in parts if own.severity == part.severity)
        return next(found, RuleOnTool(None, t.Given(True, FLAG)))

    @property
    def text(self) -> str:
        """Return the mutant in words: its kind, and the rule as it would be."""
        own = self.changed
        if own is None:
            return f"{self.rule} {self.kind}"
        if self.kind == "wrong severity":
            return f"{self.rule} {self.kind}: always {own.severity}"
        return f"{self.rule} {self.kind}: {f'when {own.when_text} ' if own.when_text else ''}hold {own.hold_text}"


def mutants(policy: Policy, rules: Collection[str] | None = None) -> Iterator[Mutant]:
    """Yield the mutants of a policy's rules, limits and obligations, or only of those with these ids.

    A rule that only warns has none, since no decision depends on it.
    """
    for rule in (*policy.rules, *policy.obligations):
        if rule.severity != "warn" and (rules is None or rule.id in rules):
            yield _mutant(policy, rule, "dropped", None)
            yield from (_mutant(policy, rule, "wrong severity", own) for own in _ungraded(rule))
            found = _changed_rules(policy, rule)
            yield from (_mutant(policy, rule, kind, own) for kind, own in islice(found, MOST_MUTANTS))


def _ungraded(rule: Rule) -> Iterator[Rule]:
    """Yield a rule with each of its severities for all calls. It is none if there is one only."""
    tools = {name: replace(own, grades=()) for name, own in rule.tools.items()}
    yield from (replace(rule, severity=own.severity, tools=tools) for own in rule.parts if own is not rule)


def _changed_rules(policy: Policy, rule: Rule) -> Iterator[tuple[MutantKind, Rule]]:
    # No named expression is that far down a file, so that a place belongs to one part only.
    when = read_cel(rule.when_text, Place(10**9, 1)) if rule.when_text else None
    hold = read_cel(rule.hold_text, Place(2 * 10**9, 1))
    made = _Changes(node for own in retyped(policy, rule, when, hold).values() for node in t.walk(own.whole))
    changes: list[tuple[MutantKind, Expression | None, Expression]] = []
    if when is not None:
        changes = [("condition dropped", None, hold), ("converse", hold, when)]
        changes += [(kind, own, hold) for kind, own in made.of_condition(when, -1)]
    changes += [(kind, when, own) for kind, own in made.of_condition(hold, 1)]
    seen = {(rule.when_text, rule.hold_text)}
    for kind, applies, holds in changes:
        try:
            texts = "" if applies is None else write_cel(applies), write_cel(holds)
            tools = retyped(policy, rule, applies, holds)
        except RuleError:
            continue
        if texts not in seen:
            seen.add(texts)
            yield kind, replace(rule, tools=tools, when_text=texts[0], hold_text=texts[1])


def _mutant(policy: Policy, rule: Rule, kind: MutantKind, changed: Rule | None) -> Mutant:
    def put(rules: tuple[Rule, ...]) -> tuple[Rule, ...]:
        return tuple(own for own in (changed if each is rule else each for each in rules) if own is not None)

    found = Mutant(kind, rule.id, policy, changed)
    # Policies with one digest count as equal.
    digest = hashlib.sha256(f"{policy.digest} {found.text}".encode()).hexdigest()
    whole = replace(policy, rules=put(policy.rules), obligations=put(policy.obligations), digest=digest)
    return replace(found, policy=whole)


Change = tuple[MutantKind, Expression]
_TURNED = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "==": "!=", "!=": "=="}
_STRICT = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
_LIMITS_LEFT = ("<", "<=")
"""The comparisons in which a greater right side allows more."""
_MOVED: tuple[MutantKind, ...] = ("wrong constant", "loosened", "tightened")
"""The kinds of a moved bound, by 0, 1, and -1, if it allows more or less."""
_CONDITIONS_OF = ("all", "exists", "exists_one", "existsOne", "filter")
_WRITTEN = ("date", "time", "timestamp", "duration")
_UNITS = ("days", "hours", "minutes", "seconds", "weeks", "amount", "-")


class _Changes:
    """Changes parts of an expression. `sign` is 1 where a condition allows calls, -1 where it forbids them, else 0."""

    def __init__(self, nodes: Iterable[t.Node]) -> None:
        self._own: dict[Place, t.Given] = {}
        self._beside: dict[Place, Type] = {}
        """The type that a constant, or the right side of a comparison, is compared with, by its place."""
        self._others: dict[str, dict[str, None]] = {}
        """The names of other fields of the same type, by the name of a field."""
        for node in nodes:
            self._learn(node)

    def _learn(self, node: t.Node) -> None:
        match node:
            case t.Given(place=place):
                self._own[place] = node
            case t.Get(of, name, type) if isinstance(record := without_null(of.type), Record):
                alike = [own for own, field in record.fields.items() if own != name and _alike(field.type, type)]
                self._others.setdefault(name, {}).update(dict.fromkeys(alike))
            case t.Apply(operation, (left, right)) if operation in (LESS, AT_MOST, EQUAL, IN_LIST):
                one, other = without_null(left.type), without_null(right.type)
                self._beside[node.place] = one
                self._beside[right.place] = one
                self._beside.setdefault(left.place, other.item if isinstance(other, ListOf) else other)

    def of_condition(self, node: Expression, sign: int) -> Iterator[Change]:
        """Yield the changes of an expression that is true or false."""
        match node:
            case Invoke("&&" | "||", args, None):
                for place in range(len(args)):
                    rest = (*args[:place], *args[place + 1 :])
                    yield "forgotten exception", rest[0] if len(rest) == 1 else replace(node, args=rest)
            case Invoke("!", (inner,), None):
                yield "converse", inner
                sign = -sign
            case Invoke("<" | "<=" | ">" | ">=" | "==" | "!=", (left, right), None):
                yield from self._of_comparison(node, left, right, sign)
            case Invoke("?:", _, None):
                pass
            case _:
                yield "converse", Invoke("!", (node,), None, node.place)
        yield from self._within(node, sign)

    def _within(self, node: Expression, sign: int) -> Iterator[Change]:
        for place, part in enumerate(parts(node)):
            inner = _sign_in(node, place, sign)
            changes = self._of_term(part) if inner is None else self.of_condition(part, inner)
            yield from ((kind, with_part(node, place, own)) for kind, own in changes)

    def _of_term(self, node: Expression) -> Iterator[Change]:
        match node:
            case Select(_, name):
                others = [*self._others.get(name, ())][:MOST_OTHERS]
                yield from (("wrong field", replace(node, name=own)) for own in others)
            case Items(items) if len(items) > 1:
                for place in range(len(items)):
                    yield "forgotten exception", replace(node, items=(*items[:place], *items[place + 1 :]))
            case Constant(str(value)) if (type := self._beside.get(node.place)) is not None:
                if isinstance(type, Name):
                    others = [own for own in type.values or (f"{value}2",) if own != value][:MOST_OTHERS]
                    yield from (("wrong constant", replace(node, value=own)) for own in others)
        if (more := self._shifted(node, 1)) is not None and (less := self._shifted(node, -1)) is not None:
            yield from (("wrong constant", own) for own in (more, less))
            return
        yield from self._within(node, 0)

    def _of_comparison(self, node: Invoke, left: Expression, right: Expression, sign: int) -> Iterator[Change]:
        """Yield the changes of a comparison itself: turned, its bound moved by one step, or with `<` for `<=`."""
        yield "converse", replace(node, name=_TURNED[node.name])
        limits = 1 if node.name in _LIMITS_LEFT else -1
        if node.name in _STRICT:
            wider = 1 if "=" not in node.name else -1
            yield _MOVED[wider * sign], replace(node, name=_STRICT[node.name])
        for step in (1, -1):
            if (moved := self._shifted(right, step)) is not None:
                turn, found = limits * step, replace(node, args=(left, moved))
            elif (moved := self._shifted(left, step)) is not None:
                turn, found = -limits * step, replace(node, args=(moved, right))
            elif node.name in _STRICT and (size := _step(self._beside.get(node.place))) is not None:
                moved = Invoke("+" if step > 0 else "-", (right, size), None, right.place)
                turn, found = limits * step, replace(node, args=(left, moved))
            else:
                return
            yield _MOVED[turn * sign if node.name in _STRICT else 0], found

    def _shifted(self, node: Expression, step: int) -> Expression | None:
        """Return a constant that is greater by so many steps of its type, or None for another expression."""
        own = self._own.get(node.place)
        match node:
            case Invoke(name, (Constant(str()) as text,), None) if name in _WRITTEN and own is not None:
                return replace(node, args=(replace(text, value=_written(own, step)),))
            case Invoke(name, (first, *rest), None) if name in _UNITS and (name != "-" or not rest):
                inner = self._shifted(first, -step if name == "-" else step)
                return None if inner is None else replace(node, args=(inner, *rest))
            case Constant(str()) if own is not None and isinstance(own.type, Calendar | Number):
                return replace(node, value=_written(own, step))
            case Constant(int() | Fraction() as value) if not isinstance(value, bool):
                type = self._beside.get(node.place)
                size = _size(type) if isinstance(type, Number) and not type.bare else Fraction(1)
                return replace(node, value=int_if_whole(value + step * size))
        return None


def _size(type: Number) -> Fraction:
    return FINEST if type.sort.step is None else type.sort.step


def _step(type: Type | None) -> Expression | None:
    """Return one step of a type as an expression, or None for a type without an order."""
    match type:
        case Calendar("date"):
            return Invoke("days", (Constant(1),))
        case Number(sort) if sort.unit.dimension != SECOND.dimension:
            return Constant(int_if_whole(_size(type)))
        case Calendar() | Number():
            return Invoke("duration", (Constant("1s"),))
    return None


def _written(own: t.Given, step: int) -> str:
    """Return a date, time, moment or duration as text, moved by so many days or seconds."""
    assert isinstance(own.value, int | Fraction)
    return str(to_json(own.value + step, own.type))


def _alike(one: Type, other: Type) -> bool:
    """Return whether a field of one type may be mistaken for a field of the other."""
    mine, yours = without_null(one), without_null(other)
    if isinstance(mine, Number) and isinstance(yours, Number):
        return mine.sort.unit == yours.sort.unit
    return mine == yours


def _sign_in(node: Expression, place: int, sign: int) -> int | None:
    """Return the sign of a part that is a condition itself, or None for a part with another value."""
    match node:
        case Invoke("&&" | "||" | "!", _, None):
            return sign
        case Invoke("?:", _, None):
            return 0 if place == 0 else sign
        case Invoke(name, args, target) if target is not None and name in _CONDITIONS_OF and place == len(args):
            return sign if name in ("all", "exists") else 0
    return None
