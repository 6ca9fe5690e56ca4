"""The engine for formulas that are too large for CNF: wide sums and large domains."""

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
"""z3's value for 'no timeout' (milliseconds)."""

STOPPED = ("canceled", "timeout", "interrupted from keyboard")
"""The reasons that z3 gives if its time is up or it was interrupted."""

TIMER_SLACK_S = 0.01

MOST_TRACKED = 2_000
"""The most formulas and values remembered that the current question does not use, before the solver is made anew."""

Assumed = Mapping[int, tuple[Any, Id]]
"""Assumed Boolean constants by their z3 ids, each with the id of the formula or value that it implies."""


class Z3Engine:
    """An engine with one z3 solver in a separate context, so that other engines do not influence its results.

    Every distinct formula is asserted once, behind a Boolean constant that implies it. A question assumes constants.
    The solver is made anew now and then, so a long series of different questions leaves nothing behind. Limits on
    conflicts are ignored.
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
        """Start again as if no question had been asked."""
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
        # Bounds of earlier searches and values of earlier answers make every later question slower.
        if len(self._known) + len(self._pins) > MOST_TRACKED + len(soft) + len(fixed):
            self._start()
        assumed: dict[int, tuple[Any, Id]] = {}
        for id, formula in soft.items():
            if deadline.passed:  # translating new formulas takes time too
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
    """Ask z3 whether its assertions can hold with the assumed constants, until the deadline."""
    left = deadline.remaining_s
    # z3 reads a limit of 0 as no limit.
    solver.set("timeout", NO_LIMIT if left is None else max(1, math.ceil(min(1000 * left, NO_LIMIT))))
    return solver.check(*(tracker for tracker, _ in assumed.values()))


def core_of(solver: Any, assumed: Assumed) -> Core:
    """Return the assumed ids that z3 needed for its last refutation."""
    core = {tracker.get_id() for tracker in solver.unsat_core()}
    return Core(tuple(id for key, (_, id) in assumed.items() if key in core))


def gave_up(solver: Any, deadline: Deadline) -> Unknown:
    """Return the reason why z3's last answer is unknown. Raises `KeyboardInterrupt` if the user interrupted z3."""
    reason = solver.reason_unknown()
    if reason in STOPPED:
        left = deadline.remaining_s
        # z3 handles Ctrl-C itself, and then gives the same reason as if its time were up.
        if left is None or left > TIMER_SLACK_S:
            raise KeyboardInterrupt
        return out_of_time()
    return Unknown(f"z3 gave up: {reason}")


def out_of_time() -> Unknown:
    return Unknown(f"z3 gave up: {OUT_OF_TIME}")
