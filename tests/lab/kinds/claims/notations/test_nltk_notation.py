"""Texts of NLTK and Prover9, and the sentence that each says, in FOLIO's notation."""

from __future__ import annotations

import pytest

from holdtrue.errors import FormulaError
from holdtrue_claims.fol.notation import read_fol
from holdtrue_claims.fol.syntax import Bound, Compare, Constant, Holds, Number, Quantified
from holdtrue_lab.kinds.claims.notations.nltk_notation import read_nltk, write_nltk


# What NLTK's own parser makes of a text, but for the last four lines, which it cannot read.
@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("all x. (A(x) -> -B(x))", "∀x (A(x) → ¬B(x))"),
        ("all x.(A(x) -> -B(x)).", "∀x (A(x) → ¬B(x))"),
        ("all x y. (L(x, y) <-> L(y, x))", "∀x ∀y (L(x, y) ↔ L(y, x))"),
        ("all x. exists y. (L(x, y) & x != y)", "∀x ∃y (L(x, y) ∧ x ≠ y)"),
        ("some x. (P(x)) | Q", "(∃x P(x)) ∨ Q"),
        ("all x. P(x) -> Q(a)", "(∀x P(x)) → Q(a)"),
        ("all x. P(x) & exists x. Q(x)", "(∀x P(x)) ∧ (∃x Q(x))"),
        ("-all x. P(x) & Q", "(¬∀x P(x)) ∧ Q"),
        ("all x. x = a", "∀x (x = a)"),
        ("P -> Q -> R", "(P → Q) → R"),
        ("P | Q & R <-> P -> Q", "(P ∨ (Q ∧ R)) ↔ (P → Q)"),
        ("P & Q & R", "P ∧ Q ∧ R"),
        ("not P and Q or R implies P iff Q", "(((¬P ∧ Q) ∨ R) → P) ↔ Q"),
        ("Year(1947) & In(2008Games, NorthernChina)", "Year(1947) ∧ In(2008Games, NorthernChina)"),
        ("Of(People'sRepublic, 10%, $5)", """Of(People'sRepublic, "10%", "$5")"""),
        ("all x all y (L(x, y) -> L(y, x)).", "∀x ∀y (L(x, y) → L(y, x))"),
        ('Title(x1, "Black Mirror") % a comment', 'Title(x1, "Black Mirror")'),
        ("Price(Asia-Pacific, 42.3billion) & -Q", "Price(Asia-Pacific, 42.3billion) ∧ ¬Q"),
        ("-a = b", "¬(a = b)"),
    ],
)
def test_texts_and_what_they_say(text: str, same: str) -> None:
    read, expected = read_nltk(text), read_fol(same)
    assert read.sentence is not None and read.sentence == expected.sentence
    assert [alert.kind for alert in read.alerts] == [alert.kind for alert in expected.alerts]


def test_a_quantifier_takes_in_what_follows_it_and_no_more() -> None:
    read = read_nltk("all x. P(x) -> Q(x)")
    assert [(alert.kind, alert.position) for alert in read.alerts] == [("free_variable", 17)]
    assert read.sentence == read_fol("(∀n P(n)) → Q(x)".replace("n", "x")).sentence


@pytest.mark.parametrize(
    ("text", "position"),
    [
        ("", 0),
        ("P(a) Q(b)", 5),
        ("P &", 3),
        ("Anti -abortion(x)", 5),
        ("P(-a)", 2),
        ("all x. x", 7),
        ("P(a; b)", 3),
        ("P({a})", 2),
        ("a = b = c", 6),
        ("∀ (P)", 2),
        ("a = -1", 4),
    ],
)
def test_what_cannot_be_read_is_told_with_its_place(text: str, position: int) -> None:
    read = read_nltk(text)
    assert read.sentence is None
    assert [(alert.kind, alert.position) for alert in read.alerts] == [("unparsed", position)]


def test_brackets_are_repaired_and_functions_read() -> None:
    read = read_nltk("all x. (P(x) -> Q(f(x))")
    assert [(alert.kind, alert.position) for alert in read.alerts] == [("brackets_repaired", 23)]
    assert read.sentence == read_fol("∀x (P(x) → Q(f(x)))").sentence


def test_texts_that_are_written() -> None:
    both = read_fol("∀person (Dog(person) ⊕ ∃y ¬Owns(y, person))").sentence
    assert both is not None
    assert write_nltk(both) == "all x.-(Dog(x) <-> exists y.-Owns(y, x))"
    assert write_nltk(Quantified("exists", "a", Compare("!=", Bound("a"), Constant("a")))) == 'exists a.(a != "a")'
    with pytest.raises(FormulaError, match="the number -3"):
        write_nltk(Holds("P", (Number(-3),)))
