"""The engine for where the others run out of time: CP-SAT, an optional extra (`pip install 'holdtrue[cpsat]'`)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from ortools.sat.python import cp_model

from holdtrue.budget import OUT_OF_TIME, Budget, Deadline
from holdtrue.logic.formula import Formula, Variable
from holdtrue.solving.cpsat_terms import CpSatModel
from holdtrue.solving.engine import EngineFault, Near, Soft, confirm, fixed_id, misfit
from holdtrue.solving.result import Core, Id, Satisfiable, Unknown, Unsatisfiable

SEED = 1
CORE_CONFLICTS = 2_000
"""What the search for a smaller core may cost once the whole is known to be impossible: some tenths of a second."""


class CpSatEngine:
    """A fresh model for every question, one worker and a fixed seed: what was asked before changes nothing.

    Verdicts come from a model in which everything is simply stated, because only there CP-SAT sees what belongs
    together (it finds the pigeonhole in bare disequalities). A core is looked for afterwards, under assumptions;
    where that takes too long it names all that was asked. Raises `NotEncodable`, here and in questions, for what
    CP-SAT cannot state.
    """

    name = "cp-sat"

    def __init__(self, variables: Sequence[Variable], background: Iterable[Formula] = ()) -> None:
        self.variables = tuple(variables)
        self._by_name = {variable.name: variable for variable in self.variables}
        self.background = tuple(background)
        self._model(None)  # what it cannot take, it refuses now

    def check(
        self, soft: Soft, budget: Budget, *, fixed: Mapping[str, int] | None = None, near: Near | None = None
    ) -> Satisfiable | Core | Unknown:
        deadline = budget.start()
        found = self.decide(soft, budget, fixed=fixed, near=near)
        if isinstance(found, Core) or not isinstance(found, Unsatisfiable):
            return found
        return self._core(soft, budget, deadline, fixed or {}, near)

    def decide(
        self, soft: Soft, budget: Budget, *, fixed: Mapping[str, int] | None = None, near: Near | None = None
    ) -> Satisfiable | Unsatisfiable | Unknown:
        fixed = fixed or {}
        impossible = misfit(self._by_name, fixed, near)
        if impossible is not None:
            return impossible
        deadline = budget.start()
        model = self._model(near)
        for formula in soft.values():
            formula.check_depth()
            model.require(formula)
        for name, value in fixed.items():
            model.stated.add(model.unknowns[name] == value)
        solver = cp_model.CpSolver()
        possible = _solve(solver, model, budget, deadline)
        if isinstance(possible, Unknown):
            return possible
        if not possible:
            return Unsatisfiable()
        witness = {name: solver.value(unknown) for name, unknown in model.unknowns.items()}
        return confirm(witness, (*self.background, *soft.values()), fixed, near, self.name)

    def hold(self, soft: Soft) -> None:
        """Every question starts afresh: there is nothing that could become cheaper."""

    def _model(self, near: Near | None) -> CpSatModel:
        """The background, and nothing else yet."""
        model = CpSatModel(self.variables)
        for formula in self.background:
            formula.check_depth()
            model.require(formula)
        if near is not None:
            kept = [model.equals(name, value) for name, value in near.target.items()]
            model.at_least(kept, len(kept) - near.changes)
        return model

    def _core(
        self, soft: Soft, budget: Budget, deadline: Deadline, fixed: Mapping[str, int], near: Near | None
    ) -> Core:
        """Return what of the question is impossible, once it is known that it is."""
        model = self._model(near)
        assumed: dict[int, Id] = {}
        literals: dict[Formula, Any] = {}
        for id, formula in soft.items():
            if formula not in literals:
                literals[formula] = model.implying(formula)
                assumed[literals[formula].index] = id
        pins = [model.equals(name, value) for name, value in fixed.items()]
        assumed.update((pin.index, fixed_id(name)) for pin, name in zip(pins, fixed, strict=True))
        model.stated.add_assumptions([*literals.values(), *pins])
        conflicts = CORE_CONFLICTS if budget.conflicts is None else min(CORE_CONFLICTS, budget.conflicts)
        solver = cp_model.CpSolver()
        possible = _solve(solver, model, Budget(budget.timeout_s, conflicts), deadline)
        if isinstance(possible, Unknown):
            return Core(tuple(assumed.values()))
        if possible:
            raise EngineFault("cp-sat finds a question impossible, and possible under assumptions")
        needed = set(solver.sufficient_assumptions_for_infeasibility())
        return Core(tuple(id for index, id in assumed.items() if index in needed))


def _solve(solver: Any, model: CpSatModel, budget: Budget, deadline: Deadline) -> bool | Unknown:
    """Return whether the model has a solution, which the solver then holds; the deadline is the budget's."""
    out_of_time = Unknown(OUT_OF_TIME)
    if deadline.passed:
        return out_of_time
    parameters = solver.parameters
    parameters.num_workers, parameters.random_seed = 1, SEED
    if deadline.remaining_s is not None:
        parameters.max_time_in_seconds = deadline.remaining_s
    if budget.conflicts is not None:
        parameters.max_number_of_conflicts = budget.conflicts
    # CP-SAT's own way with Ctrl-C ends the search in silence, and the next Ctrl-C the process.
    parameters.catch_sigint_signal = False
    with ThreadPoolExecutor(1) as worker:
        solving = worker.submit(solver.solve, model.stated)
        try:
            status = solving.result()
        except KeyboardInterrupt:
            solver.stop_search()
            raise
    if status in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return True
    if status == cp_model.INFEASIBLE:
        return False
    if status == cp_model.MODEL_INVALID:
        raise EngineFault(f"cp-sat was given what is no model: {model.stated.validate()}")
    if budget.timeout_s is None or (budget.conflicts is not None and solver.num_conflicts >= budget.conflicts):
        return Unknown(f"the budget of {budget.conflicts} conflicts ran out")
    return out_of_time
