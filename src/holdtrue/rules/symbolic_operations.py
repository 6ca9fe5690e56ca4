"""Operations on values that are not known: the twin of `operations`, in terms and formulas.

Each returns a value and the formula that computing it is no error.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from holdtrue.logic.formula import Abs, Constant, Formula, Greatest, Least, Quotient, Sum, Term, ite, product
from holdtrue.rules import typed as t
from holdtrue.rules.operations import OPERATIONS, operation_of
from holdtrue.rules.symbolic_calendar import (
    clock_of,
    date_of,
    day,
    day_of_year,
    day_start,
    instant_of,
    month,
    part,
    rounded_down,
    time_of,
    weekday,
    year,
)
from holdtrue.rules.symbolic_choice import (
    Valued,
    as_flag,
    entries_of,
    key_name,
    lifted,
    merged,
    same,
    text_term,
    unwrapped,
)
from holdtrue.rules.symbolic_values import (
    FALSE,
    MOST_COMPARED,
    TRUE,
    Cases,
    Flag,
    Items,
    NotSayable,
    Num,
    OpenItems,
    OpenMap,
    compared,
    conj,
    count_of,
    disj,
    flag_of,
    is_known,
    neg,
    number,
    same_step,
    scaled,
)
from holdtrue.rules.types import COUNT, TEXT, Type
from holdtrue.rules.unknowns import Unknowns
from holdtrue.rules.values import Fault, Unseen


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
    known = _on_known(node, plain) if all(is_known(own) for own in plain) else None
    value, fine = known or _MAKE.get(node.operation, _left_open)(unknowns, node, plain)
    ok = conj((ok, fine))
    return (value.where(ok) if isinstance(value, Flag) else value), ok


def _on_known(node: t.Apply, args: Sequence[Any]) -> Valued | None:
    try:
        value = operation_of(node)(*args)
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
        return flag_of(unknowns.there(f"{of.path}[{key_name(unknowns, key)}]", of.fact)), TRUE
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


def _ordered(operator: str) -> Callable[..., Valued]:
    def make(unknowns: Unknowns, node: t.Apply, args: Sequence[Any]) -> Valued:
        left, right, _ = same_step(*args)
        return flag_of(compared(operator, left, right)), TRUE

    return make


def _size(unknowns: Unknowns, node: t.Apply, args: Sequence[Any]) -> Valued:
    if isinstance(args[0], OpenItems):
        return args[0].length, TRUE
    return Num(count_of(there for there, _, _ in entries_of(unknowns, args[0])), Fraction(1)), TRUE


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
    return Items(tuple((there, value) for of in args for there, _, value in entries_of(unknowns, of))), TRUE


def _flatten(unknowns: Unknowns, node: t.Apply, args: Sequence[Any]) -> Valued:
    entries = []
    for there, _, value in entries_of(unknowns, args[0]):
        for own, _, item in entries_of(unknowns, value):
            entries.append((conj((there, own)), item))
    return Items(tuple(entries)), TRUE


def _text_test(unknowns: Unknowns, node: t.Apply, args: Sequence[Any]) -> Valued:
    """Return a test of texts: settled for the texts that are written somewhere, open for all others."""
    if sum(not isinstance(own, str) for own in args) != 1:
        raise NotSayable(f"{node.operation.replace('_', ' ')} of two texts that were not seen")
    place = next(place for place, own in enumerate(args) if not isinstance(own, str))
    term = text_term(unknowns, args[place])
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


def _made_of_text(type: Type) -> Callable[..., Valued]:
    """Return an operation of which only this is said: what it makes of equal texts by equal names is the same value."""

    def make(unknowns: Unknowns, node: t.Apply, args: Sequence[Any]) -> Valued:
        name = f"{node.operation}({', '.join(map(_named, args))})"
        first = next(own.term.name for own in args if not isinstance(own, str))
        unknowns.left_open.append(f"{node.operation.replace('_', ' ')} of a text that was not seen")
        found = unknowns.of_type(type, name, unknowns.facts[first])
        unknowns.paths[name] = unknowns.paths[first]
        return found, TRUE

    return make


def _named(value: Any) -> str:
    return repr(value) if isinstance(value, str) else str(value.term)


def _negative(unknowns: Unknowns, node: t.Apply, args: Sequence[Any]) -> Valued:
    return _times(args[0], Fraction(-1)), TRUE


def _absolute(unknowns: Unknowns, node: t.Apply, args: Sequence[Any]) -> Valued:
    own = number(args[0])
    return Num(Abs(own.term), own.step), TRUE


def _scale(unknowns: Unknowns, node: t.Apply, args: Sequence[Any]) -> Valued:
    return _times(args[0], node.factor), TRUE


def _floor(unknowns: Unknowns, node: t.Apply, args: Sequence[Any]) -> Valued:
    return Num(rounded_down(args[0], 1), Fraction(1)), TRUE


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
    "join": _made_of_text(TEXT),
    "lower": _made_of_text(TEXT),
    "upper": _made_of_text(TEXT),
    "trim": _made_of_text(TEXT),
    "text_size": _made_of_text(COUNT),
    "text_less": _text_test,
    "text_at_most": _text_test,
    "starts_with": _text_test,
    "ends_with": _text_test,
    "contains": _text_test,
    "clock_of": clock_of,
    "instant_of": instant_of,
    "matches": _text_test,
    "date_of": date_of,
    "time_of": time_of,
    "day_start": day_start,
    "weekday": weekday,
    "year": year,
    "month": month,
    "day": day,
    "day_of_year": day_of_year,
    "floor": _floor,
    "round": _round,
    "sign": _sign,
    "hour": part(3600, 24),
    "minute": part(60, 60),
    "second": part(1, 60),
}
