"""The engine for finite, small problems: SAT solvers that are kept, and shortcuts that need no solver (`Theory`)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from holdtrue.budget import OUT_OF_TIME, Budget
from holdtrue.logic.formula import Formula, Variable
from holdtrue.logic.sorts import within
from holdtrue.solving.engine import EngineFault, Soft, confirm, fixed_id, misfit
from holdtrue.solving.incremental_solver import Foreign, KeptSolver
from holdtrue.solving.neighbours import Neighbourhood, all_hold
from holdtrue.solving.result import Core, Satisfiable, Unknown, Unsatisfiable, Witness

MOST_EVALUATED = 100
"""The most formulas evaluated under earlier witnesses for one question. This costs less than one local search step."""

MOST_VALUES = 100_000
"""The most values that all remembered witnesses may have together, some MB."""

MOST_KNOWN = 1_000
"""The most formulas remembered as having only known variables."""

WALK_FROM = 100
"""The fewest variables for which `Theory.probe` tries a walk (`neighbours`). With fewer, a solver is as quick."""


class Theory:
    """A `Theory` asserts formulas and answers questions about further formulas that are only assumed.

    `witness` is the last confirmed witness. It keeps all formulas that were asserted when it was found.
    """

    def __init__(self, variables: Sequence[Variable], background: Iterable[Formula]) -> None:
        self.solver = KeptSolver(variables)
        self.witness: Witness | None = None
        self._sorts = {variable.name: within(variable.sort) for variable in variables}
        self._variables = frozenset(variables)
        self._about: dict[str, list[Formula]] = {variable.name: [] for variable in variables}
        self._neighbourhood = Neighbourhood(variables, self._about)
        # Keyed by object id. Keeping the formulas here keeps their ids unique.
        self._known: dict[int, Formula] = {}
        self._unseen: list[Formula] = []
        # Witnesses that keep all asserted formulas, the most recently used first.
        self._found: list[Witness] = []
        self._most_found = min(MOST_EVALUATED, MOST_VALUES // max(1, len(self._sorts)))
        self.hold(background)

    def hold(self, formulas: Iterable[Formula]) -> None:
        """Assert further formulas."""
        self._found = []  # first, since earlier witnesses may break the new formulas
        for formula in formulas:
            variables = formula.variables  # first, since it refuses a formula that is nested too deep
            self.solver.hold(formula)
            self._unseen.append(formula)
            for variable in variables:
                self._about[variable.name].append(formula)

    def glance(self, formulas: Sequence[Formula], fixed: Mapping[str, int]) -> Satisfiable | Unsatisfiable | None:
        """Return the verdict if evaluation alone can find it, else None. Many questions need no solver.

        Some known witness may satisfy the question: the last one with the fixed values, an earlier one, or one a step
        away. The fixed values alone may also break a formula.
        """
        witness = self.witness
        if witness is None:
            return None
        known = self._known
        for formula in formulas:
            if id(formula) not in known and not self._knows(formula):
                return None  # the solver raises the error
        if fixed:
            witness = {**witness, **fixed}
            if len(witness) > len(self._sorts):
                return None  # a value of an unknown variable
        # Later formulas are newer, so the witness is more likely to break them.
        broken = []
        for formula in (*reversed(formulas), *self._due(witness, fixed)):
            if not formula.holds(witness):
                if fixed and self._settled(formula, fixed):
                    return Unsatisfiable()
                broken.append(formula)
        sorts = self._sorts
        for name, value in fixed.items():
            if value not in sorts[name]:
                return None
        if not broken:
            self.witness, self._unseen = witness, []
            return Satisfiable(witness)
        near = self._recall(formulas, fixed)
        if near is None:
            near = self._neighbourhood.step(witness, broken, (*self._unseen, *formulas), fixed)
        if near is None:
            return None
        self._note(near)
        return Satisfiable(near)

    def probe(
        self, formulas: Sequence[Formula], budget: Budget, fixed: Mapping[str, int]
    ) -> Satisfiable | Unsatisfiable | None:
        """Return the verdict if a cheap search finds it before a solver assigns thousands of variables, else None.

        Unit propagation may refute the question, or a walk of a few steps from the last witness may satisfy it. Nothing
        is tried if there are few variables or no witness yet.
        """
        witness, solver = self.witness, self.solver
        if witness is None or len(self._sorts) < WALK_FROM:
            return None
        try:
            literals = solver.literals.each(formulas, budget.start())
        except TimeoutError:
            return None
        if solver.refutes(literals + solver.pins(fixed)):
            return Unsatisfiable()
        values = {**witness, **fixed}
        broken = [own for own in (*reversed(formulas), *self._due(values, fixed)) if not own.holds(values)]
        others = *self._unseen, *formulas
        found = self._neighbourhood.walk(values, broken, others, fixed)
        if found is None:
            return None
        result = confirm(found, [*self._due(found), *formulas], fixed, solver.name)
        self._note(found)
        return result

    def _recall(self, formulas: Sequence[Formula], fixed: Mapping[str, int]) -> Witness | None:
        """Return an earlier witness that keeps the formulas and has the fixed values, or None if none is found soon."""
        for witness in self._found[: MOST_EVALUATED // max(1, len(formulas))]:
            if fixed.items() <= witness.items() and all_hold(reversed(formulas), witness):
                return witness
        return None

    def _note(self, witness: Witness) -> None:
        """Remember a witness that keeps all asserted formulas as the most recently used one."""
        others = [other for other in self._found if other is not witness]
        self._found = [witness, *others[: self._most_found - 1]]
        self.witness, self._unseen = witness, []

    def _knows(self, formula: Formula) -> bool:
        """Return whether the theory has all variables of a formula, and remember the formula if so."""
        if not formula.variables <= self._variables:
            return False
        if len(self._known) >= MOST_KNOWN:
            self._known.clear()
        self._known[id(formula)] = formula
        return True

    def _settled(self, formula: Formula, fixed: Mapping[str, int]) -> bool:
        """Return whether all variables of a formula are fixed."""
        for variable in formula.variables:  # noqa: SIM110  a generator would take too long
            if variable.name not in fixed:
                return False
        return True

    def ask(
        self, formulas: Sequence[Formula], budget: Budget, fixed: Mapping[str, int]
    ) -> tuple[Satisfiable | Unsatisfiable | Unknown, list[int]]:
        """Return the verdict, and the literals that were assumed for the formulas and then for the fixed values."""
        solver, deadline = self.solver, budget.start()
        try:
            literals = solver.literals.each(formulas, deadline)
        except TimeoutError:
            return Unknown(OUT_OF_TIME), []
        if fixed:
            literals += solver.pins(fixed)
        found = solver.solve(literals, budget.until(deadline))
        if isinstance(found, Unknown):
            return found, literals
        if not found:
            return Unsatisfiable(), literals
        witness = solver.witness(self.witness, fixed)
        result = confirm(witness, [*self._due(witness), *formulas], fixed, solver.name)
        self._note(witness)
        return result, literals

    def _due(self, witness: Witness, among: Mapping[str, int] | None = None) -> list[Formula]:
        """Return the asserted formulas that must be evaluated under `witness`: new ones, and those about changed
        values.

        `among` has the values that may differ from the last witness, by default all of them.
        """
        before, due = self.witness, self._unseen
        if before is None or before is witness:
            return due
        about = self._about
        among = witness if among is None else among
        changed = [name for name, value in among.items() if before[name] != value]
        if not changed:
            return due
        return [*due, *{id(formula): formula for name in changed for formula in about[name]}.values()]


HOLD_FROM = 64
"""The fewest formulas that are worth a second solver. For fewer, assuming them all costs less."""

MOST_PASSING = 500
"""The most named formulas that are not asserted. Beyond that, the solver forgets them."""


class SatEngine:
    """An engine that encodes every distinct formula once, behind a literal that implies it. A question assumes
    literals.

    Many held formulas are also asserted in a second solver, which gives verdicts without cores, since assuming
    thousands of literals is slow. A long series of different questions leaves nothing behind. The engine and its
    questions raise `FormulaTooLarge` for a formula that needs more than `CLAUSE_LIMIT` clauses.
    """

    name = KeptSolver.name

    def __init__(self, variables: Sequence[Variable], background: Iterable[Formula] = ()) -> None:
        self.variables = tuple(variables)
        self._by_name = {variable.name: variable for variable in self.variables}
        self.background = tuple(background)
        self._held: list[Formula] = []
        self._start()

    def _start(self) -> None:
        """Start again as if no question had been asked."""
        self._assuming = Theory(self.variables, self.background)
        self._standing: Theory | None = None
        self._stand(self._held)

    def hold(self, soft: Soft) -> None:
        self._stand(list(soft.values()))

    def _stand(self, formulas: list[Formula]) -> None:
        before, standing = self._held, self._standing
        # Nothing counts as held until all is. If one formula cannot be encoded, later ones are not asserted.
        self._held, self._standing = [], None
        if len(formulas) >= HOLD_FROM:
            if standing is None or formulas[: len(before)] != before:
                before, standing = [], Theory(self.variables, self.background)
            standing.hold(formulas[len(before) :])
            self._standing = standing
        self._held = formulas

    def check(
        self, soft: Soft, budget: Budget, *, fixed: Mapping[str, int] | None = None
    ) -> Satisfiable | Core | Unknown:
        fixed = fixed or {}
        self._forget(soft)
        try:
            result, literals = self._assuming.ask(list(soft.values()), budget, fixed)
        except Foreign:
            return self._misfit(fixed)
        if not isinstance(result, Unsatisfiable):
            return result
        core = self._assuming.solver.core()
        ids = []
        # Equal formulas share a literal, so the core names only the first. The literals of values come in pairs.
        for literal, id in zip(literals, soft, strict=False):
            if literal in core:
                core.remove(literal)
                ids.append(id)
        if core and fixed:
            pairs = zip(literals[len(soft) :: 2], literals[len(soft) + 1 :: 2], fixed, strict=True)
            ids += [fixed_id(name) for below, above, name in pairs if below in core or above in core]
        return Core(tuple(ids))

    def decide(
        self, soft: Soft, budget: Budget, *, fixed: Mapping[str, int] | None = None
    ) -> Satisfiable | Unsatisfiable | Unknown:
        fixed = fixed or {}
        theory, formulas = self._theory(soft)
        known = theory.glance(formulas, fixed)
        if known is not None:
            return known
        if self._forget(soft):
            theory, formulas = self._theory(soft)
        try:
            found = theory.probe(formulas, budget, fixed)
            return theory.ask(formulas, budget, fixed)[0] if found is None else found
        except Foreign:
            return self._misfit(fixed)

    def _theory(self, soft: Soft) -> tuple[Theory, list[Formula]]:
        """Return the theory that decides these formulas, and those of them that it has not asserted."""
        formulas = list(soft.values())
        if self._standing is not None and formulas[: len(self._held)] == self._held:
            return self._standing, formulas[len(self._held) :]
        return self._assuming, formulas

    def _misfit(self, fixed: Mapping[str, int]) -> Core:
        found = misfit(self._by_name, fixed)
        if found is None:
            raise EngineFault("a question was refused as foreign, and is not")
        return found

    def _forget(self, soft: Soft) -> bool:
        """Forget unused formulas once there are many. Return whether the theories were made anew."""
        assuming = self._assuming.solver
        standing = assuming if self._standing is None else self._standing.solver
        if assuming.passing > MOST_PASSING:
            assuming.forget([*self._held, *soft.values()])
        if standing.passing > MOST_PASSING:
            standing.forget(())  # asserted formulas need no name there
        is_worn = assuming.worn or standing.worn
        if is_worn:
            self._start()
        return is_worn
