"""The clauses of a certificate say what their map says that they say."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from pysat.solvers import Minisat22

from holdtrue.errors import FormulaError
from holdtrue.logic.formula import AllDifferent, Formula, Variable
from holdtrue.logic.sorts import IntSort
from holdtrue.solving.cnf import Statement, encode
from holdtrue.solving.encoding import NotEncodable
from tests.solving.brute import VARIABLES, A, B, C, D, E, pigeons, theories, witnesses
from tests.solving.dimacs import decoded, sliced
from tests.solving.drat import read_dimacs


@settings(deadline=None, max_examples=100)
@given(theories(most=3))
def test_the_models_of_the_clauses_are_those_of_the_formulas(soft: dict[str, Formula]) -> None:
    """All of them, read back through the map."""
    cnf = encode(VARIABLES, [Statement("commitment", id, "", formula) for id, formula in soft.items()])
    own, map = [variable.name for variable in cnf.variables], cnf.to_json()
    expected = {tuple(values[name] for name in own) for values in witnesses(VARIABLES, soft.values())}
    order = [meaning.literal for meaning in cnf.meanings if meaning.op == ">="]
    found = set()
    with Minisat22(bootstrap_with=read_dimacs(cnf.dimacs())) as solver:
        while solver.solve():
            model = solver.get_model()
            values = decoded(map, model)
            found.add(tuple(values[name] for name in own))
            solver.add_clause([-literal if literal in model else literal for literal in order])
    assert found == expected


def test_the_text_says_in_words_what_it_is_about() -> None:
    statements = [
        Statement("law", "1", "b is low", B <= 0),
        Statement("commitment", "C1", "a comes late,\np cnf 0 0", A >= 3),
        Statement("commitment", "C2", "green only early", C.eq(1).implies(A < 2)),
        Statement("commitment", "C3", "e is 2", E.eq(2)),
        Statement("commitment", "C4", "b or d", (B.eq(1) & A.eq(0)) | (D.eq(5) & A.eq(3))),
    ]
    cnf = encode(VARIABLES, statements)
    text, map = cnf.dimacs(), cnf.to_json()
    comments = [line.removeprefix("c ") for line in text.splitlines() if line.startswith("c ")]
    literals = [line for line in comments if line.startswith("literal")]
    assert literals[:4] == ["literal 1: true", "literal 2: a >= 1", "literal 3: a >= 2", "literal 4: a >= 3"]
    assert "literal 8: c in {green, blue}" in literals
    assert [line.split(": ")[1] for line in literals if "==" in line] == ["c == green"], "nobody asks for the others"
    assert [line.split(": ")[1] for line in literals if "helper" in line] == ["a helper of commitment C4"] * 2
    assert [line.split(": ", 1)[1] for line in comments if "clause" in line] == [
        "sort a: a is one of 0..3",
        "sort b: b is one of -2..1",
        "sort c: c is one of {red, green, blue}",
        "sort d: d is one of 4..5",
        "sort e: e is one of 2..2",
        "law 1: b is low",
        "commitment C1: a comes late, p cnf 0 0",
        "commitment C2: green only early",
        "commitment C3: e is 2",
        "commitment C4: b or d",
    ]
    parts = {part["id"]: part for part in map["parts"]}
    assert sliced(text, parts["1"]) == ["-7 0"]
    assert sliced(text, parts["C1"]) == ["4 0"]
    assert parts["C3"]["clauses"] is None
    assert sum(len(sliced(text, part)) for part in map["parts"]) + 1 == len(read_dimacs(text))


def test_variables_that_nobody_speaks_of_are_left_out() -> None:
    cnf = encode(VARIABLES, [Statement("commitment", "C1", "", A < D)])
    assert [variable.name for variable in cnf.variables] == ["a", "d"]
    assert [variable["name"] for variable in cnf.to_json()["variables"]] == ["a", "d"]


def test_a_count_that_clauses_rest_on_is_named() -> None:
    birds, _ = pigeons(12, 11)
    cnf = encode(birds, [Statement("commitment", "C1", "all differ", AllDifferent(tuple(birds)))])
    assert cnf.to_json()["parts"][-1]["counted"] == ["12 terms share 11 values"]
    assert "commitment C1: all differ (counted: 12 terms share 11 values)" in cnf.dimacs()


def test_what_has_no_clauses_or_no_variables_is_refused() -> None:
    huge = Variable("huge", IntSort(0, 10**9))
    with pytest.raises(NotEncodable, match="huge has 1000000001 values"):
        encode([huge], [Statement("law", "1", "", huge < 0)])
    with pytest.raises(FormulaError, match="has no variable 'huge'"):
        encode(VARIABLES, [Statement("law", "1", "", huge < 0)])
