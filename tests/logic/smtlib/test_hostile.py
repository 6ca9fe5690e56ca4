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

# The options of the standard, and those of z3 that reach beyond one solver.
OPTIONS = (
    "diagnostic-output-channel global-declarations interactive-mode print-success produce-assertions produce- "
    "assignments produce-models produce-proofs produce-unsat-assumptions produce-unsat-cores random-seed regular- "
    "output-channel reproducible-resource-limit verbosity timeout rlimit memory_max_size memory_max_alloc_count "
    "memory_high_watermark memory_high_watermark_mb verbose type_check well_sorted_check auto_config proof model "
    "model_validate dump_models unsat_core trace trace_file_name debug_ref_count stats encoding warning "
    "dot_proof_file error-behavior expand-definitions int-real-coercions pp.decimal pp.max_depth parallel.enable "
    "smt.random_seed smt.arith.solver sat.threads smt.timeout solver.timeout solver.smtlib2_log solver.proof.log "
    "fp.engine opt.dump_models combined_solver.solver2_timeout "
)

COMMANDS = (
    "check-sat check-sat-assuming declare-codatatypes declare-datatype declare-datatypes declare-map declare-rel "
    "declare-tactic declare-var define-const define-fun-rec define-funs-rec define-sort display echo eval exit get- "
    "assertions get-assignment get-info get-model get-objectives get-option get-proof get-unsat-assumptions get- "
    "unsat-core get-user-tactics get-value help help-tactic include include-shared labels load maximize minimize "
    "model-add model-del pop push query reset reset-assertions rule set-info set-logic set-option set-simplifier "
    "simplify apply assert-not assert-soft assume block-model check-sat-using dbg-print euf-project mbi mbp dump "
    "open-log proof-save "
)

HARMLESS = "(declare-const x Int)\n(assert (< x 3))\n"


def refuse(command: str) -> str:
    """The error for a command, which must come in whatever company, at its place."""
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


@pytest.mark.parametrize("option", OPTIONS.split())
def test_no_option_is_let_in(option: str) -> None:
    for value in ("true", "1", '"/tmp/never"', ""):
        message = refuse(f"(set-option :{option} {value})")
        assert message.endswith("the command 'set-option' is not let in; text does not steer the solver")


def test_every_option_of_a_z3_solver_is_refused() -> None:
    import z3

    described = z3.SimpleSolver(ctx=z3.Context()).param_descrs()
    names = [described.get_name(index) for index in range(described.size())]
    assert len(names) > 100
    for name in names:
        with pytest.raises(SmtLibError, match="line 1, column 1: the command 'set-option' is not let in"):
            read_script(f"(set-option :{name} 1)")


def test_reasons_help() -> None:
    assert refuse('(include "/etc/passwd")').endswith("'include' is not let in; text does not name files")
    assert "definitions cannot be recursive" in refuse("(define-fun-rec f ((x Int)) Int (f x))")
    assert "definitions cannot be recursive" in refuse("(define-funs-rec ((f ((x Int)) Int)) ((f x)))")
    assert "declare a sort with declare-sort" in refuse("(declare-datatypes () ((Color red green)))")
    assert "let in are only declare-sort, declare-const" in refuse("(push 1)")
    assert "let in are only declare-sort, declare-const" in refuse("(pop 1)")
    assert "let in are only declare-sort, declare-const" in refuse("(reset)")


def test_names_between_bars_may_be_anything_printable_and_nothing_else() -> None:
    assert read_script("(declare-const |Zoë Müller 日本| Int)").functions[0].name == "Zoë Müller 日本"
    for name in ("é", "日本", "\u0430", "x\u200b", "∧"):
        with pytest.raises(SmtLibError, match=r"line 1, column 1[67]: "):
            read_script(f"(declare-const {name} Int)")
    for name in ("|a\u200bb|", "|a\u202eb|", "|e\u0301|", "|a\\b|", "|a\tb|"):
        with pytest.raises(SmtLibError, match=r"line 1, column 16: "):
            read_script(f"(declare-const {name} Int)")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("deep", "(" * 100_000),
        ("deep formula", "(assert " + "(not " * 100_000 + "true" + ")" * 100_001),
        ("deep sort", "(declare-const x " + "(Array Int " * 100_000),
        ("deep let", "(assert " + "(let ((x true)) " * 100_000 + "x"),
        ("closing", ")" * 100_000),
        ("10 MB", "(assert true)\n" * 750_000),
        ("10 MB of one symbol", "(declare-const " + "a" * 10_000_000),
        ("10 MB of space", " " * 10_000_000),
        ("10 MB of quotes", '"' * 10_000_001),
        ("10 MB of bars", "|" * 10_000_001),
        ("many atoms", "a " * 400_000),
        ("many commands", "(assert true)" * 11_000),
        ("a long string", '(assert "' + '""' * 400_000),
        ("a long quoted symbol", "|" + "a" * 900_000),
        ("a long comment", "(assert ; " + "a" * 900_000),
        ("a long number", "(assert (= 1 " + "1" * 900_000),
        ("a long name", "(assert (< " + "x" * 900_000 + " 1))"),
        ("a long command", "(" + "x" * 900_000 + ")"),
        ("a long sort", "(declare-const x " + "y" * 900_000 + ")"),
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
