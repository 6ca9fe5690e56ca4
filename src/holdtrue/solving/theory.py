"""A kept solver with everything that stands in it: the background, and formulas held until further notice."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from holdtrue.budget import OUT_OF_TIME, Budget
from holdtrue.logic.formula import Formula, Variable
from holdtrue.logic.sorts import within
from holdtrue.solving.engine import Near, confirm
from holdtrue.solving.incremental_solver import KeptSolver
from holdtrue.solving.neighbours import Neighbourhood, all_hold
from holdtrue.solving.result import Satisfiable, Unknown, Unsatisfiable, Witness

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

    def __init__(self, variables: Sequence[Variable], background: Iterable[Formula], limit: int) -> None:
        self.solver = KeptSolver(variables, limit)
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
        result = confirm(found, [*self._due(found), *formulas], fixed, None, solver.name)
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
        self, formulas: Sequence[Formula], budget: Budget, fixed: Mapping[str, int], near: Near | None
    ) -> tuple[Satisfiable | Unsatisfiable | Unknown, list[int]]:
        """Return the verdict, and the literals that were assumed for the formulas and then for the fixed values."""
        solver, deadline = self.solver, budget.start()
        try:
            literals = solver.literals.each(formulas, deadline)
        except TimeoutError:
            return Unknown(OUT_OF_TIME), []
        if fixed:
            literals += solver.pins(fixed)
        found = solver.solve(literals if near is None else literals + solver.near(near), budget.until(deadline))
        if isinstance(found, Unknown):
            return found, literals
        if not found:
            return Unsatisfiable(), literals
        witness = solver.witness(self.witness, fixed)
        result = confirm(witness, [*self._due(witness), *formulas], fixed, near, solver.name)
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
