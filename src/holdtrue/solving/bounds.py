"""What the sorts of variables alone say about terms: ranges, and how many values there are to go round."""

from __future__ import annotations

from collections.abc import Iterable

from holdtrue.logic.formula import Abs, AllDifferent, Term, Variable, linear


def term_range(term: Term) -> tuple[int, int]:
    """The least and the greatest value that the term can have, each variable taken by itself."""
    if isinstance(term, Variable):
        return term.sort.low, term.sort.high
    if isinstance(term, Abs):
        low, high = term_range(term.inner)
        return max(0, low, -high), max(high, -low)
    form = linear(term)
    low = high = form.constant
    for atom, factor in form.factors:
        ends = [factor * end for end in term_range(atom)]
        low, high = low + min(ends), high + max(ends)
    return low, high


def count_values(terms: Iterable[Term]) -> int:
    """How many different values the terms can have between them (at most)."""
    count = 0
    reached: int | None = None
    for low, high in sorted(map(term_range, terms)):
        start = low if reached is None else max(low, reached + 1)
        if high >= start:
            count += high - start + 1
            reached = high
    return count


def too_few_values(formula: AllDifferent) -> bool:
    """Whether an all-different is impossible by counting: more terms than values.

    Solvers that learn clauses need exponential time to find this out by themselves (the pigeonhole
    principle: Haken, "The intractability of resolution", 1985), so it is asked before they are.
    """
    return count_values(formula.terms) < len(formula.terms)
