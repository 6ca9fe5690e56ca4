"""Decide whether a candidate solves a search problem.

An assignment is checked by evaluating every constraint. No solver is asked, because a solution of the problem would say
nothing about this assignment. The claim that there is no solution is checked by proof.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache

from holdtrue.budget import Budget
from holdtrue.errors import FormulaError
from holdtrue.kinds.search.reader import Candidate
from holdtrue.logic.evaluate import Values
from holdtrue.logic.formula import Formula, Variable
from holdtrue.logic.sorts import within
from holdtrue.record import AnswerStatus, Satisfiability, VerdictRecord
from holdtrue.solving.engine import CountedEngine
from holdtrue.solving.explain.mus import mus, used_bounds
from holdtrue.solving.result import BackgroundConflict, Core, Mus, Satisfiable, Unknown
from holdtrue.solving.route import counted_engine
from holdtrue.world.answer import Assignment, Unparsed

_OPEN = Satisfiability.UNKNOWN  # it is not known whether the constraints can all hold


class Certifier:
    """A `Certifier` judges the candidates of one search.

    `budget` limits each question to a solver. Finding a MUS counts as one question. Engines are made on first use and
    kept.
    """

    def __init__(self, variables: Sequence[Variable], formulas: Mapping[str, Formula], budget: Budget) -> None:
        self.variables = tuple(variables)
        self.formulas = formulas
        self.budget = budget
        self._checks = [(id, formula.holds) for id, formula in formulas.items()]
        self._bounds = [(variable.name, within(variable.sort)) for variable in variables]
        self._completed: dict[frozenset[tuple[str, int]], bool] = {}

    @cached_property
    def engine(self) -> CountedEngine:
        """Return the engine that proves claims and finds out which values can be kept."""
        return counted_engine(self.variables)

    @cached_property
    def core_engine(self) -> CountedEngine:
        """Return a z3 engine, since the published methods show its unminimised cores to the model."""
        return counted_engine(self.variables, prefer="z3")

    @cached_property
    def solution(self) -> Satisfiable | Mus | Core | Unknown:
        """Return whether the problem has a solution. The solver is asked once, and the result is kept.

        If there is none, a `Mus` has constraints that cannot all hold within the bounds. It is a `Core` if the budget
        ended before it was proved minimal.
        """
        found = mus(self.engine, self.formulas, self.budget)
        return Mus(()) if isinstance(found, BackgroundConflict) else found

    def certify(self, candidate: Candidate) -> VerdictRecord:
        """Return the verdict on a candidate.

        For an assignment, `violated` names the broken constraints, `background` the exceeded bounds, and `missing` the
        variables without a value. For a true claim that there is no solution, `mus` names constraints that cannot all
        hold. `background` then has the bounds that this depends on. `basis` is `unknown` unless the check settled
        whether the problem has a solution.
        """
        if isinstance(candidate, Unparsed):
            return VerdictRecord(_OPEN, candidate.status, reason=candidate.reason)
        if isinstance(candidate, Assignment):
            return self._certify_assignment(candidate.values)
        return self._certify_claim()

    def evaluate(self, values: Values) -> tuple[str, ...]:
        """Return the ids of the broken constraints of an assignment. Raises `KeyError` for a missing value."""
        return tuple([id for id, holds in self._checks if not holds(values)])

    def outside(self, values: Values) -> tuple[str, ...]:
        """Return the variables with values outside their bounds, in their order."""
        return tuple([name for name, possible in self._bounds if values[name] not in possible])

    def completes(self, kept: Mapping[str, int], budget: Budget) -> bool | None:
        """Return whether the kept values are part of a solution (cached), or None if the budget ended first."""
        key = frozenset(kept.items())
        if key not in self._completed:
            found = self.engine.decide(self.formulas, budget, fixed=kept)
            if isinstance(found, Unknown):
                return None
            self._completed[key] = isinstance(found, Satisfiable)
        return self._completed[key]

    def _certify_assignment(self, values: Values) -> VerdictRecord:
        missing = tuple([name for name, _ in self._bounds if name not in values])
        if missing:
            return VerdictRecord(_OPEN, AnswerStatus.INCOMPLETE, missing=missing)
        violated, outside = self.evaluate(values), self.outside(values)
        if not violated and not outside:
            return VerdictRecord(Satisfiability.SAT, AnswerStatus.RESPECTING)
        sorts = {variable.name: variable.sort for variable in self.variables} if outside else {}
        return VerdictRecord(
            _OPEN,
            AnswerStatus.VIOLATING,
            violated=violated,
            background=tuple([f"{name} = {values[name]} is outside {sorts[name]}" for name in outside]),
        )

    def _certify_claim(self) -> VerdictRecord:
        found = self.solution
        if isinstance(found, Unknown):
            return VerdictRecord(_OPEN, AnswerStatus.UNDECIDED, reason=found.reason)
        if isinstance(found, Satisfiable):
            return VerdictRecord(Satisfiability.SAT, AnswerStatus.VIOLATING)
        return VerdictRecord(
            Satisfiability.UNSAT,
            AnswerStatus.RESPECTING,
            background=_used_bounds(self.variables, tuple((id, self.formulas[id]) for id in found.ids), self.budget),
            mus=found.ids,
            mus_minimal=isinstance(found, Mus),
        )


# All methods meet the same conflicts in every trial of a problem, and finding the bounds of a conflict is slow.
@lru_cache(maxsize=1024)
def _used_bounds(
    variables: tuple[Variable, ...], conflict: tuple[tuple[str, Formula], ...], budget: Budget
) -> tuple[str, ...]:
    """Return the bounds that a conflict depends on, or none if a formula uses a table, which ends at the bounds."""
    try:
        return used_bounds(variables, dict(conflict), [id for id, _ in conflict], budget)
    except FormulaError:
        return ()
