"""Split sentences about all values into clauses: for all values of a prefix, one of the operands holds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import islice, product
from math import prod

from holdtrue.logic.units import DAY
from holdtrue.logic.value_sorts import DATE, TIME, Amount, Instant, ValueSort, common_divisor
from holdtrue_claims.fol import syntax as fol
from holdtrue_claims.fol.syntax import substituted
from holdtrue_claims.fol.term_sorts import Bindings, SortError, TermSorts, months_in
from holdtrue_claims.fol.value_windows import step_of, worth_of
from holdtrue_claims.fol.vocabulary import ANY
from holdtrue_claims.fol.written_out import TRUE, denied, goes_through_values, joined, pushed_in


def is_on_grid(term: fol.Term, sort: ValueSort, bound: Bindings, sorts: TermSorts) -> bool:
    """Return whether a term's value is certainly a multiple of a sort's step. A time may lie outside of the day."""
    try:
        own = sorts.sort(term, bound)
    except SortError:
        return False
    if isinstance(own, Amount) and isinstance(sort, Amount):
        alike = own.unit.dimension == sort.unit.dimension
    else:
        alike = own == sort
    step, quantum = step_of(sort), _quantum(term, bound, sorts)
    return alike and (step is None or (quantum is not None and (quantum / step).denominator == 1))


def _quantum(term: fol.Term, bound: Bindings, sorts: TermSorts) -> Fraction | None:
    """Return a number of base units of which the value of a term is certainly a multiple; None if there is none."""
    parts = [own for own in fol.parts(term) if isinstance(own, fol.Term)]
    match term:
        case fol.Number():
            return abs(worth_of(term))
        case fol.Bound() | fol.Apply() | Instant():
            own = sorts.sort(term, bound)
            return None if isinstance(own, str) else step_of(own)
        case fol.Plus(summed):
            dated = sorts.sort(term, bound) == DATE
            return _common(
                _times(Fraction(factor), _quantum(part, bound, sorts))
                for factor, part in summed
                if not dated or months_in(part) is None
            )
        case fol.Times(left, right):
            return _times(_quantum(left, bound, sorts), _quantum(right, bound, sorts))
        case fol.Operation("min" | "max" | "abs") | fol.Choice():
            return _common(_quantum(part, bound, sorts) for part in parts)
        case fol.Operation("floor" | "ceil" | "div" | "year_of" | "month_of" | "day_of" | "weekday_of") | fol.Count():
            return Fraction(1)
        case fol.Operation("date_of"):
            return DAY.factor
    return None


def _times(one: Fraction | None, other: Fraction | None) -> Fraction | None:
    return None if one is None or other is None else abs(one * other)


def _common(quanta: Iterable[Fraction | None]) -> Fraction | None:
    """Return the greatest common divisor."""
    found = Fraction(0)
    for own in quanta:
        if own is None:
            return None
        found = common_divisor(found, own)
    return found


MOST_PARTS = 64
"""The largest number of parts that a clause with conjunctions is split into."""
_LONGEST = 12
"""The largest number of parts of a term that replaces a variable, which may occur in many places."""
Prefix = tuple[tuple[str, str | None], ...]
"""The universal variables of a premise, each with its sort."""


@dataclass(frozen=True, slots=True)
class Clause:
    """A `Clause` is a part of a premise: for all values of the prefix, one of these operands holds."""

    id: str
    prefix: Prefix
    operands: tuple[fol.Sentence, ...]

    @property
    def sentence(self) -> fol.Sentence:
        return for_all(self.prefix, joined(fol.Or, self.operands))


def value_clauses(
    id: str, node: fol.Sentence, prefix: Prefix, sorts: TermSorts, *, whole: bool = True
) -> Iterator[Clause]:
    """Yield clauses whose conjunction is the sentence, if it is about all values; any other sentence is one clause.

    Variables with one relevant value are replaced by it only in `whole` sentences, not in each of many parts of one.
    """
    match node:
        case fol.And(operands) if operands:
            for operand in operands:
                yield from value_clauses(id, operand, prefix, sorts)
        case fol.Not(operand) if (pushed := pushed_in(operand)) is not None:
            yield from value_clauses(id, pushed, prefix, sorts)
        case fol.Quantified("forall", variable, body, sort) if variable not in dict(prefix) and (
            prefix or goes_through_values(node, sorts)
        ):
            yield from value_clauses(id, body, (*prefix, (variable, sort)), sorts)
        case _:
            operands = tuple(disjuncts(node)) if prefix else (node,)
            for at, operand in enumerate(operands):
                inner = pushed_in(operand.operand) if isinstance(operand, fol.Not) else operand
                if not isinstance(inner, fol.Quantified) or not goes_through_values(inner, sorts):
                    continue
                beside = operands[:at] + operands[at + 1 :]
                if inner.quantifier == "forall" and inner.variable not in {*dict(prefix), *fol.free_in(fol.Or(beside))}:
                    outward = replace(inner, body=fol.Or((inner.body, *beside)))
                    yield from value_clauses(id, outward, prefix, sorts)
                    return
            for operand in operands if whole else ():
                if (worth := _settled(operand, prefix, sorts)) is not None:
                    variable, term = worth
                    others = tuple(own for own in operands if own is not operand)
                    rest: fol.Sentence = substituted(fol.Or(others), {variable: term})
                    yield from value_clauses(id, rest, tuple(own for own in prefix if own[0] != variable), sorts)
                    return
            parts = [_conjuncts(own) for own in operands]
            if 1 < prod(map(len, parts)) <= MOST_PARTS:
                for chosen in product(*parts):
                    yield from value_clauses(id, fol.Or(chosen), prefix, sorts, whole=False)
                return
            said = joined(fol.Or, operands)
            if said != TRUE and not any({*disjuncts(denied(own))} <= {*operands} for own in operands):
                yield Clause(id, prefix, operands)


def _settled(operand: fol.Sentence, prefix: Prefix, sorts: TermSorts) -> tuple[str, fol.Term] | None:
    """Return a variable with only one relevant value, and that value: `∀d (d = due(x) → P(d))` is `P(due(x))`."""
    match operand:
        case fol.Not(fol.Compare("=", left, right)):
            bound = {name: sort or ANY for name, sort in prefix}
            for one, other in ((left, right), (right, left)):
                if not isinstance(one, fol.Bound) or one.name in fol.free_in(other) or _is_long(other):
                    continue
                values = sorts.ranged(dict(prefix).get(one.name))
                if values not in (None, TIME) and is_on_grid(other, values, bound, sorts):
                    return one.name, other
    return None


def _is_long(term: fol.Term) -> bool:
    return sum(1 for _ in islice(fol.walk(term), _LONGEST + 1)) > _LONGEST


def _conjuncts(node: fol.Sentence) -> tuple[fol.Sentence, ...]:
    """Return the sentences whose conjunction a sentence is, or only the sentence itself."""
    if isinstance(node, fol.Not):
        node = pushed if isinstance(pushed := pushed_in(node.operand), fol.And) else node
    return node.operands if isinstance(node, fol.And) and node.operands else (node,)


def disjuncts(node: fol.Sentence) -> Iterator[fol.Sentence]:
    match node:
        case fol.Or(operands):
            for operand in operands:
                yield from disjuncts(operand)
        case fol.Implies(left, right):
            yield from disjuncts(denied(left))
            yield from disjuncts(right)
        case fol.Not(fol.And(operands)):
            for operand in operands:
                yield from disjuncts(denied(operand))
        case fol.Not(fol.Not(operand)):
            yield from disjuncts(operand)
        case fol.Compare("!=", left, right):  # one form for each comparison, so that tautologies are detected
            yield fol.Not(fol.Compare("=", left, right))
        case fol.Not(fol.Compare(op, left, right)) if op != "=":
            yield fol.Compare(fol.DENIED[op], left, right)
        case _:
            yield node


def for_all(prefix: Prefix, body: fol.Sentence) -> fol.Sentence:
    for variable, sort in reversed(prefix):
        body = fol.Quantified("forall", variable, body, sort)
    return body
