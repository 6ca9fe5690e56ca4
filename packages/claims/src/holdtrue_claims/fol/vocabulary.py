"""A vocabulary has the names that formulas of one context may use, each with its sorts and its meaning.

Without a fixed vocabulary, a model that translates sentences spells a name in several ways. Of pairs of formulas by a
real model for one sentence, 56% had the same tree. Another 27% were equivalent only after similar names were
identified. So the names are chosen first, and formulas may use no others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeVar

from holdtrue.errors import FormulaError
from holdtrue.logic.units import unit
from holdtrue.logic.value_sorts import Amount, ValueSort, read_sort
from holdtrue_claims.fol.alert import Alert
from holdtrue_claims.fol.naming import UNNAMED, stem

ANY = "thing"
"""The sort of things without another sort."""


@dataclass(frozen=True, slots=True)
class Entity:
    """An `Entity` is a thing that a context names; `sort` is its kind in lower case, such as "person"."""

    name: str
    sort: str = ANY


@dataclass(frozen=True, slots=True)
class Predicate:
    """A `Predicate` is true or false of things, such as Likes(x, y).

    `sorts` are the sorts of its arguments, and `meaning` is a sentence with the variables x, y and z: "x likes y".
    """

    name: str
    sorts: tuple[str, ...]
    meaning: str = ""


@dataclass(frozen=True, slots=True)
class Function:
    """A `Function` gives a value to things, such as the place of a runner, the weight of a parcel or somebody's
    manager.

    `sorts` are the sorts of its arguments. `result` is the sort of its values as text: a sort of things, or of values
    (`value_sorts.read_sort`), such as `whole`, `kg`, `EUR(2)` or `date`. `low` and `high` are the least and the
    greatest value, only if somebody stated them. If `distinct`, no two named things have the same value.
    """

    name: str
    sorts: tuple[str, ...]
    low: int | None = None
    high: int | None = None
    distinct: bool = False
    meaning: str = ""
    result: str = "whole"


def _refuse_twice(names: Sequence[str], what: str) -> None:
    twice = next((name for name, count in Counter(names).items() if count > 1), None)
    if twice is not None:
        raise FormulaError(f"{twice} is declared twice as a {what}")


@dataclass(frozen=True)
class Vocabulary:
    """A `Vocabulary` has all entities, predicates and functions that formulas of one context may use.

    A sort is `closed` if somebody stated that all its things are named; every other sort may have more. A closed sort
    without named things is empty, and if `ANY` is closed, only the named things exist. `sorts` are additional sorts of
    things, without named things or arguments. The names of one group in `aliases` may mean the same thing. `stated` are
    the conventions (`conventions`) that somebody stated.
    """

    entities: tuple[Entity, ...] = ()
    predicates: tuple[Predicate, ...] = ()
    functions: tuple[Function, ...] = ()
    closed: tuple[str, ...] = ()
    sorts: tuple[str, ...] = ()
    aliases: tuple[tuple[str, ...], ...] = ()
    stated: tuple[str, ...] = ()

    def refuse_ambiguous(self) -> None:
        """Raise `FormulaError` if sentences over the vocabulary would be ambiguous.

        Reasons are a name declared twice, a thing with an unnamed one's label, a string as sorts, and an unknown closed
        sort.
        """
        _refuse_twice([own.name for own in self.entities], "thing")
        _refuse_twice([own.name for own in self.applied], "predicate or function")
        for thing in self.entities:
            if thing.name.startswith(UNNAMED):
                raise FormulaError(f"{thing.name!r} is the name of a thing that nobody named")
        for own in self.applied:
            if not isinstance(own.sorts, tuple):
                raise FormulaError(f"{own.name}: sorts are a tuple of texts, got {own.sorts!r}")
        for sort in self.closed:
            if sort not in self.thing_sorts:
                known = ", ".join(sorted(self.thing_sorts))
                raise FormulaError(f"{sort!r} is closed, and is no sort of things; there are {known}")

    @property
    def applied(self) -> tuple[Predicate | Function, ...]:
        """Return the names with arguments: the predicates, then the functions."""
        return (*self.predicates, *self.functions)

    @cached_property
    def thing_sorts(self) -> frozenset[str]:
        """Return the sorts of things: those of entities, and those of arguments that are no sorts of values."""
        used = (sort for own in self.applied for sort in own.sorts)
        things = (own.sort for own in self.entities)
        return frozenset((ANY, *self.sorts, *things, *(s for s in used if read_sort(s) is None)))

    def value_sort(self, sort: str) -> ValueSort | None:
        """Return the sort of values that a text names, or None for a sort of things.

        A word that is the sort of no thing and no argument is a unit: `points` are counted in points.
        """
        if sort in self.thing_sorts:
            return None
        return read_sort(sort) or Amount(unit(sort))

    def named(self, sort: str | None) -> tuple[Entity, ...]:
        """Return the things that are named with a sort; all of them for None and for `ANY`."""
        return tuple(entity for entity in self.entities if sort in (None, ANY, entity.sort))

    def of_sort(self, sort: str) -> tuple[Entity, ...]:
        """Return the entities that may stand for this sort (`fits`), in order."""
        return tuple(entity for entity in self.entities if fits(entity.sort, sort))


def fits(sort: str, wanted: str) -> bool:
    """Return whether a thing of the first sort may be an argument of the second; `ANY` fits every sort."""
    return sort == wanted or ANY in (sort, wanted)


_Named = TypeVar("_Named", Entity, Predicate, Function)


def merge(
    known: Vocabulary,
    entities: Iterable[Entity] = (),
    predicates: Iterable[Predicate] = (),
    functions: Iterable[Function] = (),
) -> tuple[Vocabulary, tuple[Alert, ...]]:
    """Add names to a vocabulary; return the larger vocabulary, and an alert for every doubtful name.

    Names that differ only in capitals, signs or a plural look alike (`naming.near`). A new entity that looks like a
    known one is identified with it and not added; predicates and functions likewise. A different spelling or number of
    arguments gives an alert. A predicate that looks like a function, or the reverse, is not added either, because both
    name facts in the same way. An entity may look like a predicate: it is added, with an alert. A closed sort with a
    new entity is no longer closed.
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
    opened = {own.sort for own in things[len(known.entities) :]}
    closed = tuple(sort for sort in known.closed if sort not in opened and not (sort == ANY and opened))
    return replace(known, entities=things, predicates=said, functions=counted, closed=closed), tuple(alerts)


def _added(
    known: tuple[_Named, ...], new: Iterable[_Named], alerts: list[Alert], others: Iterable[Predicate | Function] = ()
) -> tuple[_Named, ...]:
    """Return the known names and the new ones of the same use, except those that look like `others`."""
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
    """Return the number of arguments of a name: 0 for an entity."""
    return 0 if isinstance(named, Entity) else len(named.sorts)
