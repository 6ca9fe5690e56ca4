"""Choose the engine for a question, and say why it was chosen."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any, Literal

from holdtrue.budget import Budget
from holdtrue.extras import has, need
from holdtrue.logic.formula import Formula, Variable
from holdtrue.solving.encoding import CLAUSE_LIMIT, NotEncodable, finite_size
from holdtrue.solving.engine import SAT, CountedEngine, Engine, EngineFactory, Soft
from holdtrue.solving.result import Core, Satisfiable, Unknown, Unsatisfiable

LARGEST_DOMAIN = 200
"""The most values that a variable may have in the SAT engine."""

SHARED_FROM_S = 10.0
"""Time limits from this one on reserve half for a second engine. Loading CP-SAT alone takes a second or two."""

Preference = Literal["sat", "z3", "cp-sat"]
Verb = Literal["check", "decide"]


class RoutedEngine:
    """A `RoutedEngine` uses SAT until a formula needs too many clauses. From then on it uses z3 for good.

    If the first engine runs out of time, a second engine gets the question: CP-SAT if it is installed, else z3. Both
    together keep the time limit. A question with a limit on conflicts must be reproducible, so only the first engine
    gets it. If neither engine has an answer, the result is `Unknown`.
    """

    def __init__(self, variables: Sequence[Variable], background: Iterable[Formula] = ()) -> None:
        self.variables = tuple(variables)
        self.background = tuple(background)
        self._spare: EngineFactory | None = cpsat_engine if has_cpsat() else z3_engine
        self._second: Engine | None = None
        self._handed_on = 0
        self._sums: Engine | None = None
        # Most questions of a conversation come with the same budget.
        self._budget: Budget | None = None
        self._half: Budget | None = None
        try:
            self._why = _why_sat(self.variables)
            self._engine = sat_engine(self.variables, self.background)
        except NotEncodable as error:
            self._engine = self._switch(str(error))

    @property
    def name(self) -> str:
        return self._engine.name

    @property
    def reason(self) -> str:
        """Say which engine is used and why, and how many questions the second one got."""
        if self._second is None:
            return self._why
        return f"{self._why}; what ran out of time went on to {self._second.name} ({self._handed_on})"

    def check(
        self, soft: Soft, budget: Budget, *, fixed: Mapping[str, int] | None = None
    ) -> Satisfiable | Core | Unknown:
        found: Satisfiable | Core | Unknown = self._ask("check", soft, budget, fixed)
        return found

    def decide(
        self, soft: Soft, budget: Budget, *, fixed: Mapping[str, int] | None = None
    ) -> Satisfiable | Unsatisfiable | Unknown:
        found: Satisfiable | Unsatisfiable | Unknown = self._ask("decide", soft, budget, fixed)
        return found

    def for_sums(self) -> Engine:
        """Return an engine for sums over all variables: z3, since SAT needs too many clauses. The engine is kept."""
        if self._engine.name == "z3":
            return self._engine
        if self._sums is None:
            self._sums = z3_engine(self.variables, self.background)
        return self._sums

    def hold(self, soft: Soft) -> None:
        try:
            self._engine.hold(soft)
        except NotEncodable as error:
            self._engine = self._switch(str(error))
            self._engine.hold(soft)

    def _ask(self, verb: Verb, soft: Soft, budget: Budget, fixed: Mapping[str, int] | None) -> Any:
        if budget is not self._budget:
            self._budget, self._half = budget, _half(budget)
        half = self._half
        if half is None or self._spare is None:
            return self._ask_first(verb, soft, budget, fixed)
        began = time.monotonic()
        found = self._ask_first(verb, soft, half, fixed)
        if not isinstance(found, Unknown):
            return found
        return self._ask_second(verb, soft, budget.until(budget.start(began)), fixed, found)

    def _ask_first(self, verb: Verb, soft: Soft, budget: Budget, fixed: Mapping[str, int] | None) -> Any:
        try:
            return getattr(self._engine, verb)(soft, budget, fixed=fixed)
        except NotEncodable as error:
            self._engine = self._switch(str(error))
            return getattr(self._engine, verb)(soft, budget, fixed=fixed)

    def _ask_second(
        self,
        verb: Verb,
        soft: Soft,
        left: Budget,
        fixed: Mapping[str, int] | None,
        before: Unknown,
    ) -> Any:
        """Ask the second engine with the rest of the time. The engine is made when it is first needed."""
        if self._spare is None:
            return before
        try:
            if self._second is None:
                self._second = self._spare(self.variables, self.background)
            self._handed_on += 1
            found = getattr(self._second, verb)(soft, left, fixed=fixed)
        except NotEncodable:
            return before
        return Unknown(f"{before.reason}; {self._second.name}: {found.reason}") if isinstance(found, Unknown) else found

    def _switch(self, reason: str) -> Engine:
        self._why, self._second = f"z3: {reason}", None
        # CP-SAT refuses unbounded variables. z3 then gets all of the time.
        ends = all(variable.sort.size is not None for variable in self.variables)
        self._spare = cpsat_engine if ends and has_cpsat() else None
        return z3_engine(self.variables, self.background)


def _why_sat(variables: Sequence[Variable]) -> str:
    """Say why SAT is the engine for these variables. Raises `NotEncodable` if it is not."""
    largest = 0
    for variable in variables:
        size = finite_size(variable)
        if size > LARGEST_DOMAIN:
            raise NotEncodable(f"{variable.name} has {size} values, over {LARGEST_DOMAIN}")
        largest = max(largest, size)
    return f"sat: {len(variables)} variables of at most {largest} values, formulas of at most {CLAUSE_LIMIT:,} clauses"


def _half(budget: Budget) -> Budget | None:
    """Return the first engine's share of a budget, or None if it gets all of it."""
    limit = budget.timeout_s
    return None if limit is None or limit < SHARED_FROM_S or budget.conflicts is not None else budget.half()


def make_engine(
    variables: Sequence[Variable], background: Iterable[Formula] = (), *, prefer: Preference | None = None
) -> Engine:
    """Make an engine for a conversation. Without `prefer`, a `RoutedEngine` uses SAT for small problems and z3 for
    others.

    `prefer` names the engine instead. Raises `NotEncodable` if that engine cannot express a formula, and
    `SettingsError` for `"cp-sat"` if CP-SAT is not installed.
    """
    match prefer:
        case "sat":
            return sat_engine(variables, background)
        case "z3":
            return z3_engine(variables, background)
        case "cp-sat":
            need("CP-SAT", "ortools")
            return cpsat_engine(variables, background)
        case None:
            return RoutedEngine(variables, background)


def counted_engine(
    variables: Sequence[Variable], background: Iterable[Formula] = (), *, prefer: Preference | None = None
) -> CountedEngine:
    """Return the engine of `make_engine`, wrapped so that its questions are counted (`solver_use`)."""
    return CountedEngine.made(lambda: make_engine(variables, background, prefer=prefer))


def engine_for_sums(engine: Engine) -> Engine:
    """Return the engine to ask about sums over all variables: z3 if `engine` is SAT or routed, else `engine` itself."""
    if isinstance(engine, CountedEngine):
        able = engine_for_sums(engine.engine)
        return engine if able is engine.engine else CountedEngine(able)
    if isinstance(engine, RoutedEngine):
        return engine.for_sums()
    return z3_engine(engine.variables, engine.background) if engine.name == SAT else engine


def reason_for(engine: Engine) -> str:
    """Say in words which engine is used and why."""
    if isinstance(engine, CountedEngine):
        return reason_for(engine.engine)
    # Only an engine that was chosen automatically has a `reason`.
    return getattr(engine, "reason", f"{engine.name}: asked for by name")


@cache
def has_cpsat() -> bool:
    """Return whether the optional CP-SAT is installed."""
    return has("ortools")


def sat_engine(variables: Sequence[Variable], background: Iterable[Formula]) -> Engine:
    from holdtrue.solving.sat_engine import SatEngine

    return SatEngine(variables, background)


def z3_engine(variables: Sequence[Variable], background: Iterable[Formula]) -> Engine:
    from holdtrue.solving.z3_engine import Z3Engine

    return Z3Engine(variables, background)


def cpsat_engine(variables: Sequence[Variable], background: Iterable[Formula]) -> Engine:
    from holdtrue.solving.cpsat_engine import CpSatEngine

    return CpSatEngine(variables, background)
