"""Text that wants to do more than state something: refused at its first word, with no effect at all."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.errors import SmtLibError
from holdtrue.logic.smtlib.script import read_script, script_text
from tests.data import DATA, needs_data

COMMANDS = (
    "check-sat declare-datatype declare-datatypes declare-var define-const define-fun-rec define-sort echo exit "
    "get-model include load maximize pop push reset set-info set-logic set-option simplify assert-soft open-log"
)

HARMLESS = "(declare-const x Int)\n(assert (< x 3))\n"


def refuse(command: str) -> str:
    """Return the error for a command, which has to be the same next to other commands."""
    for before in ("", HARMLESS):
        for after in ("", HARMLESS):
            with pytest.raises(SmtLibError) as caught:
                read_script(before + command + after)
            assert (caught.value.line, caught.value.column) == (1 + before.count("\n"), 1)
    return str(caught.value)


@pytest.mark.parametrize("command", COMMANDS.split())
def test_commands_that_are_not_let_in(command: str) -> None:
    for operands in ("", " 1", ' "file"', " x", " (x Int)"):
        assert f"the command '{command}' is not let in; " in refuse(f"({command}{operands})")
        assert f"the command '{command}' is not let in; " in refuse(f"(|{command}|{operands})")


def test_reasons_help() -> None:
    assert refuse("(set-option :timeout 1)").endswith("'set-option' is not let in; text does not steer the solver")
    assert refuse('(include "/etc/passwd")').endswith("'include' is not let in; text does not name files")
    assert "definitions cannot be recursive" in refuse("(define-fun-rec f ((x Int)) Int (f x))")
    assert "declare a sort with declare-sort" in refuse("(declare-datatypes () ((Color red green)))")
    assert "let in are only declare-sort, declare-const" in refuse("(push 1)")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("deep formula", "(assert " + "(not " * 100_000 + "true" + ")" * 100_001),
        ("deep let", "(assert " + "(let ((x true)) " * 100_000 + "x"),
        ("10 MB of one symbol", "(declare-const " + "a" * 10_000_000),
        ("10 MB of quotes", '"' * 10_000_001),
        ("many atoms", "a " * 400_000),
        ("many commands", "(assert true)" * 11_000),
        ("a long string", '(assert "' + '""' * 400_000),
        ("a long comment", "(assert ; " + "a" * 900_000),
        ("a long name", "(assert (< " + "x" * 900_000 + " 1))"),
    ],
)
def test_size_is_an_error_and_nothing_else(name: str, text: str) -> None:
    with pytest.raises(SmtLibError) as caught:
        read_script(text)
    assert len(str(caught.value)) < 300
    assert caught.value.line >= 1
    assert caught.value.column >= 1


WORDS = (
    "assert declare-const declare-fun declare-sort define-fun include set-option exit forall exists let ! :named "
    'x f P Int Bool Real true 0 1.5 - + = < and not ite div to_real |a b| "s" -5 _ as'
)
soup = st.recursive(
    st.sampled_from(WORDS.split(" ")), lambda inner: st.lists(inner, max_size=4).map(lambda own: f"({' '.join(own)})")
)
commands = st.sampled_from(
    [
        "(declare-sort P 0)",
        "(declare-const x Int)",
        "(declare-fun f (P) Bool)",
        "(assert (forall ((x P)) (f x)))",
        "(define-fun g ((x Int)) Real (+ x 0.5))",
        "(assert (< (g x) 2))",
    ]
)


@settings(max_examples=150, deadline=None)
@given(st.lists(commands | soup | soup.map(lambda own: f"(assert {own})"), max_size=6), st.data())
def test_any_soup_of_words_is_read_or_refused(pieces: list[str], data: st.DataObject) -> None:
    text = "\n".join(pieces)
    cut = data.draw(st.integers(0, len(text)))
    for own in (text, text[:cut], text[cut:]):
        try:
            script = read_script(own)
        except SmtLibError as error:
            assert len(str(error)) < 300
        else:
            assert read_script(script_text(script)) == script


@needs_data
def test_what_models_wrote_in_other_languages_is_refused_with_its_place() -> None:
    read = 0
    for path in sorted((DATA / "llm_formalizations").glob("*.json")):
        for record in json.loads(path.read_text(encoding="utf-8")):
            for program in record.get("raw_logic_programs", ()):
                read += 1
                with pytest.raises(SmtLibError, match=r"^line \d+, column \d+: "):
                    read_script(program)
    assert read > 1_000


WATCHED = """
import json, sys
from holdtrue.errors import FormulaError, SmtLibError
from holdtrue_lab.suites.cross_query.formal import FormalTheory, read_statement, read_theory
from holdtrue.logic.formula import Variable
from holdtrue.logic.smtlib.formula_reader import read_formula
from holdtrue.logic.smtlib.script import read_script
from holdtrue.logic.sorts import IntSort

texts = json.load(sys.stdin)
x = {"x": Variable("x", IntSort(0, 3))}
read_formula("(< x 1)", x.__getitem__)
events = []
sys.addaudithook(lambda event, args: events.append(event))
readers = (
    read_script, read_theory,
    lambda text: read_formula(text, x.__getitem__),
    lambda text: read_statement(text, FormalTheory(x, ())),
    lambda text: read_formula(f"(< x {text})", x.__getitem__),
)
errors = 0
for reader in readers:
    for text in texts:
        try:
            reader(text)
        except FormulaError:
            errors += 1
print(json.dumps([errors, sorted(set(events))]))
print(json.dumps(sorted(name for name in sys.modules if name.split(".")[0] in ("z3", "pysat", "ctypes"))))
"""


def test_no_reader_touches_a_file_or_loads_a_solver(tmp_path: Path) -> None:
    """Tried with all of them: scripts, formulas, and the theories and statements of cases."""
    target, source = tmp_path / "written.txt", tmp_path / "read.smt2"
    source.write_text("(assert false)", encoding="utf-8")
    hostile = [
        f'(include "{source}")',
        f'(set-option :regular-output-channel "{target}")(echo "x")',
        f'(set-option :diagnostic-output-channel "{target}")',
        f'(set-option :smtlib2_log "{target}")',
        f'(load "{source}")(open-log "{target}")',
        f'(assert "{source}")',
        "(exit)",
        "(" * 100_000,
    ]
    run = subprocess.run(
        [sys.executable, "-c", WATCHED],
        input=json.dumps(hostile),
        capture_output=True,
        text=True,
        check=True,
        cwd=tmp_path,
    )
    counted, loaded = map(json.loads, run.stdout.splitlines())
    assert counted == [5 * len(hostile), []]
    assert loaded == []
    assert [path.name for path in tmp_path.iterdir()] == ["read.smt2"]
