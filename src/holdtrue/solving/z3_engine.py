"""The engine for what does not fit into CNF: wide sums and large domains."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import z3

from holdtrue.budget import OUT_OF_TIME, Budget, Deadline
from holdtrue.logic.formula import Formula, Variable
from holdtrue.solving.engine import Soft, confirm, fixed_id, misfit
from holdtrue.solving.memos import FormulaMemo
from holdtrue.solving.result import Core, Id, Satisfiable, Unknown, Unsatisfiable
from holdtrue.solving.z3_terms import Z3Terms

NO_LIMIT = 2**32 - 1
"""z3's own value for 'no timeout' (milliseconds)."""

STOPPED = ("canceled", "timeout", "interrupted from keyboard")
"""What z3 says when its time is up, or somebody stopped it."""

TIMER_SLACK_S = 0.01

MOST_TRACKED = 2_000
"""So many formulas and values may be known that are not asked about; then a solver without them takes over."""

Assumed = Mapping[int, tuple[Any, Id]]
"""Boolean constants that are assumed, by their ids in z3, each with the id of what it stands for."""


class Z3Engine:
    """A kept z3 solver in a Context of its own: results do not depend on other engines in the process.

    Every distinct formula is asserted once, behind a Boolean constant that implies it; a question assumes
    constants. A long series of different questions leaves nothing behind: now and then the solver is made anew.
    Budgets of conflicts are ignored.
    """

    name = "z3"

    def __init__(self, variables: Sequence[Variable], background: Iterable[Formula] = ()) -> None:
        self.variables = tuple(variables)
        self._by_name = {variable.name: variable for variable in self.variables}
        self.background = tuple(background)
        for formula in self.background:
            formula.check_depth()
        self._start()

    def _start(self) -> None:
        """As if nothing had been asked yet."""
        self._context = z3.Context()
        self._solver = z3.SimpleSolver(ctx=self._context)
        self._terms = Z3Terms(self.variables, self._context, self._solver.add)
        self._unknowns = self._terms.unknowns
        for variable in self.variables:
            unknown, sort = self._unknowns[variable.name], variable.sort
            if sort.low is not None:
                self._solver.add(unknown >= sort.low)
            if sort.high is not None:
                self._solver.add(unknown <= sort.high)
        for formula in self.background:
            self._solver.add(self._terms.formula(formula))
        self._known = FormulaMemo(self._track)
        self._pins: dict[tuple[str, int], Any] = {}

    def check(
        self, soft: Soft, budget: Budget, *, fixed: Mapping[str, int] | None = None
    ) -> Satisfiable | Core | Unknown:
        fixed = fixed or {}
        impossible = misfit(self._by_name, fixed)
        if impossible is not None:
            return impossible
        deadline = budget.start()
        # Bounds of a search, and values of answers that are long gone, make every later question slower.
        if len(self._known) + len(self._pins) > MOST_TRACKED + len(soft) + len(fixed):
            self._start()
        assumed: dict[int, tuple[Any, Id]] = {}
        for id, formula in soft.items():
            if deadline.passed:  # what is new is translated now, and that takes time too
                break
            tracker = self._known[formula]
            assumed.setdefault(tracker.get_id(), (tracker, id))
        formulas = (*self.background, *soft.values())
        for name, value in fixed.items():
            pin = self._pin(name, value)
            assumed.setdefault(pin.get_id(), (pin, fixed_id(name)))
        if deadline.passed:
            return out_of_time()
        answer = ask_z3(self._solver, assumed, deadline)
        if answer == z3.unknown:
            return gave_up(self._solver, deadline)
        if answer == z3.sat:
            return confirm(self._witness(), formulas, fixed, self.name)
        return core_of(self._solver, assumed)

    def decide(
        self, soft: Soft, budget: Budget, *, fixed: Mapping[str, int] | None = None
    ) -> Satisfiable | Unsatisfiable | Unknown:
        return self.check(soft, budget, fixed=fixed)

    def hold(self, soft: Soft) -> None:
        pass

    def _witness(self) -> dict[str, int]:
        model = self._solver.model()
        return {name: model.eval(unknown, model_completion=True).as_long() for name, unknown in self._unknowns.items()}

    def _track(self, formula: Formula) -> Any:
        tracker = z3.Bool(f"formula {len(self._known)}", self._context)
        self._solver.add(z3.Implies(tracker, self._terms.formula(formula)))
        return tracker

    def _pin(self, name: str, value: int) -> Any:
        if (name, value) not in self._pins:
            pin = z3.Bool(f"pin {len(self._pins)}", self._context)
            self._solver.add(z3.Implies(pin, self._unknowns[name] == value))
            self._pins[name, value] = pin
        return self._pins[name, value]


def ask_z3(solver: Any, assumed: Assumed, deadline: Deadline) -> Any:
    """Return z3's answer about all that it was given and what is assumed, as far as it finds one in time."""
    left = deadline.remaining_s
    # z3 takes a limit of 0 for none.
    solver.set("timeout", NO_LIMIT if left is None else max(1, math.ceil(min(1000 * left, NO_LIMIT))))
    return solver.check(*(tracker for tracker, _ in assumed.values()))


def core_of(solver: Any, assumed: Assumed) -> Core:
    """Return what of the assumed z3 needed for its last answer, unsat."""
    core = {tracker.get_id() for tracker in solver.unsat_core()}
    return Core(tuple(id for key, (_, id) in assumed.items() if key in core))


def gave_up(solver: Any, deadline: Deadline) -> Unknown:
    """Return why the last answer is unknown; raises `KeyboardInterrupt` where somebody stopped z3."""
    reason = solver.reason_unknown()
    if reason in STOPPED:
        left = deadline.remaining_s
        # z3 takes Ctrl-C for itself, and then says the same as when its time is up.
        if left is None or left > TIMER_SLACK_S:
            raise KeyboardInterrupt
        return out_of_time()
    return Unknown(f"z3 gave up: {reason}")


def out_of_time() -> Unknown:
    return Unknown(f"z3 gave up: {OUT_OF_TIME}")
