from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from holdtrue.cli.main import app
from holdtrue_claims.kind.calibration import calibrations_json, packaged_calibrations
from holdtrue_lab.kinds.claims.entry import ClaimEntry
from holdtrue_lab.kinds.claims.method import METHODS
from holdtrue_lab.kit.journal import read_entries
from holdtrue_lab.suites.verge import SUITE
from holdtrue_lab.suites.verge.files import ITEMS as ITEMS_FILE
from holdtrue_lab.suites.verge.files import write_items
from tests.data import DATA, needs_data
from tests.lab.kinds.claims.items import FALSE, ITEMS, TRUE

RUNNER = CliRunner()
FOLIO = DATA / "folio" / "folio-validation-shared.jsonl"
DEDUCTION = DATA / "logical_deduction" / "shared.json"
WRITTEN = DATA / "llm_formalizations" / "llama3_CoT_LogicalDeduction_dev_NousResearch-Meta-Llama-3-70B-GGUF.json"
PLAIN = ["--no-measure", "--formal", "gold", "--method", "direct,solver_only", "-q"]


@pytest.fixture(scope="module")
def items(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder as `generate verge` leaves it."""
    folder = tmp_path_factory.mktemp("items")
    write_items(ITEMS, folder / ITEMS_FILE)
    return folder


@pytest.fixture(scope="module")
def script(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model that always gives the first option."""
    path = tmp_path_factory.mktemp("script") / "first.json"
    path.write_text(json.dumps([{"match": "Question:", "text": '{"answer": "A"}'}]))
    return path


def command(items: Path, script: Path, out: Path, *more: str) -> list[str]:
    return ["run", "verge", "--items", f"{items}", "--model", f"script/{script}", "--out", f"{out}", *more]


def played(folder: Path) -> list[ClaimEntry]:
    return [entry for entry in read_entries(folder) if isinstance(entry, ClaimEntry)]


def settings(folder: Path) -> dict[str, object]:
    found: dict[str, object] = json.loads((folder / "settings.json").read_text())
    return found


def test_questions_are_answered_and_go_on_where_they_ended(items: Path, script: Path, tmp_path: Path) -> None:
    first = RUNNER.invoke(app, command(items, script, tmp_path, *PLAIN, "--limit", "1"))
    assert first.exit_code == 0, first.output
    assert "2 of 2 turns" in first.output
    before = (tmp_path / "journal.jsonl").read_bytes()
    again = RUNNER.invoke(app, command(items, script, tmp_path, *PLAIN))
    assert again.exit_code == 0, again.output
    assert (tmp_path / "journal.jsonl").read_bytes().startswith(before)
    right = {(entry.problem, entry.method): entry.score and entry.score.correct for entry in played(tmp_path)}
    assert right == {
        ("i1", "direct"): True, ("i2", "direct"): False, ("i3", "direct"): False,
        ("i1", "solver_only"): True, ("i2", "solver_only"): True, ("i3", "solver_only"): True,
    }  # fmt: skip
    assert {(entry.record.variant, entry.record.reader) for entry in played(tmp_path)} == {("fol", "gold")}


def test_all_methods_but_ablations_are_played_where_none_is_named() -> None:
    named = SUITE.methods.split(",")
    assert set(named) <= METHODS.keys()
    assert {name for name in METHODS.keys() - named if not name.startswith("verge_")} == {"given", "all_soft"}


def test_another_model_judges_and_its_calls_are_counted_by_its_name(items: Path, tmp_path: Path) -> None:
    plan = tmp_path / "plan.toml"
    plan.write_text(
        f"[[method]]\nname = 'own'\nbase = 'all_soft'\ncheck = {{ judge = 'sim/claims:confuse=1@3' }}\n"
        f"[run]\nmethod = 'own,all_soft'\njudge = 'sim/claims@2'\nitems = '{items}'\nmodel = 'sim/claims'\n"
    )
    result = RUNNER.invoke(app, ["run", "verge", "--plan", f"{plan}", "--out", f"{tmp_path / 'run'}", "-q"])
    assert result.exit_code == 0, result.output
    judges: dict[str, set[str]] = {"own": set(), "all_soft": set()}
    for entry in played(tmp_path / "run"):
        for call in (call for attempt in entry.record.attempts for call in attempt.calls):
            if call.purpose == "judge":
                judges[entry.method].add(call.model)
            else:
                assert call.model == "sim/claims"
    assert judges == {"own": {"sim/claims:confuse=1@3"}, "all_soft": {"sim/claims@2"}}
    same = ["run", "verge", "--plan", f"{plan}", "--judge", "sim/claims", "--out", f"{tmp_path / 'same'}", "-q"]
    assert "judges its own answers anyway" in str(RUNNER.invoke(app, same).exception)


def test_a_model_that_takes_no_budget_for_thinking_says_so(items: Path, tmp_path: Path) -> None:
    start = ["run", "verge", "--items", f"{items}", "--model", "sim/claims", "--method", "direct", "--no-measure", "-q"]
    for option in ("--thinking-tokens", "--top-p"):
        result = RUNNER.invoke(app, [*start, "--out", f"{tmp_path / option}", option, "1"])
        assert result.exit_code != 0
        assert (
            f"sim/claims takes no {option[2:].replace('-', '_')}: leave it out" in f"{result.output}{result.exception}"
        )


def test_options_become_settings(items: Path, script: Path, tmp_path: Path) -> None:
    given = ["--formulas", "1", "--judges", "2", "--rounds", "4", "--routing", "soft", "--least-score", "0.5"]
    given += ["--calls", "9"]
    more = ["--round-trip", "0", "--solver-timeout-s", "0.25", "--formalizer", f"script/{script}2"]
    rest = ["--temperature", "0.7", "--max-tokens", "99", "--seed", "7", "--draw-temperature", "0.2"]
    other = script.with_name(f"{script.name}2")
    other.write_text("[]")
    result = RUNNER.invoke(app, command(items, script, tmp_path, *PLAIN, *given, *more, *rest))
    assert result.exit_code == 0, result.output
    found = settings(tmp_path)
    assert found["play"] == {
        "formal": "gold", "measure": False, "formalizers": [f"script/{other}"], "timeout_s": 0.25,
        "notation": None, "assume": [], "formulas": 1, "choice_rounds": None, "draw_temperature": 0.2,
        "round_trip": 0.0, "routing": "soft",
        "judges": 2, "least_score": 0.5, "rounds": 4, "calls": 9, "answers_sha256": None,
        "accept": None, "ask_judges": False, "calibration": None,
        "calibrations": calibrations_json(packaged_calibrations().entries),
    }  # fmt: skip
    assert [found[key] for key in ("temperature", "max_tokens", "seed")] == [0.7, 99, 7]


def test_answers_that_were_written_before_are_taken_as_they_are(items: Path, script: Path, tmp_path: Path) -> None:
    answers = tmp_path / "answers.jsonl"
    answers.write_text('{"id": "i2", "predicted_reasoning": "Bob sleeps.", "predicted_answer": "B"}\n')
    more = ["--answers", f"{answers}", "--method", "given,direct", "--no-measure", "-q"]
    result = RUNNER.invoke(app, command(items, script, tmp_path / "run", *more))
    assert result.exit_code == 0, result.output
    assert "2 of 3 items are left out" in result.output
    given = {entry.method: entry.score and entry.score.given for entry in played(tmp_path / "run")}
    assert given == {"given": "B", "direct": "A"}
    [entry] = [entry for entry in played(tmp_path / "run") if entry.method == "given"]
    assert entry.record.final.text.startswith("Bob sleeps.")
    assert settings(tmp_path / "run")["source"] == f"{items}, answers of {answers}"


def test_several_files_make_one_run(script: Path, tmp_path: Path) -> None:
    write_items([TRUE], tmp_path / "one.jsonl")
    write_items([replace(FALSE, dataset="", gold=None)], tmp_path / "two.jsonl")
    more = ["--items", f"{tmp_path / 'two.jsonl'}", "--dataset", "mine", "--method", "direct", "--no-measure", "-q"]
    result = RUNNER.invoke(app, command(tmp_path / "one.jsonl", script, tmp_path / "run", *more))
    assert result.exit_code == 0, result.output
    assert {entry.problem: entry.domain for entry in played(tmp_path / "run")} == {"i1": "bakery", "i2": "mine"}


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--method", "magic"], "unknown method 'magic'; there are direct"),
        (["--method", "direct,direct"], "'direct' is named twice"),
        (["--method", "given"], "takes answers that were written before"),
        (["--formal", "maybe"], "unknown kind of formulas 'maybe'"),
        (["--routing", "luck"], "unknown routing 'luck'"),
        (["--formulas", "0"], "--formulas"),
        (["--draw-temperature", "-1"], "--draw-temperature"),
        (["--draw-temperature", "inf"], "temperature must be a number"),
        (["--judges", "0"], "--judges"),
        (["--rounds", "0"], "--rounds"),
        (["--least-score", "2"], "--least-score"),
        (["--round-trip", "-1"], "--round-trip"),
        (["--solver-timeout-s", "0"], "timeout_s"),
        (["--limit", "0"], "--limit"),
        (["--items", "nowhere"], "nowhere"),
        (["--answers", "nowhere"], "nowhere"),
        (["--formalizer", "nowhere"], "no model 'nowhere'"),
        (["--model", "sim/labels"], "sim/labels"),
    ],
)
def test_what_does_not_fit_is_refused_before_anything_is_asked(
    items: Path, script: Path, tmp_path: Path, more: list[str], message: str
) -> None:
    result = RUNNER.invoke(app, [*command(items, script, tmp_path), *more])
    assert result.exit_code != 0
    assert message in (result.output + str(result.exception))
    assert not list(tmp_path.iterdir())


@needs_data
@pytest.mark.slow
def test_what_people_wrote_proves_the_right_options_of_real_items(script: Path, tmp_path: Path) -> None:
    """The labels of three FOLIO records do not follow from their formulas."""
    more = ["--items", f"{DEDUCTION}", "--limit", "40", *PLAIN, "--method", "solver_only"]
    result = RUNNER.invoke(app, command(FOLIO, script, tmp_path, *more))
    assert result.exit_code == 0, result.output
    found = played(tmp_path)
    assert Counter(entry.domain for entry in found) == {"folio": 20, "logical_deduction": 20}
    wrong = {entry.problem for entry in found if entry.score is not None and not entry.score.correct}
    assert wrong == {"FOLIO_dev_5", "FOLIO_dev_27", "FOLIO_dev_29"}


@needs_data
def test_answers_that_a_model_really_gave_count_as_their_file_says(script: Path, tmp_path: Path) -> None:
    more = ["--answers", f"{WRITTEN}", "--method", "given", "--no-measure", "-q"]
    result = RUNNER.invoke(app, command(DEDUCTION, script, tmp_path, *more))
    assert result.exit_code == 0, result.output
    said = {line["id"]: line["predicted_answer"] == line["answer"] for line in json.loads(WRITTEN.read_text())}
    right = {entry.problem: entry.score is not None and entry.score.correct for entry in played(tmp_path)}
    assert len(right) == 150
    assert right == {id: said[id] for id in right}


def test_questions_are_told_claim_by_claim(items: Path, tmp_path: Path) -> None:
    start = ["run", "verge", "--items", f"{items}", "--model", "sim/claims:wrong=1", "--out", f"{tmp_path}", "-q"]
    more = ["--formal", "gold", "--method", "cot,given", "--show-turns", "--verbose", "--max-connections", "1"]
    answers = tmp_path.with_name("said.jsonl")
    answers.write_text('{"id": "i2", "answer": "Bob is a baker. Ada is a baker.", "option": "A"}\n')
    live = RUNNER.invoke(app, [*start, *more, "--answers", f"{answers}"])
    assert live.exit_code == 0, live.output
    assert "[2/2] i2, turn 1 of 1, given\n  P1: All bakers rise early.\n" in live.stdout
    assert "  A) True\n  B) False\n  C) Uncertain\n" in live.stdout
    assert '    C1 contradictory: "Bob is a baker."\n' in live.stdout
    assert '    C2 entailed: "Ada is a baker."\n' in live.stdout
    assert "Score 0.25: not accepted, too low. To change: C1.\n  A, drift; wrong, it is B\n" in live.stdout
    assert "i2, given: first-order: sentences about things of any number\n" in live.stderr
    again = RUNNER.invoke(app, [*start, *more, "--answers", f"{answers}"])
    assert again.stdout == live.stdout, "a finished run is told again from its journal, without asking anybody"
