from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from holdtrue.cli.main import app
from holdtrue_lab.kinds.labels.entry import LabelEntry
from holdtrue_lab.kit.journal import read_entries
from holdtrue_lab.suites.belief.files import write_dialogues
from holdtrue_lab.suites.belief.generate import generate_dialogues
from holdtrue_lab.suites.cross_query.files import write_benchmark
from holdtrue_lab.suites.cross_query.generate import generate

RUNNER = CliRunner()


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a small benchmark, and one with dialogues."""
    folder = tmp_path_factory.mktemp("made")
    cases = generate(7, {"relational": 6, "temporal": 2, "policy": 2, "underspecified": 3})
    write_benchmark(cases, folder / "cases", {})
    write_dialogues(generate_dialogues(7, 3, turns=4), folder / "dialogues")
    return folder


def played(folder: Path) -> list[LabelEntry]:
    return [entry for entry in read_entries(folder) if isinstance(entry, LabelEntry)]


def test_cases_are_played_and_go_on_where_they_ended(made: Path, tmp_path: Path) -> None:
    command = ["run", "cross_query", "--cases", f"{made / 'cases'}", "--model", "sim/labels:wrong=0.3", "-q"]
    command += ["--out", f"{tmp_path / 'run'}"]
    first = RUNNER.invoke(app, [*command, "--limit", "3"])
    assert first.exit_code == 0, first.output
    assert "15 of 15 turns" in first.output
    before = (tmp_path / "run" / "journal.jsonl").read_bytes()
    again = RUNNER.invoke(app, [*command, "--limit", "5"])
    assert again.exit_code == 0, again.output
    assert (tmp_path / "run" / "journal.jsonl").read_bytes().startswith(before)
    entries = played(tmp_path / "run")
    assert len(entries) == 25
    assert {entry.method for entry in entries} == {
        "direct",
        "check_repair",
        "maxsat_repair",
        "always_unknown",
        "one_model",
    }
    assert all(entry.score is not None and entry.score.whole is not None for entry in entries)


def test_dialogues_are_played_under_policies(made: Path, tmp_path: Path) -> None:
    command = ["run", "belief", "--dialogues", f"{made / 'dialogues'}", "--model", "sim/labels:wrong=0.3", "-q"]
    result = RUNNER.invoke(app, [*command, "--method", "none,min_change", "--out", f"{tmp_path}"])
    assert result.exit_code == 0, result.output
    assert len(played(tmp_path)) == 24


def test_premises_stand_in_the_first_turn_and_are_told(made: Path, tmp_path: Path) -> None:
    command = ["run", "belief", "--dialogues", f"{made / 'dialogues'}", "--model", "sim/labels:wrong=0.3", "-q"]
    assert RUNNER.invoke(app, [*command, "--limit", "1", "--method", "none", "--out", f"{tmp_path}"]).exit_code == 0
    case = generate_dialogues(7, 3, turns=4)[0]
    premises = tuple(premise.text for premise in case.premises)
    assert [entry.problem_lines for entry in played(tmp_path)] == [premises, (), (), ()]
    shown = RUNNER.invoke(app, ["report", f"{tmp_path}", "--turns"]).output
    assert [shown.count(f"  P{n}: {text}\n") for n, text in enumerate(premises, start=1)] == [1] * len(premises)


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--split", "nowhere"], "no case of the split 'nowhere'"),
        (["--method", "magic"], "unknown method 'magic'"),
        (["--ask", "all"], "one, bundle"),
        (["--formal", "maybe"], "gold, llm"),
        (["--split", "tset"], "'tset'; there: train"),
        (["--model", "sim/labels:wrong=2"], "wrong"),
    ],
)
def test_what_does_not_fit_is_refused_before_anything_is_asked(
    made: Path, tmp_path: Path, more: list[str], message: str
) -> None:
    command = ["run", "cross_query", "--cases", f"{made / 'cases'}", "--out", f"{tmp_path}", "--model", "sim/labels"]
    result = RUNNER.invoke(app, [*command, *more])
    assert result.exit_code != 0
    assert message in (result.output + str(result.exception))
    assert not list(tmp_path.iterdir())
