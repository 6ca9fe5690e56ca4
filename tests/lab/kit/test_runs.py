"""Runs that differ in how the model was called get different names."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from holdtrue.errors import RecordError
from holdtrue.kinds.assignment.method import Method
from holdtrue.models.model_registry import open_model
from holdtrue.models.sampling import Sampling
from holdtrue_lab.kinds.assignment.shown import show_problems
from holdtrue_lab.kinds.search.report import SearchReport
from holdtrue_lab.kit.page import as_page
from holdtrue_lab.kit.report import open_report
from holdtrue_lab.kit.runner import run
from tests.lab.conftest import read_report
from tests.lab.kinds.search.runs import claimed, failed, repaired, write
from tests.lab.kit.runs import MODEL, make


def played(folder: Path, **changes: Any) -> Path:
    plan = make(3, methods=("direct", "project"), turns=2, **changes)
    asyncio.run(run(plan, open_model(MODEL), folder))
    return folder


def test_another_seed_is_a_row_of_its_own_everywhere(tmp_path: Path) -> None:
    folders = [played(tmp_path / str(seed), sampling=Sampling(seed=seed)) for seed in (1, 2)]
    report = read_report(folders)
    models = [f"{MODEL}, seed 1", f"{MODEL}, seed 2"]
    assert [group.label for group in report.groups] == models
    assert [each.arm.model for each in report.comparisons] == models
    assert all(each.paired.problems == 3 for each in report.comparisons)
    page = as_page(report, 3)
    assert all(page.count(model) > 3 for model in models)
    sides = [[talk.side.model for talk in problem.conversations] for problem in show_problems(report, 3)]
    assert sides == [[models[0]] * 2 + [models[1]] * 2] * 3


def test_the_same_way_of_asking_is_pooled_as_before(tmp_path: Path) -> None:
    one, other = played(tmp_path / "a"), played(tmp_path / "b", max_connections=1)
    runs = read_report([one, other]).runs
    assert all("seed" not in row.arm.model for run in runs for row in run.rows)


def test_other_problems_may_be_asked_otherwise(tmp_path: Path) -> None:
    one, other = played(tmp_path / "a"), played(tmp_path / "b", sampling=Sampling(seed=7))
    journal = other / "journal.jsonl"
    journal.write_text(journal.read_text().replace('"problem":"', '"problem":"other_'))
    assert {row.arm.model for run in read_report([one, other]).runs for row in run.rows} == {MODEL}


def test_one_name_for_two_methods_is_refused(tmp_path: Path) -> None:
    folders = [played(tmp_path / name) for name in ("a", "b")]
    for folder, repairs in zip(folders, (1, 2), strict=True):
        settings = json.loads((folder / "settings.json").read_text())
        settings["own_methods"] = {"mine": {"name": Method("mine").name, "repairs": repairs}}
        (folder / "settings.json").write_text(json.dumps(settings))
    with pytest.raises(RecordError, match="different methods by 'mine'"):
        read_report(folders)
    assert read_report(folders[:1]).groups


LIMITS = {"k": 4, "rounds": 4, "tokens": None, "seconds": None, "seeds": 1, "timeout_s": 1.5}


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"play": {**LIMITS, "tokens": 60}}, ("tokens a trial unlimited", "tokens a trial 60")),
        ({"play": {**LIMITS, "seconds": 2.5}}, ("seconds a trial unlimited", "seconds a trial 2.5")),
        ({"play": {**LIMITS, "timeout_s": 9.0}}, ("solver timeout 1.5", "solver timeout 9.0")),
        ({"temperature": 1.5}, ("temperature 0.0", "temperature 1.5")),
    ],
)
@pytest.mark.parametrize("method", ["cd_vgs", "multi_no_feedback"])
def test_searches_are_compared_at_the_same_budget_alone(
    tmp_path: Path, method: str, change: dict[str, Any], named: tuple[str, str]
) -> None:
    """This also holds if the two runs have no method in common."""
    one = write(tmp_path / "one", [repaired("p"), repaired("q")], play=LIMITS, temperature=0.0)
    entries = [each("p") for each in (repaired, failed)] if method == "cd_vgs" else [failed("p"), failed("q")]
    other = write(tmp_path / "other", entries, **{"play": LIMITS, "temperature": 0.0, **change})
    report = open_report([one, other])
    assert isinstance(report, SearchReport)
    assert [group.label for group in report.groups] == [f"sim/test, {how}" for how in named]
    assert [(each.arm.method, each.paired.problems) for each in report.comparisons] == (
        [("multi_no_feedback", 1)] if method == "cd_vgs" else []
    )


def test_searches_at_the_same_budget_are_compared_across_runs(tmp_path: Path) -> None:
    """The number of trials does not change the budget of one."""
    one = write(tmp_path / "one", [repaired("p"), claimed("u", "cd_vgs", gold="unsat")], play=LIMITS)
    other = write(tmp_path / "other", [failed("p")], play={**LIMITS, "seeds": 3})
    report = open_report([one, other])
    assert isinstance(report, SearchReport)
    [comparison] = report.comparisons
    assert (comparison.arm.model, comparison.paired.problems) == ("sim/test", 1)
