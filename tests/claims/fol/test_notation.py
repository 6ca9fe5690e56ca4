"""`read_fol` reads back every written sentence, reports each fault in an alert, and never raises."""

from __future__ import annotations

import doctest

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.errors import FormulaError
from holdtrue_claims.fol import notation
from holdtrue_claims.fol.lexer import MOST_CHANGES
from holdtrue_claims.fol.notation import LONGEST, Read, read_fol, write_fol
from holdtrue_claims.fol.syntax import (
    DEEPEST,
    And,
    Apply,
    Bound,
    Compare,
    Constant,
    Holds,
    Implies,
    Not,
    Number,
    Or,
    Plus,
    Quantified,
    Sentence,
    Term,
    Times,
)
from tests.claims.fol.sentences import numbers, sentences_of, sums_of, variables
from tests.patience import no_hang

ODD = [
    *("x", "z1", "and", "OR", "New York", "1984", 'say "hi"', "back\\slash", "O'Brien", "l-2021", "mr.smith", "a+", ""),
    *("0.0", "5%", "2026-01-01", "2026-01-01-b"),
]
names = st.sampled_from(ODD) | st.text(max_size=4)
things: st.SearchStrategy[Term] = st.builds(Constant, names) | st.builds(Bound, variables) | numbers
applied = st.builds(Apply, names, st.lists(things, min_size=1, max_size=2).map(tuple))
amounts = st.recursive(things | applied, sums_of, max_leaves=5)
any_sentences = sentences_of(things, amounts, names)


def test_the_examples_are_right() -> None:
    assert doctest.testmod(notation) == doctest.TestResults(failed=0, attempted=2)


def parsed(text: str) -> Sentence:
    read = read_fol(text)
    assert read.sentence is not None, read.alerts
    assert read.alerts == ()
    return read.sentence


@settings(deadline=None, max_examples=150)
@given(any_sentences)
def test_what_is_written_is_read_as_the_same_sentence(sentence: Sentence) -> None:
    assert read_fol(write_fol(sentence)).sentence == sentence


PIECES = [*"∀∃¬∧∨⊕→↔=≠<≤>≥()[],.:∈+-*⊤⊥\"'#", "x", "y", "P", "Q(", "a", " ", "12", "and", "forall ", "->", "<->", "!="]


@settings(deadline=None, max_examples=300)
@given(st.lists(st.sampled_from(PIECES), max_size=25).map("".join) | st.text(max_size=30))
def test_any_text_gives_a_sentence_or_an_alert_that_says_where(text: str) -> None:
    read = read_fol(text)
    refused = [alert for alert in read.alerts if alert.kind in ("unparsed", "unsupported")]
    assert (read.sentence is None) == bool(refused)
    for alert in read.alerts:
        assert alert.text == text
        assert alert.position is not None and 0 <= alert.position <= len(text)
    if read.sentence is not None:
        assert read_fol(write_fol(read.sentence)).sentence == read.sentence


@pytest.mark.parametrize(
    "piece", ["(", ")", "∀x ", "¬", "P(", "P ∧ ", "P → ", "P ⊕ ", "a+", '"', "'", "∀x P(x) → ", "x ", "- "]
)
def test_long_texts_are_read_or_refused_and_nothing_raises(piece: str) -> None:
    with no_hang():
        read_fol(piece * (LONGEST // len(piece)))
        assert read_fol(piece * LONGEST + "P").sentence is None


def test_deep_nesting_is_refused_in_any_form() -> None:
    for text in (
        "(" * 200 + "P" + ")" * 200,
        "¬" * 200 + "P",
        "P → " * 200 + "P",
        "P ⊕ " * 200 + "P",
        "∀x " * 200 + "P",
    ):
        read = read_fol(text)
        assert read.sentence is None
        assert [alert.kind for alert in read.alerts] == ["unsupported"]
    assert read_fol("P ∧ " * 2000 + "P").sentence == And((Holds("P"),) * 2001)
    deep: Sentence = Holds("P")
    for _ in range(DEEPEST):
        deep = Not(deep)
    with pytest.raises(FormulaError, match="deep"):
        write_fol(deep)


P, Q, R = Holds("P"), Holds("Q"), Holds("R")


@pytest.mark.parametrize(
    ("text", "brackets"),
    [
        ("P ∧ Q ∨ R", "(P ∧ Q) ∨ R"),
        ("P ∨ Q ⊕ R", "(P ∨ Q) ⊕ R"),
        ("P ⊕ Q → R", "(P ⊕ Q) → R"),
        ("P → Q ↔ R", "(P → Q) ↔ R"),
        ("P → Q → R", "P → (Q → R)"),
        ("P ⊕ Q ⊕ R", "(P ⊕ Q) ⊕ R"),
        ("¬P ∧ Q", "(¬P) ∧ Q"),
        ("¬a = b", "¬(a = b)"),
        ("∀x P(x) → Q(x)", "∀x (P(x) → Q(x))"),
        ("∀x P(x) → Q(a)", "(∀x P(x)) → Q(a)"),
        ("∀x P(x) ∧ ∀x Q(x)", "(∀x P(x)) ∧ (∀x Q(x))"),
        ("R ∧ ∃x P(x) → Q(x)", "R ∧ (∃x (P(x) → Q(x)))"),
        ("∀x ∃y P(x, y) → Q(x)", "∀x ((∃y P(x, y)) → Q(x))"),
        ("¬∃x P(x) ∧ Q(x)", "¬(∃x (P(x) ∧ Q(x)))"),
        ("(∀x P(x)) ∧ Q(a) → R", "((∀x P(x)) ∧ Q(a)) → R"),
    ],
)
def test_operators_bind_as_in_the_gold_formulas(text: str, brackets: str) -> None:
    assert parsed(text) == parsed(brackets)


@pytest.mark.parametrize(
    ("plain", "signs"),
    [
        ("forall x. not P(x) or Q(x)", "∀x (¬P(x) ∨ Q(x))"),
        ("FORALL x, y: P(x) AND Q(y)", "∀x ∀y (P(x) ∧ Q(y))"),
        ("exists x (~P(x) & !Q(x) | R)", "∃x (¬P(x) ∧ ¬Q(x) ∨ R)"),
        ("P xor Q implies R iff P", "P ⊕ Q → R ↔ P"),
        ("(P -> Q) <-> (Q => R)", "(P → Q) ↔ (Q → R)"),
        ("a != b && a == b || a <> b".replace("<>", "!="), "a ≠ b ∧ a = b ∨ a ≠ b"),
        ("age(a) <= 3 ^ age(a) >= 1", "age(a) ≤ 3 ∧ age(a) ≥ 1"),
        ("∀x [P(x) → {Q(x) ∧ R}].", "∀x (P(x) → (Q(x) ∧ R))"),
        ("P ⟷ Q", "P ↔ Q"),
    ],
)
def test_ascii_words_and_other_signs_say_the_same(plain: str, signs: str) -> None:
    assert parsed(plain) == parsed(signs)


def test_names_things_and_variables() -> None:
    x = Bound("x")
    assert parsed("∀x (Anti-abortion(x) → Likes(x, mr.smith))") == Quantified(
        "forall", "x", Implies(Holds("Anti-abortion", (x,)), Holds("Likes", (x, Constant("mr.smith"))))
    )
    assert parsed("Grade(a+) ∨ In(y1987, l-2021)") == Or(
        (Holds("Grade", (Constant("a+"),)), Holds("In", (Constant("y1987"), Constant("l-2021"))))
    )
    assert parsed('∃x ∈ Person Knows(x, "x")') == Quantified(
        "exists", "x", Holds("Knows", (x, Constant("x"))), "Person"
    )
    assert parsed("Year(1947)") == Holds("Year", (Number(1947),))
    assert parsed("BreastCancer (ann)") == Holds("BreastCancer", (Constant("ann"),))
    assert parsed("⊤ ∧ ⊥") == And((And(()), Or(())))
    assert parsed("Tall(age(a))") == Holds("Tall", (age("a"),))


def test_numbers_are_counted_with() -> None:
    a, b = age("a"), age("b")
    assert parsed("age(a) + 1 < 2*age(b) - 3") == Compare(
        "<", Plus(((1, a), (1, Number(1)))), Plus(((2, b), (-1, Number(3))))
    )
    assert parsed("-age(a) = (age(b) + 1) * 2") == Compare(
        "=", Plus(((-1, a),)), Plus(((2, Plus(((1, b), (1, Number(1))))),))
    )
    assert parsed("age(a) * age(b) = 4") == Compare("=", Times(a, b), Number(4))


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("(∀x)(∃y)(P(y))", "∀x ∃y P(y)"),
        ("∀x y z P(x,y,z)", "∀x ∀y ∀z P(x, y, z)"),
        ("∀V1 V2 (P(V1,V2))", "∀V1 ∀V2 P(V1, V2)"),
        ("forall x y.P(x, y)", "∀x ∀y P(x, y)"),
        ("∀x, y ∈ guest: Knows(x, y)", "∀x ∈ guest ∀y ∈ guest Knows(x, y)"),
        ("∀x y ¬(x = y)", "∀x ∀y ¬(x = y)"),
        ("∀x, Dog(x) → Barks(x)", "∀x (Dog(x) → Barks(x))"),
        ("∀x Rain ∧ Wet(Rain)", '(∀x Rain) ∧ Wet("Rain")'),
        ("∀x Likes(x, Likes)", '∀x "Likes"(x, "Likes")'),
    ],
)
def test_lists_of_variables(text: str, same: str) -> None:
    assert parsed(text) == parsed(same)


@pytest.mark.parametrize(
    ("text", "position"), [("∀x x(tom)", 3), ("∀x y (P(x))", 3), ("∀P P(a)", 3), ("∀x Rain. Q(x)", 0), ("∀x, y", 4)]
)
def test_a_name_that_can_be_read_twice_is_told(text: str, position: int) -> None:
    assert kinds(read_fol(text)) == [("doubtful", position)]


def kinds(read: Read) -> list[tuple[str, int | None]]:
    return [(alert.kind, alert.position) for alert in read.alerts]


def test_free_variables_are_told_once_where_they_are_first_and_stay_free() -> None:
    read = read_fol("R(y) → ∀x (P(x) ∧ Q(y))")
    assert kinds(read) == [("free_variable", 2)]
    body = And((Holds("P", (Bound("x"),)), Holds("Q", (Bound("y"),))))
    assert read.sentence == Implies(Holds("R", (Bound("y"),)), Quantified("forall", "x", body))


@pytest.mark.parametrize(
    ("broken", "whole", "positions"),
    [
        ("P ∧ Q)", "P ∧ Q", [5]),
        ("¬P(a)).", "¬P(a)", [5]),
        ("P ∨ Q) ∧ R", "(P ∨ Q) ∧ R", [5]),
        ("P ⊕ Q) → R", "(P ⊕ Q) → R", [5]),
        ("∀x (P(x) ∨ Q(x)) ∧ R(x)) → S(x)", "∀x (((P(x) ∨ Q(x)) ∧ R(x)) → S(x))", [23, 25]),
        ("∀x ((P(x) ∨ Q(x)) ∧ R(x)) → S(x))", "∀x (((P(x) ∨ Q(x)) ∧ R(x)) → S(x))", [32, 26]),
        ("∀x (P(x) → (Q(x) ∨ R(x))", "∀x (P(x) → (Q(x) ∨ R(x)))", [24]),
        ("(P ∧ Q.", "P ∧ Q", [7]),
        ("∀x (P(x → Q(x))", "∀x (P(x) → Q(x))", [8]),
        # A scope that reaches over its brackets is told, too.
        ("∀x (P(x)) → Q(x)", "∀x (P(x) → Q(x))", [10]),
        ("∀x in Dog (P(x)) → Q(x)", "∀x in Dog (P(x) → Q(x))", [17]),
        ("(∀x (P(x))) → Q(a)", "(∀x P(x)) → Q(a)", []),
    ],
)
def test_brackets_are_put_where_they_most_likely_belong(broken: str, whole: str, positions: list[int]) -> None:
    read = read_fol(broken)
    assert read.sentence == parsed(whole)
    assert kinds(read) == [("brackets_repaired", position) for position in positions]


def test_too_many_brackets_that_do_not_match_are_refused() -> None:
    assert read_fol("P) ∧ " * MOST_CHANGES + "P").sentence is not None
    read = read_fol("P) ∧ " * (MOST_CHANGES + 3) + "P")
    assert read.sentence is None
    assert read.alerts[-1].kind == "unparsed"


def test_a_name_is_a_variable_only_where_it_is_bound() -> None:
    assert parsed("(∀n P(n)) ∧ Q(n)") == And(
        (Quantified("forall", "n", Holds("P", (Bound("n"),))), Holds("Q", (Constant("n"),)))
    )


@pytest.mark.parametrize("negated", [False, True])
def test_the_scope_of_an_inner_variable_is_kept_apart_in_writing(negated: bool) -> None:
    x = Bound("x")
    inner: Sentence = Quantified("exists", "x", Holds("P", (x,)))
    outer = Quantified("forall", "x", And((Not(inner) if negated else inner, Holds("Q", (x,)))))
    assert read_fol(write_fol(outer)) == Read(outer)


def test_a_thing_called_like_a_variable_is_kept_apart_in_writing() -> None:
    n = Quantified("exists", "n", Holds("Knows", (Bound("n"), Constant("n"))))
    assert write_fol(n) == '∃n Knows(n, "n")'
    assert read_fol(write_fol(n)) == Read(n)


@pytest.mark.parametrize(
    ("text", "position"),
    [
        ("", 0),
        ("P(a), Q(b)", 4),
        ("P(captain america)", 10),
        ("P(a) Q(b)", 5),
        ("P ∧", 3),
        ("∀x x", 3),
        ("P(¬a)", 2),
        ("12", 0),
        ("∀ (P)", 2),
        ("P # Q", 2),
        ("(a = b) = c", 0),
        ("a = b = c", 0),
        ("P(a = b, c d)", 2),
        ("if(P, a, b)", 0),
    ],
)
def test_what_cannot_be_read_is_told_with_its_place(text: str, position: int) -> None:
    read = read_fol(text)
    assert read.sentence is None
    assert kinds(read) == [("unparsed", position)]


def age(name: str) -> Apply:
    return Apply("age", (Constant(name),))
