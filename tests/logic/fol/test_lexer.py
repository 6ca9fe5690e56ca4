"""Brackets that do not match are put where they most likely belong, and told."""

from __future__ import annotations

import pytest

from holdtrue.logic.fol.lexer import MOST_CHANGES
from holdtrue.logic.fol.notation import read_fol


@pytest.mark.parametrize(
    ("broken", "whole", "positions"),
    [
        ("P ∧ Q)", "P ∧ Q", [5]),
        ("¬P(a)).", "¬P(a)", [5]),
        ("P ∨ Q) ∧ R", "(P ∨ Q) ∧ R", [5]),
        ("P ⊕ Q) → R", "(P ⊕ Q) → R", [5]),
        ("∀x (P(x) ∨ Q(x)) ∧ R(x)) → S(x)", "∀x (((P(x) ∨ Q(x)) ∧ R(x)) → S(x))", [23]),
        ("∀x ((P(x) ∨ Q(x)) ∧ R(x)) → S(x))", "∀x (((P(x) ∨ Q(x)) ∧ R(x)) → S(x))", [32]),
        ("∀x (P(x) → (Q(x) ∨ R(x))", "∀x (P(x) → (Q(x) ∨ R(x)))", [24]),
        ("(P ∧ Q.", "P ∧ Q", [7]),
        ("∀x (P(x → Q(x))", "∀x (P(x) → Q(x))", [8]),
    ],
)
def test_repairs(broken: str, whole: str, positions: list[int]) -> None:
    read = read_fol(broken)
    assert read.sentence is not None
    assert read.sentence == read_fol(whole).sentence
    assert [alert.position for alert in read.alerts if alert.kind == "brackets_repaired"][: len(positions)] == positions


def test_a_scope_that_reaches_over_its_brackets_is_told() -> None:
    read = read_fol("∀x (P(x)) → Q(x)")
    assert read.sentence == read_fol("∀x (P(x) → Q(x))").sentence
    assert [(alert.kind, alert.position) for alert in read.alerts] == [("brackets_repaired", 10)]
    assert read_fol("∀x P(x) → Q(x)").alerts == ()
    assert read_fol("(∀x (P(x))) → Q(a)").alerts == ()


def test_too_many_are_refused() -> None:
    assert read_fol("P) ∧ " * MOST_CHANGES + "P").sentence is not None
    read = read_fol("P) ∧ " * (MOST_CHANGES + 3) + "P")
    assert read.sentence is None
    assert read.alerts[-1].kind == "unparsed"
