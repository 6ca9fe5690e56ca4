from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from holdtrue.cli.main import app
from holdtrue.kinds.search.problem import Difficulty, SearchProblem
from holdtrue.lab.suites.cegvr.files import PROBLEMS, variants_file, write_search_problems
from holdtrue.lab.suites.cegvr.generate import generate_linear
from holdtrue.lab.suites.cegvr.rewrite import rewrite
from holdtrue.lab.suites.cegvr.validate import faults


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
