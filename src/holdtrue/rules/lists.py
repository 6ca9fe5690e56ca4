"""This module defines the operations on lists, and the functions of CEL that apply these operations.

Source of the functions: CEL specification, "List of standard definitions", and its extensions `math`, `lists` and
`sets`; `sum` is an addition.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from holdtrue.logic.formula import Constant, Formula, Greatest, Least, Sum, Term, ite
from holdtrue.logic.value_sorts import Calendar
from holdtrue.rules import typed_expressions as t
from holdtrue.rules.comparison import AT_MOST, IN_LIST, list_of
from holdtrue.rules.numbers import exact, number_of
from holdtrue.rules.signatures import Args, Checker, Maker, expect, taking, wrong
from holdtrue.rules.symbolic_choice import Valued, entries_of, unwrapped
from holdtrue.rules.symbolic_values import (
    FALSE,
    MOST_COMPARED,
    TRUE,
    Items,
    NotSayable,
    Num,
    OpenItems,
    common_step,
    compared,
    conj,
    count_of,
    disj,
    neg,
    number,
)
from holdtrue.rules.syntax import Place, RuleError
from holdtrue.rules.texts import TEXT_SIZE
from holdtrue.rules.type_lattice import unified
from holdtrue.rules.typed_expressions import described
from holdtrue.rules.types import COUNT, FLAG, ListOf, MapOf, Name, Nullable, Number, Type, in_words, without_null
from holdtrue.rules.unknowns import Unknowns
from holdtrue.rules.values import Fault, NotSeen, Unseen

MOST_MADE = 100_000
"""The greatest number of items of a list that is made from others."""


# Operations on known values


def _chosen(choose: Callable[..., Any]) -> Callable[[tuple[Any, ...]], Any]:
    def operate(items: tuple[Any, ...]) -> Any:
        if not items:
            raise Fault("there is no least or greatest of an empty list")
        return choose(map(number_of, map(seen_of, items)))

    return operate


def seen_of(value: Any) -> Any:
    if isinstance(value, NotSeen):
        raise Unseen(value)
    return value


def _total(items: tuple[Any, ...]) -> Any:
    total: int | Fraction = 0
    for item in items:
        total = exact(total + number_of(seen_of(item)))
    return total


def _flat(items: tuple[Any, ...]) -> tuple[Any, ...]:
    lists = [list_of(seen_of(item)) for item in items]
    if sum(map(len, lists)) > MOST_MADE:
        raise Fault(f"a list has over {MOST_MADE:,} items")
    return tuple([inner for own in lists for inner in own])


# Operations on symbolic values


def _size(unknowns: Unknowns, node: t.Apply, args: Sequence[Any]) -> Valued:
    if isinstance(args[0], OpenItems):
        return args[0].length, TRUE
    return Num(count_of(there for there, _, _ in entries_of(unknowns, args[0])), Fraction(1)), TRUE


def _numbers(unknowns: Unknowns, of: Any) -> tuple[list[tuple[Formula, Term]], Fraction, Formula]:
    """Return the numbers of a list as terms, their common step, and a formula that is true if no item is null."""
    found = []
    fine: Formula = TRUE
    for there, _, value in entries_of(unknowns, of):
        own, seen = unwrapped(value)
        fine = conj((fine, disj((neg(there), seen if own is not None else FALSE))))
        if own is not None:
            found.append((there, number(own)))
    step = common_step(own for _, own in found)
    return [(there, own.at_step(step)) for there, own in found], step, fine


def _sum(unknowns: Unknowns, node: t.Apply, args: Sequence[Any]) -> Valued:
    items, step, fine = _numbers(unknowns, args[0])
    parts = tuple((1, term if there is TRUE else ite(there, term, 0)) for there, term in items)
    return Num(Sum(parts) if parts else Constant(0), step), fine


def _extreme(*, turned: bool) -> Callable[..., Valued]:
    def make(unknowns: Unknowns, node: t.Apply, args: Sequence[Any]) -> Valued:
        items, step, fine = _numbers(unknowns, args[0])
        if not items:
            return None, FALSE
        if all(there is TRUE for there, _ in items):
            terms = tuple(term for _, term in items)
            return Num(Greatest(terms) if turned else Least(terms), step), fine
        if len(items) > MOST_COMPARED:
            raise NotSayable(f"the least or greatest of {len(items)} items, of which some may be missing")
        have, best = _best(items, turned=turned)
        return Num(best, step), conj((fine, have))

    return make


def _best(items: Sequence[tuple[Formula, Term]], *, turned: bool) -> tuple[Formula, Term]:
    """Return a formula that is true if some item exists, and the best existing item.

    Recursion by halves keeps the formula small, since each level repeats its parts.
    """
    if len(items) == 1:
        return items[0]
    half = len(items) // 2
    have, best = _best(items[:half], turned=turned)
    there, other = _best(items[half:], turned=turned)
    better = compared("<", best, other) if turned else compared("<", other, best)
    return disj((have, there)), ite(conj((there, disj((neg(have), better)))), other, best)


def _concatenate(unknowns: Unknowns, node: t.Apply, args: Sequence[Any]) -> Valued:
    return Items(tuple((there, value) for of in args for there, _, value in entries_of(unknowns, of))), TRUE


def _flatten(unknowns: Unknowns, node: t.Apply, args: Sequence[Any]) -> Valued:
    entries = []
    for there, _, value in entries_of(unknowns, args[0]):
        for own, _, item in entries_of(unknowns, value):
            entries.append((conj((there, own)), item))
    return Items(tuple(entries)), TRUE


CONCATENATE = t.Operation("concatenate", lambda left, right: _flat((left, right)), _concatenate)
SIZE = t.Operation("size", lambda items: len(list_of(items)), _size)
SUM = t.Operation("sum", lambda items: _total(list_of(items)), _sum)
LEAST = t.Operation("least", _chosen(min), _extreme(turned=False))
GREATEST = t.Operation("greatest", _chosen(max), _extreme(turned=True))
FLATTEN = t.Operation("flatten", _flat, _flatten)


# Functions


def _size_of(args: Args, type: Type, place: Place) -> t.Node:
    return t.Apply(TEXT_SIZE if isinstance(type, Name) else SIZE, args, COUNT, place=place)


def _sum_of(args: Args, type: ListOf, place: Place) -> t.Node:
    item = without_null(type.item)
    if not isinstance(item, Number):
        raise wrong("sum", "a list of numbers", args[0], place)
    return t.Apply(SUM, args, Number(item.sort, bare=item.bare), place=place)


def _flatten_of(args: Args, type: ListOf, place: Place) -> t.Node:
    item = without_null(type.item)
    if not isinstance(item, ListOf):
        raise wrong("flatten", "a list of lists", args[0], place)
    return t.Apply(FLATTEN, args, ListOf(item.item), place=place)


def _extreme_of(name: str, operation: t.Operation) -> Maker:
    def make(checker: Checker, args: Args, place: Place) -> t.Node:
        of = without_null(args[0].type) if len(args) == 1 else None
        if isinstance(of, ListOf):
            item = without_null(of.item)
            if not isinstance(item, Number | Calendar):
                raise wrong(f"math.{name}", "numbers or dates", args[0], place)
            return t.Apply(operation, args, item, place=place)
        if not args:
            raise RuleError(f"math.{name} takes at least one argument", place)
        type: Type = args[0].type
        for own in args:
            found = unified(type, own.type)
            if found is None or not isinstance(without_null(found), Number | Calendar):
                kinds = f"{in_words(type)} and {in_words(own.type)}"
                raise RuleError(f"math.{name} takes numbers of one unit, not {kinds}", place)
            type = found
        made = t.MakeList(tuple(checker.converted(own, type) for own in args), ListOf(type, len(args)), place)
        return t.Apply(operation, (made,), without_null(type), place=place)

    return make


def _set_contains(checker: Checker, args: Args, place: Place) -> t.Node:
    expect(args, 2, "sets.contains", place)
    return _with_both(_within(checker, args[1], args[0], place), args, place)


def _set_equivalent(checker: Checker, args: Args, place: Place) -> t.Node:
    expect(args, 2, "sets.equivalent", place)
    found = (_within(checker, args[1], args[0], place), _within(checker, args[0], args[1], place))
    return _with_both(t.Junction(True, found, FLAG, place), args, place)


def _set_intersects(checker: Checker, args: Args, place: Place) -> t.Node:
    expect(args, 2, "sets.intersects", place)
    found = _within(checker, args[0], args[1], place)
    return _with_both(replace(found, macro="exists"), args, place)


def _with_both(found: t.Node, args: Args, place: Place) -> t.Node:
    """Return a condition on two lists that is an error if one list is an error, even an unused one."""
    unsure = [own for own in args if isinstance(own.type, Nullable) or not t.is_sure(own)]
    if not unsure:
        return found
    read = [t.Apply(SIZE, (own,), COUNT, place=place) for own in unsure]
    none = t.Given(0, COUNT, place)
    return t.Choose(
        t.Junction(True, tuple(t.Apply(AT_MOST, (none, own), FLAG, place=place) for own in read), FLAG, place),
        found,
        t.Given(False, FLAG, place),
        FLAG,
        place,
    )


def _within(checker: Checker, of: t.Node, other: t.Node, place: Place) -> t.Over:
    """Return the condition that every item of one list is in another."""
    one, two = without_null(of.type), without_null(other.type)
    if not isinstance(one, ListOf) or not isinstance(two, ListOf):
        raise RuleError(f"sets are lists, and these are {described(of)} and {described(other)}", place)
    empty = any(isinstance(own, t.Given) and not own.value for own in (of, other))
    if not empty and unified(one.item, two.item) is None:
        raise RuleError(f"these lists have nothing in common: {described(of)} and {described(other)}", place)
    item = checker.fresh("item", one.item)
    found = t.Apply(IN_LIST, (item if empty else checker.converted(item, two.item), other), FLAG, place=place)
    return t.Over("all", of, item.name, found, FLAG, place=place)


METHODS: Mapping[str, Maker] = {
    "size": taking("size", "a list, a map or a text", (ListOf, MapOf, Name), _size_of),
    "sum": taking("sum", "a list", ListOf, _sum_of),
    "flatten": taking("flatten", "a list", ListOf, _flatten_of),
}
FUNCTIONS: Mapping[str, Maker] = {
    **METHODS,
    "lists.flatten": METHODS["flatten"],
    "math.least": _extreme_of("least", LEAST),
    "math.greatest": _extreme_of("greatest", GREATEST),
    "sets.contains": _set_contains,
    "sets.equivalent": _set_equivalent,
    "sets.intersects": _set_intersects,
}
