"""Refuse a domain in which one sentence can state two different constraints, so that no reader can tell them apart.

Two texts are alike if their words are the same and each pair of their arguments can name the same thing.
Examples are `{0} is with {1}` for two types, or `{0} is before {1}` and `{1} is before {0}` for one type.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations
from string import Formatter
from typing import TYPE_CHECKING

from holdtrue.errors import InputError
from holdtrue.logic.sorts import EnumSort
from holdtrue.world.declaration import Argument, AttributeName, ConstraintType, Entity, ValueOf
from holdtrue.world.declaration_errors import MISTAKES, Place, own_code

if TYPE_CHECKING:
    from holdtrue.world.instance import Instance


@dataclass(frozen=True, slots=True)
class _Wording:
    """A `_Wording` is one text of a type: its words, and the numbers of the arguments between them."""

    kind: ConstraintType
    text: str
    words: tuple[str, ...]
    order: tuple[int, ...]


def check_alike(place: Place, kinds: Iterable[ConstraintType], instance: Instance | None = None) -> None:
    """Raise `DomainError`, which names both texts, if two sentences or wordings of the types are alike.

    Types that exist only in some instances, and attributes that a function chooses, are checked only if an instance is
    given.
    """
    by_words: dict[tuple[str, ...], list[_Wording]] = {}
    for kind in kinds:
        for text in (kind.sentence, *kind.wordings):
            said = _split_wording(kind, text)
            by_words.setdefault(said.words, []).append(said)
    for group in by_words.values():
        for one, other in combinations(group, 2):
            if _mistaken(place, one, other, instance):
                raise place.error(_complaint(one, other))


def _split_wording(kind: ConstraintType, text: str) -> _Wording:
    words, order = [""], list[int]()
    for literal, field, _, _ in Formatter().parse(text):
        words[-1] += literal
        if field is not None:
            order.append(int(field) if field else len(order))
            words.append("")
    folded = (part.casefold().replace("\u2019", "'") for part in words)
    # The number of spaces and a final full stop do not matter. A space next to a name ends the name.
    plain = [(" " * part[:1].isspace()) + " ".join(part.split()) + (" " * part[-1:].isspace()) for part in folded]
    plain[0], plain[-1] = plain[0].lstrip(), plain[-1].rstrip().removesuffix(".")
    return _Wording(kind, text, tuple(plain), tuple(order))


def _mistaken(place: Place, one: _Wording, other: _Wording, instance: Instance | None) -> bool:
    if one.kind is other.kind:
        if one.order == other.order or _same(one, other):
            return False
    elif instance is None and (one.kind.applies or other.kind.applies):
        return False
    repeats = [one.order.index(number) for number in one.order] == [other.order.index(number) for number in other.order]
    return repeats and all(
        _overlap(place, (one.kind, mine), (other.kind, theirs), instance)
        for mine, theirs in zip(one.order, other.order, strict=True)
    )


def _same(one: _Wording, other: _Wording) -> bool:
    """Return whether both texts of a type state the same constraint, by its symmetry or canonical form."""
    kind, names = one.kind, {mine: f"n{theirs}" for mine, theirs in zip(one.order, other.order, strict=True)}
    first: tuple[str | int, ...] = tuple(f"n{number}" for number in range(len(kind.arguments)))
    second: tuple[str | int, ...] = tuple(names.get(number, first[number]) for number in range(len(kind.arguments)))
    if kind.canonical is not None:
        try:
            first, second = kind.canonical(first), kind.canonical(second)
        except (InputError, *MISTAKES):
            return True  # The function needs other arguments; an instance tries it with real ones.
    if kind.symmetric:
        first, second = ((*sorted(map(str, args[:2])), *args[2:]) for args in (first, second))
    return first == second


def _overlap(
    place: Place, one: tuple[ConstraintType, int], other: tuple[ConstraintType, int], instance: Instance | None
) -> bool:
    """Return whether two arguments can name the same thing; each is a type with the number of its argument."""
    mine, theirs = (kind.arguments[number] for kind, number in (one, other))
    match mine, theirs:
        case AttributeName(), AttributeName():
            if mine.among is None or theirs.among is None or mine.among is theirs.among:
                return True
            return instance is not None and not _among(place, mine, instance).isdisjoint(
                _among(place, theirs, instance)
            )
        case ValueOf(argument=str(named)), ValueOf(argument=str(other_named)):
            return named == other_named or not _values(instance, named).isdisjoint(_values(instance, other_named))
        case ValueOf(argument=str(named)), ValueOf(argument=int(number)):
            return _may_name(place, other[0].arguments[number], named, instance)
        case ValueOf(argument=int(number)), ValueOf(argument=str(named)):
            return _may_name(place, one[0].arguments[number], named, instance)
        case ValueOf(argument=int(number)), ValueOf(argument=int(other_number)):
            return _overlap(place, (one[0], number), (other[0], other_number), instance)
    return type(mine) is type(theirs)


def _values(instance: Instance | None, attribute: str) -> frozenset[str]:
    """Return the named values of an attribute in lower case, or nothing if they are not known yet."""
    sort = instance.attributes[attribute].sort if instance and attribute in instance.attributes else None
    return frozenset(map(str.casefold, sort.labels)) if isinstance(sort, EnumSort) else frozenset()


def _may_name(place: Place, argument: Argument, attribute: str, instance: Instance | None) -> bool:
    """Return whether an argument that names an attribute can name `attribute`."""
    if not isinstance(argument, AttributeName) or argument.among is None:
        return True
    return instance is not None and attribute in _among(place, argument, instance)


def _among(place: Place, argument: AttributeName, instance: Instance) -> frozenset[str]:
    with own_code(place):
        return frozenset(instance.attribute_names(argument))


def _complaint(one: _Wording, other: _Wording) -> str:
    if one.kind is not other.kind:
        return (
            f"the constraint types {one.kind.name!r} and {other.kind.name!r} read alike, by {one.text!r:.80} and "
            f"{other.text!r:.80}: nobody can tell which of them is meant; word one of them in another way"
        )
    symmetric = one.kind.arguments[:2] == (Entity(), Entity()) and sorted(one.order) == sorted(other.order)
    remedy = ", or declare it symmetric=True if both mean the same" if symmetric else ""
    return (
        f"constraint type {one.kind.name!r}: {one.text!r:.80} and {other.text!r:.80} read alike with the arguments the "
        f"other way round: nobody can tell which is meant; word one of them in another way{remedy}"
    )
