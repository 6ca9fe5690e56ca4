"""The command `holdtrue report`."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from holdtrue.cli.exits import fail
from holdtrue.cli.main import app
from holdtrue.errors import HoldtrueError
from holdtrue_lab.kit.journal import Journal
from tests.lab.kinds.written import write_run
from tests.lab.kit.entries import DRIFTING, settings, turn


def report(*args: object) -> Result:
    return CliRunner().invoke(app, ["report", *map(str, args)])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_run(tmp_path / "run", [turn("p", 1, DRIFTING, correct=False), turn("p", 2)])


def test_the_few_tables_that_matter_are_shown_and_all_others_are_named(folder: Path) -> None:
    words = " ".join(report(folder).stdout.split())
    assert "direct 50.0%: 2/2 turns scored" in words, "the headline"
    for title in ("Accuracy of turns", "Why wrong turns are wrong", "Cost of a right answer"):
        assert title in words
    assert "The ledger against gold" not in words
    others = words.partition("Other tables (--table NAME, or --all): ")[2].split(", ")
    whole = " ".join(report(folder, "--all").stdout.split())
    assert "The ledger against gold" in whole and "Other tables" not in whole
    for name in others:
        one = report(folder, "--table", name)
        assert one.exit_code == 0 and "Accuracy of turns" not in one.stdout


def test_a_table_that_is_asked_for_says_at_length_how_it_is_read(folder: Path) -> None:
    found = " ".join(report(folder, "--table", "channels", "--table", "cost").stdout.split())
    assert "Drift: they can, and the answer breaks some." in found and "Cost of a turn" in found
    wrong = report(folder, "--table", "chanels").exception
    assert isinstance(wrong, HoldtrueError)
    assert "--table chanels: this report has no table of that name; it has: accuracy, " in str(wrong)
    assert isinstance(report(folder, "--table", "cost", "--all").exception, HoldtrueError)


@pytest.mark.parametrize(("number", "shown"), [(0, 0), (1, 1), (5, 1)])
def test_transcripts_are_as_many_as_asked_for(folder: Path, tmp_path: Path, number: int, shown: int) -> None:
    page = tmp_path / "page.html"
    assert report(folder, "--html", page, "--transcripts", number).exit_code == 0
    text = page.read_text(encoding="utf-8")
    assert f"{shown} of 1 finished problems" in text
    assert text.count('<section class="problem"') == shown


@pytest.mark.parametrize("option", ["--html", "--latex", "--parquet"])
def test_what_cannot_be_written_is_named(folder: Path, tmp_path: Path, option: str) -> None:
    (tmp_path / "file").touch()
    place = tmp_path / "file" / "out"
    result = report(folder, option, place)
    assert isinstance(result.exception, HoldtrueError)
    assert str(result.exception).startswith(str(place))
    assert fail(result.exception) == 4


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device is always full here")
def test_a_full_disk_is_named(folder: Path) -> None:
    result = report(folder, "--parquet", "/dev/full")
    assert isinstance(result.exception, HoldtrueError)
    assert str(result.exception).startswith("/dev/full cannot be written: ")
    assert fail(result.exception) == 4


def test_a_run_is_named_by_its_folder(folder: Path) -> None:
    path = folder / "journal.jsonl"
    assert str(report(path).exception) == f"{path}: a file; give its folder"


def test_turns_are_told_alone(folder: Path, tmp_path: Path) -> None:
    result = report(folder, "--turns", "--html", tmp_path / "page.html")
    assert isinstance(result.exception, HoldtrueError)
    assert fail(result.exception) == 2
    assert not (tmp_path / "page.html").exists()


def test_a_library_that_is_missing_is_named_before_anything_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "jinja2", None)
    result = report(tmp_path / "missing", "--html", tmp_path / "page.html")
    assert isinstance(result.exception, HoldtrueError)
    assert "pip install 'holdtrue[report]'" in str(result.exception)


def test_no_model_and_no_solver_is_ever_loaded(folder: Path, tmp_path: Path) -> None:
    script = (
        "import sys\n"
        "from holdtrue.cli.main import app\n"
        f"app({['report', str(folder), '--html', str(tmp_path / 'p.html'), '--json']!r}, standalone_mode=False)\n"
        f"app({['report', str(folder), '--latex', str(tmp_path), '--parquet', str(tmp_path / 'p')]!r}, "
        "standalone_mode=False)\n"
        "print(*sys.modules, sep='\\n', file=sys.stderr)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    loaded = set(done.stderr.splitlines())
    assert {"jinja2", "matplotlib", "polars", "holdtrue_lab.kit.page"} <= loaded
    never = (
        "pysat",
        "z3",
        "openai",
        "xllamacpp",
        "holdtrue.solving",
        "holdtrue.conversation",
        "holdtrue_lab.kit.simulation",
    )
    assert not {name for name in loaded if name.startswith(never)}
    assert "holdtrue.models.model_registry" not in loaded


@pytest.fixture
def other(tmp_path: Path) -> Path:
    played = [turn("p", 1), turn("p", 2, DRIFTING, correct=False)]
    return write_run(tmp_path / "other", played, temperature=0.5)


def test_two_runs_are_compared_in_every_form(folder: Path, other: Path, tmp_path: Path) -> None:
    shown = report("--compare", folder, other)
    assert shown.exit_code == 0 and "\x1b" not in shown.stdout
    assert f"A is {folder}: drift" in shown.stdout and "temperature 0.0 0.5" in shown.stdout
    assert "wrong, drift" in shown.stdout
    page, tables, rows = tmp_path / "page.html", tmp_path / "tex", tmp_path / "rows.parquet"
    written = report("--compare", folder, other, "--html", page, "--latex", tables, "--parquet", rows)
    assert (written.exit_code, written.stdout) == (0, "")
    assert page.is_file() and (tables / "turns.tex").is_file() and rows.read_bytes()[:4] == b"PAR1"
    found = json.loads(report("--compare", folder, other, "--json").stdout)
    assert [(each["turn"], each["change"]) for each in found["turns"]] == [(1, "fixed"), (2, "broken")]


def test_a_comparison_is_of_two_runs_and_tells_no_turns_in_words(folder: Path, other: Path) -> None:
    for args in ([folder], [folder, folder], [folder, other, folder], ["--turns", folder, other]):
        result = report("--compare", *args)
        assert isinstance(result.exception, HoldtrueError)
        assert fail(result.exception) == 2


def test_a_comparison_loads_no_model_and_no_solver(folder: Path, other: Path) -> None:
    script = (
        "import sys\n"
        "from holdtrue.cli.main import app\n"
        f"app({['report', '--compare', str(folder), str(other), '--json']!r}, standalone_mode=False)\n"
        "print(*sys.modules, sep='\\n', file=sys.stderr)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    never = ("pysat", "z3", "openai", "xllamacpp", "jinja2", "holdtrue.solving", "holdtrue.conversation")
    assert not {name for name in done.stderr.splitlines() if name.startswith(never)}


@pytest.mark.parametrize("name", ["missing", "empty", "begun"])
def test_a_folder_without_results_is_a_clear_error(tmp_path: Path, name: str) -> None:
    (tmp_path / "empty").mkdir()
    Journal(tmp_path / "begun", settings()).close()
    result = report(tmp_path / name)
    assert isinstance(result.exception, HoldtrueError)
    assert str(tmp_path / name) in str(result.exception)
    assert fail(result.exception) == 2


def test_prices_make_dollars_and_a_missing_one_is_told(folder: Path, tmp_path: Path) -> None:
    prices = tmp_path / "prices.toml"
    prices.write_text('["*"]\nprompt = 1\ncompletion = 1000\n', encoding="utf-8")
    found = json.loads(report(folder, "--prices", prices, "--json").stdout)
    assert found["prices"] == str(prices) and found["unpriced"] == []
    for each in found["right_costs"]:
        cost = each["per_answer"]
        expected = (cost["prompt_tokens"]["value"] + 1000 * cost["completion_tokens"]["value"]) / 1e6
        assert abs(cost["dollars"]["value"] - expected) < 1e-12
    prices.write_text('["other"]\nprompt = 1\ncompletion = 1\n', encoding="utf-8")
    told = report(folder, "--prices", prices)
    assert "there is no price of" in told.stderr
    assert "dollars" in told.stdout and told.exit_code == 0
    prices.write_text('["other"]\nprompt = -1\ncompletion = 1\n', encoding="utf-8")
    with pytest.raises(HoldtrueError, match="other: dollars"):
        raise report(folder, "--prices", prices).exception or AssertionError
