"""`holdtrue report` on runs about claims, queries and searches, in all its forms."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from holdtrue.cli.exits import fail
from holdtrue.cli.main import app
from holdtrue.errors import HoldtrueError
from tests.lab.kinds.claims import runs as claims
from tests.lab.kinds.labels import runs as labels
from tests.lab.kinds.search import runs as searches


@dataclass(frozen=True)
class Shown:
    """A run in `folder` with its report on a screen, under `--turns`, in LaTeX and as JSON."""

    folder: Path
    screen: str
    turns: Sequence[str]
    latex: str
    parts: set[str]
    """The part of its JSON that only its kind has."""
    planned: int
    row: dict[str, object]
    """The first row of its JSON."""


@pytest.fixture(params=["claims", "labels", "searches"])
def shown(request: pytest.FixtureRequest, tmp_path: Path) -> Shown:
    match request.param:
        case "claims":
            return Shown(
                claims.write(tmp_path / "run", claims.answers()),
                "restate_premises says the context again",
                [
                    "p, turn 1 of 1, verge\n  P1: All cats purr.\n",
                    '      It follows from: P1 "All cats purr"; P2 "Tom is a cat".\n',
                    "  B, consistent; wrong, it is A\n",
                ],
                r"restate\_premises says the context again",
                {"perturbed", "cliffs"},
                9,
                {"accuracy": {"value": 1 / 3, "hits": 1}},
            )
        case "labels":
            return Shown(
                labels.write(tmp_path / "run", [*labels.queries(), *labels.controls()]),
                "Consistency says nothing without accuracy",
                ["maxsat_repair"],
                "UNKNOWN throughout",
                set(),
                6,
                {"accuracy": {"value": 0.875}, "confusion": {"UNKNOWN": {"CONTRADICTED": 1}}},
            )
        case _:
            return Shown(
                searches.write(tmp_path / "run", [*searches.searches(), *searches.controls()]),
                "always_unsat verifies 33.3% of its 3 trials",
                ["p, trial 1 of 1, cd_vgs", "To revise x1, x2; to keep x3."],
                r"always\_unsat verifies 33.3\%",
                {"robustness", "frontier"},
                12,
                {"verified": {"hits": 1}},
            )


def report(*args: object) -> Result:
    return CliRunner().invoke(app, ["report", *map(str, args)])


def holds(found: object, wanted: object) -> bool:
    """Return whether `found` has all values of `wanted`."""
    if isinstance(found, dict) and isinstance(wanted, dict):
        return all(name in found and holds(found[name], part) for name, part in wanted.items())
    return found == wanted


def test_tables_and_turns_on_a_screen(shown: Shown) -> None:
    for options in ((), ("--table", "results"), ("--all",)):
        result = report(shown.folder, *options)
        assert result.exit_code == 0
        assert " ".join(result.stdout.split()).count(shown.screen) == 1, "it stands above all tables"
    told = report(shown.folder, "--turns").stdout
    assert all(part in told for part in shown.turns)


def test_json_holds_everything(shown: Shown) -> None:
    found = json.loads(report(shown.folder, "--json").stdout)
    every = {"prices", "unpriced", "right_costs", "gains", "schema", "suite", "remarks", "runs", "comparisons"}
    assert set(found) == every | shown.parts
    [run] = found["runs"]
    assert (run["complete"], run["planned"], run["finished"]) == (True, shown.planned, shown.planned)
    assert holds(run["rows"][0], shown.row)


def test_everything_is_written_at_once_and_no_model_and_no_solver_is_loaded(shown: Shown, tmp_path: Path) -> None:
    page, tables, rows = tmp_path / "page.html", tmp_path / "tex", tmp_path / "rows.parquet"
    words = ["report", shown.folder, "--html", page, "--latex", tables, "--parquet", rows]
    script = (
        "import sys\n"
        "from holdtrue.cli.main import app\n"
        f"app({[str(word) for word in words]!r}, standalone_mode=False)\n"
        f"app({['report', str(shown.folder), '--turns']!r}, standalone_mode=False)\n"
        "print(*sys.modules, sep='\\n', file=sys.stderr)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert page.read_bytes().startswith(b"<!doctype html>")
    assert shown.latex in (tables / "results.tex").read_text(encoding="utf-8")
    assert rows.read_bytes()[:4] == b"PAR1"
    loaded = set(done.stderr.splitlines())
    assert {"jinja2", "matplotlib", "polars"} <= loaded
    solvers, models = ("pysat", "z3", "holdtrue.solving", "holdtrue.conversation"), ("openai", "xllamacpp")
    assert not {name for name in loaded if name.startswith((*solvers, *models, "holdtrue_lab.kit.simulation"))}


@pytest.mark.parametrize("door", [(), ("--json",), ("--parquet", "rows.parquet")])
def test_different_suites_are_refused_at_every_door(tmp_path: Path, door: tuple[str, ...]) -> None:
    folder = labels.write(tmp_path / "run", labels.queries())
    other = labels.write(tmp_path / "other", labels.dialogue(), suite="belief")
    result = report(folder, other, *door)
    assert isinstance(result.exception, HoldtrueError)
    assert "report them one by one" in str(result.exception)
    assert fail(result.exception) == 2
