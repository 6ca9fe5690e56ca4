"""Naive twins: everything by looking at all assignments, and random problems to try them on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, product

from hypothesis import strategies as st

from holdtrue.budget import Budget
from holdtrue.logic.evaluate import evaluate
from holdtrue.logic.formula import (
    Abs,
    AllDifferent,
    And,
    Compare,
    Comparison,
    Constant,
    Count,
    Formula,
    Greatest,
    Iff,
    IfThenElse,
    Ite,
    Least,
    Not,
    Or,
    Quotient,
    Remainder,
    Sum,
    Term,
    Truth,
    Variable,
    Xor,
)
from holdtrue.logic.sorts import EnumSort, IntSort
from holdtrue.solving.encoder import Encoder
from holdtrue.solving.encoding import FormulaTooLarge
from holdtrue.solving.engine import Soft
from tests.logic.formulas import looked_up, multiplied, split

AMPLE = Budget(timeout_s=30.0)

A = Variable("a", IntSort(0, 3))
B = Variable("b", IntSort(-2, 1))
C = Variable("c", EnumSort("c", ("red", "green", "blue")))
D = Variable("d", IntSort(4, 5))
E = Variable("e", IntSort(2, 2))
VARIABLES = (A, B, C, D, E)
"""Ranges of five sizes: with inner values and without, below zero, of one value only."""

Values = Mapping[str, int]


def assignments(variables: Sequence[Variable]) -> Iterator[dict[str, int]]:
    """All of them, the lexicographically first one first."""
    ranges = [variable.sort.values for variable in variables]
    for values in product(*ranges):
        yield {variable.name: value for variable, value in zip(variables, values, strict=True)}


def witnesses(
    variables: Sequence[Variable], formulas: Iterable[Formula], fixed: Values | None = None
) -> list[dict[str, int]]:
    """All assignments that satisfy all formulas, in lexicographic order."""
    formulas = tuple(formulas)
    return [
        values
        for values in assignments(variables)
        if all(values[name] == value for name, value in (fixed or {}).items())
        and all(evaluate(formula, values) for formula in formulas)
    ]


def possible(variables: Sequence[Variable], formulas: Iterable[Formula], fixed: Values | None = None) -> bool:
    return bool(witnesses(variables, formulas, fixed))


def is_mus(
    variables: Sequence[Variable],
    background: Iterable[Formula],
    soft: Soft,
    ids: Sequence[str],
    fixed: Values | None = None,
) -> bool:
    """Whether the ids are impossible together, and without any one of them possible."""
    background = tuple(background)

    def holds(kept: Iterable[str]) -> bool:
        return possible(variables, (*background, *(soft[id] for id in kept)), fixed)

    return not holds(ids) and all(holds(smaller) for smaller in combinations(ids, len(ids) - 1))


_COMPARISONS: tuple[Comparison, ...] = ("<=", "<", ">=", ">", "==", "!=")


def terms(variables: Sequence[Variable] = VARIABLES, *, every: bool = True) -> st.SearchStrategy[Term]:
    """Terms of every kind, nested; without `every` only sums and absolute values."""
    leaves: st.SearchStrategy[Term] = st.sampled_from(variables) | st.integers(-4, 6).map(Constant)

    def larger(inner: st.SearchStrategy[Term]) -> st.SearchStrategy[Term]:
        sums = st.lists(st.tuples(st.integers(-3, 3), inner), max_size=3).map(lambda parts: Sum(tuple(parts)))
        linear = inner.map(Abs) | sums
        if not every:
            return linear
        choices = st.builds(Ite, st.builds(Compare, st.sampled_from(_COMPARISONS), leaves, leaves), inner, inner)
        tables = st.builds(looked_up, inner, st.lists(st.integers(-3, 5), min_size=1, max_size=4))
        several = st.lists(inner, min_size=1, max_size=3).map(tuple)
        divisions = st.builds(split, st.sampled_from((Quotient, Remainder)), inner, inner)
        return (
            linear
            | choices
            | tables
            | st.builds(multiplied, inner, inner)
            | divisions
            | st.builds(Least, several)
            | st.builds(Greatest, several)
        )

    return st.recursive(leaves, larger, max_leaves=5)


def formulas(variables: Sequence[Variable] = VARIABLES, *, every: bool = True) -> st.SearchStrategy[Formula]:
    """Formulas of every kind, nested; without `every` fewer kinds."""
    some = terms(variables, every=every)
    leaves: st.SearchStrategy[Formula] = (
        st.builds(Compare, st.sampled_from(_COMPARISONS), some, some)
        | st.lists(st.sampled_from(variables) | some, max_size=4).map(lambda all: AllDifferent(tuple(all)))
        | st.booleans().map(Truth)
    )

    def larger(inner: st.SearchStrategy[Formula]) -> st.SearchStrategy[Formula]:
        several = st.lists(inner, max_size=3).map(tuple)
        simple = st.builds(Not, inner) | st.builds(And, several) | st.builds(Or, several) | st.builds(Iff, inner, inner)
        if not every:
            return simple
        counts = st.builds(
            Count, st.sampled_from(_COMPARISONS), st.integers(-1, 5), st.lists(inner, max_size=5).map(tuple)
        )
        return simple | st.builds(Xor, inner, inner) | st.builds(IfThenElse, inner, inner, inner) | counts

    drawn = st.recursive(leaves, larger, max_leaves=6)
    # Tables of tables can need more clauses than SAT takes; that such formulas are refused has tests of its own.
    return drawn.filter(lambda formula: has_clauses(formula, variables)) if every else drawn


def has_clauses(formula: Formula, variables: Sequence[Variable]) -> bool:
    try:
        Encoder(variables).name(formula)
    except FormulaTooLarge:
        return False
    return True


def theories(*, most: int = 6, every: bool = True) -> st.SearchStrategy[dict[str, Formula]]:
    """Soft formulas with ids, often impossible together."""
    return st.lists(formulas(every=every), max_size=most).map(
        lambda drawn: {f"c{number}": formula for number, formula in enumerate(drawn, 1)}
    )


def pigeons(count: int, holes: int) -> tuple[list[Variable], list[Formula]]:
    """`count` variables with `holes` values, different by pairwise disequalities that hide the counting."""
    birds = [Variable(f"p{number}", IntSort(1, holes)) for number in range(count)]
    return birds, [first.ne(second) for first, second in combinations(birds, 2)]
