"""Certifying candidates: an assignment by evaluating every constraint under it, a claim of unsatisfiability by proof.

What is judged is always the candidate itself: that a problem can be solved says nothing about an assignment.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache

from holdtrue.budget import Budget
from holdtrue.errors import FormulaError
from holdtrue.kinds.search.reader import Candidate
from holdtrue.logic.evaluate import Values
from holdtrue.logic.formula import Formula, Variable
from holdtrue.record import AnswerStatus, Satisfiability, VerdictRecord
from holdtrue.solving.counted import CountedEngine
from holdtrue.solving.explain.mus import mus
from holdtrue.solving.explain.used_bounds import used_bounds
from holdtrue.solving.result import BackgroundConflict, Core, Mus, Satisfiable, Unknown
from holdtrue.solving.route import make_engine
from holdtrue.world.answer import Assignment, Unparsed

_OPEN = Satisfiability.UNKNOWN  # whether the constraints can all hold was not found out


class Certifier:
    """Certifies the candidates of one search; what it costs in solver calls is counted.

    `budget` is for each question, where a MUS is one. The engines are made when they are asked first, and kept.
    """

    def __init__(self, variables: Sequence[Variable], formulas: Mapping[str, Formula], budget: Budget) -> None:
        self.variables = tuple(variables)
        self.formulas = formulas
        self.budget = budget
        self._checks = [(id, formula.holds) for id, formula in formulas.items()]
        self._bounds = [(variable.name, variable.sort.low, variable.sort.high) for variable in variables]
        self._completed: dict[frozenset[tuple[str, int]], bool] = {}
        self._engines: list[CountedEngine] = []

    @cached_property
    def engine(self) -> CountedEngine:
        """The engine for claims and for what can be kept."""
        return self._counted(CountedEngine(make_engine(self.variables)))

    @cached_property
    def core_engine(self) -> CountedEngine:
        """z3, whose unminimised cores the published methods show."""
        return self._counted(CountedEngine(make_engine(self.variables, prefer="z3")))

    @property
    def solver_calls(self) -> int:
        """How many questions were put to a solver so far."""
        return sum(engine.asked for engine in self._engines)

    @cached_property
    def solution(self) -> Satisfiable | Mus | Core | Unknown:
        """Whether the problem has a solution: asked once, and kept. Where it has none, the MUS (`Core`: not proved
        minimal in time) says why, within the bounds.
        """
        found = mus(self.engine, self.formulas, self.budget)
        return Mus(()) if isinstance(found, BackgroundConflict) else found

    def certify(self, candidate: Candidate) -> VerdictRecord:
        """The verdict. `basis` says whether the constraints can all hold where the candidate made that known;
        `background` names bounds that an assignment leaves and `violated` the constraints that it breaks. `mus` are
        those that make a claim true, and `background` then the bounds that they need for that.
        """
        if isinstance(candidate, Unparsed):
            status = candidate.status
            return VerdictRecord(_OPEN, status, reason=candidate.reason)
        if isinstance(candidate, Assignment):
            return self._certify_assignment(candidate.values)
        return self._certify_claim()

    def evaluate(self, values: Values) -> tuple[str, ...]:
        """The constraints that a complete assignment breaks, in their order; raises `KeyError` where a value that is
        needed is missing.
        """
        return tuple([id for id, holds in self._checks if not holds(values)])

    def outside(self, values: Values) -> tuple[str, ...]:
        """The variables whose values are outside their bounds, in their order."""
        return tuple([name for name, low, high in self._bounds if not low <= values[name] <= high])

    def completes(self, kept: Mapping[str, int], budget: Budget) -> bool | None:
        """Whether some values for all other variables solve the problem together with the kept ones; None where the
        budget ended first. What was proved is asked once.
        """
        key = frozenset(kept.items())
        if key not in self._completed:
            found = self.engine.decide(self.formulas, budget, fixed=kept)
            if isinstance(found, Unknown):
                return None
            self._completed[key] = isinstance(found, Satisfiable)
        return self._completed[key]

    def _certify_assignment(self, values: Values) -> VerdictRecord:
        missing = tuple([name for name, _, _ in self._bounds if name not in values])
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
            background=_used_bounds(self.variables, self._named(found.ids), self.budget),
            mus=found.ids,
            mus_minimal=isinstance(found, Mus),
        )

    def _counted(self, engine: CountedEngine) -> CountedEngine:
        self._engines.append(engine)
        return engine

    def _named(self, ids: Sequence[str]) -> tuple[tuple[str, Formula], ...]:
        return tuple((id, self.formulas[id]) for id in ids)


# Every method meets the same conflict in every trial of a problem, and finding its bounds takes longer than finding it.
@lru_cache(maxsize=1024)
def _used_bounds(
    variables: tuple[Variable, ...], conflict: tuple[tuple[str, Formula], ...], budget: Budget
) -> tuple[str, ...]:
    """The bounds that the conflict needs; none are named where a table ends with a variable's bounds."""
    try:
        return used_bounds(variables, dict(conflict), [id for id, _ in conflict], budget)
    except FormulaError:
        return ()
