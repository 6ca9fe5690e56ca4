from __future__ import annotations

import io
import json
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from holdtrue.cli.main import app
from holdtrue.errors import SettingsError
from holdtrue.kinds.labels.prompts import prompt_templates
from holdtrue.models.chat import Request, user
from holdtrue.models.scripted import ScriptModel
from holdtrue_claims.cli import WatchedModel
from holdtrue_lab.cli.benchmarks import told_once
from holdtrue_lab.kit.journal import read_entries
from holdtrue_lab.suites.cross_query.card import share_out
from holdtrue_lab.suites.cross_query.files import load_cases
from holdtrue_lab.suites.cross_query.generate import generate

RUNNER = CliRunner()


def test_generates_and_validates_a_benchmark(tmp_path: Path) -> None:
    options = ["generate", "cross_query", "--seed", "3", "--count", "6", "--out", str(tmp_path)]
    shown = CliRunner().invoke(app, options)
    assert shown.exit_code == 0, shown.output
    cases = generate(3, share_out(6))
    queries = sum(len(case.queries) for case in cases)
    assert shown.output == f"6 cases with {queries} queries in {tmp_path}: 6 in train, 0 in dev, 0 in test\n"
    assert load_cases(tmp_path) == cases
    assert json.loads((tmp_path / "prompt_templates_v2.json").read_text("utf-8")) == prompt_templates()

    again = CliRunner().invoke(app, options)
    assert isinstance(again.exception, SettingsError) and str(tmp_path) in str(again.exception)

    found = CliRunner().invoke(app, ["validate", str(tmp_path)])
    assert found.exit_code == 0, found.output
    assert found.output == f"6 cases, {queries} of {queries} labels proved again by z3: nothing is wrong\n"

    full = tmp_path / "benchmark_full_v2.json"
    full.write_text(full.read_text("utf-8").replace('"label": "UNKNOWN"', '"label": "ENTAILED"', 1), "utf-8")
    spoilt = CliRunner().invoke(app, ["validate", str(tmp_path)])
    assert spoilt.exit_code == 1
    assert ": the label is ENTAILED, and UNKNOWN is proved\n" in spoilt.output
    assert f"{queries - 1} of {queries} labels proved again by z3: " in spoilt.output


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    path = tmp_path / "benchmark_full_v2.json"
    path.write_text("{}")
    result = CliRunner().invoke(app, ["validate", str(path)])
    assert isinstance(result.exception, SettingsError) and f"{path}: no folder" in str(result.exception)


def test_a_solver_needs_some_time(tmp_path: Path) -> None:
    assert CliRunner().invoke(app, ["validate", str(tmp_path), "--timeout-s", "0"]).exit_code == 2


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("watched", [True, False])
async def test_calls_are_told_on_a_terminal_only(watched: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    shown = Terminal() if watched else io.StringIO()
    monkeypatch.setattr("sys.stderr", shown)
    model = WatchedModel(ScriptModel(["Yes.", "No."]))
    replies = [(await model.complete(Request((user("So?"),), purpose))).text for purpose in ("judge", "retell")]
    await model.aclose()
    assert (replies, model.name) == (["Yes.", "No."], "script")
    lines = [line.strip() for line in shown.getvalue().split("\r")]
    assert lines == (["", "call 1: judge", "call 2: retell", "", ""] if watched else [""])


def test_faults_of_one_kind_are_told_once_with_their_number(tmp_path: Path) -> None:
    RUNNER.invoke(app, ["generate", "belief", "--count", "60", "--out", str(tmp_path)])
    path = tmp_path / "dialogues_stress.json"
    path.write_text(path.read_text("utf-8").replace('"label": "UNKNOWN"', '"label": "ENTAILED"'), "utf-8")
    found = RUNNER.invoke(app, ["validate", str(tmp_path)])
    every = RUNNER.invoke(app, ["validate", str(tmp_path), "--every"])
    lines, all_lines = found.stdout.splitlines(), every.stdout.splitlines()
    assert found.exit_code == every.exit_code == 1 and lines[-1] == all_lines[-1]
    assert len(lines) < 30 < len(all_lines)
    assert f"({len(all_lines) - 1} times)" in lines[0] and "the label is ENTAILED, and UNKNOWN is proved" in lines[0]


@given(st.lists(st.tuples(st.sampled_from("abcdefgh"), st.integers(0, 99)), max_size=200))
def test_no_fault_is_lost_when_they_are_told_once(faults: list[tuple[str, int]]) -> None:
    lines = told_once([f"{place}: {place} has {number} of '{number}'" for place, number in faults])
    kinds = Counter(place for place, _ in faults)
    assert len(lines) == len(kinds) <= 25
    assert sorted(f"({count} times)" for count in kinds.values() if count > 1) == sorted(
        line[line.rindex("(") :] for line in lines if line.endswith("times)")
    )


def test_solutions_of_drift_problems_are_checked(tmp_path: Path) -> None:
    RUNNER.invoke(app, ["generate", "drift", "--count", "6", "--out", str(tmp_path)])
    assert RUNNER.invoke(app, ["validate", str(tmp_path)]).exit_code == 0
    path = next(tmp_path.rglob("seating_*.json"))
    record = json.loads(path.read_text())
    for turn in record["turns"]:
        first, second, *_ = turn["gold_solution"]
        own = turn["gold_solution"]
        own[first], own[second] = own[second], own[first]
    path.write_text(json.dumps(record))
    found = RUNNER.invoke(app, ["validate", str(tmp_path)])
    assert found.exit_code == 1 and path.name in found.stdout and "breaks a constraint" in found.stdout


def test_splits_are_chosen_and_a_mixture_is_said(tmp_path: Path) -> None:
    root = tmp_path / "repository"
    RUNNER.invoke(app, ["generate", "drift", "--count", "12", "--out", str(root / "data" / "problems")])

    def problems(folder: Path, *more: str) -> tuple[set[str], str]:
        out = tmp_path / f"run{len(list(tmp_path.iterdir()))}"
        command = ["run", "drift", "--problems", str(folder), "--model", "sim/perfect", "--method", "direct", "-q"]
        done = RUNNER.invoke(app, [*command, "--out", str(out), *more])
        assert done.exit_code == 0, done.output
        return {entry.problem for entry in read_entries(out)}, done.stderr

    dev, test = (problems(root, "--split", name)[0] for name in ("dev", "test"))
    mixed, told = problems(root)
    assert dev and test and not dev & test and mixed == dev | test
    assert f"{len(dev)} of dev and {len(test)} of test are played together; --split" in told
    assert problems(root, "--split", "all")[1] == ""
    assert problems(root / "data" / "problems" / "dev") == (dev, "")
    wrong = RUNNER.invoke(app, ["run", "drift", "--problems", str(root), "--split", "train", "--model", "sim/perfect"])
    assert "unknown split 'train'; there are dev, test, all" in str(wrong.exception)
