"""Runs that differ in how the model was asked are told apart."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from holdtrue.errors import RecordError
from holdtrue.evaluation.runner import run
from holdtrue.methods.method import Method
from holdtrue.methods.turn import Sampling
from holdtrue.models.registry import open_model
from holdtrue.report.page import as_page
from holdtrue.report.problems import show_problems
from holdtrue.report.read import read_report
from tests.evaluation.runs import MODEL, make


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
    sides = [[told.side.model for told in problem.conversations] for problem in show_problems(report, 3)]
    assert sides == [[models[0]] * 2 + [models[1]] * 2] * 3


def test_the_same_way_of_asking_is_pooled_as_before(tmp_path: Path) -> None:
    one, other = played(tmp_path / "a"), played(tmp_path / "b", max_connections=1)
    assert all(
        "seed" not in arm.model for arm in {row.arm for run in read_report([one, other]).runs for row in run.rows}
    )


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
