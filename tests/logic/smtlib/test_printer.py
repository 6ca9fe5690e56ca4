"""Printed text is read back as the same values, by us and by z3's own parser."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.logic.smtlib.script import Script, read_script, script_text, term_text
from tests.logic.smtlib.scripts import possible, scripts


@settings(max_examples=60, deadline=None)
@given(scripts)
def test_scripts_come_back(script: Script) -> None:
    assert read_script(script_text(script)) == script


@settings(max_examples=40, deadline=None)
@given(scripts)
def test_z3_understands_scripts_as_we_do(script: Script) -> None:
    import z3

    solver = z3.Solver(ctx=z3.Context())
    solver.from_string(script_text(script))
    assert len(solver.assertions()) == len(script.assertions)
    assert str(solver.check()) == ("sat" if possible(script) else "unsat")


def test_a_script_is_a_command_a_line() -> None:
    text = """(declare-sort |tall person| 0)
(declare-fun |Zoë B.| () |tall person|)
(declare-fun x () Int)
(declare-fun pay (|tall person| Int) Real)
(define-fun more ((n Int) (|a b| Real)) Real (+ (to_real n) |a b| 0.125))
; Zoë is paid. (assert false)
(assert (> (pay |Zoë B.| (- 3)) 1500.0))
(assert (forall ((z |tall person|)) (let ((p (pay z x)) (q true)) (and q (< (more 1 p) 2.5)))))
"""
    script = read_script(text)
    assert script_text(script, ["Zoë is paid. (assert false)"]) == text
    assert script_text(read_script(script_text(script))) == script_text(script)
    assert script_text(Script()) == ""


@pytest.mark.parametrize(
    ("comment", "line"),
    [
        ("", ""),
        ("  \n ", ""),
        ("one", "; one\n"),
        ("a\n(assert false)", "; a (assert false)\n"),
        ("a\r(assert false)\x00\x0b\x85\u2028b\u202e", "; a (assert false) b\n"),
        ("; ; ", "; ; ;\n"),
        ("Straße 日本", "; Straße 日本\n"),
    ],
)
def test_comments_cannot_say_anything(comment: str, line: str) -> None:
    script = read_script("(assert true)")
    assert script_text(script, [comment]) == f"{line}(assert true)\n"
    assert read_script(script_text(script, [comment, "more comments than assertions"])) == script


@settings(max_examples=100, deadline=None)
@given(st.text(st.sampled_from('\n\r|";)( a\x00\u2028') | st.characters(), max_size=20))
def test_any_text_can_be_a_comment(comment: str) -> None:
    script = read_script("(declare-const a Bool)(assert a)")
    assert read_script(script_text(script, [comment])) == script


@pytest.mark.parametrize("number", ["0.0", "1.0", "0.5", "12.0625", "0.001", "123456789.000000001"])
def test_decimals_are_exact(number: str) -> None:
    (assertion,) = read_script(f"(assert (= {number}00 {number}))").assertions
    assert term_text(assertion.formula) == f"(= {number} {number})"


def test_what_is_printed_is_no_command_to_z3(tmp_path: Any) -> None:
    import z3

    parameters = ("timeout", "verbose", "memory_max_size", "smt.random_seed", "model", "unsat_core", "rlimit")
    before = [z3.get_param(name) for name in parameters]
    out = tmp_path / "out"
    script = read_script("(declare-const |(set-option :verbose 9)| Bool)(assert |(set-option :verbose 9)|)")
    text = script_text(script, [f'(set-option :regular-output-channel "{out}")'])
    solver = z3.Solver(ctx=z3.Context())
    solver.from_string(text)
    assert [z3.get_param(name) for name in parameters] == before
    assert list(tmp_path.iterdir()) == []
