"""The rules on one tool, or the obligations at the end of a conversation, and what the analysis asks about them.

Where something is impossible the bounds of the schema that make it so are found: what amounts, lists and names it
allows and no others.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property

from holdtrue.budget import Budget, Deadline
from holdtrue.errors import FormulaError
from holdtrue.guard.analysis.fault import Fault, FaultKind, Undecided
from holdtrue.guard.analysis.inquiry import LISTS, Impossible, Inquiry, NotDecided
from holdtrue.guard.analysis.level import Demand, Level, Shown, written_out
from holdtrue.guard.analysis.situation import Situation
from holdtrue.guard.analysis.unseen import Shapes
from holdtrue.guard.policy import Policy
from holdtrue.guard.policy_parts import Rule, RuleOnTool
from holdtrue.logic.formula import Compare, Constant, Formula, Variable
from holdtrue.rules.symbolic_values import conj, disj
from holdtrue.rules.syntax import NOWHERE
from holdtrue.rules.typed_expressions import Given
from holdtrue.rules.types import ListOf, MapOf, Name, Nullable, Number, Record, Type, without_null
from holdtrue.rules.unknowns import FINEST, Unknowns
from holdtrue.solving.explain.mus import mus
from holdtrue.solving.result import Core, Mus, Satisfiable

_STEP = re.compile(r"\.([^.\[\](]+)|\[((?:[^\[\]]|\[[^\[\]]*\])*)\]")


def bounds_behind(
    shapes: Shapes, rules: Mapping[str, RuleOnTool], demands: Sequence[Demand], items: int | None, budget: Budget
) -> tuple[str, ...]:
    """Return the bounds of the schema without which the demands would be possible, in words; none if they never are."""
    deadline = budget.start()
    wide = replace(
        shapes,
        call=None if shapes.call is None else _record(shapes.call),
        facts={name: _record(own) for name, own in shapes.facts.items()},
    )
    ids = {id for own in demands for id in own.rules}
    try:
        level = Level(wide, {id: wide.rule(own) for id, own in rules.items() if id in ids}, items, deadline)
    except FormulaError:
        return ()
    wanted = {f"={place}": own for place, own in level.soft(demands).items()}
    if not isinstance(level.engine.check(wanted, budget.until(deadline)), Satisfiable):
        return ()
    stated: dict[str, list[Formula]] = {}
    for variable in level.variables:
        for words, formula in _stated(shapes, level.unknowns, variable):
            stated.setdefault(words, []).append(formula)
    bounds = {words: conj(own) for words, own in stated.items()}
    core = mus(level.engine, {**wanted, **bounds}, budget.until(deadline))
    return tuple(own for own in core.ids if own in bounds) if isinstance(core, Core | Mus) else ()


def _record(type: Record) -> Record:
    found = _wide(type)
    assert isinstance(found, Record)
    return found


def _wide(type: Type) -> Type:
    """Return a type without its bounds."""
    match type:
        case Number():
            return replace(type, low=None, high=None)
        case Name():
            return replace(type, values=None)
        case ListOf(item, most):
            return ListOf(_wide(item), None if most is None else most + 1)
        case MapOf(value):
            return MapOf(_wide(value))
        case Nullable(value):
            return Nullable(_wide(value))
        case Record(fields):
            return replace(type, fields={name: replace(own, type=_wide(own.type)) for name, own in fields.items()})
    return type


def _stated(shapes: Shapes, unknowns: Unknowns, variable: Variable) -> Iterator[tuple[str, Formula]]:
    """Return what the schema states of a value, in words and as a formula."""
    path, _, part = variable.name.partition("#")
    found = _type_at(shapes, path) if path else None
    type = None if found is None else without_null(found)
    name = re.sub(r"\[\d+\]", "[]", path)
    if isinstance(type, ListOf) and part == "size":
        if type.most is not None:
            yield f"{name} has {_items(type.most)} at most", variable <= type.most
        if type.least:
            yield f"{name} has {_items(type.least)} at least", variable >= type.least
    if part:
        return
    if isinstance(type, Number):
        step = type.sort.step or FINEST
        if type.low is not None:
            yield f"{name} is at least {type.sort.show(_plain(type.low))}", variable >= int(-(-type.low // step))
        if type.high is not None:
            yield f"{name} is at most {type.sort.show(_plain(type.high))}", variable <= int(type.high // step)
    if isinstance(type, Name) and type.values is not None:
        codes = (Compare("==", variable, Constant(unknowns.code(own))) for own in type.values)
        yield f"{name} is {type}", disj(codes)


def _items(count: int) -> str:
    return f"{count} item{'' if count == 1 else 's'}"


def _plain(value: Fraction) -> int | Fraction:
    return value.numerator if value.denominator == 1 else value


def _type_at(shapes: Shapes, path: str) -> Type | None:
    """Return the type of a value by its path, or None for one of which the schema says nothing."""
    if path.startswith("facts."):
        kind, _, rest = path.removeprefix("facts.").partition("(")
        depth, end = 1, 0
        while depth and end < len(rest):
            depth += (rest[end] == "(") - (rest[end] == ")")
            end += 1
        type: Type | None = shapes.facts.get(kind)
        path = rest[end:]
    elif path.startswith(f"{shapes.root}."):
        type, path = shapes.call, path.removeprefix(shapes.root)
    else:
        return None
    for step in _STEP.finditer(path):
        own = None if type is None else without_null(type)
        match own:
            case Record(fields) if step[1] in fields:
                type = fields[step[1]].type
            case ListOf(item) if step[1] is None:
                type = item
            case MapOf(value) if step[1] is None:
                type = value
            case _:
                return None
    return type


Finding = Fault | Undecided


class OnTool:
    """The rules on one tool; `tool` is "" for the obligations."""

    def __init__(self, policy: Policy, tool: str, budget: Budget, deadline: Deadline) -> None:
        self.policy, self.tool = policy, tool
        found = policy.rules_on[tool] if tool else policy.obligations
        self.rules: dict[str, Rule] = {rule.id: rule for rule in found}
        self._shapes = Shapes.of(policy, policy.tools[tool] if tool else None)
        conditions = {id: rule.tools[tool] for id, rule in self.rules.items()}
        self.inquiry = Inquiry(self._shapes, conditions, budget, deadline)

    @cached_property
    def demanding(self) -> tuple[str, ...]:
        """Return the rules that stop a call; those that only warn demand nothing."""
        return tuple(id for id, own in self.rules.items() if own.severity != "warn")

    @property
    def where(self) -> str:
        """Return where the rules are, for sentences."""
        return f"on {self.tool}" if self.tool else "at the end of a conversation"

    def forbids(self, id: str) -> bool:
        """Return whether a rule says that no call may be made to which it applies: what it is never to hold for."""
        hold = self.rules[id].tools[self.tool].hold
        return isinstance(hold, Given) and hold.value is False

    def always_applies(self, id: str) -> bool:
        """Return whether a rule has no condition to apply."""
        when = self.rules[id].tools[self.tool].when
        return when is None or (isinstance(when, Given) and when.value is True)

    def example(self, *demands: Demand) -> Situation | None:
        """Return a call that does what is demanded, or None if none was found."""
        shown = self.inquiry.example(*demands)
        if shown is None:
            return None
        return written_out(shown, self.tool, self._shapes, self.policy.facts, self.inquiry.rules)

    def bounds(self, found: Impossible) -> tuple[str, ...]:
        """Return the bounds of the schema that make something impossible."""
        items = found.level.items
        return bounds_behind(self._shapes, self.inquiry.rules, found.demands, items, self.inquiry.limit)

    def told(
        self,
        kind: FaultKind,
        id: str,
        found: Impossible,
        text: str,
        *,
        example: Situation | None = None,
        others: tuple[str, ...] = (),
        minimal: bool = True,
        bounds: tuple[str, ...] = (),
    ) -> Finding:
        """Return a fault that was proved; one that only short lists prove was not decided."""
        place = self.rules[id].place if id in self.rules else NOWHERE
        if found.bounded is not None:
            reason = f"with {found.bounded} items at most in each list it is so; longer ones were not ruled out"
            return Undecided(kind, id, self.tool, reason, place, others)
        return Fault(kind, id, self.tool, text, place, others, minimal, bounds, found.assumptions, example)

    def open(self, kind: FaultKind, id: str, found: NotDecided, others: tuple[str, ...] = ()) -> Undecided:
        """Return that something was neither proved nor ruled out."""
        return Undecided(kind, id, self.tool, found.reason, self.rules[id].place, others)

    def start(self) -> int:
        """Return the place in `LISTS` of a length of lists with which each rule can be kept that can be at all."""
        found = 0
        for id in self.rules:
            answer = self.inquiry.ask(Demand("kept where it applies", (id,)))
            if isinstance(answer, NotDecided) and self.inquiry.late:
                break
            if isinstance(answer, Shown) and answer.items in LISTS:
                found = max(found, LISTS.index(answer.items))
        return found


def listed(ids: tuple[str, ...]) -> str:
    """Return ids in words: `A, B and C`."""
    return " and ".join(filter(None, (", ".join(ids[:-1]), *ids[-1:])))


def since(bounds: tuple[str, ...]) -> str:
    """Return the bounds that something rests on, in words, to follow a sentence."""
    return f", since by the schema {listed(bounds)}" if bounds else ""
