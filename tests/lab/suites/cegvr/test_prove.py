"""Labels are proved by two provers, and faults are found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from holdtrue.cli.main import app
from holdtrue.errors import SettingsError
from holdtrue.kinds.search.problem import Difficulty, Requirement, SearchProblem
from holdtrue.logic.formula import Sum, Variable
from holdtrue.logic.sorts import IntSort
from holdtrue.solving.engine import Engine, EngineFault, Soft
from holdtrue.solving.result import Unknown, Unsatisfiable
from holdtrue.solving.route import Preference, make_engine
from holdtrue_lab.suites.cegvr import prove as proving
from holdtrue_lab.suites.cegvr.files import PROBLEMS, notation, read_problem, variants_file, write_search_problems
from holdtrue_lab.suites.cegvr.generate import generate_linear
from holdtrue_lab.suites.cegvr.prove import faults, prove, proved
from holdtrue_lab.suites.cegvr.rewrite import rewrite
from tests.lab.suites.cegvr.constraints import VARIABLES, X, Y, Z
from tests.lab.suites.cegvr.worked import PUBLISHED, WORKED
from tests.solving.optional import needs_cpsat
from tests.solving.standin import StandIn


@pytest.fixture(scope="module")
def problems() -> list[SearchProblem]:
    return generate_linear(3, 6)


def test_what_is_made_and_rewritten_has_no_fault(problems: list[SearchProblem]) -> None:
    assert list(faults([*problems, rewrite(problems[0], "scaled", 1)])) == []


def test_every_fault_is_named(problems: list[SearchProblem]) -> None:
    sat = next(problem for problem in problems if problem.gold == "sat")
    assert list(faults([replace(sat, gold="unsat")])) == [f"{sat.id}: ground_truth is unsat, proved sat (sat and z3)"]
    planted = dict(sat.metadata["planted"])
    planted["x1"] = 99
    assert list(faults([replace(sat, metadata={"planted": planted})])) == [
        f"{sat.id}: what is planted does not satisfy it"
    ]
    other: Difficulty = "hard" if sat.difficulty != "hard" else "easy"
    assert list(faults([replace(sat, difficulty=other)])) == [
        f"{sat.id}: its difficulty is {other}, by its size {sat.difficulty}"
    ]
    lost = rewrite(sat, "permuted", 1)
    assert list(faults([lost])) == [f"{lost.id}: its original {sat.id!r} is not there"]


def test_the_command_reads_all_files_and_says_what_is_wrong(problems: list[SearchProblem], tmp_path: Path) -> None:
    write_search_problems(problems, tmp_path / PROBLEMS)
    write_search_problems([rewrite(problems[0], "renamed", 1)], tmp_path / variants_file("renamed"))
    sound = CliRunner().invoke(app, ["validate", str(tmp_path)])
    assert sound.exit_code == 0
    assert sound.stdout == "7 search problems, each label proved again by two provers: nothing is wrong\n"
    swapped = "unsat" if problems[1].gold == "sat" else "sat"
    text = (tmp_path / PROBLEMS).read_text().splitlines()
    text[1] = text[1].replace(f'"ground_truth": "{problems[1].gold}"', f'"ground_truth": "{swapped}"')
    (tmp_path / PROBLEMS).write_text("\n".join(text) + "\n")
    wrong = CliRunner().invoke(app, ["validate", str(tmp_path)])
    assert wrong.exit_code == 1
    assert f"{problems[1].id}: ground_truth is {swapped}, proved" in wrong.stdout
    assert wrong.stdout.endswith(": 1 problem\n")


SIX = tuple(Variable(name, IntSort(0, 3)) for name in "abcdef")
DENSE = Sum(tuple((factor, one) for factor, one in zip((2, 3, 5, 2, 4, 3), SIX, strict=True)))


@pytest.mark.parametrize("line", [PUBLISHED, WORKED], ids=["published", "worked"])
def test_the_original_s_problems_are_impossible(line: dict[str, object]) -> None:
    problem = read_problem(line)
    proof = prove(problem.variables, problem.formulas)
    assert (proof.gold, proof.by, proof.witness) == ("unsat", ("sat", "z3"), None)


def test_a_witness_comes_with_what_can_be_satisfied() -> None:
    a, b, *_ = SIX
    proof = prove((a, b), {"c1": a + b >= 6})
    assert (proof.gold, proof.by, proof.witness) == ("sat", ("sat", "z3"), {"a": 3, "b": 3})


@needs_cpsat
@pytest.mark.parametrize(("least", "gold"), [(57, "sat"), (58, "unsat")])
def test_dense_sums_go_to_cp_sat(least: int, gold: str) -> None:
    proof = prove(SIX, {"c1": least <= DENSE})
    assert (proof.gold, proof.by) == (gold, ("cp-sat", "z3"))


def test_dense_sums_need_cp_sat(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("holdtrue.extras.find_spec", lambda library: None)
    with pytest.raises(SettingsError, match=r"needs ortools; get it by: pip install 'holdtrue\[cpsat\]'"):
        prove(SIX, {"c1": DENSE <= 1})


@needs_cpsat
def test_what_is_too_large_for_clauses_goes_to_cp_sat() -> None:
    a, b = (Variable(name, IntSort(0, 500)) for name in "ab")
    proof = prove((a, b), {"c1": a + 2 * b >= 1500, "c2": a <= 499})
    assert (proof.gold, proof.by) == ("unsat", ("cp-sat", "z3"))


@dataclass
class Contrary(StandIn):
    """An engine that gives a fixed answer."""

    answer: Unsatisfiable | Unknown
    name: str = "contrary"

    def decide(self, soft: Soft, *args: object, **more: object) -> Any:
        return self.answer


@pytest.mark.parametrize(
    ("answer", "fault"),
    [
        (Unsatisfiable(), r"sat finds sat, z3 unsat: \(a >= 2\)"),
        (Unknown("broken"), "contrary has no answer, .*: broken"),
    ],
)
def test_provers_that_disagree_are_a_defect(
    monkeypatch: pytest.MonkeyPatch, answer: Unsatisfiable | Unknown, fault: str
) -> None:
    def made(variables: Sequence[Variable], prefer: Preference | None = None) -> Engine | Contrary:
        return Contrary(answer) if prefer == "z3" else make_engine(variables, prefer=prefer)

    monkeypatch.setattr(proving, "make_engine", made)
    with pytest.raises(EngineFault, match=fault):
        prove(SIX, {"c1": SIX[0] >= 2})


FORMULAS = {"c1": X + Y >= 2, "c2": Y.eq(1), "c3": Z <= X}
PROBLEM = SearchProblem(
    id="p",
    suite="cegvr",
    domain="linear",
    variables=VARIABLES,
    constraints=tuple(Requirement(id, notation(formula), formula) for id, formula in FORMULAS.items()),
    gold="sat",
    difficulty="easy",
    metadata={"planted": {"x1": 2, "x2": 1, "x3": 1}, "note": "kept"},
)


def test_the_other_label_is_a_fault() -> None:
    with pytest.raises(EngineFault, match="p was made to be unsat, and is sat"):
        proved(replace(PROBLEM, gold="unsat", metadata={}))
    impossible = (*PROBLEM.constraints, Requirement("c4", "x1 <= 0", X <= 0))
    with pytest.raises(EngineFault, match="p was made to be sat, and is unsat"):
        proved(replace(PROBLEM, constraints=impossible, metadata={}))


@pytest.mark.parametrize(
    "planted",
    [
        pytest.param({"x1": 0, "x2": 1, "x3": 1}, id="breaks a constraint"),
        pytest.param({"x1": 2, "x2": 1}, id="lacks a value"),
        pytest.param({"x1": 4, "x2": 1, "x3": 1}, id="leaves the bounds"),
    ],
)
def test_what_was_planted_has_to_be_a_solution(planted: dict[str, int]) -> None:
    assert not PROBLEM.is_solution(planted)
    with pytest.raises(EngineFault, match="what was planted does not satisfy it"):
        proved(replace(PROBLEM, metadata={"planted": planted}))
