"""Prove that a rule is kept or broken for every value that unseen parts of a call or fact may have."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from holdtrue.budget import Budget
from holdtrue.errors import FormulaError
from holdtrue.logic.formula import Not
from holdtrue.rules.compilation import Env
from holdtrue.rules.symbolic_values import FALSE, TRUE
from holdtrue.rules.translation import Compiled, Question, translate
from holdtrue.rules.typed_expressions import Node
from holdtrue.rules.values import FactKey, is_within
from holdtrue.solving.result import Satisfiable, Unknown, Unsatisfiable

Truth = Literal["holds", "broken", "undecided"]


@dataclass(frozen=True, slots=True)
class Proof:
    """A `Proof` is a solver's verdict on one rule.

    Attributes:
        reason: The reason why the rule is undecided. It is "" if the rule may be kept or broken.
        missing: The paths of the unseen values that the rule depends on.
        records: The records that hold these values.
        assumptions: The assumptions of the proof.
    """

    truth: Truth
    reason: str = ""
    missing: tuple[str, ...] = ()
    records: tuple[FactKey, ...] = ()
    assumptions: tuple[str, ...] = ()


def prove(node: Node, env: Env, budget: Budget, compiled: Compiled | None = None) -> Proof:
    """Return whether all values of unseen parts keep a condition or break it; `undecided` if both occur."""
    try:
        question = translate([node], [dict(env)], compiled=compiled)
    except FormulaError as error:
        return Proof("undecided", f"no formula says this: {error}")
    condition = question.conditions[0]
    names = _what_matters(question)
    missing, records = _shown(question, names)
    assumptions = tuple(own for name, own in question.unknowns.assumptions.items() if name in names)
    if condition.yes == TRUE:
        return Proof("holds", "", missing, records, assumptions)
    if condition.no == TRUE:
        return Proof("broken", "", missing, records, assumptions)
    if condition.yes == FALSE and condition.no == FALSE:
        return Proof("undecided", "it asks for what is not there", missing, records)
    reason = "; ".join(dict.fromkeys(question.unknowns.left_open)) if not missing else ""
    engine: Any = None
    for truth, formula in (("holds", condition.yes), ("broken", condition.no)):
        if formula == FALSE:
            continue
        if engine is None:
            from holdtrue.solving.route import make_engine

            engine = make_engine(question.variables, question.background)
        found = engine.decide({"": Not(formula)}, budget)
        if isinstance(found, Unsatisfiable):
            return Proof(truth, "", missing, records, assumptions)  # type: ignore[arg-type]
        if isinstance(found, Unknown):
            reason = found.reason
        elif not isinstance(found, Satisfiable):
            raise TypeError(f"no answer of an engine: {found!r}")
    return Proof("undecided", reason, missing, records)


def _what_matters(question: Question) -> list[str]:
    """Return the names of the variables in the formulas, and in the keys that find the records in them."""
    condition = question.conditions[0]
    own = {variable.name for variable in condition.yes.variables | condition.no.variables}
    lookups = [entry for entries in question.unknowns.lookups.values() for entry in entries]
    before = 0
    while before < len(own):
        before = len(own)
        for entry in lookups:
            if any(is_within(question.unknowns.paths[name], entry.path) for name in own):
                own |= {variable.name for key in entry.keys for variable in key.variables}
    return [name for name in question.unknowns.variables if name in own]


def _shown(question: Question, names: Sequence[str]) -> tuple[tuple[str, ...], tuple[FactKey, ...]]:
    """Return the paths of the values that variables stand for, and the records that would show them."""
    facts = (question.unknowns.facts[name] for name in names)
    paths = (path for path in map(question.unknowns.paths.__getitem__, names) if path)
    return tuple(dict.fromkeys(paths)), tuple(dict.fromkeys(fact for fact in facts if fact is not None))
