"""Everything in a sentence is met once, in order."""

from __future__ import annotations

import pytest

from holdtrue.errors import FormulaError
from holdtrue_claims.fol.notation import read_fol
from holdtrue_claims.fol.syntax import (
    DEEPEST,
    Apply,
    Bound,
    Constant,
    Holds,
    Not,
    Number,
    Sentence,
    check_depth,
    free_variables,
    walk,
)


def sentence(text: str) -> Sentence:
    read = read_fol(text).sentence
    assert read is not None
    return read


def test_walk_meets_sentences_and_terms_in_order() -> None:
    found = list(walk(sentence("∀x (P(x, a) → 2*age(b) + 1 > 3)")))
    assert [node for node in found if isinstance(node, Bound | Constant | Number)] == [
        Bound("x"),
        Constant("a"),
        Constant("b"),
        Number(1),
        Number(3),
    ]
    assert [type(node).__name__ for node in found[:3]] == ["Quantified", "Implies", "Holds"]
    assert len(found) == 11


@pytest.mark.parametrize(
    ("text", "free"),
    [("∀x P(x, y)", ("y",)), ("∀x P(x) ∧ (∃y Q(y)) ∧ R(x, z, z)", ("z",)), ("(∀x P(x)) ∧ Q(x)", ("x",)), ("P(a)", ())],
)
def test_free_variables(text: str, free: tuple[str, ...]) -> None:
    assert free_variables(sentence(text)) == free


def test_what_is_nested_too_deep_is_refused_without_recursion() -> None:
    deep: Sentence = Holds("P")
    for _ in range(DEEPEST - 1):
        deep = Not(deep)
    check_depth(deep)
    with pytest.raises(FormulaError, match=f"{DEEPEST} deep"):
        check_depth(Not(deep))
    term: Apply = Apply("f", (Constant("a"),))
    for _ in range(100_000):
        term = Apply("f", (term,))
    with pytest.raises(FormulaError, match="deep"):
        free_variables(Holds("P", (term,)))
