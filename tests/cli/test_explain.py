"""`holdtrue explain` as a person uses it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from holdtrue.cli.exits import ExitCode, fail
from holdtrue.cli.main import app
from holdtrue.errors import InfrastructureError, InputError
from tests.cli.test_check import TURN
from tests.solving.drat import check as check_proof
from tests.test_docs_examples import ROOT, blocks

PAGE = "docs/explain.md"
CLASH = {**TURN, "constraints": [*TURN["constraints"], {"id": "c", "type": "at_position", "args": ["Bob", 3]}]}
OPEN = {key: value for key, value in TURN.items() if key != "answer"}


def run(*args: str, input: object = None) -> Result:
    text = input if isinstance(input, str) else json.dumps(input)
    return CliRunner().invoke(app, ["explain", "-", *args], input=text)


def objects(result: Result) -> list[dict[str, Any]]:
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_the_page_shows_what_is_printed() -> None:
    (turn,), shown = blocks(PAGE, "json"), blocks(PAGE, "text")
    page = (ROOT / PAGE).read_text(encoding="utf-8")
    added = json.loads(page[page.index('`{"id": "c4"') + 1 : page.index("}`, nothing fits") + 1])
    clash = json.loads(turn)
    clash["constraints"].append(added)
    for ledger, expected in zip((turn, clash), shown, strict=True):
        result = run(input=ledger)
        assert (result.stdout.strip(), result.exit_code) == (expected.strip(), 1)
        (found,) = objects(run("--json", input=ledger))
        assert all(f"`{field}`" in page for field in found if field != "id")
    help = CliRunner().invoke(app, ["explain", "--help"]).stdout
    assert all(option in help for option in ("--all", "--certificate", "--smtlib", "--timeout-s"))


def test_what_is_settled_without_an_answer() -> None:
    result = run(input=OPEN)
    assert result.exit_code == 0
    assert result.stdout.splitlines() == [
        "t1: consistent",
        "  All 2 commitments can be kept together.",
        '  The first answer that keeps everything: {"Ann": 1, "Bob": 2, "Cy": 3}',
        "  Only one answer is left.",
        "  Ann: seat 1 (settled)",
        "  Bob: seat 2 (settled)",
        "  Cy: seat 3 (settled)",
    ]


def test_json_has_one_object_a_line_in_input_order() -> None:
    good = {**TURN, "id": "t2", "answer": {"Ann": 1, "Bob": 2, "Cy": 3}}
    result = run("--jsonl", "--json", "--all", input="\n\n".join(map(json.dumps, (TURN, good, CLASH, OPEN))))
    drift, kept, clash, open = objects(result)
    assert [one["outcome"] for one in (drift, kept, clash, open)] == [
        "drift",
        "consistent",
        "contradiction",
        "consistent",
    ]
    assert drift["answer"]["violated"] == [{"id": "b", "sentence": "Bob sits immediately left of Ann", "turn": 2}]
    assert drift["suggestion"]["changes"] == [
        {"entity": "Bob", "attribute": "seat", "from": 3, "to": 2},
        {"entity": "Cy", "attribute": "seat", "from": 2, "to": 3},
    ]
    assert (kept["suggestion"], kept["answers_left"]["count"]) == (None, 1)
    (conflict,) = clash["conflicts"]
    assert ([one["id"] for one in conflict["constraints"]], conflict["proved"]) == (["a", "b", "c"], "smallest")
    assert clash["every_conflict"] and len(clash["correction"]["take_back"]) == 1 and clash["correction"]["minimum"]
    assert open["answer"] is None and open["remaining"][0] == {
        "entity": "Ann",
        "attribute": "seat",
        "values": [1],
        "open": [],
        "settled": True,
        "reason": None,
    }
    assert result.exit_code == 1


def test_undecided_has_its_own_exit_code_and_a_reason() -> None:
    (found,) = objects(run("--json", "--timeout-s", "0", input=OPEN))
    assert (found["ledger"], found["outcome"], found["answers_left"]) == ("unknown", "undecided", None)
    assert "ran out" in found["reason"]
    result = run("--timeout-s", "0", input=OPEN)
    assert result.exit_code == 3 and "It is not known whether" in result.stdout


def test_a_contradiction_is_certified(tmp_path: Path) -> None:
    folder, script = tmp_path / "new" / "proof", tmp_path / "ledger.smt2"
    (found,) = objects(run("--json", "--certificate", str(folder), "--smtlib", str(script), input=CLASH))
    formula, proof, names = (Path(file) for file in found["certificate"])
    assert check_proof(formula.read_text(encoding="utf-8"), proof.read_text(encoding="utf-8")) >= 1
    assert 'c: \\"Bob must sit at position 3\\" (turn 1)' in names.read_text(encoding="utf-8")
    assert found["smtlib"] == str(script) and "(assert (= Bob.seat 3))" in script.read_text(encoding="utf-8")
    output = run("--certificate", str(folder), "--smtlib", str(script), input=CLASH).stdout
    assert f"The certificate: {formula}" in output and f"As SMT-LIB: {script}" in output


def test_what_can_be_kept_is_certified_by_a_witness(tmp_path: Path) -> None:
    (found,) = objects(run("--json", "--certificate", str(tmp_path), input=OPEN))
    (file,) = found["certificate"]
    assert json.loads(Path(file).read_text(encoding="utf-8"))["witness"] == {"Ann.seat": 1, "Bob.seat": 2, "Cy.seat": 3}


def test_without_time_there_is_no_certificate_and_that_is_said(tmp_path: Path) -> None:
    result = run("--timeout-s", "0", "--certificate", str(tmp_path), input=OPEN)
    assert "There is no certificate: " in result.stdout and result.exit_code == 3
    assert list(tmp_path.iterdir()) == []


def test_files_are_for_one_ledger_and_disks_may_refuse(tmp_path: Path) -> None:
    result = run("--certificate", str(tmp_path), input=[OPEN, OPEN])
    assert isinstance(result.exception, InputError) and "there are several" in str(result.exception)
    (tmp_path / "file").write_text("")
    for args in (["--certificate", str(tmp_path / "file")], ["--smtlib", str(tmp_path / "none" / "x.smt2")]):
        result = run(*args, input=OPEN)
        assert isinstance(result.exception, InfrastructureError)
        assert fail(result.exception) == ExitCode.INFRASTRUCTURE


def test_a_domain_of_one_s_own_with_a_setting_that_is_impossible(tmp_path: Path) -> None:
    file = tmp_path / "crowd.py"
    declared = 'CROWD = Domain("crowd", [Attribute("seat", 1, 2, distinct=True)], [])'
    file.write_text(f"from holdtrue import Attribute, Domain\n{declared}\n")
    result = run("--domain", f"{file}:CROWD", "--json", input={"entities": ["Ann", "Bob", "Cy"], "constraints": []})
    (found,) = objects(result)
    assert (found["setting_impossible"], found["conflicts"], result.exit_code) == (True, [], 1)
    assert found["counted"] == ["no two share the same seat: 3 terms share 2 values"]


@pytest.mark.parametrize("given", [OPEN, CLASH])
def test_another_solver_is_asked_the_same(given: dict[str, Any]) -> None:
    (found,) = objects(run("--json", "--recheck", input=given))
    assert found["recheck"] == "z3 says the same"
    assert "  Asked of another solver: z3 says the same.\n" in run("--recheck", input=given).stdout
    assert "another solver" not in run(input=given).stdout
