from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from holdtrue.cli.main import app
from holdtrue.kinds.search.method import SEARCH_PRESETS
from holdtrue_lab.kinds.search.entry import SearchEntry
from holdtrue_lab.kit.journal import read_entries
from holdtrue_lab.suites.cegvr import SUITE
from tests.lab.kinds.search.problems import write_original

RUNNER = CliRunner()
MODEL = "sim/search:p=0.2,core=0.3,claim=0.3,malformed=0.1@1"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with one problem that has a solution, and one that has none."""
    return write_original(tmp_path_factory.mktemp("made") / "problems")


def command(problems: Path, out: Path, *more: str, model: str = MODEL) -> list[str]:
    start = ["run", "cegvr", "--problems", f"{problems}", "--model", model, "--out", f"{out}"]
    return [*start, "--k", "2", "--rounds", "2", "--seeds", "2", *more]


def played(folder: Path) -> list[SearchEntry]:
    return [entry for entry in read_entries(folder) if isinstance(entry, SearchEntry)]


def settings(folder: Path) -> dict[str, object]:
    found: dict[str, object] = json.loads((folder / "settings.json").read_text())
    return found


def test_all_arms_and_controls_are_played_where_none_is_named() -> None:
    assert SUITE.methods.split(",") == list(SEARCH_PRESETS)


def test_problems_are_searched_and_go_on_where_they_ended(made: Path, tmp_path: Path) -> None:
    first = RUNNER.invoke(app, command(made, tmp_path / "run", "-q", "--limit", "1"))
    assert first.exit_code == 0, first.output
    assert "20 of 20 turns" in first.output
    before = (tmp_path / "run" / "journal.jsonl").read_bytes()
    again = RUNNER.invoke(app, command(made, tmp_path / "run", "-q"))
    assert again.exit_code == 0, again.output
    assert (tmp_path / "run" / "journal.jsonl").read_bytes().startswith(before)
    entries = played(tmp_path / "run")
    assert len(entries) == 40
    assert {entry.method for entry in entries} == set(SEARCH_PRESETS)
    assert {entry.score.gold for entry in entries if entry.score is not None} == {"sat", "unsat"}
    assert {entry.record.variant for entry in entries} == {"2x2"}


def test_options_become_settings(made: Path, tmp_path: Path) -> None:
    given = [
        "--tokens",
        "700",
        "--seconds",
        "30",
        "--solver-timeout-s",
        "0.25",
        "--temperature",
        "0.7",
        "--max-tokens",
        "99",
    ]
    result = RUNNER.invoke(app, command(made, tmp_path, *given, "--method", "one_shot", "-q", "--seed", "7"))
    assert result.exit_code == 0, result.output
    found = settings(tmp_path)
    assert found["play"] == {"k": 2, "rounds": 2, "tokens": 700, "seconds": 30.0, "seeds": 2, "timeout_s": 0.25}
    assert [found[key] for key in ("temperature", "max_tokens", "seed")] == [0.7, 99, 7]


def test_revealing_plays_what_can_reveal_once_more_and_names_it(made: Path, tmp_path: Path) -> None:
    named = "multi_generic_feedback,multi_unsat_core_feedback,cd_vgs_core_rank+witness,cd_vgs"
    result = RUNNER.invoke(app, command(made, tmp_path, "-q", "--reveal-witness", "--method", named))
    assert result.exit_code == 0, result.output
    assert list(dict.fromkeys(entry.method for entry in played(tmp_path))) == [
        "multi_generic_feedback",
        "multi_unsat_core_feedback",
        "multi_unsat_core_feedback+witness",
        "cd_vgs_core_rank+witness",
        "cd_vgs",
    ]
    assert settings(tmp_path)["own_methods"] == {}


def test_a_witness_may_be_revealed_beside_the_same_arm_without_it(made: Path, tmp_path: Path) -> None:
    named = "cd_vgs_core_rank,cd_vgs_core_rank+witness"
    result = RUNNER.invoke(app, command(made, tmp_path, "-q", "--method", named))
    assert result.exit_code == 0, result.output
    assert {entry.method for entry in played(tmp_path)} == set(named.split(","))


def test_trials_are_told_candidate_by_candidate(made: Path, tmp_path: Path) -> None:
    more = ["--method", "cd_vgs,always_unsat,solver_only", "--max-connections", "1", "--show-turns", "-q"]
    model = "sim/search:p=0"
    live = RUNNER.invoke(app, command(made, tmp_path, *more, model=model))
    assert live.exit_code == 0, live.output
    assert "[1/12] linear-sat-1, trial 1 of 2, cd_vgs\n" in live.stdout
    assert live.stdout.count("  y1, y2, y3: integers from 0 to 5\n") == 6, "once for each problem and method"
    assert live.stdout.count("  candidate 4 (round 2): ") == 4
    feedback_lines = [line for line in live.stdout.splitlines() if "Told of candidate" in line]
    assert len(feedback_lines) == 8, "each candidate of the second round was told of a failure"
    endings = {
        "  failed certification; wrong, it is sat": 2,
        "  failed certification; wrong, it is unsat": 2,
        "  false unsat claim; wrong, it is sat": 2,
        "  certified sat; right": 2,
        "  certified unsat; right": 4,
    }
    assert {line: live.stdout.splitlines().count(line) for line in endings} == endings
    again = RUNNER.invoke(app, command(made, tmp_path, *more, model=model))
    assert again.stdout == live.stdout, "a finished run is told again from its journal, without asking anybody"


def test_a_run_with_other_limits_is_another_run(made: Path, tmp_path: Path) -> None:
    assert RUNNER.invoke(app, command(made, tmp_path, "-q", "--method", "one_shot")).exit_code == 0
    refused = RUNNER.invoke(app, [*command(made, tmp_path, "-q", "--method", "one_shot"), "--k", "3"])
    assert refused.exit_code != 0
    assert "  k: was " in str(refused.exception)


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--method", "magic"], "unknown method 'magic'; there are one_shot"),
        (["--method", "cd_vgs+witness"], "unknown method 'cd_vgs+witness'"),
        (["--method", "cd_vgs,cd_vgs"], "'cd_vgs' is named twice"),
        (["--method", "cd_vgs,one_shot", "--reveal-witness"], "none of cd_vgs, one_shot can show a solution"),
        (["--k", "0"], "--k"),
        (["--rounds", "0"], "--rounds"),
        (["--k", "100", "--rounds", "100"], "k times rounds may be 1000 at most"),
        (["--seeds", "0"], "--seeds"),
        (["--tokens", "0"], "--tokens"),
        (["--seconds", "0"], "seconds must be more than 0"),
        (["--solver-timeout-s", "0"], "timeout_s"),
        (["--limit", "0"], "--limit"),
        (["--variants"], "--variants: there are none in"),
        (["--problems", "nowhere"], "nowhere"),
        (["--model", "sim/search:p=2"], "p=2"),
        (["--model", "sim/labels"], "sim/labels"),
    ],
)
def test_what_does_not_fit_is_refused_before_anything_is_asked(
    made: Path, tmp_path: Path, more: list[str], message: str
) -> None:
    result = RUNNER.invoke(app, [*command(made, tmp_path), *more])
    assert result.exit_code != 0
    assert message in (result.output + str(result.exception))
    assert not list(tmp_path.iterdir())
