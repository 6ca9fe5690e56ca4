"""One instance as a simulated model knows it: it reads the domain's wording, solves, and sees what an answer breaks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from holdtrue.budget import Budget
from holdtrue.errors import ConstraintError
from holdtrue.language.direction import has_direction
from holdtrue.language.matching import match_sentence
from holdtrue.language.sentences import split_sentences
from holdtrue.logic.evaluate import Values
from holdtrue.logic.formula import Formula
from holdtrue.solving.explain.first_witness import first_witness
from holdtrue.solving.result import Satisfiable
from holdtrue.solving.route import make_engine
from holdtrue.world.domain import Argument, Entity
from holdtrue.world.instance import Arg, Constraint, Instance
from holdtrue_lab.kit.constraints import choices

# Counted in conflicts, so that what is answered does not depend on the machine; the time limit is for what no
# simulation should be asked.
_BUDGET = Budget(timeout_s=10.0, conflicts=20_000)


class World:
    """An instance with a solver kept for it. All that it says depends on the instance and the question alone.

    The solver's own witnesses depend on what it was asked before; only its verdicts and lexicographically
    first witnesses are used.
    """

    def __init__(self, instance: Instance) -> None:
        self.instance = instance
        self._engine = make_engine(list(instance.variables.values()), instance.background)
        self._laws = [formula.holds for formula in instance.background]
        self._read: dict[str, Constraint | None] = {}

    def read(self, message: str) -> list[tuple[str, Constraint]]:
        """The sentences of a message that are in the domain's wording, with what they state."""
        stated = ((sentence, self.read_sentence(sentence)) for sentence in split_sentences(message))
        return [(sentence, constraint) for sentence, constraint in stated if constraint is not None]

    def read_sentence(self, sentence: str) -> Constraint | None:
        """Return what a sentence in the domain's wording states, or None for any other sentence."""
        if sentence not in self._read:
            try:
                self._read[sentence] = match_sentence(self.instance, sentence)
            except ConstraintError:
                self._read[sentence] = None
        return self._read[sentence]

    def witness(self, constraints: Sequence[Constraint], broken: Sequence[Constraint] = ()) -> Values | None:
        """The first values under which all `constraints` hold and all of `broken` fail; None where there are none."""
        found = first_witness(self._engine, self._formulas(constraints, broken), _BUDGET)
        return found.witness if isinstance(found, Satisfiable) else None

    def possible(self, constraints: Sequence[Constraint], broken: Sequence[Constraint] = ()) -> bool:
        """Return whether all of `constraints` can hold while all of `broken` fail."""
        return isinstance(self._engine.decide(self._formulas(constraints, broken), _BUDGET), Satisfiable)

    def violated(self, constraints: Sequence[Constraint], values: Values) -> set[Constraint]:
        """The constraints that the values break."""
        return {constraint for constraint in constraints if not self.instance.formula(constraint).holds(values)}

    def breaks_law(self, values: Values) -> bool:
        """Return whether the values break a law of the domain (two people on one seat, say)."""
        return not all(law(values) for law in self._laws)

    def about(self, entities: Sequence[str]) -> Iterator[Constraint]:
        """Every constraint about just these entities."""
        for name, kind in self.instance.types.items():
            for args in self._argument_lists(kind.arguments, entities):
                try:
                    made = self.instance.constraint(name, args)
                except ConstraintError:
                    continue  # an entity named twice, or a value of another attribute
                if {arg for arg in args if arg in entities} == set(entities):
                    yield made

    def swapped(self, constraint: Constraint) -> Constraint | None:
        """The constraint with its first two entities exchanged; None where it has no direction."""
        kind = self.instance.types[constraint.type]
        if not has_direction(kind):
            return None
        first, second, *rest = constraint.args
        return Constraint(constraint.type, (second, first, *rest))

    def _argument_lists(self, arguments: Sequence[Argument], entities: Sequence[str]) -> list[tuple[Arg, ...]]:
        lists: list[tuple[Arg, ...]] = [()]
        for argument in arguments:
            lists = [
                (*args, arg)
                for args in lists
                for arg in (entities if isinstance(argument, Entity) else choices(self.instance, argument, args))
            ]
        return lists

    def _formulas(self, constraints: Sequence[Constraint], broken: Sequence[Constraint]) -> dict[str, Formula]:
        soft = {f"+{index}": self.instance.formula(constraint) for index, constraint in enumerate(constraints)}
        denied = {f"-{index}": self.instance.formula(constraint).negation for index, constraint in enumerate(broken)}
        return soft | denied
