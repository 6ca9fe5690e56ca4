"""Merge symbolic values by conditions, look up their items by position or key, and compare them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from holdtrue.logic.formula import Constant, Formula, Iff, Term, ite
from holdtrue.rules.equality import equal
from holdtrue.rules.symbolic_values import (
    FALSE,
    TRUE,
    Cases,
    Flag,
    Items,
    Maybe,
    NotSayable,
    Num,
    OpenItems,
    OpenMap,
    OpenRecord,
    Text,
    common_step,
    compared,
    conj,
    disj,
    is_known,
    neg,
    number,
    same_step,
)
from holdtrue.rules.unknowns import Unknowns
from holdtrue.rules.values import NotSeen, Unseen

Valued = tuple[Any, Formula]
"""A value, and a formula that is true if computing the value is not an error."""
Entries = list[tuple[Formula, Any, Any]]
"""The items of a list or map: the formula for whether the item exists, its position or key, and its value."""


def unwrapped(value: Any) -> Valued:
    """Return a value without null, and a formula that is true if the value is not null."""
    return (value.value, neg(value.null)) if isinstance(value, Maybe) else (value, TRUE)


def lifted(unknowns: Unknowns, value: Any) -> Any:
    """Return the value, or the symbolic value of a `NotSeen` marker."""
    return unknowns.value(value) if isinstance(value, NotSeen) else value


def entries_of(unknowns: Unknowns, of: Any) -> Entries:
    """Return the items of a list, or the entries of a map. Raises `NotSayable` if their number is unbounded.

    The position of an item in an `Items` is None; `placed` computes it.
    """
    if isinstance(of, tuple | Mapping | Items):
        unknowns.spend(len(of.entries) if isinstance(of, Items) else len(of))
    match of:
        case tuple():
            return [(TRUE, place, lifted(unknowns, own)) for place, own in enumerate(of)]
        case Mapping():
            return [(TRUE, key, lifted(unknowns, own)) for key, own in of.items()]
        case Items(entries):
            return [(there, None, lifted(unknowns, own)) for there, own in entries]
        case OpenItems() | OpenMap():
            raise NotSayable(f"{of.path} was not seen, and may have any number of items", of.path, of.fact)
    raise NotSayable(f"{of!r:.60} has no items")


def placed(unknowns: Unknowns, of: Any) -> Entries:
    """Return the items of a list with their positions, which may be symbolic, or the entries of a map."""
    entries = entries_of(unknowns, of)
    if not isinstance(of, Items):
        return entries
    return [(there, place, value) for (there, _, value), place in zip(entries, of.places, strict=True)]


# One of several values


def merged(cases: Sequence[tuple[Formula, Any, Formula]], ok: Formula = TRUE) -> Valued:
    """Return the value of the case whose formula holds, which is an error if none holds. Cases exclude each other.

    Each case is a formula, a value, and a formula that is true if the value is not an error.
    """
    live = [(when, value, fine) for when, value, fine in cases if when is not FALSE and fine is not FALSE]
    # A false condition is still a value; its errors are in its formulas.
    if not live:
        return None, FALSE
    settled = conj((ok, disj(conj((when, fine)) for when, _, fine in live)))
    if len(live) == 1:
        value = live[0][1]
        return (value.where(settled) if isinstance(value, Flag) else value), settled
    return _joined([(when, value) for when, value, _ in live], settled), settled


def each_case(value: Any, ok: Formula, make: Callable[[Any], Valued]) -> Valued:
    """Apply `make` to a value, or to each value of its cases. The result is an error for null or if `ok` is false."""
    value, there = unwrapped(value)
    ok = conj((ok, there))
    if value is None:
        return None, FALSE
    if isinstance(value, Cases):
        return merged([(when, *each_case(own, TRUE, make)) for when, own in value.cases], ok)
    found, fine = make(value)
    return found, conj((ok, fine))


def _joined(cases: Sequence[tuple[Formula, Any]], settled: Formula) -> Any:
    values = [value for _, value in cases]
    if any(value is None or isinstance(value, Maybe) for value in values):
        null = disj(conj((when, _null(value))) for when, value in cases)
        inner = [(when, unwrapped(value)[0]) for when, value in cases if value is not None]
        if not inner:
            return None
        return Maybe(null, inner[0][1] if len(inner) == 1 else _joined(inner, settled))
    first = values[0]
    if all(is_known(value) and type(value) is type(first) for value in values) and _all_equal(values):
        return first
    if any(isinstance(value, Flag | bool) for value in values):
        flags = [(when, as_flag(value)) for when, value in cases]
        yes = disj(conj((when, own.yes)) for when, own in flags)
        no = disj(conj((when, own.no)) for when, own in flags)
        return Flag(yes, no).where(settled)
    if all(isinstance(value, Num | int | Fraction) for value in values):
        return _joined_numbers([(when, number(value)) for when, value in cases])
    return Cases(tuple(cases))


def _all_equal(values: Sequence[Any]) -> bool:
    try:
        return all(equal(values[0], own) for own in values[1:])
    except Unseen:
        return False


def _joined_numbers(cases: Sequence[tuple[Formula, Num]]) -> Num:
    step = common_step(own for _, own in cases)
    found = cases[-1][1].at_step(step)
    for when, own in reversed(cases[:-1]):
        found = ite(when, own.at_step(step), found)
    return Num(found, step)


def _null(value: Any) -> Formula:
    if isinstance(value, Maybe):
        return value.null
    return TRUE if value is None else FALSE


def as_flag(value: Any) -> Flag:
    """Return a known or symbolic condition as a `Flag`."""
    if isinstance(value, Flag):
        return value
    if isinstance(value, bool):
        return Flag(TRUE, FALSE) if value else Flag(FALSE, TRUE)
    raise NotSayable(f"{value!r:.60} is no condition")


# Items by position and key


def at_key(unknowns: Unknowns, of: Any, key: Any) -> Valued:
    """Return the value of a key in a map."""
    match of:
        case OpenMap(path, type, fact):
            name = f"{path}[{key_name(unknowns, key)}]"
            return unknowns.of_type(type.value, name, fact), unknowns.there(name, fact)
        case Mapping():
            if isinstance(key, str):
                return (lifted(unknowns, of[key]), TRUE) if key in of else (None, FALSE)
            return merged([(same(unknowns, key, own), lifted(unknowns, value), TRUE) for own, value in of.items()])
    raise NotSayable(f"{of!r:.60} is no map")


def key_name(unknowns: Unknowns, key: Any) -> str:
    if isinstance(key, str):
        return repr(key)
    if isinstance(key, Text):
        return f"{key.term}"
    raise NotSayable("which key is meant is not known")


def at_place(unknowns: Unknowns, of: Any, place: Any) -> Valued:
    """Return the item at a position of a list."""
    if isinstance(of, OpenItems):
        if not isinstance(place, int):
            raise NotSayable("which item is meant is not known")
        there = compared("<", Constant(place), of.length.term) if place >= 0 else FALSE
        return unknowns.of_type(of.item, f"{of.path}[{place}]", of.fact), there
    return merged([(there, value, TRUE) for there, value in _at_place(placed(unknowns, of), place)])


def _at_place(entries: Entries, place: Any) -> list[tuple[Formula, Any]]:
    """Return the items that may be at a position, each with a formula that is true if it is there."""
    if isinstance(place, int) and entries and isinstance(entries[-1][1], int):
        entries = entries[place : place + 1] if place >= 0 else []  # The list has no gaps.
    found = []
    for there, own, value in entries:
        left, right, _ = same_step(place, own)
        found.append((conj((there, compared("==", left, right))), value))
    return [own for own in found if own[0] is not FALSE]


# Equality


def same(unknowns: Unknowns, left: Any, right: Any) -> Formula:
    """Return a formula that is true if two values are equal, given that neither is an error."""
    left, right = lifted(unknowns, left), lifted(unknowns, right)
    if isinstance(left, Maybe) or isinstance(right, Maybe) or left is None or right is None:
        return _same_or_null(unknowns, left, right)
    for one, other in ((left, right), (right, left)):
        if isinstance(one, Cases):
            return disj(conj((when, same(unknowns, own, other))) for when, own in one.cases)
    match left, right:
        case (OpenItems(path), OpenItems(other)) | (OpenMap(path), OpenMap(other)) if path == other:
            return TRUE
        case (Flag() | bool(), _) if isinstance(right, Flag | bool):
            return _same_flags(as_flag(left), as_flag(right))
        case (Num() | int() | Fraction(), Num() | int() | Fraction()):
            one, other, _ = same_step(left, right)
            return compared("==", one, other)
        case (Text() | str(), Text() | str()):
            return compared("==", text_term(unknowns, left), text_term(unknowns, right))
        case (OpenRecord() | Mapping(), OpenRecord() | Mapping()):
            return _same_records(unknowns, left, right)
        case (Items() | tuple(), Items() | tuple()):
            return _same_lists(unknowns, left, right)
    raise NotSayable("two values of which it is not known whether they are equal")


def _same_or_null(unknowns: Unknowns, left: Any, right: Any) -> Formula:
    one, other = _null(left), _null(right)
    both = conj((one, other))
    if left is None or right is None:
        return both
    equal = same(unknowns, unwrapped(left)[0], unwrapped(right)[0])
    return disj((both, conj((neg(one), neg(other), equal))))


def _same_flags(left: Flag, right: Flag) -> Formula:
    if left.yes in (TRUE, FALSE) or right.yes in (TRUE, FALSE):
        return disj((conj((left.yes, right.yes)), conj((left.no, right.no))))
    return Iff(left.yes, right.yes)


def text_term(unknowns: Unknowns, value: Any) -> Term:
    return Constant(unknowns.code(value)) if isinstance(value, str) else value.term


def _field(unknowns: Unknowns, of: Any, name: str) -> tuple[Formula, Any]:
    """Return a formula that is true if a record has a field, and the field's value."""
    if isinstance(of, Mapping):
        return (unknowns.shown(of[name]), lifted(unknowns, of[name])) if name in of else (FALSE, None)
    found: tuple[Formula, Any] = unknowns.field_of(of, name)
    return found


def _same_records(unknowns: Unknowns, left: Any, right: Any) -> Formula:
    open_ones = [own.type.fields for own in (left, right) if isinstance(own, OpenRecord)]
    names = dict.fromkeys(name for own in (*open_ones, left, right) if isinstance(own, Mapping) for name in own)
    parts = []
    for name in names:
        one, mine = _field(unknowns, left, name)
        other, yours = _field(unknowns, right, name)
        both = conj((one, other))
        equal = FALSE if both is FALSE else same(unknowns, mine, yours)
        parts.append(disj((conj((neg(one), neg(other))), conj((both, equal)))))
    return conj(parts)


def _same_lists(unknowns: Unknowns, left: Any, right: Any) -> Formula:
    one, other = placed(unknowns, left), placed(unknowns, right)
    parts = []
    for place in range(max(len(one), len(other))):
        unknowns.spend(1)
        mine, yours = _at_place(one, place), _at_place(other, place)
        neither = conj(neg(there) for there, _ in (*mine, *yours))
        pairs = [(conj((here, there)), own, twin) for here, own in mine for there, twin in yours]
        equal = disj(conj((both, same(unknowns, own, twin))) for both, own, twin in pairs if both is not FALSE)
        parts.append(disj((neither, equal)))
    return conj(parts)
