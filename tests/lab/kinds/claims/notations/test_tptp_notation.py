"""Formulas of TPTP, and the sentence that each says, in FOLIO's notation."""

from __future__ import annotations

import pytest

from holdtrue_claims.fol.notation import read_fol
from holdtrue_lab.kinds.claims.notations.tptp_notation import read_tptp, write_tptp


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("![X, Y]: (p(X) => ~q(X, Y))", "∀X ∀Y (p(X) → ¬q(X, Y))"),
        ("! [X] : ? [Y] : ( r(X,Y) & X != Y )", "∀X ∃Y (r(X, Y) ∧ X ≠ Y)"),
        ("![X]: p(X) => q(a)", "(∀X p(X)) → q(a)"),
        ("~ ![X]: p(X) | q", "(¬∀X p(X)) ∨ q"),
        ("~ a = b", "¬(a = b)"),
        ("p <=> q", "p ↔ q"),
        ("p <= q", "q → p"),
        ("p <~> q", "p ⊕ q"),
        ("p ~| q", "¬(p ∨ q)"),
        ("p ~& q", "¬(p ∧ q)"),
        ("p & q & (a = 12 | $true | $false)", "p ∧ q ∧ (a = 12 ∨ ⊤ ∨ ⊥)"),
        ("'Big Dog'('it''s')".replace("''s", "\\'s"), '"Big Dog"("it\'s")'),
        ('likes(x, "Ann")', 'likes("x", Ann)'),
        ("% a rule\nfof(1, axiom-local, ![X]: p(X), file('a).p', [x, 1])).", "∀X p(X)"),
        ("fof('a, b',conjecture,p(a)&q)", "p(a) ∧ q"),
        ("cnf(c, negated_conjecture, (~p(X) | q(X, Y))).", "∀Y ∀X (¬p(X) ∨ q(X, Y))"),
        ("p(a) /* told\n twice */ & % once\n q(-3)", "p(a) ∧ q(-3)"),
    ],
)
def test_formulas_and_what_they_say(text: str, same: str) -> None:
    read = read_tptp(text)
    assert read.alerts == ()
    assert read.sentence is not None and read.sentence == read_fol(same).sentence


@pytest.mark.parametrize(
    ("text", "position"),
    [
        ("", 0),
        ("p & q | r", 6),
        ("p => q => r", 7),
        ("p | q ~| r", 6),
        ("p <=> q & r", 8),
        ("X(a)", 0),
        ("$less(1, 2)", 0),
        ("p(3.5)", 2),
        ("! p(X)", 0),
        ("![x]: p(x)", 0),
        ("p -> q", 2),
        ("fof(a, axiom, p -> q).", 16),
        ("fof(a, axiom, p). fof(b, axiom, q).", 16),
        ("fof(a, axiom, (p).", 18),
        ("fof(a, b, p).", 0),
    ],
)
def test_what_cannot_be_read_is_told_with_its_place(text: str, position: int) -> None:
    read = read_tptp(text)
    assert read.sentence is None
    assert [(alert.kind, alert.position) for alert in read.alerts] == [("unparsed", position)]


def test_free_variables_are_told_once() -> None:
    read = read_tptp("![X]: p(X) => q(X, X)")
    assert [(alert.kind, alert.position) for alert in read.alerts] == [("free_variable", 16)]


def test_variables_get_capitals_and_other_names_quotes() -> None:
    sentence = read_fol("∀x ∃X (Dog(x, X) ⊕ likes(x, tom))").sentence
    assert sentence is not None
    assert write_tptp(sentence) == "![X]: ?[X1]: ('Dog'(X, X1) <~> likes(X, tom))"
