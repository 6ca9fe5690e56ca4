"""Formulas of TPTP, and the sentence that each says, in FOLIO's notation; files of them."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.logic.fol.notation import read_fol
from holdtrue.logic.fol.tptp_notation import read_tptp, write_tptp
from holdtrue.logic.fol.tptp_problem import LONGEST_PROBLEM, read_tptp_problem


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


FILE = """% Dogs. No comment ends here: fof(no, axiom, p).
fof(rule, axiom, ![X]: (dog(X) => barks(X)), file('a.p', rule)).
include('Axioms/SET001-0.ax').
fof('rex.', hypothesis,
    dog(rex)).  fof(asked, conjecture, barks(rex) | likes(rex, '),.') ).
cnf(more, axiom, p | q).
fof(step, plain, $true).
fof(broken, axiom, dog(rex) cat(tom)).
"""


def test_a_file_of_formulas() -> None:
    problem = read_tptp_problem(FILE)
    assert [(one.name, one.role) for one in problem.premises] == [
        ("rule", "axiom"),
        ("rex.", "hypothesis"),
        ("broken", "axiom"),
    ]
    assert [one.text for one in problem.conjectures] == ["barks(rex) | likes(rex, '),.')"]
    assert all(FILE[one.at :].startswith(one.text) for one in problem.formulas)
    assert [one.read.sentence is None for one in problem.formulas] == [False, False, False, False, True]
    assert [(alert.kind, FILE[alert.position or 0 :][:9]) for alert in problem.alerts] == [
        ("unsupported", "include('"),
        ("unsupported", "cnf(more,"),
        ("unsupported", "fof(step,"),
    ]


def test_files_that_are_none() -> None:
    assert read_tptp_problem("") == read_tptp_problem(" % nothing\n")
    for text in ("fof(a, axiom, p)", "fof(a, axiom).", "p.", ".", "fof.", ")))", "fof(a, axiom, (p)."):
        found = read_tptp_problem(text)
        assert not found.formulas and [alert.kind for alert in found.alerts] == ["unparsed"], text
    assert [alert.kind for alert in read_tptp_problem(" " * (LONGEST_PROBLEM + 1)).alerts] == ["unsupported"]


@settings(deadline=None, max_examples=200)
@given(
    st.lists(
        st.sampled_from([*"(),.'\"%\n ", "fof(", "axiom", "p", "include", "/*", "*/", "conjecture"]), max_size=25
    ).map("".join)
)
def test_no_statement_of_a_file_is_lost_silently(text: str) -> None:
    found = read_tptp_problem(text)
    for one in found.formulas:
        assert text[one.at :].startswith(one.text)
    for alert in found.alerts:
        assert alert.position is not None and 0 <= alert.position <= len(text)
    if not found.formulas and not found.alerts:
        assert "fof(" not in text.split("%")[0].split("/*")[0]
