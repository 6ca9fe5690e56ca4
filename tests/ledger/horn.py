"""Small Horn worlds for tests, and brute force over them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product

from hypothesis import strategies as st

from holdtrue.budget import Budget
from holdtrue.ledger.beliefs import Belief, Rules
from holdtrue.ledger.policies import weight
from holdtrue.logic.formula import And, Formula, Not, Variable
from holdtrue.logic.sorts import IntSort
from holdtrue.record import Label

BUDGET = Budget()
SURE = (0.3, 0.5, 0.5, 0.7, 0.9)
"""Confidences that are unequal, and equal often enough for ties."""


def atoms(count: int) -> tuple[Variable, ...]:
    return tuple(Variable(f"a{place}", IntSort(0, 1)) for place in range(count))


def believe(id: str, atom: Variable, true: bool, turn: int, confidence: float = 1.0) -> Belief:
    """The belief that an atom is true, or that it is not."""
    if true:
        return Belief(id, Label.ENTAILED, atom.eq(1), f"{atom} holds.", turn, confidence)
    return Belief(id, Label.CONTRADICTED, atom.eq(1).negation, f"Not the case: {atom} holds.", turn, confidence)


@dataclass(frozen=True)
class Clause:
    """`head` follows from the atoms of `body` (by their places); without a head, they exclude each other."""

    body: tuple[int, ...]
    head: int | None

    def over(self, atoms: Sequence[Variable]) -> Formula:
        body: list[Formula] = [atoms[place].eq(1) for place in self.body]
        given = body[0] if len(body) == 1 else And(tuple(body))
        return Not(given) if self.head is None else given.implies(atoms[self.head].eq(1))


@dataclass(frozen=True)
class Horn:
    """A world: its atoms and clauses."""

    atoms: tuple[Variable, ...]
    clauses: tuple[Clause, ...]

    @property
    def rules(self) -> dict[str, Formula]:
        return {f"P{place}": clause.over(self.atoms) for place, clause in enumerate(self.clauses, start=1)}

    def known(self) -> Rules:
        return Rules(self.atoms, (), self.rules)

    def models(self) -> list[dict[str, int]]:
        """All that the clauses allow."""
        names, rules = [atom.name for atom in self.atoms], tuple(self.rules.values())
        every = (dict(zip(names, values, strict=True)) for values in product((0, 1), repeat=len(names)))
        return [model for model in every if all(rule.holds(model) for rule in rules)]


Possible = Callable[[Iterable[Belief]], bool]


def possible_in(world: Horn) -> Possible:
    """Whether beliefs can all hold in a world, by looking at all of its models."""
    models = world.models()

    def possible(beliefs: Iterable[Belief]) -> bool:
        formulas = [belief.formula for belief in beliefs]
        return any(all(formula.holds(model) for formula in formulas) for model in models)

    return possible


def corrections(beliefs: Mapping[str, Belief], possible: Possible) -> list[frozenset[str]]:
    """All minimal sets without which the rest can hold."""
    found: list[frozenset[str]] = []
    for size in range(len(beliefs) + 1):
        for ids in map(frozenset, combinations(beliefs, size)):
            if not any(smaller <= ids for smaller in found) and possible(_without(beliefs, ids)):
                found.append(ids)
    return found


def cost(beliefs: Mapping[str, Belief], ids: Iterable[str]) -> int:
    return sum(weight(beliefs[id]) for id in ids)


def preferred(layers: Sequence[Sequence[Belief]], possible: Possible) -> set[frozenset[str]]:
    """All preferred subtheories (their ids): of each layer as much as the layers before leave room for."""

    def extend(kept: tuple[Belief, ...], rest: Sequence[Sequence[Belief]]) -> Iterator[frozenset[str]]:
        if not rest:
            yield frozenset(belief.id for belief in kept)
            return
        layer = {belief.id: belief for belief in rest[0]}
        for gone in corrections(layer, lambda some: possible((*kept, *some))):
            yield from extend((*kept, *_without(layer, gone)), rest[1:])

    return set(extend((), layers))


def _without(beliefs: Mapping[str, Belief], ids: Iterable[str]) -> list[Belief]:
    return [belief for id, belief in beliefs.items() if id not in set(ids)]


Said = tuple[int, bool, float]


@st.composite
def dialogues(draw: st.DrawFn) -> tuple[Horn, list[list[Belief]]]:
    """Draw a world and the answers in it, one or several for each turn."""
    variables = atoms(5)
    places = st.integers(0, 4)
    bodies = st.lists(places, min_size=1, max_size=4, unique=True).map(tuple)
    clauses = draw(st.lists(st.builds(Clause, bodies, st.none() | places), max_size=6))
    answers = st.lists(st.tuples(places, st.booleans(), st.sampled_from(SURE)), min_size=1, max_size=3)
    turns: list[list[Said]] = draw(st.lists(answers, min_size=1, max_size=6))
    new = [
        [
            believe(f"q{turn}.{place}", variables[atom], true, turn, confidence)
            for place, (atom, true, confidence) in enumerate(said)
        ]
        for turn, said in enumerate(turns, start=1)
    ]
    return Horn(variables, tuple(clauses)), new  # Horn clauses alone are always possible: nothing holds
