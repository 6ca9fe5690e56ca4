"""Operations on values that are not known: the twin of `operations`, in terms and formulas.

Each returns a value and the formula that computing it is no error.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from holdtrue.logic.formula import (
    Abs,
    Constant,
    Formula,
    Greatest,
    Iff,
    Least,
    Quotient,
    Remainder,
    Sum,
    Term,
    ite,
    product,
)
from holdtrue.rules import typed as t
from holdtrue.rules.operations import OPERATIONS
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
    compared,
    conj,
    disj,
    flag_of,
    is_known,
    neg,
    number,
    same_step,
    scaled,
)
from holdtrue.rules.unknowns import Unknowns
from holdtrue.rules.values import Fault, NotSeen, Unseen, field_path

MOST_COMPARED = 32
"""The least of items of which some may be missing is a formula that grows with the square of their number."""
Valued = tuple[Any, Formula]
Entries = list[tuple[Formula, Any, Any]]
"""Items of a list or a map: the formula that it is there, its place or key, and the item."""


def unwrapped(value: Any) -> Valued:
    """Return what a value is where it is not null, and the formula that it is not."""
    return (value.value, neg(value.null)) if isinstance(value, Maybe) else (value, TRUE)


def lifted(unknowns: Unknowns, value: Any) -> Any:
    """Return a value, or the unknown one of what was not seen."""
    return unknowns.value(value) if isinstance(value, NotSeen) else value


def entries_of(unknowns: Unknowns, of: Any) -> Entries:
    """Return the items of a list, or the keys and values of a map. Raises `NotSayable` for one that is open."""
    if isinstance(of, tuple | Mapping | Items):
        unknowns.spend(len(of.entries) if isinstance(of, Items) else len(of))
    match of:
        case tuple():
            return [(TRUE, place, lifted(unknowns, own)) for place, own in enumerate(of)]
        case Mapping():
            return [(TRUE, key, lifted(unknowns, own)) for key, own in of.items()]
        case Items(entries):
            return [(there, place, lifted(unknowns, own)) for place, (there, own) in enumerate(entries)]
        case OpenItems(path) | OpenMap(path):
            raise NotSayable(f"{path} was not seen, and may have any number of items")
    raise NotSayable(f"{of!r:.60} has no items")


# One of several values


def merged(cases: Sequence[tuple[Formula, Any, Formula]], ok: Formula = TRUE) -> Valued:
    """Return the value of the case whose formula holds; cases exclude each other, and where none holds is an error."""
    live = [(when, value, fine) for when, value, fine in cases if when is not FALSE and fine is not FALSE]
    # A condition that is false in a case still is a value: its error is in its formulas.
    if not live:
        return None, FALSE
    settled = conj((ok, disj(conj((when, fine)) for when, _, fine in live)))
    if len(live) == 1:
        value = live[0][1]
        return (value.where(settled) if isinstance(value, Flag) else value), settled
    return _joined([(when, value) for when, value, _ in live], settled), settled


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
        return all(OPERATIONS["equal"](values[0], own) for own in values[1:])
    except Unseen:
        return False


def _joined_numbers(cases: Sequence[tuple[Formula, Num]]) -> Num:
    step = cases[0][1].step
    for _, own in cases[1:]:
        step = same_step(Num(Constant(0), step), own)[2]
    found = cases[-1][1].at_step(step)
    for when, own in reversed(cases[:-1]):
        found = ite(when, own.at_step(step), found)
    return Num(found, step)


def _null(value: Any) -> Formula:
    if isinstance(value, Maybe):
        return value.null
    return TRUE if value is None else FALSE


def as_flag(value: Any) -> Flag:
    """Return a condition, known or not, as a `Flag`."""
    if isinstance(value, Flag):
        return value
    if isinstance(value, bool):
        return Flag(TRUE, FALSE) if value else Flag(FALSE, TRUE)
    raise NotSayable(f"{value!r:.60} is no condition")


# Entries by place and key


def at_key(unknowns: Unknowns, of: Any, key: Any, ok: Formula) -> Valued:
    """Return the value of a key in a map."""
    match of:
        case Cases(cases):
            return merged([(when, *at_key(unknowns, own, key, TRUE)) for when, own in cases], ok)
        case OpenMap(path, type, fact):
            name = f"{path}[{_key(unknowns, key)}]"
            return unknowns.of_type(type.value, name, fact), conj((ok, unknowns.there(name, fact)))
        case Mapping():
            if isinstance(key, str):
                return (lifted(unknowns, of[key]), ok) if key in of else (None, FALSE)
            by_key = [(same(unknowns, key, own), lifted(unknowns, value), TRUE) for own, value in of.items()]
            return merged(by_key, ok)
    raise NotSayable(f"{of!r:.60} is no map")


def _key(unknowns: Unknowns, key: Any) -> str:
    if isinstance(key, str):
        return repr(key)
    if isinstance(key, Text):
        return f"{key.term}"
    raise NotSayable("which key is meant is not known")


def at_place(unknowns: Unknowns, of: Any, place: Any, ok: Formula) -> Valued:
    """Return the item at a place of a list."""
    if isinstance(of, Cases):
        return merged([(when, *at_place(unknowns, own, place, TRUE)) for when, own in of.cases], ok)
    if isinstance(of, OpenItems):
        if not isinstance(place, int):
            raise NotSayable("which item is meant is not known")
        there = compared("<", Constant(place), of.length.term) if place >= 0 else FALSE
        return unknowns.of_type(of.item, f"{of.path}[{place}]", of.fact), conj((ok, there))
    if isinstance(of, Items) and not of.prefix:
        raise NotSayable("a place in a list of which items may be missing")
    entries = entries_of(unknowns, of)
    if isinstance(place, int):
        if not 0 <= place < len(entries):
            return None, FALSE
        there, _, value = entries[place]
        return value, conj((ok, there))
    own = number(place)
    cases = []
    for there, index, value in entries:
        left, right, _ = same_step(own, index)
        cases.append((conj((there, compared("==", left, right))), value, TRUE))
    return merged(cases, ok)


# Equality


def same(unknowns: Unknowns, left: Any, right: Any) -> Formula:
    """Return the formula that two values are equal; neither is an error."""
    left, right = lifted(unknowns, left), lifted(unknowns, right)
    if isinstance(left, Maybe) or isinstance(right, Maybe) or left is None or right is None:
        return _same_or_null(unknowns, left, right)
    for one, other in ((left, right), (right, left)):
        if isinstance(one, Cases):
            return disj(conj((when, same(unknowns, own, other))) for when, own in one.cases)
    match left, right:
        case (Flag() | bool(), _) if isinstance(right, Flag | bool):
            return _same_flags(as_flag(left), as_flag(right))
        case (Num() | int() | Fraction(), Num() | int() | Fraction()):
            one, other, _ = same_step(left, right)
            return compared("==", one, other)
        case (Text() | str(), Text() | str()):
            return compared("==", _text(unknowns, left), _text(unknowns, right))
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


def _text(unknowns: Unknowns, value: Any) -> Term:
    return Constant(unknowns.code(value)) if isinstance(value, str) else value.term


def _field(unknowns: Unknowns, of: Any, name: str) -> tuple[Formula, Any]:
    """Return the formula that a record has a field, and the field."""
    if isinstance(of, Mapping):
        return (unknowns.shown(of[name]), lifted(unknowns, of[name])) if name in of else (FALSE, None)
    own = of.type.fields[name]
    inner = field_path(of.path, name)
    there = TRUE if own.required else unknowns.there(inner, of.fact)
    return there, unknowns.of_type(own.type, inner, of.fact)


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
    if any(isinstance(own, Items) and not own.prefix for own in (left, right)):
        raise NotSayable("two lists of which items may be missing")
    one, other = entries_of(unknowns, left), entries_of(unknowns, right)
    parts = []
    for place in range(max(len(one), len(other))):
        mine = one[place] if place < len(one) else (FALSE, place, None)
        yours = other[place] if place < len(other) else (FALSE, place, None)
        both = conj((mine[0], yours[0]))
        equal = FALSE if both is FALSE else same(unknowns, mine[2], yours[2])
        parts.append(disj((conj((neg(mine[0]), neg(yours[0]))), conj((both, equal)))))
    return conj(parts)


# Applying operations


def operate(unknowns: Unknowns, node: t.Apply, args: Sequence[Any], ok: Formula) -> Valued:
    """Return what an operation makes of its operands, of which one at least is not known. Raises `NotSayable`."""
    values = [lifted(unknowns, own) for own in args]
    if node.operation == "equal":
        equal = flag_of(same(unknowns, *values))
        return equal.where(ok), ok
    if node.operation == "in_list":
        return _in_list(unknowns, values[0], values[1], ok)
    plain = []
    for own in values:
        value, there = unwrapped(own)
        ok = conj((ok, there))
        if value is None:
            return None, FALSE
        plain.append(value)
    cases = next((place for place, own in enumerate(plain) if isinstance(own, Cases)), None)
    if cases is not None:
        found = []
        for when, own in plain[cases].cases:
            found.append((when, *operate(unknowns, node, [*plain[:cases], own, *plain[cases + 1 :]], TRUE)))
        return merged(found, ok)
    if all(is_known(own) for own in plain):
        known = _on_known(node, plain)
        if known is not None:
            return known[0], conj((ok, known[1]))
    value, fine = _MAKE.get(node.operation, _left_open)(unknowns, node, plain)
    ok = conj((ok, fine))
    return (value.where(ok) if isinstance(value, Flag) else value), ok


def _on_known(node: t.Apply, args: Sequence[Any]) -> Valued | None:
    try:
        if node.operation == "scale":
            return args[0] * node.factor, TRUE
        value = OPERATIONS[node.operation](*args)
    except Unseen:
        return None
    except Fault:
        return None, FALSE
    return (as_flag(value) if isinstance(value, bool) else value), TRUE


def _left_open(unknowns: Unknowns, node: t.Apply, args: Sequence[Any]) -> Valued:
    raise NotSayable(f"{node.operation.replace('_', ' ')} of what was not seen")


def _in_list(unknowns: Unknowns, item: Any, of: Any, ok: Formula) -> Valued:
    of, there = unwrapped(of)
    ok = conj((ok, there))
    if of is None:
        return None, FALSE
    if isinstance(of, Cases):
        return merged([(when, *_in_list(unknowns, item, own, TRUE)) for when, own in of.cases], ok)
    found = disj(conj((own, same(unknowns, item, value))) for own, _, value in entries_of(unknowns, of))
    return flag_of(found).where(ok), ok


def _in_map(unknowns: Unknowns, node: t.Apply, args: Sequence[Any]) -> Valued:
    key, of = args
    if isinstance(of, OpenMap):
        return flag_of(unknowns.there(f"{of.path}[{_key(unknowns, key)}]", of.fact)), TRUE
    if not isinstance(of, Mapping):
        raise NotSayable("a map of which it is not known what is in it")
    return flag_of(disj(same(unknowns, key, own) for own in of)), TRUE


def _linear(sign: int) -> Callable[..., Valued]:
    def make(unknowns: Unknowns, node: t.Apply, args: Sequence[Any]) -> Valued:
        left, right, step = same_step(*args)
        return Num(Sum(((1, left), (sign, right))), step), TRUE

    return make


def _product(unknowns: Unknowns, node: t.Apply, args: Sequence[Any]) -> Valued:
    left, right = number(args[0]), number(args[1])
    return Num(product(left.term, right.term), left.step * right.step), TRUE


def _known_divisor(value: Any) -> Fraction | None:
    """Return a divisor that is known; None for zero. Raises `NotSayable` for one that is not known."""
    own = number(value)
    if not isinstance(own.term, Constant):
        raise NotSayable("a division by what was not seen")
    return own.term.value * own.step or None


def _divide(unknowns: Unknowns, node: t.Apply, args: Sequence[Any]) -> Valued:
    divisor = _known_divisor(args[1])
    return (None, FALSE) if divisor is None else (_times(args[0], 1 / divisor), TRUE)


def _times(value: Any, factor: Fraction) -> Num:
    own = number(value)
    if factor == 0:
        return Num(Constant(0), own.step)
    return Num(scaled(own.term, 1 if factor > 0 else -1), own.step * abs(factor))


def _whole_quotient(value: Any, divisor: Fraction) -> Term:
    """Return the quotient, rounded towards zero."""
    own = number(value)
    size = own.step / abs(divisor)
    quotient = Quotient(scaled(Abs(own.term), size.numerator), Constant(size.denominator))
    positive = compared("<=", Constant(0), own.term)
    return (
        ite(positive, quotient, scaled(quotient, -1)) if divisor > 0 else ite(positive, scaled(quotient, -1), quotient)
    )


def _whole_divide(unknowns: Unknowns, node: t.Apply, args: Sequence[Any]) -> Valued:
    divisor = _known_divisor(args[1])
    return (None, FALSE) if divisor is None else (Num(_whole_quotient(args[0], divisor), Fraction(1)), TRUE)


def _remainder(unknowns: Unknowns, node: t.Apply, args: Sequence[Any]) -> Valued:
    divisor = _known_divisor(args[1])
    if divisor is None:
        return None, FALSE
    quotient = _times(Num(_whole_quotient(args[0], divisor), Fraction(1)), divisor)
    left, right, step = same_step(args[0], quotient)
    return Num(Sum(((1, left), (-1, right))), step), TRUE


def _rounded_down(value: Any, size: int) -> Term:
    """Return how many times a positive size goes into a number, rounded down."""
    own = number(value)
    share = own.step / size
    return Quotient(scaled(own.term, share.numerator), Constant(share.denominator))


def _ordered(operator: str) -> Callable[..., Valued]:
    def make(unknowns: Unknowns, node: t.Apply, args: Sequence[Any]) -> Valued:
        left, right, _ = same_step(*args)
        return flag_of(compared(operator, left, right)), TRUE

    return make


def _size(unknowns: Unknowns, node: t.Apply, args: Sequence[Any]) -> Valued:
    if isinstance(args[0], OpenItems):
        return args[0].length, TRUE
    return Num(_count(there for there, _, _ in entries_of(unknowns, args[0])), Fraction(1)), TRUE


def _count(formulas: Iterable[Formula]) -> Term:
    own = list(formulas)
    sure = sum(each is TRUE for each in own)
    parts: list[tuple[int, Term]] = [(1, ite(each, 1, 0)) for each in own if each is not TRUE and each is not FALSE]
    return Sum(((1, Constant(sure)), *parts)) if parts else Constant(sure)


def _numbers(unknowns: Unknowns, of: Any) -> tuple[list[tuple[Formula, Term]], Fraction, Formula]:
    """Return the items of a list of numbers as terms of one step, and the formula that none of them is null."""
    found, step = [], Fraction(1)
    fine: Formula = TRUE
    for there, _, value in entries_of(unknowns, of):
        own, seen = unwrapped(value)
        fine = conj((fine, disj((neg(there), seen if own is not None else FALSE))))
        if own is not None:
            found.append((there, number(own)))
    for place, (_, own) in enumerate(found):
        step = own.step if place == 0 else same_step(Num(Constant(0), step), own)[2]
    return [(there, own.at_step(step)) for there, own in found], step, fine


def _sum(unknowns: Unknowns, node: t.Apply, args: Sequence[Any]) -> Valued:
    items, step, fine = _numbers(unknowns, args[0])
    parts = tuple((1, term if there is TRUE else ite(there, term, 0)) for there, term in items)
    return Num(Sum(parts) if parts else Constant(0), step), fine


def _extreme(operator: str, *, turned: bool) -> Callable[..., Valued]:
    def make(unknowns: Unknowns, node: t.Apply, args: Sequence[Any]) -> Valued:
        items, step, fine = _numbers(unknowns, args[0])
        if not items:
            return None, FALSE
        if all(there is TRUE for there, _ in items):
            terms = tuple(term for _, term in items)
            return Num(Greatest(terms) if turned else Least(terms), step), fine
        if len(items) > MOST_COMPARED:
            raise NotSayable(f"the least or greatest of {len(items)} items, of which some may be missing")
        have, best = _best(items, operator, turned=turned)
        return Num(best, step), conj((fine, have))

    return make


def _best(items: Sequence[tuple[Formula, Term]], operator: str, *, turned: bool) -> tuple[Formula, Term]:
    """Return the formula that one of the items is there, and the best of those; by halves, as it repeats its parts."""
    if len(items) == 1:
        return items[0]
    half = len(items) // 2
    have, best = _best(items[:half], operator, turned=turned)
    there, other = _best(items[half:], operator, turned=turned)
    better = compared(operator, best, other) if turned else compared(operator, other, best)
    return disj((have, there)), ite(conj((there, disj((neg(have), better)))), other, best)


def _concatenate(unknowns: Unknowns, node: t.Apply, args: Sequence[Any]) -> Valued:
    entries = [(there, value) for of in args for there, _, value in entries_of(unknowns, of)]
    return Items(tuple(entries), prefix=all(there is TRUE for there, _ in entries)), TRUE


def _flatten(unknowns: Unknowns, node: t.Apply, args: Sequence[Any]) -> Valued:
    entries = []
    for there, _, value in entries_of(unknowns, args[0]):
        for own, _, item in entries_of(unknowns, value):
            entries.append((conj((there, own)), item))
    return Items(tuple(entries), prefix=all(there is TRUE for there, _ in entries)), TRUE


def _text_test(unknowns: Unknowns, node: t.Apply, args: Sequence[Any]) -> Valued:
    """Return a test of texts: settled for the texts that are written somewhere, open for all others."""
    if sum(not isinstance(own, str) for own in args) != 1:
        raise NotSayable(f"{node.operation.replace('_', ' ')} of two texts that were not seen")
    place = next(place for place, own in enumerate(args) if not isinstance(own, str))
    term = _text(unknowns, args[place])
    for own in args:
        if isinstance(own, str):
            unknowns.code(own)  # a text of which the test is mostly true
    unknowns.left_open.append(f"{node.operation.replace('_', ' ')} of a text that nobody has written")
    name = f"{node.operation}({', '.join(map(_named, args))})"
    other, unknowns.paths[name] = unknowns.boolean(name, None), ""
    yes, named = [], []
    for own in list(unknowns.codes):
        equal = compared("==", term, Constant(unknowns.code(own)))
        named.append(equal)
        if OPERATIONS[node.operation](*(own if at == place else arg for at, arg in enumerate(args))):
            yes.append(equal)
    return flag_of(disj((*yes, conj((*map(neg, named), other))))), TRUE


def _named(value: Any) -> str:
    return repr(value) if isinstance(value, str) else str(value.term)


def _negative(unknowns: Unknowns, node: t.Apply, args: Sequence[Any]) -> Valued:
    return _times(args[0], Fraction(-1)), TRUE


def _absolute(unknowns: Unknowns, node: t.Apply, args: Sequence[Any]) -> Valued:
    own = number(args[0])
    return Num(Abs(own.term), own.step), TRUE


def _scale(unknowns: Unknowns, node: t.Apply, args: Sequence[Any]) -> Valued:
    return _times(args[0], node.factor), TRUE


def _date_of(unknowns: Unknowns, node: t.Apply, args: Sequence[Any]) -> Valued:
    return Num(_rounded_down(args[0], 86_400) + 1, Fraction(1)), TRUE


def _time_of(unknowns: Unknowns, node: t.Apply, args: Sequence[Any]) -> Valued:
    days = Num(scaled(_rounded_down(args[0], 86_400), 86_400), Fraction(1))
    left, right, step = same_step(args[0], days)
    return Num(Sum(((1, left), (-1, right))), step), TRUE


def _day_start(unknowns: Unknowns, node: t.Apply, args: Sequence[Any]) -> Valued:
    own = number(args[0])
    return Num(scaled(own.at_step(own.step) - 1, 86_400), own.step), TRUE


def _weekday(unknowns: Unknowns, node: t.Apply, args: Sequence[Any]) -> Valued:
    return Num(Remainder(number(args[0]).term, Constant(7)), Fraction(1)), TRUE


def _floor(unknowns: Unknowns, node: t.Apply, args: Sequence[Any]) -> Valued:
    return Num(_rounded_down(args[0], 1), Fraction(1)), TRUE


def _round(unknowns: Unknowns, node: t.Apply, args: Sequence[Any]) -> Valued:
    """Return the nearest whole number; of two that are as near, the one farther from zero."""
    own = number(args[0])
    whole, parts = own.step.numerator, own.step.denominator
    size = Quotient(scaled(Abs(own.term), 2 * whole) + parts, Constant(2 * parts))
    return Num(ite(compared("<=", Constant(0), own.term), size, scaled(size, -1)), Fraction(1)), TRUE


def _sign(unknowns: Unknowns, node: t.Apply, args: Sequence[Any]) -> Valued:
    term = number(args[0]).term
    return Num(
        ite(compared("<", Constant(0), term), 1, ite(compared("==", Constant(0), term), 0, -1)), Fraction(1)
    ), TRUE


def _part(unit: int, size: int) -> Callable[..., Valued]:
    def make(unknowns: Unknowns, node: t.Apply, args: Sequence[Any]) -> Valued:
        return Num(Remainder(_rounded_down(args[0], unit), Constant(size)), Fraction(1)), TRUE

    return make


_MAKE: Mapping[str, Callable[[Unknowns, t.Apply, Sequence[Any]], Valued]] = {
    "add": _linear(1),
    "subtract": _linear(-1),
    "multiply": _product,
    "divide": _divide,
    "whole_divide": _whole_divide,
    "remainder": _remainder,
    "negative": _negative,
    "absolute": _absolute,
    "scale": _scale,
    "less": _ordered("<"),
    "at_most": _ordered("<="),
    "in_map": _in_map,
    "concatenate": _concatenate,
    "size": _size,
    "sum": _sum,
    "least": _extreme("<", turned=False),
    "greatest": _extreme("<", turned=True),
    "flatten": _flatten,
    "text_less": _text_test,
    "text_at_most": _text_test,
    "starts_with": _text_test,
    "ends_with": _text_test,
    "contains": _text_test,
    "date_of": _date_of,
    "time_of": _time_of,
    "day_start": _day_start,
    "weekday": _weekday,
    "floor": _floor,
    "round": _round,
    "sign": _sign,
    "hour": _part(3600, 24),
    "minute": _part(60, 60),
    "second": _part(1, 60),
}
