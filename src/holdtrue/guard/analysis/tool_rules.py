"""Answer questions about the rules on one tool, or about the obligations.

Obligations are the rules that are checked at the end of a conversation. This module also finds the limits of a schema
(on amounts, lists and names) that make something impossible.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

from holdtrue.budget import Budget, Deadline
from holdtrue.errors import FormulaError
from holdtrue.guard.analysis.analysis_results import Fault, FaultKind, Undecided
from holdtrue.guard.analysis.call_shapes import Shapes, type_at
from holdtrue.guard.analysis.inquiry import LISTS, Impossible, Inquiry, NotDecided
from holdtrue.guard.analysis.rule_formulas import Demand, RuleFormulas, Shown, written_out
from holdtrue.guard.analysis.situation import Situation
from holdtrue.guard.policy import Policy
from holdtrue.guard.policy_parts import Rule, RuleOnTool
from holdtrue.logic.formula import Compare, Constant, Formula, Variable
from holdtrue.logic.value_sorts import int_if_whole
from holdtrue.rules.symbolic_values import conj, disj, neg
from holdtrue.rules.syntax import NOWHERE
from holdtrue.rules.typed_expressions import Given
from holdtrue.rules.types import ListOf, MapOf, Name, Nullable, Number, Record, Type, without_null
from holdtrue.rules.unknowns import FINEST, Unknowns
from holdtrue.solving.explain.mus import mus
from holdtrue.solving.result import Core, Mus, Satisfiable


def bounds_behind(
    shapes: Shapes, rules: Mapping[str, RuleOnTool], demands: Sequence[Demand], items: int | None, budget: Budget
) -> tuple[str, ...]:
    """Return the schema's limits, in words, without which the demands would be possible. There may be none."""
    deadline = budget.start()
    wide = replace(
        shapes,
        call=None if shapes.call is None else _record(shapes.call),
        facts={name: _record(own) for name, own in shapes.facts.items()},
    )
    ids = {id for own in demands for id in own.rules}
    try:
        formulas = RuleFormulas(wide, {id: wide.rule(own) for id, own in rules.items() if id in ids}, items, deadline)
    except FormulaError:
        return ()
    wanted = {f"={place}": own for place, own in formulas.soft(demands).items()}
    if not isinstance(formulas.engine.check(wanted, budget.until(deadline)), Satisfiable):
        return ()
    stated: dict[str, list[Formula]] = {}
    for variable in formulas.variables:
        for words, formula in _stated(shapes, formulas.unknowns, variable):
            stated.setdefault(words, []).append(formula)
    bounds = {words: conj(own) for words, own in stated.items()}
    core = mus(formulas.engine, {**wanted, **bounds}, budget.until(deadline))
    return tuple(own for own in core.ids if own in bounds) if isinstance(core, Core | Mus) else ()


def _record(type: Record) -> Record:
    found = _wide(type)
    assert isinstance(found, Record)
    return found


def _wide(type: Type) -> Type:
    """Return a type without its limits. If a list has a maximum length, it is raised by one instead."""
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
    """Yield the schema's limits on a value, in words and as formulas."""
    path, _, part = variable.name.partition("#")
    found = type_at(shapes, path) if path else None
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
            yield f"{name} is at least {type.sort.show(int_if_whole(type.low))}", variable >= int(-(-type.low // step))
        if type.high is not None:
            yield f"{name} is at most {type.sort.show(int_if_whole(type.high))}", variable <= int(type.high // step)
    if isinstance(type, Name) and type.values is not None:
        codes = (Compare("==", variable, Constant(unknowns.code(own))) for own in type.values)
        yield f"{name} is {type}", disj(codes)


def calls_beyond(inquiry: Inquiry, demands: Sequence[Demand], shapes: Shapes) -> Iterator[Shown]:
    """Yield calls that satisfy the demands, each with a value that the types of other `shapes` exclude."""
    formulas = inquiry.formulas(LISTS[0])
    if isinstance(formulas, NotDecided):
        return
    for variable in formulas.variables:
        for _, bound in _stated(shapes, formulas.unknowns, variable):
            found = formulas.engine.check({**formulas.soft(demands), "beyond": neg(bound)}, inquiry.limit)
            if isinstance(found, Satisfiable):
                yield formulas.completed(found.witness)


def _items(count: int) -> str:
    return f"{count} item{'' if count == 1 else 's'}"


Finding = Fault | Undecided


class ToolRules:
    """`ToolRules` are the rules on one tool. For the obligations, `tool` is ""."""

    def __init__(self, policy: Policy, tool: str, budget: Budget, deadline: Deadline) -> None:
        self.policy, self.tool = policy, tool
        self.rules: dict[str, Rule] = {rule.id: rule for rule in policy.parts_on(tool)}
        self._shapes = Shapes.of(policy, policy.tools[tool] if tool else None)
        conditions = {id: rule.tools[tool] for id, rule in self.rules.items()}
        self.inquiry = Inquiry(self._shapes, conditions, budget, deadline)

    @cached_property
    def demanding(self) -> tuple[str, ...]:
        """Return the rules that can stop a call, without those that only warn."""
        return tuple(id for id, own in self.rules.items() if own.severity != "warn")

    @property
    def where(self) -> str:
        """Return a phrase for the tool, or for the end of a conversation."""
        return f"on {self.tool}" if self.tool else "at the end of a conversation"

    def forbids(self, id: str) -> bool:
        """Return whether a rule is meant to forbid every call to which it applies.

        Its `hold` is false, or it is the part with a severity for calls that break the rule.
        """
        own = self.rules[id].tools[self.tool]
        is_severe = own.perhaps is not None or own.unless is not None
        return is_severe or (isinstance(own.hold, Given) and own.hold.value is False)

    def always_applies(self, id: str) -> bool:
        """Return whether a rule applies to every call."""
        own = self.rules[id].tools[self.tool]
        always = own.when is None or (isinstance(own.when, Given) and own.when.value is True)
        return always and own.perhaps is None and own.unless is None

    def example(self, *demands: Demand) -> Situation | None:
        """Return a call that satisfies the demands, or None if none was found."""
        shown = self.inquiry.example(*demands)
        if shown is None:
            return None
        return written_out(shown, self.tool, self._shapes, self.policy.facts, self.inquiry.rules)

    def bounds(self, found: Impossible) -> tuple[str, ...]:
        """Return the schema's limits that make the demands impossible. A proof for short lists needs none."""
        if found.bounded is not None:
            return ()
        items = found.formulas.items
        return bounds_behind(self._shapes, self.inquiry.rules, found.demands, items, self.inquiry.limit)

    def told(
        self,
        kind: FaultKind,
        id: str,
        found: Impossible,
        text: str,
        *examples: Sequence[Demand],
        others: tuple[str, ...] = (),
        minimal: bool = True,
        bounds: tuple[str, ...] = (),
    ) -> Finding:
        """Return a proved fault, or an open question if the proof covers short lists only.

        The example of the fault is a call that satisfies the first of `examples` for which one is found.
        """
        place = self.rules[id].place if id in self.rules else NOWHERE
        if found.bounded is not None:
            reason = f"with {found.bounded} items at most in each list it is so; longer ones were not ruled out"
            return Undecided(kind, id, self.tool, place, others, reason, "lists", found.lists)
        shown = next(filter(None, (self.example(*own) for own in examples)), None)
        return Fault(kind, id, self.tool, place, text, others, minimal, bounds, found.assumptions, shown)

    def open(self, kind: FaultKind, id: str, found: NotDecided, others: tuple[str, ...] = ()) -> Undecided:
        return Undecided(kind, id, self.tool, self.rules[id].place, others, found.reason, found.code, found.by)

    def start(self) -> int:
        """Return the index in `LISTS` of a maximum length of lists with which calls can keep the rules.

        Each rule may be kept by a different call. Rules for which no such call was found are ignored.
        """
        found = 0
        for id in self.rules:
            answer = self.inquiry.ask(Demand("kept where it applies", (id,)))
            if isinstance(answer, NotDecided) and self.inquiry.late:
                break
            if isinstance(answer, Shown) and answer.items in LISTS:
                found = max(found, LISTS.index(answer.items))
        return found


def listed(ids: tuple[str, ...]) -> str:
    """Return ids as a phrase: `A, B and C`."""
    return " and ".join(filter(None, (", ".join(ids[:-1]), *ids[-1:])))


def since(bounds: tuple[str, ...]) -> str:
    """Return a clause that ends a sentence with the schema's limits as the reason; "" if there are no limits."""
    return f", since by the schema {listed(bounds)}" if bounds else ""
