"""The laws of a vocabulary: the stated bounds of its functions, and distinct values of named things."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, product

from holdtrue.errors import FormulaError
from holdtrue.logic.value_sorts import Amount
from holdtrue_claims.fol import syntax as fol
from holdtrue_claims.fol.term_sorts import TermSorts
from holdtrue_claims.fol.vocabulary import ANY, Function, Vocabulary


def stated_laws(vocabulary: Vocabulary) -> tuple[fol.Sentence, ...]:
    """Return the laws as sentences.

    A bound holds for all arguments of its function. If a function is `distinct`, only named things have to have
    different values. If things outnumber values, only the first things get the law: an unsatisfiable law would make
    every context inconsistent.
    """
    sorts = TermSorts(vocabulary)
    found: list[fol.Sentence] = []
    for function in vocabulary.functions:
        sort = sorts.result(function.name)
        if isinstance(sort, Amount):
            found += bounds(function, sort)
            _refuse_values(function, vocabulary)
        if function.distinct:
            found += _distinct(vocabulary, function)
    return tuple(found)


def _refuse_values(function: Function, vocabulary: Vocabulary) -> None:
    """Raise `FormulaError` for bounds over all amounts or dates, which no sentence can state."""
    if function.low is None and function.high is None:
        return
    for sort in function.sorts:
        if vocabulary.value_sort(sort) is not None:
            raise FormulaError(
                f"{function.name} takes {sort}, which is no thing: leave out its low and high, and state as a premise "
                "what holds of the values that matter"
            )


def bounds(function: Function, sort: Amount) -> list[fol.Sentence]:
    """Return the sentences that state the least and the greatest value of a function to amounts."""
    names = tuple(f"x{place}" for place in range(1, len(function.sorts) + 1))
    value = fol.Apply(function.name, tuple(map(fol.Bound, names)))
    ends: Sequence[tuple[fol.Comparison, int | None]] = ((">=", function.low), ("<=", function.high))
    compared = [fol.Compare(op, value, fol.Number(end, sort.unit)) for op, end in ends if end is not None]
    found: list[fol.Sentence] = []
    for said in compared:
        law: fol.Sentence = said
        for name, of in zip(reversed(names), reversed(function.sorts), strict=True):
            law = fol.Quantified("forall", name, law, None if of == ANY else of)
        found.append(law)
    return found


def _distinct(vocabulary: Vocabulary, function: Function) -> list[fol.Sentence]:
    choices = [[fol.Constant(thing.name) for thing in vocabulary.of_sort(sort)] for sort in function.sorts]
    values = [fol.Apply(function.name, args) for args in product(*choices)]
    if function.low is not None and function.high is not None:
        values = values[: function.high - function.low + 1]
    return [fol.Compare("!=", one, other) for one, other in combinations(values, 2)]
