from __future__ import annotations

import json
import random
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pysat.solvers import Minisat22

from holdtrue.budget import Budget
from holdtrue.errors import FormulaError, InfrastructureError
from holdtrue.logic.evaluate import evaluate
from holdtrue.logic.formula import AllDifferent, Formula, Sum, Variable
from holdtrue.logic.sorts import IntSort
from holdtrue.solving.certificate import Certificate, NoCertificate, certificate, witness_certificate, write_certificate
from holdtrue.solving.cnf import Statement, encode
from holdtrue.solving.encoding import NotEncodable
from holdtrue.solving.engine import EngineFault, Soft
from holdtrue.solving.explain.mus import mus
from holdtrue.solving.result import Mus, Satisfiable
from holdtrue.solving.sat_engine import SatEngine
from tests.solving.brute import AMPLE, VARIABLES, A, B, C, D, E, pigeons, theories, witnesses
from tests.solving.dimacs import decoded, dimacs, sliced, some_model, without
from tests.solving.drat import Refused, check, read_dimacs


def prove(variables: Sequence[Variable], background: Sequence[Formula], soft: Soft, ids: Sequence[str]) -> Certificate:
    made = certificate(variables, background, soft, ids, {}, AMPLE)
    assert isinstance(made, Certificate)
    return made


def holds_up(made: Certificate, formulas: Sequence[Formula], last: Formula, chance: random.Random) -> None:
    """The proof is one, of these formulas and `last`, and of nothing less."""
    text, map = made.cnf.dimacs(), made.cnf.to_json()
    assert check(text, made.proof) >= 1
    with pytest.raises(Refused):
        check(text, made.proof.removesuffix("0\n"))
    weaker = without(text, map["parts"][-1])
    with pytest.raises(Refused):
        check(dimacs(weaker), made.proof)
    values = decoded(map, some_model(weaker, chance))
    assert all(evaluate(formula, values) for formula in formulas)
    assert not evaluate(last, values)


@settings(deadline=None, max_examples=150)
@given(theories(), st.randoms(use_true_random=False))
def test_every_mus_is_refuted_and_nothing_less(soft: dict[str, Formula], chance: random.Random) -> None:
    background = (AllDifferent((A, C)), B <= 0)
    found = mus(SatEngine(VARIABLES, background), soft, AMPLE)
    if isinstance(found, Mus):
        made = prove(VARIABLES, background, soft, found.ids)
        *kept, last = (soft[id] for id in found.ids)
        holds_up(made, (*background, *kept), last, chance)


def prove_pigeons(count: int) -> Certificate:
    birds, bare = pigeons(count, count - 1)
    soft = {f"c{number}": formula for number, formula in enumerate(bare)}
    return prove(birds, (), soft, tuple(soft))


def refusals(text: str, proofs: Sequence[Sequence[str]]) -> int:
    refused = 0
    for proof in proofs:
        try:
            check(text, "\n".join(proof))
        except Refused:
            refused += 1
    return refused


def test_a_damaged_proof_is_refused() -> None:
    made = prove_pigeons(6)
    text, lemmas = made.cnf.dimacs(), made.proof.splitlines()
    assert check(text, made.proof) > 50
    with pytest.raises(Refused):
        check(text, "0\n")
    # Single lemmas can often be spared, and some are true with a literal turned around too; not so for most.
    chance, turned, gaps = random.Random(4), [], []
    for number in chance.sample(range(len(lemmas) - 1), 20):
        literals = lemmas[number].split()
        place = chance.randrange(len(literals) - 1)
        literals[place] = str(-int(literals[place]))
        turned.append([*lemmas[:number], " ".join(literals), *lemmas[number + 1 :]])
        gaps.append(lemmas[: number // 2] + lemmas[number // 2 + len(lemmas) // 4 :])
    assert refusals(text, turned) > 10
    assert refusals(text, gaps) > 10


def test_without_any_one_statement_a_proof_is_refused() -> None:
    made = prove_pigeons(5)
    text = made.cnf.dimacs()
    parts = [part for part in made.cnf.to_json()["parts"] if part["kind"] == "commitment"]
    assert len(parts) == 10
    for part in parts:
        with pytest.raises(Refused):
            check(dimacs(without(text, part)), made.proof)


def test_fixed_values_count_as_background() -> None:
    soft = {"C1": A + B >= 3}
    made = certificate(VARIABLES, [], soft, ("C1",), {}, AMPLE, fixed={"a": 1})
    assert isinstance(made, Certificate)
    assert check(made.cnf.dimacs(), made.proof) >= 1
    assert [(part.kind, part.words) for part in made.cnf.parts[2:]] == [
        ("given", "a is 1"),
        ("commitment", "(a + b >= 3)"),
    ]
    with pytest.raises(FormulaError, match="'z'"):
        certificate(VARIABLES, [], soft, ("C1",), {}, AMPLE, fixed={"z": 1})


def test_what_can_hold_has_no_certificate() -> None:
    with pytest.raises(EngineFault, match="C1, C2"):
        certificate(VARIABLES, [], {"C1": A >= 1, "C2": B <= 0}, ("C1", "C2"), {}, AMPLE)


def test_what_has_no_clauses_has_no_proof_and_says_why() -> None:
    wide = [Variable(f"x{number}", A.sort) for number in range(40)]
    total = Sum(tuple((1, variable) for variable in wide)) >= 1_000
    made = certificate(wide, [], {"C1": total}, ("C1",), {}, AMPLE)
    assert isinstance(made, NoCertificate)
    assert made.reason.startswith("a proof is made of clauses, and a formula would need up to")


@pytest.mark.parametrize(("budget", "what"), [(Budget(0.0), "time"), (Budget(None, 10), "10 conflicts")])
def test_a_budget_ends_in_no_certificate(budget: Budget, what: str) -> None:
    birds, bare = pigeons(10, 9)
    soft = {f"c{number}": formula for number, formula in enumerate(bare)}
    made = certificate(birds, [], soft, tuple(soft), {}, budget)
    assert isinstance(made, NoCertificate)
    assert what in made.reason


def test_a_witness_is_written_down_with_what_it_satisfies() -> None:
    soft = {"C1": A + B >= 2, "C2": C.ne(0)}
    found = SatEngine(VARIABLES, [D.eq(5)]).check(soft, AMPLE)
    assert isinstance(found, Satisfiable)
    made = witness_certificate(VARIABLES, [D.eq(5)], soft, found.witness, {"C2": "not red"}, laws=["d is 5"])
    json = made.to_json()
    assert json["witness"] == dict(found.witness)
    assert [(own["kind"], own["id"], own["says"]) for own in json["holds"]] == [
        ("law", "1", "d is 5"),
        ("commitment", "C1", "(a + b >= 2)"),
        ("commitment", "C2", "not red"),
    ]
    assert json["holds"][2]["where"] == {"c": ("red", "green", "blue")[found.witness["c"]]}


@pytest.mark.parametrize("change", [{"a": 0}, {"d": 4}, {"e": 3}])
def test_a_witness_that_breaks_something_is_a_fault(change: dict[str, int]) -> None:
    good = {"a": 1, "b": 1, "c": 1, "d": 5, "e": 2}
    witness_certificate(VARIABLES, [D.eq(5)], {"C1": A + B >= 2}, good, {})
    with pytest.raises(EngineFault):
        witness_certificate(VARIABLES, [D.eq(5)], {"C1": A + B >= 2}, {**good, **change}, {})


SOFT = {"C1": A >= 2, "C2": A < 2}


def refuted(sentence: str = "a is late") -> Certificate:
    made = certificate(VARIABLES, [], SOFT, ("C1", "C2"), {"C1": sentence}, AMPLE)
    assert isinstance(made, Certificate)
    return made


def test_a_refutation_is_three_files(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "proof"
    files = write_certificate(refuted(), folder)
    assert [file.name for file in files] == ["formula.cnf", "proof.drat", "map.json"]
    assert sorted(folder.iterdir()) == sorted(files)
    formula, proof, map = (file.read_text(encoding="utf-8") for file in files)
    assert check(formula, proof) >= 1
    last = json.loads(map)["parts"][-1]
    assert (last["id"], last["says"]) == ("C2", "(a < 2)")
    lines = formula.splitlines()
    assert lines[last["lines"][0] - 1 : last["lines"][1]] == ["-3 0"]


def test_a_witness_is_one_file(tmp_path: Path) -> None:
    witness = {"a": 3, "b": 0, "c": 1, "d": 4, "e": 2}
    made = witness_certificate(VARIABLES, [], {"C1": A >= 2}, witness, {})
    (file,) = write_certificate(made, str(tmp_path))
    assert file.name == "witness.json"
    assert json.loads(file.read_text(encoding="utf-8")) == made.to_json()


def test_words_that_no_encoding_can_hold_are_written_as_escapes(tmp_path: Path) -> None:
    formula, proof, map = write_certificate(refuted("half \ud83d of it\u2028p cnf 0 0"), tmp_path)
    text = formula.read_text(encoding="utf-8")
    assert "half \\ud83d of it p cnf 0 0" in text
    assert check(text, proof.read_text(encoding="utf-8")) >= 1
    assert "\\ud83d" in map.read_text(encoding="ascii")


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("", encoding="utf-8")
    with pytest.raises(InfrastructureError, match="taken"):
        write_certificate(refuted(), tmp_path / "taken")


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
