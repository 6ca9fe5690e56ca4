"""Reports on the kept runs are as they were kept: every table, figure and row of every kind of answer, in seconds.

The runs themselves are not played again; `test_frozen` does that.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.frozen.kept_runs import kept, write_run
from tests.frozen.playing import ENVIRONMENT, holdtrue, parquet_rows
from tests.frozen.suites import COMPARED, RUNS

FORMS = ("--all", "--turns", "--json")
ORDERED = frozenset({"cegvr --turns", "verge_mended --turns", "verge_mended --parquet"})
"""Reports that show keys of a journal in their order, which the kept records have lost."""
ABOUT_PROMPTS = frozenset({"differences", "prompts", "remarks"})
"""Parts of a comparison that need the text of prompts, which the kept records have not."""


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, value in ENVIRONMENT.items():
        monkeypatch.setenv(name, value)


@pytest.mark.parametrize("name", RUNS)
def test_reports_on_a_kept_run_are_as_they_were_kept(name: str) -> None:
    folder, reports = write_run(name, Path(f"run_{name}")), kept("reports")
    found: dict[str, Any] = {form: holdtrue("report", folder, form) for form in FORMS}
    wanted = {form: reports[f"report/{name}/{form}"] for form in FORMS}
    rows = Path(f"{name}.parquet")
    assert holdtrue("report", folder, "--parquet", rows) == reports[f"parquet/{name}"]
    found["--parquet"], wanted["--parquet"] = parquet_rows(rows), reports[f"parquet/{name}/rows"]
    for form in found:
        if f"{name} {form}" not in ORDERED and not (form == "--parquet" and name.startswith("guard")):
            assert found[form] == wanted[form], form


@pytest.mark.parametrize(("one", "other"), COMPARED)
def test_comparisons_of_kept_runs_are_as_they_were_kept(one: str, other: str) -> None:
    folders = [write_run(name, Path(f"run_{name}")) for name in (one, other)]
    found = holdtrue("report", *folders, "--compare", "--json").get("out", {})
    wanted = kept("reports")[f"compare/{one}/{other}/--json"].get("out", {})
    assert found.keys() == wanted.keys()
    for part in found.keys() - ABOUT_PROMPTS:
        assert found[part] == wanted[part], part
