"""Find the values that a variable has to take: those between the bounds that a sentence states.

A quantifier, count or sum ignores each value for which a comparison alone decides the truth of its body. So `∀d ∈ date
(d > 2026-03-01 ∧ d ≤ 2026-03-31 → Open(d))` depends on 30 days. Values lie on the grid of their sort: whole days, the
seconds of one day, cents.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import MAXYEAR, MINYEAR, date
from fractions import Fraction
from itertools import chain
from math import ceil, floor

from holdtrue.errors import FormulaError
from holdtrue.logic.value_sorts import DATE, TIME, Calendar, Instant, ValueSort
from holdtrue_claims.fol import syntax as fol
from holdtrue_claims.fol.moving import Held, Moving, Number, Spans
from holdtrue_claims.fol.syntax import substituted
from holdtrue_claims.fol.term_sorts import months_in

Literal = fol.Number | Instant
Worth = Callable[[fol.Term, Literal], Number | None]
"""The value of a term in base units for a value of the variable; None if it is unknown."""
MOST_VALUES = 5_000
"""The largest number of values for one quantifier, count or sum."""
_NEARER: dict[fol.Comparison, Fraction] = {"<": Fraction(-1), ">": Fraction(1)}


def step_of(sort: ValueSort) -> Fraction | None:
    """Return the distance of neighbours in a sort, in base units; None if any number is possible."""
    if isinstance(sort, Calendar):
        return sort.unit.factor
    return None if sort.step is None else sort.unit.factor * sort.step


def is_value(value: Fraction, sort: ValueSort) -> bool:
    """Return whether a number of base units is a value of a sort."""
    step = step_of(sort)
    return (step is None or (value / step).denominator == 1) and (sort != TIME or 0 <= value < 86_400)


def literal(value: Fraction, sort: ValueSort) -> Literal:
    """Return the term for a value in base units."""
    own = value / sort.unit.factor
    if isinstance(sort, Calendar):
        return Instant(int(own), sort)
    return fol.Number(int(own) if own.denominator == 1 else own, sort.unit)


def worth_of(own: Literal) -> Fraction:
    """Return a written value in base units."""
    return own.value * (own.sort.unit if isinstance(own, Instant) else own.unit).factor


def values_in(nodes: Iterable[object], sort: ValueSort) -> list[Literal]:
    """Return the written values of a sort among these nodes, each once and in the unit of the sort."""
    found: dict[Literal, None] = {}
    for own in nodes:
        if isinstance(own, fol.Number | Instant) and is_value(worth_of(own), sort):
            exact = own.sort == sort if isinstance(own, Instant) else own.unit.dimension == sort.unit.dimension
            if exact and isinstance(own, Instant) is isinstance(sort, Calendar):
                found.setdefault(literal(worth_of(own), sort))
    return list(found)


def window(node: fol.Binder, sort: ValueSort, worth: Worth, numbers: Spans) -> list[Literal | Held] | None:
    """Return the values on which a binder depends; None if there are too many, or no bounds."""
    step = step_of(sort)
    for alternatives in _alternatives(node.body, _is_about_some(node)):
        windows = (window(replace(node, body=own), sort, worth, numbers) for own in alternatives)
        points: set[Fraction] = set()
        for found in windows:
            if found is None or any(isinstance(own, Held) for own in found):
                break
            points |= {worth_of(own) for own in found if not isinstance(own, Held)}
        else:
            return [literal(own, sort) for own in sorted(points)]
    ends: dict[fol.Comparison, Number | None] = {"<": None, ">": None}
    if sort == TIME:
        ends = {">": Fraction(0), "<": Fraction(86_399)}
    for op, left, right, slope in guards(node, sort):
        try:
            start, end = (worth(side, literal(Fraction(0), sort)) for side in (left, right))
        except FormulaError:
            continue  # The bound depends on a free variable or an unknown thing.
        if start is None or end is None:
            continue
        edge = (end - start) / slope
        for way, nearer in _NEARER.items():
            if op not in ("=", way, f"{way}="):
                continue
            own = edge
            if step is not None:
                strict = op == way
                own = (numbers.rounded(edge / step, (way == ">") is not strict) + nearer * strict) * step
            known = ends[way]
            ends[way] = own if known is None or numbers.compares(way, own, known) else known
    low, high = ends[">"], ends["<"]
    if low is None or high is None:
        return None
    length = high - low
    if not numbers.compares(">=", length, Fraction(0)):
        return []
    length = numbers.pin(length)
    grid = _grid(node, sort, worth)
    if grid is not None:
        low, (start, step) = numbers.pin(low), (numbers.pin(grid[0]), grid[1])
        first = start + step * ceil((low - start) / step)
        low, length = first, low + length - first
    if length and (step is None or length / step >= MOST_VALUES):
        return None
    values = [low + place * step for place in range(floor(length / step) + 1)] if step else [low]
    if isinstance(low, Moving):
        return [Held(value, sort) for value in values if isinstance(value, Moving)]
    return [literal(value, sort) for value in values if isinstance(value, Fraction) and is_value(value, sort)]


def _grid(node: fol.Binder, sort: ValueSort, worth: Worth) -> tuple[Number, Fraction] | None:
    """Return a start and a step if a sentence states that every relevant value is whole steps away from the start.

    For times, `∃n ∈ whole (t = 06:00 + n * 20 min)` says so.
    """
    for op, left, right, inner in _implied(node.body, _is_about_some(node), {}):
        if op != "=" or [*inner.values()] != ["whole"]:
            continue
        counted = next(iter(inner))
        slopes = [(_slope(side, node.variable), _slope(side, counted)) for side in (left, right)]
        (one, by_one), (other, by_other) = slopes
        if one is None or other is None or by_one is None or by_other is None or one == other or by_one == by_other:
            continue
        sides = [
            worth(substituted(side, {counted: fol.Number(0)}), literal(Fraction(0), sort)) for side in (left, right)
        ]
        if sides[0] is not None and sides[1] is not None:
            return (sides[1] - sides[0]) / (one - other), abs((by_other - by_one) / (one - other))
    return None


def _is_about_some(node: fol.Binder) -> bool:
    return not isinstance(node, fol.Quantified) or node.quantifier == "exists"


def _alternatives(body: fol.Sentence, positive: bool) -> Iterator[tuple[fol.Sentence, ...]]:
    """Yield tuples of sentences. If the body holds, at least one sentence of each tuple holds. If `positive` is false,
    the tuples are about failing: if the body fails, at least one sentence of each tuple fails.
    """
    match body:
        case fol.Not(operand):
            for found in _alternatives(operand, not positive):
                yield tuple(map(fol.Not, found))
        case fol.Implies(left, right):
            yield from _alternatives(fol.Or((fol.Not(left), right)), positive)
        case fol.And(operands) | fol.Or(operands) if operands:
            if isinstance(body, fol.Or) is positive:
                yield operands
            else:
                for own in operands:
                    yield from _alternatives(own, positive)


def has_ends(node: fol.Count | fol.Total, sort: ValueSort) -> bool:
    """Return whether a count or a sum states the bounds of its values."""
    ops = {op for op, _, _, _ in guards(node, sort)}
    return sort == TIME or "=" in ops or bool(ops & {"<", "<="} and ops & {">", ">="})


def guards(node: fol.Binder, sort: ValueSort) -> Iterator[tuple[fol.Comparison, fol.Term, fol.Term, Fraction]]:
    """Yield comparisons that decide the body if they fail, with the slope of left minus right in the variable."""
    implied = (each[:3] for each in _implied(node.body, _is_about_some(node), {}) if not each[3])
    for op, left, right in chain.from_iterable(_by_years(*each) if sort == DATE else (each,) for each in implied):
        one, other = _slope(left, node.variable), _slope(right, node.variable)
        if op != "!=" and one is not None and other is not None and one != other:
            yield (op if one > other else fol.TURNED[op]), left, right, one - other


def _by_years(
    op: fol.Comparison, left: fol.Term, right: fol.Term
) -> Iterator[tuple[fol.Comparison, fol.Term, fol.Term]]:
    """Yield comparisons of a day if its year is compared with a number; otherwise yield the comparison unchanged."""
    if isinstance(left, fol.Number):
        op, left, right = fol.TURNED[op], right, left
    match left, right:
        case fol.Operation("year_of", (day,)), fol.Number(value) if MINYEAR <= value <= MAXYEAR and value == int(value):
            first, last = (Instant(date(int(value), *own).toordinal(), DATE) for own in ((1, 1), (12, 31)))
            if op in ("=", ">", ">="):
                yield (">", day, last) if op == ">" else (">=", day, first)
            if op in ("=", "<", "<="):
                yield ("<", day, first) if op == "<" else ("<=", day, last)
        case _:
            yield op, left, right


def _implied(
    body: fol.Sentence, positive: bool, inner: Mapping[str, str | None]
) -> Iterator[tuple[fol.Comparison, fol.Term, fol.Term, Mapping[str, str | None]]]:
    """Yield comparisons that hold wherever the body holds, or, if `positive` is false, wherever it fails.

    Each comes with its variables that are bound within the body; it holds for some values of these variables.
    """
    match body:
        case fol.Not(operand):
            yield from _implied(operand, not positive, inner)
        case fol.And(operands) if positive:
            for operand in operands:
                yield from _implied(operand, True, inner)
        case fol.Or(operands) if not positive:
            for operand in operands:
                yield from _implied(operand, False, inner)
        case fol.Implies(left, right) if not positive:
            yield from _implied(left, True, inner)
            yield from _implied(right, False, inner)
        case fol.Quantified(quantifier, variable, within, sort) if positive is (quantifier == "exists"):
            yield from _implied(within, positive, {**inner, variable: sort})
        case fol.Compare(op, left, right):
            free = {*fol.free_in(left), *fol.free_in(right)}
            mine = {name: sort for name, sort in inner.items() if name in free}
            if positive:
                yield op, left, right, mine
            elif op != "=":
                yield fol.DENIED[op], left, right, mine


def _slope(term: fol.Term, variable: str) -> Fraction | None:
    """Return the rise of a term with a variable; None if it is not linear, as with months."""
    if variable not in fol.free_in(term):
        return Fraction(0)
    match term:
        case fol.Bound():
            return Fraction(1)
        case fol.Plus(summed) if all(months_in(part) is None for _, part in summed):
            slopes = [(factor, _slope(part, variable)) for factor, part in summed]
            rises = [factor * slope for factor, slope in slopes if slope is not None]
            return Fraction(sum(rises)) if len(rises) == len(slopes) else None
        case fol.Times(one, fol.Number(value, unit)) | fol.Times(fol.Number(value, unit), one):
            slope = _slope(one, variable)
            return None if slope is None else slope * value * unit.factor
    return None
