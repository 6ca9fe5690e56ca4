"""The checker itself: what it accepts is refuted, what it should refuse it refuses."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.solving.drat import Refused, check, read_dimacs

Clauses = list[list[int]]

literals = st.integers(1, 5).flatmap(lambda variable: st.sampled_from([variable, -variable]))
clauses = st.lists(literals, max_size=4)
formulas = st.lists(clauses, max_size=20)


def dimacs(formula: Clauses) -> str:
    return f"p cnf 5 {len(formula)}\n" + lines(formula)


def lines(formula: Clauses) -> str:
    return "".join(" ".join(map(str, [*clause, 0])) + "\n" for clause in formula)


def possible(formula: Clauses) -> bool:
    return any(
        all(any((literal > 0) is values[abs(literal) - 1] for literal in clause) for clause in formula)
        for values in product((False, True), repeat=5)
    )


@settings(deadline=None, max_examples=300)
@given(formulas, st.lists(clauses, max_size=8))
def test_what_can_hold_is_never_refuted_whatever_the_proof(formula: Clauses, proof: Clauses) -> None:
    try:
        check(dimacs(formula), lines([*proof, []]))
    except Refused:
        return
    assert not possible(formula)


@settings(deadline=None, max_examples=200)
@given(formulas)
@pytest.mark.slow
def test_resolving_everything_with_everything_is_a_proof(formula: Clauses) -> None:
    """Resolution is complete, and each of its steps follows by unit propagation."""
    known = {frozenset(clause) for clause in formula}
    derived: Clauses = []
    fresh = set(known)
    while fresh and frozenset() not in known:
        made = {
            (one - {literal}) | (other - {-literal})
            for one in fresh
            for other in known
            for literal in one
            if -literal in other
        }
        fresh = made - known
        known |= fresh
        derived += map(list, fresh)
    if possible(formula):
        with pytest.raises(Refused):
            check(dimacs(formula), lines([*derived, []]))
    else:
        assert check(dimacs(formula), lines([*derived, []])) >= 1


def test_a_lemma_may_introduce_a_new_literal() -> None:
    """A definition does not follow by unit propagation: the rule for its first literal lets it in."""
    formula = [[1, 2], [1, -2], [-1, 2], [-1, -2]]
    assert check(dimacs(formula), lines([[5, -1], [5, 1], [1], []])) == 4
    with pytest.raises(Refused, match=r"lemma 2 does not follow: \[-5\]"):
        check(dimacs([[1, 2], [-1, 5]]), lines([[5, -1], [-5], []]))


def test_only_the_first_literal_counts_for_that_rule() -> None:
    formula = [[1, 3], [-2, 4]]
    with pytest.raises(Refused, match="lemma 2 does not follow"):
        check(dimacs(formula), lines([[5, 2], []]))
    with pytest.raises(Refused, match="lemma 1 does not follow"):
        check(dimacs(formula), lines([[2, 5], []]))


def test_without_the_empty_clause_nothing_is_refuted() -> None:
    contradiction = [[1], [-1]]
    assert check(dimacs(contradiction), "0\n") == 1
    for proof in ("", "1 0\n", "c 0\n", "d 0\n"):
        with pytest.raises(Refused, match="does not end with the empty clause"):
            check(dimacs(contradiction), proof)


def test_comments_and_deletions_are_passed_over() -> None:
    text = "c one\nc two\np cnf 2 3\n1 2 0\n-1 0\n-2 0\n"
    assert read_dimacs(text) == [[1, 2], [-1], [-2]]
    assert check(text, "c three\nd 1 2 0\n2 0\n0\n") == 2


@pytest.mark.parametrize(
    "text", ["", "1 0\n", "p cnf 1 2\n1 0\n", "p cnf 1 1\n2 0\n", "p cnf 1 1\n1\n", "p cnf 1 1\n1 0 -1 0\n"]
)
def test_text_that_is_no_formula_is_refused(text: str) -> None:
    with pytest.raises(Refused):
        check(text, "0\n")
