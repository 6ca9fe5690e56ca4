"""Files of TPTP: no statement is lost silently, and a conjecture gets a verdict where all of the file was read."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.programs.__main__ import main
from bench.programs.tptp_problem import LONGEST_PROBLEM, read_tptp_problem

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
        ("more", "axiom"),
        ("broken", "axiom"),
    ]
    assert [one.text for one in problem.conjectures] == ["barks(rex) | likes(rex, '),.')"]
    assert all(FILE[one.at :].startswith(one.text) for one in problem.formulas)
    assert [one.read.sentence is None for one in problem.formulas] == [False, False, False, False, False, True]
    assert [(alert.kind, FILE[alert.position or 0 :][:9]) for alert in problem.alerts] == [
        ("unsupported", "include('"),
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


def test_verdicts_are_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rule = "fof(rule, axiom, ![X]: (dog(X) => barks(X))). fof(rex, axiom, dog(rex))."
    asked = "fof(one, conjecture, barks(rex)). fof(two, conjecture, barks(X))."
    (tmp_path / "a.p").write_text(f"{rule} {asked}", encoding="utf-8")
    (tmp_path / "b.p").write_text(f"{rule} {asked} include(c).", encoding="utf-8")
    (tmp_path / "dev.json").write_text("[]", encoding="utf-8")
    main([str(tmp_path)])
    first, second = capsys.readouterr().out.split("b.p: ")
    assert "dev.json: skipped, as its name has none of AR-LSAT, FOLIO, LogicalDeduction, ProofWriter in it" in first
    assert "a.p: 2 premises, 2 conjectures, 1 alerts" in first
    assert "  one: entailed" in first and "  two: possible" in first
    assert "unsupported at" in second and "  one: no verdict, as not all of the file was read" in second
