"""One instance as a simulated model sees it. The model reads sentences with faults, solves, and checks answers.

A misreading depends on the sentence and the instance alone. So the model misreads a sentence in the same way when it
extracts constraints and in all later answers.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

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
from holdtrue_lab.kinds.assignment.simulation.names import READING_FAULTS, Character
from holdtrue_lab.kit.constraints import choices
from holdtrue_lab.kit.simulation.chance import draw, shuffled

# The limit on the solver's conflicts makes answers independent of the machine's speed. The time limit stops hostile
# prompts.
_BUDGET = Budget(timeout_s=10.0, conflicts=20_000)


class World:
    """An instance with a solver. Every result depends on the instance and the question alone.

    The witnesses that a solver finds depend on earlier questions. So only verdicts and lexicographically first
    witnesses are used.
    """

    def __init__(self, instance: Instance) -> None:
        self.instance = instance
        self._engine = make_engine(list(instance.variables.values()), instance.background)
        self._laws = [formula.holds for formula in instance.background]
        self._read: dict[str, Constraint | None] = {}

    def read(self, message: str) -> list[tuple[str, Constraint]]:
        """Return the sentences of a message that are in the domain's wording, each with its constraint."""
        stated = ((sentence, self.read_sentence(sentence)) for sentence in split_sentences(message))
        return [(sentence, constraint) for sentence, constraint in stated if constraint is not None]

    def read_sentence(self, sentence: str) -> Constraint | None:
        """Return the constraint that a sentence in the domain's wording states, or None for any other sentence."""
        if sentence not in self._read:
            try:
                self._read[sentence] = match_sentence(self.instance, sentence)
            except ConstraintError:
                self._read[sentence] = None
        return self._read[sentence]

    def witness(self, constraints: Sequence[Constraint], broken: Sequence[Constraint] = ()) -> Values | None:
        """Return the first values under which all `constraints` hold and all of `broken` fail; None if none do."""
        found = first_witness(self._engine, self._formulas(constraints, broken), _BUDGET)
        return found.witness if isinstance(found, Satisfiable) else None

    def possible(self, constraints: Sequence[Constraint], broken: Sequence[Constraint] = ()) -> bool:
        """Return whether all of `constraints` can hold while all of `broken` fail."""
        return isinstance(self._engine.decide(self._formulas(constraints, broken), _BUDGET), Satisfiable)

    def violated(self, constraints: Sequence[Constraint], values: Values) -> set[Constraint]:
        """Return the constraints that the values break."""
        return {constraint for constraint in constraints if not self.instance.formula(constraint).holds(values)}

    def breaks_law(self, values: Values) -> bool:
        """Return whether the values break a law of the domain, such as two people on one seat."""
        return not all(law(values) for law in self._laws)

    def about(self, entities: Sequence[str]) -> Iterator[Constraint]:
        """Yield every constraint about exactly these entities."""
        for name, kind in self.instance.types.items():
            for args in self._argument_lists(kind.arguments, entities):
                try:
                    made = self.instance.constraint(name, args)
                except ConstraintError:
                    continue  # the arguments name an entity twice, or a value of another attribute
                if {arg for arg in args if arg in entities} == set(entities):
                    yield made

    def swapped(self, constraint: Constraint) -> Constraint | None:
        """Return the constraint with its first two entities exchanged, or None if it has no direction."""
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


@dataclass(frozen=True, slots=True)
class Understood:
    """A simulated reading: the constraint that a sentence states, and the constraints that the model reports.

    `fault` is the kind of fault that made the two differ, or None.
    """

    true: Constraint
    reported: tuple[Constraint, ...]
    fault: str | None = None


class Reader:
    """Reads the conversations of one instance as one simulated model does."""

    def __init__(self, world: World, character: Character) -> None:
        self.world = world
        self.character = character
        self._faults = [fault for fault in character.faults if fault.kind in READING_FAULTS]
        self._understood: dict[str, Understood] = {}

    def read(self, message: str, taken_back: Collection[str] = ()) -> list[Understood]:
        """Return the model's readings of the sentences of a message that are in the domain's wording.

        `taken_back` has sentences in the domain's wording. If one of them states a wrong constraint of a misreading,
        the right reading replaces the misreading.
        """
        heard = [self._understand(sentence, true) for sentence, true in self.world.read(message)]
        gone = self.named(taken_back) if taken_back else frozenset()
        return [Understood(each.true, (each.true,)) if self.wrong(each) & gone else each for each in heard]

    def wrong(self, understood: Understood) -> frozenset[Constraint]:
        """Return, in normal form, the constraints that are reported for a sentence although it does not state them."""
        instance = self.world.instance
        return frozenset(instance.canonical(made) for made in understood.reported if made != understood.true)

    def named(self, sentences: Iterable[str]) -> frozenset[Constraint]:
        """Return, in normal form, the constraints that the sentences state. Sentences in other wording are ignored."""
        stated = map(self.world.read_sentence, sentences)
        return frozenset(self.world.instance.canonical(made) for made in stated if made is not None)

    def _understand(self, sentence: str, true: Constraint) -> Understood:
        if sentence not in self._understood:
            self._understood[sentence] = self._read_by_faults(sentence, true)
        return self._understood[sentence]

    def _read_by_faults(self, sentence: str, true: Constraint) -> Understood:
        """Return the reading under the first fault that strikes and changes the meaning, or else the right reading."""
        instance = self.world.instance
        for fault in self._faults:
            key = (self.character.seed, fault.kind, instance.domain.name, instance.entities, sentence)
            if draw(*key) < fault.rate:
                reported = _misread(self.world, fault.kind, true, key)
                if reported is not None:
                    return Understood(true, reported, fault.kind)
        return Understood(true, (true,))


def _misread(world: World, kind: str, true: Constraint, key: tuple[object, ...]) -> tuple[Constraint, ...] | None:
    """Return the constraints that the model reports under a fault; None if the fault cannot change the meaning."""
    match kind:
        case "drop":
            # Dropping a constraint that always holds would change nothing.
            return () if world.possible((), (true,)) else None
        case "flip":
            flipped = world.swapped(true)
            return (flipped,) if flipped and world.possible((true,), (flipped,)) else None
        case "add":
            extras = (extra for extra in _related(world, true, key) if _adds(world, true, extra))
            return next(((true, extra) for extra in extras), None)
        case "contradict":
            clashes = (clash for clash in _related(world, true, key) if _clashes(world, true, clash))
            return next(((true, clash) for clash in clashes), None)
    return None


def _adds(world: World, true: Constraint, extra: Constraint) -> bool:
    return world.possible((true,), (extra,)) and world.possible((true, extra))


def _clashes(world: World, true: Constraint, clash: Constraint) -> bool:
    return not world.possible((true, clash)) and world.possible((clash,))


def _related(world: World, true: Constraint, key: tuple[object, ...]) -> list[Constraint]:
    """Return, in random order, the other constraints that can be stated with the words of the sentence."""
    words = {*true.args}
    others = world.about(world.instance.entities_in(true))
    return shuffled([made for made in others if made != true and words.issuperset(made.args)], *key)
