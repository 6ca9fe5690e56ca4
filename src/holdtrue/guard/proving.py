"""Prove that a rule is kept, or broken, whatever turns out of what was not seen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from holdtrue.budget import Budget
from holdtrue.errors import FormulaError
from holdtrue.logic.formula import Not
from holdtrue.rules.closure import Env
from holdtrue.rules.symbolic import Compiled, Question, translate
from holdtrue.rules.symbolic_values import FALSE, TRUE
from holdtrue.rules.typed import Node
from holdtrue.rules.values import FactKey
from holdtrue.solving.result import Satisfiable, Unknown, Unsatisfiable
from holdtrue.solving.route import make_engine

Truth = Literal["holds", "broken", "undecided"]


@dataclass(frozen=True, slots=True)
class Proof:
    """What a solver proved of one rule.

    Attributes:
        reason: Why it is undecided: "" where both are possible.
        missing: What was not seen and matters, as paths.
        records: The records that hold it.
        assumptions: What the proof takes to be so.
    """

    truth: Truth
    reason: str = ""
    missing: tuple[str, ...] = ()
    records: tuple[FactKey, ...] = ()
    assumptions: tuple[str, ...] = ()


def prove(node: Node, env: Env, budget: Budget, compiled: Compiled | None = None) -> Proof:
    """Return what holds of a condition for all values that may turn out; `undecided` where it may be kept or broken."""
    try:
        question = translate([node], [dict(env)], compiled=compiled)
    except FormulaError as error:
        return Proof("undecided", f"no formula says this: {error}")
    condition = question.conditions[0]
    missing, records = _what_matters(question)
    assumptions = tuple(
        own for name, own in question.unknowns.assumptions.items() if name in question.unknowns.variables
    )
    if condition.yes == TRUE:
        return Proof("holds", assumptions=assumptions)
    if condition.no == TRUE:
        return Proof("broken", assumptions=assumptions)
    if condition.yes == FALSE and condition.no == FALSE:
        return Proof("undecided", "it asks for what is not there", missing, records)
    reason = "; ".join(dict.fromkeys(question.unknowns.left_open)) if not missing else ""
    engine: Any = None
    for truth, formula in (("holds", condition.yes), ("broken", condition.no)):
        if formula == FALSE:
            continue
        engine = engine or make_engine(question.variables, question.background)
        found = engine.decide({"": Not(formula)}, budget)
        if isinstance(found, Unsatisfiable):
            return Proof(truth, assumptions=assumptions)  # type: ignore[arg-type]
        if isinstance(found, Unknown):
            reason = found.reason
        elif not isinstance(found, Satisfiable):
            raise TypeError(f"no answer of an engine: {found!r}")
    return Proof("undecided", reason, missing, records)


def _what_matters(question: Question) -> tuple[tuple[str, ...], tuple[FactKey, ...]]:
    """Return the unknown values in the formulas, as paths, and the records that would show them."""
    condition = question.conditions[0]
    own = condition.yes.variables | condition.no.variables
    names = [name for name, variable in question.unknowns.variables.items() if variable in own]
    facts = (question.unknowns.facts[name] for name in names)
    paths = (path for path in map(question.unknowns.paths.__getitem__, names) if path)
    return tuple(dict.fromkeys(paths)), tuple(dict.fromkeys(fact for fact in facts if fact is not None))
