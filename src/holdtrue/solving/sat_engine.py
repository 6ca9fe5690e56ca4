"""The engine for finite, small problems: kept SAT solvers, and what can be told without asking them (`Theory`)."""

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
"""So many formulas are evaluated under earlier witnesses for one question, which costs less than one step."""

MOST_VALUES = 100_000
"""Earlier witnesses may have so many values in all: some MB."""

MOST_KNOWN = 1_000
"""So many formulas are known to be about variables that are here."""

WALK_FROM = 100
"""With fewer variables a solver gives all of them their values as soon as a walk is at its end."""


class Theory:
    """A `Theory` asserts what stands, and assumes what is asked on top of it.

    `witness` is the last one that was found and confirmed: it keeps all that stood then.
    """

    def __init__(self, variables: Sequence[Variable], background: Iterable[Formula]) -> None:
        self.solver = KeptSolver(variables)
        self.witness: Witness | None = None
        self._sorts = {variable.name: within(variable.sort) for variable in variables}
        self._variables = frozenset(variables)
        self._about: dict[str, list[Formula]] = {variable.name: [] for variable in variables}
        self._neighbourhood = Neighbourhood(variables, self._about)
        # By their ids, which are theirs as long as they are kept here.
        self._known: dict[int, Formula] = {}
        self._unseen: list[Formula] = []
        # Witnesses that keep all that stands; the first was of use last.
        self._found: list[Witness] = []
        self._most_found = min(MOST_EVALUATED, MOST_VALUES // max(1, len(self._sorts)))
        self.hold(background)

    def hold(self, formulas: Iterable[Formula]) -> None:
        """Add to what stands."""
        self._found = []  # first: they may not keep what is added
        for formula in formulas:
            variables = formula.variables  # first: what is nested too deep is refused here
            self.solver.hold(formula)
            self._unseen.append(formula)
            for variable in variables:
                self._about[variable.name].append(formula)

    def glance(self, formulas: Sequence[Formula], fixed: Mapping[str, int]) -> Satisfiable | Unsatisfiable | None:
        """Return what evaluation alone tells: much that is asked needs no solver.

        The last witness with the fixed values put in, an earlier one, or one that is a step from the last may keep what
        stands and the formulas; or the fixed values may break one of them by themselves.
        """
        witness = self.witness
        if witness is None:
            return None
        known = self._known
        for formula in formulas:
            if id(formula) not in known and not self._knows(formula):
                return None  # the solver refuses it in words
        if fixed:
            witness = {**witness, **fixed}
            if len(witness) > len(self._sorts):
                return None  # a value of a variable that is not here
        # Later formulas are newer, and more likely to be what the witness does not know yet.
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
        """Return what there is to know before a solver gives thousands of variables their values.

        A witness a few steps from the last one, or that unit propagation alone refutes the question; None where there
        are few variables, no witness to start from, or neither is found.
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
        """An earlier witness that keeps the formulas and has the fixed values, if it is soon found."""
        for witness in self._found[: MOST_EVALUATED // max(1, len(formulas))]:
            if fixed.items() <= witness.items() and all_hold(reversed(formulas), witness):
                return witness
        return None

    def _note(self, witness: Witness) -> None:
        """This one keeps all that stands, and was of use."""
        others = [other for other in self._found if other is not witness]
        self._found = [witness, *others[: self._most_found - 1]]
        self.witness, self._unseen = witness, []

    def _knows(self, formula: Formula) -> bool:
        """Return whether all variables of a formula are here, and remember that they are."""
        if not formula.variables <= self._variables:
            return False
        if len(self._known) >= MOST_KNOWN:
            self._known.clear()
        self._known[id(formula)] = formula
        return True

    def _settled(self, formula: Formula, fixed: Mapping[str, int]) -> bool:
        """Return whether the fixed values alone settle a formula."""
        for variable in formula.variables:  # noqa: SIM110  a generator would take as long as all the rest
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
        """Return what of all that stands has to be looked at: what is new, or is about a value that has changed.

        `among` has the values that may differ from the last witness; all of them where it is not given.
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
"""Below so many formulas, assuming them all costs less than a second solver does."""

MOST_PASSING = 500
"""So many formulas may be known that do not stand; then a solver forgets them."""


class SatEngine:
    """Every distinct formula is encoded once, behind a literal that implies it; a question assumes literals.

    What stands for long is asserted as well, in a solver of its own that gives verdicts without reasons: thousands
    of assumptions are what makes a long ledger slow. A long series of different questions leaves nothing behind.
    Raises `FormulaTooLarge`, here and in questions, for a formula that needs more than `CLAUSE_LIMIT` clauses.
    """

    name = KeptSolver.name

    def __init__(self, variables: Sequence[Variable], background: Iterable[Formula] = ()) -> None:
        self.variables = tuple(variables)
        self._by_name = {variable.name: variable for variable in self.variables}
        self.background = tuple(background)
        self._held: list[Formula] = []
        self._start()

    def _start(self) -> None:
        """As if nothing had been asked yet."""
        self._assuming = Theory(self.variables, self.background)
        self._standing: Theory | None = None
        self._stand(self._held)

    def hold(self, soft: Soft) -> None:
        self._stand(list(soft.values()))

    def _stand(self, formulas: list[Formula]) -> None:
        before, standing = self._held, self._standing
        # Nothing is held until all is: where one cannot be encoded, what follows it must not be taken for asserted.
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
        # Of several formulas that say the same, only the first is named; the literals of values come in pairs.
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
        """Return who decides on these formulas, and those of them that do not stand there."""
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
        """Forget what has no part in what stands or is asked now, once there is much of it; return whether all is new.

        Nobody has to before a formula gets a literal.
        """
        assuming = self._assuming.solver
        standing = assuming if self._standing is None else self._standing.solver
        if assuming.passing > MOST_PASSING:
            assuming.forget([*self._held, *soft.values()])
        if standing.passing > MOST_PASSING:
            standing.forget(())  # what is held needs no literal there
        is_worn = assuming.worn or standing.worn
        if is_worn:
            self._start()
        return is_worn
