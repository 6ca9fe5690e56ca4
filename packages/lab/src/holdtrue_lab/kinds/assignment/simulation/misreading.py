"""Faults of reading: what a simulated model takes a sentence to state, when it gets it wrong.

A misreading depends on the sentence and the setting alone: the model misreads a sentence in the same way when it
extracts constraints, and in all its later answers.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from holdtrue.world.instance import Constraint
from holdtrue_lab.kinds.assignment.simulation.names import READING_FAULTS, Character
from holdtrue_lab.kinds.assignment.simulation.world import World
from holdtrue_lab.kit.simulation.chance import draw, shuffled


@dataclass(frozen=True, slots=True)
class Understood:
    """An `Understood` has what a sentence states (`true`), and what the model takes it to state (`reported`).

    `fault` is the kind of fault that made the two differ, or None.
    """

    true: Constraint
    reported: tuple[Constraint, ...]
    fault: str | None = None


class Reader:
    """A `Reader` reads the conversations of one instance as one simulated model does."""

    def __init__(self, world: World, character: Character) -> None:
        self.world = world
        self.character = character
        self._faults = [fault for fault in character.faults if fault.kind in READING_FAULTS]
        self._understood: dict[str, Understood] = {}

    def read(self, message: str, taken_back: Collection[str] = ()) -> list[Understood]:
        """Return what the model makes of those sentences of a message that are in the domain's wording.

        Of what it has misread, nothing is left that it has `taken_back`, which is told in the domain's sentences.
        """
        heard = [self._understand(sentence, true) for sentence, true in self.world.read(message)]
        gone = self.named(taken_back) if taken_back else frozenset()
        return [Understood(each.true, (each.true,)) if self.wrong(each) & gone else each for each in heard]

    def wrong(self, understood: Understood) -> frozenset[Constraint]:
        """Return, in normal form, what is reported of a sentence and not stated by it."""
        instance = self.world.instance
        return frozenset(instance.canonical(made) for made in understood.reported if made != understood.true)

    def named(self, sentences: Iterable[str]) -> frozenset[Constraint]:
        """Return, in normal form, what those of the sentences state that are in the domain's wording."""
        stated = map(self.world.read_sentence, sentences)
        return frozenset(self.world.instance.canonical(made) for made in stated if made is not None)

    def _understand(self, sentence: str, true: Constraint) -> Understood:
        if sentence not in self._understood:
            self._understood[sentence] = self._read_by_faults(sentence, true)
        return self._understood[sentence]

    def _read_by_faults(self, sentence: str, true: Constraint) -> Understood:
        """The sentence by the first fault that strikes and changes its meaning, or rightly."""
        instance = self.world.instance
        for fault in self._faults:
            key = (self.character.seed, fault.kind, instance.domain.name, instance.entities, sentence)
            if draw(*key) < fault.rate:
                reported = _misread(self.world, fault.kind, true, key)
                if reported is not None:
                    return Understood(true, reported, fault.kind)
        return Understood(true, (true,))


def _misread(world: World, kind: str, true: Constraint, key: tuple[object, ...]) -> tuple[Constraint, ...] | None:
    """Return the constraints that are reported instead, or None where the fault cannot change the meaning."""
    match kind:
        case "drop":
            # What cannot fail says nothing, and leaving it out changes nothing.
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
    """Other constraints that the sentence's own words could be taken for: nothing is made up that it does not name."""
    words = {*true.args}
    others = world.about(world.instance.entities_in(true))
    return shuffled([made for made in others if made != true and words.issuperset(made.args)], *key)
