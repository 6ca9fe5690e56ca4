"""A grounded sentence holds exactly if the sentence holds by direct evaluation over the same things."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.programs.grounding import variables_of
from holdtrue.errors import FormulaError
from holdtrue.logic.formula import And, Or, Truth, Variable
from holdtrue.logic.sorts import IntSort
from holdtrue_claims.fol.notation import read_fol
from holdtrue_claims.fol.syntax import Sentence
from holdtrue_claims.solving.sentence_grounding import ground
from tests.claims.fol.named_things import Things
from tests.claims.fol.sentences import RANGES, SORTS, THINGS, closed, holds, open_sentences


def sentence(text: str) -> Sentence:
    read = read_fol(text).sentence
    assert read is not None
    return read


@settings(deadline=None, max_examples=100)
@given(open_sentences, st.integers(0, 2), st.integers(0, 2**32))
def test_grounding_agrees_with_direct_evaluation(body: Sentence, fresh: int, seed: int) -> None:
    whole = closed(body)
    formula = ground(whole, Things(THINGS, fresh, SORTS), RANGES)
    dice = random.Random(seed)
    facts = {one.name: dice.choice(one.sort.values) for one in variables_of([formula])}
    world = (*THINGS, *(f"?{number}" for number in range(1, fresh + 1)))
    assert formula.holds(facts) == holds(whole, world, facts, {})


def test_what_a_grounded_sentence_looks_like() -> None:
    def fact(name: str) -> Variable:
        return Variable(name, IntSort(0, 1))

    assert ground(sentence("∀x (P(x) ∧ x ≠ ann)"), Things(("ann", "bob"), 1)) == And(
        (
            And((fact("P(ann)").eq(1), Truth(False))),
            And((fact("P(bob)").eq(1), Truth(True))),
            And((fact("P(?1)").eq(1), Truth(True))),
        )
    )
    assert ground(sentence("∃x ∈ Person Rain"), Things(("ann", "bob"), 0, {"bob": "Person"})) == Or(
        (fact("Rain").eq(1),)
    )
    assert ground(sentence("age(ann) + 1 > 3"), Things(("ann",)), {"age": (0, 9)}).variables == {
        Variable("age(ann)", IntSort(0, 9))
    }
    assert variables_of([ground(sentence('P("a, b", "1947") ∧ P("?1", 7)'), Things(("a, b", "1947", "7", "?1")))]) == (
        fact('P("?1", 7)'),
        fact('P("a, b", 1947)'),
    )


def test_things_are_named_ones_of_a_sort_and_unnamed_ones() -> None:
    assert Things(()).labels() == ("?1", "?2")
    assert Things(("ann", "bob"), 1, {"bob": "Person"}).labels("Person") == ("bob", "?1")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("P(x)", "no quantifier binds the variable x"),
        ("P(cleo)", "cleo is not one of the things"),
        ("cleo = ann", "cleo is not one of the things"),
        ("height(ann) > 3", "the function height has no range"),
        ("P(age(ann))", "where only the name of a thing can"),
        ("age(ann) = bob", "bob is a thing, and stands where a number has to"),
        ("∀x x > 3", "x is a thing, and stands where a number has to"),
    ],
)
def test_what_has_no_meaning_here_is_refused(text: str, message: str) -> None:
    with pytest.raises(FormulaError, match=message):
        ground(sentence(text), Things(("ann", "bob")), {"age": (0, 9)})


def test_what_would_be_too_large_is_refused() -> None:
    many = Things(tuple(f"t{number}" for number in range(50)))
    with pytest.raises(FormulaError, match="too large"):
        ground(sentence("∀x ∀y ∀z ∀w P(x, y, z, w)"), many)
    pairs = " ∧ ".join(["(∀x ∀y P(x, y))"] * 20)
    with pytest.raises(FormulaError, match="too large"):
        ground(sentence(pairs), many)


def test_a_name_with_two_meanings_is_refused() -> None:
    things = Things(("ann",))
    with pytest.raises(FormulaError, match=r"age\(ann\) is two things"):
        variables_of([ground(sentence("age(ann)"), things), ground(sentence("age(ann) > 3"), things, {"age": (0, 9)})])
