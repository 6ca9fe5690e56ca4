"""Decide whether a candidate solves a search problem.

An assignment is checked by evaluating every constraint, and no solver is asked: that a problem has a solution says
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
from holdtrue.solving.counted_engine import CountedEngine
from holdtrue.solving.explain.mus import mus, used_bounds
from holdtrue.solving.result import BackgroundConflict, Core, Mus, Satisfiable, Unknown
from holdtrue.solving.route import counted_engine
from holdtrue.world.answer import Assignment, Unparsed

_OPEN = Satisfiability.UNKNOWN  # whether the constraints can all hold was not found out


class Certifier:
    """Certifies the candidates of one search, and counts the solver calls that this takes.

    `budget` limits each question to a solver; finding a MUS is one question. Engines are made when they are first
    needed, and are kept.
    """

    def __init__(self, variables: Sequence[Variable], formulas: Mapping[str, Formula], budget: Budget) -> None:
        self.variables = tuple(variables)
        self.formulas = formulas
        self.budget = budget
        self._checks = [(id, formula.holds) for id, formula in formulas.items()]
        self._bounds = [(variable.name, within(variable.sort)) for variable in variables]
        self._completed: dict[frozenset[tuple[str, int]], bool] = {}
        self._engines: list[CountedEngine] = []

    @cached_property
    def engine(self) -> CountedEngine:
        """The engine that proves claims, and tells which values can be kept."""
        return self._counted(counted_engine(self.variables))

    @cached_property
    def core_engine(self) -> CountedEngine:
        """A z3 engine: the published methods show the model its unminimised cores."""
        return self._counted(counted_engine(self.variables, prefer="z3"))

    @property
    def solver_calls(self) -> int:
        """The number of questions that solvers were asked so far."""
        return sum(engine.asked for engine in self._engines)

    @cached_property
    def solution(self) -> Satisfiable | Mus | Core | Unknown:
        """Return whether the problem has a solution; the solver is asked once, and the result is kept.

        Where there is none, a `Mus` has constraints that cannot all hold within the bounds, or a `Core` if the budget
        ended before they were proved minimal.
        """
        found = mus(self.engine, self.formulas, self.budget)
        return Mus(()) if isinstance(found, BackgroundConflict) else found

    def certify(self, candidate: Candidate) -> VerdictRecord:
        """Return the verdict on a candidate.

        Of an assignment, `violated` names the constraints that it breaks, `background` the bounds that it leaves, and
        `missing` the variables without a value. Of a claim that there is no solution, and that is true, `mus` names
        constraints that cannot all hold, and `background` the bounds that this depends on. `basis` is `unknown` unless
        the check settled whether the problem has a solution.
        """
        if isinstance(candidate, Unparsed):
            return VerdictRecord(_OPEN, candidate.status, reason=candidate.reason)
        if isinstance(candidate, Assignment):
            return self._certify_assignment(candidate.values)
        return self._certify_claim()

    def evaluate(self, values: Values) -> tuple[str, ...]:
        """Return the ids of the constraints that an assignment breaks, in their order.

        Raises `KeyError` for an assignment that lacks a value which a constraint needs.
        """
        return tuple([id for id, holds in self._checks if not holds(values)])

    def outside(self, values: Values) -> tuple[str, ...]:
        """Return the variables whose values are outside their bounds, in their order."""
        return tuple([name for name, possible in self._bounds if values[name] not in possible])

    def completes(self, kept: Mapping[str, int], budget: Budget) -> bool | None:
        """Return whether the kept values are part of some solution, or None if the budget ended first.

        A result that was proved is kept, and not asked for again.
        """
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

    def _counted(self, engine: CountedEngine) -> CountedEngine:
        self._engines.append(engine)
        return engine


# Every method meets the same conflict in every trial of a problem, and finding its bounds takes longer than finding it.
@lru_cache(maxsize=1024)
def _used_bounds(
    variables: tuple[Variable, ...], conflict: tuple[tuple[str, Formula], ...], budget: Budget
) -> tuple[str, ...]:
    """Return the bounds that a conflict depends on, or none where a formula looks up a table, which ends with them."""
    try:
        return used_bounds(variables, dict(conflict), [id for id, _ in conflict], budget)
    except FormulaError:
        return ()
