"""A pinned vocabulary: the names that formulas of one context may use, each with its sorts and its meaning.

What formalizes without one mostly agrees or differs about names (of pairs of samples of a real model, 56% were the same
tree and 27% equivalent only once names were read as one). So names are chosen first, and nothing else may be used.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import product
from typing import TypeVar

from holdtrue.logic.fol.alert import Alert
from holdtrue.logic.fol.ground import Things, fact_name, thing_label
from holdtrue.logic.fol.naming import stem
from holdtrue.logic.formula import AllDifferent, Formula, Variable
from holdtrue.logic.sorts import IntSort

ANY = "thing"
"""The sort of whatever has no other."""


@dataclass(frozen=True, slots=True)
class Entity:
    """A named thing, with its sort in small letters."""

    name: str
    sort: str = ANY


@dataclass(frozen=True, slots=True)
class Predicate:
    """What is said of things; `sorts` are those of its arguments, `meaning` says it with x, y and z."""

    name: str
    sorts: tuple[str, ...]
    meaning: str = ""


@dataclass(frozen=True, slots=True)
class Function:
    """A whole number from `low` to `high` that things have, such as a place; `distinct`: no two of the things that are
    named have the same."""

    name: str
    sorts: tuple[str, ...]
    low: int
    high: int
    distinct: bool = False
    meaning: str = ""


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """All names there are."""

    entities: tuple[Entity, ...] = ()
    predicates: tuple[Predicate, ...] = ()
    functions: tuple[Function, ...] = ()

    @property
    def things(self) -> Things:
        """What quantifiers range over: the entities, and two fresh things."""
        sorts = {entity.name: entity.sort for entity in self.entities}
        return Things(tuple(sorts), sorts=sorts)

    @property
    def ranges(self) -> Mapping[str, tuple[int, int]]:
        """The least and the greatest value of each function."""
        return {function.name: (function.low, function.high) for function in self.functions}

    def of_sort(self, sort: str) -> tuple[Entity, ...]:
        """The entities of that sort, in order; those of no sort of their own are of every one."""
        return tuple(entity for entity in self.entities if fits(entity.sort, sort))


def fits(sort: str, wanted: str) -> bool:
    """Whether a thing of the one sort can stand where the other is wanted."""
    return sort == wanted or ANY in (sort, wanted)


_Named = TypeVar("_Named", Entity, Predicate, Function)


def merge(
    known: Vocabulary,
    entities: Iterable[Entity] = (),
    predicates: Iterable[Predicate] = (),
    functions: Iterable[Function] = (),
) -> tuple[Vocabulary, tuple[Alert, ...]]:
    """The known vocabulary with these names besides, and what is doubtful of them.

    A name that is near one of the same use (`near`) is taken for it and not added, with an alert where it is not the
    very same. Facts are called by predicates and functions, so a name of one that is near the other is not
    added either. A thing may be called like a predicate: what is meant shows in each place.
    """
    alerts: list[Alert] = []
    things = _added(known.entities, entities, alerts)
    counted = _added(known.functions, functions, alerts, known.predicates)
    said = _added(known.predicates, predicates, alerts, counted)
    stems = {stem(thing.name): thing.name for thing in things}
    names = [named.name for named in counted] + [named.name for named in said]
    alerts += [
        Alert("name_clash", f"{stems[stem(name)]} is a thing, and {name} is said of things")
        for name in names
        if stem(name) in stems
    ]
    return Vocabulary(things, said, counted), tuple(alerts)


def laws(vocabulary: Vocabulary) -> tuple[Formula, ...]:
    """What holds whatever is told: that distinct functions have no value twice among the things that are named.

    Things that came later (`merge`) may be more than there are values: then it holds of the first ones only, since a
    law that nothing satisfies would make every context impossible.
    """
    found: list[Formula] = []
    for function in vocabulary.functions:
        if not function.distinct:
            continue
        choices = [[thing_label(thing.name) for thing in vocabulary.of_sort(sort)] for sort in function.sorts]
        values = IntSort(function.low, function.high)
        places = tuple(Variable(fact_name(function.name, labels), values) for labels in product(*choices))
        if len(differing := places[: function.high - function.low + 1]) > 1:
            found.append(AllDifferent(differing))
    return tuple(found)


def _added(
    known: tuple[_Named, ...], new: Iterable[_Named], alerts: list[Alert], others: Iterable[Predicate | Function] = ()
) -> tuple[_Named, ...]:
    """The known names and the new ones of the same use; `others` are of another, and none may be near them."""
    found = list(known)
    firsts: dict[str, _Named] = {}
    for own in known:
        firsts.setdefault(stem(own.name), own)
    taken = {stem(other.name): other.name for other in others}
    for named in new:
        key = stem(named.name)
        if key in taken:
            alerts.append(Alert("name_clash", f"{named.name} looks like {taken[key]}, which is used otherwise"))
        elif key not in firsts:
            firsts[key] = named
            found.append(named)
        elif (first := firsts[key]).name != named.name:
            message = f"{first.name} and {named.name} look like one name; {first.name} is kept"
            alerts.append(Alert("name_clash", message))
        elif arity(first) != arity(named):
            message = f"{named.name} has {arity(first)} arguments in one place and {arity(named)} in another"
            alerts.append(Alert("arity_clash", message))
    return tuple(found)


def arity(named: Entity | Predicate | Function) -> int:
    """How many arguments it has; a thing has none."""
    return 0 if isinstance(named, Entity) else len(named.sorts)
