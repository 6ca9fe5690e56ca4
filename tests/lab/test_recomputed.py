"""Reports agree with an independent reading of a run's files, intervals included."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from holdtrue.kinds.assignment.method import find_method
from holdtrue.models.model_registry import open_model
from holdtrue_lab.kinds.labels.simulation import SimulatedAnswerer
from holdtrue_lab.kit.report import open_report
from holdtrue_lab.kit.runner import run
from holdtrue_lab.suites.cross_query.generate import generate as generate_cases
from holdtrue_lab.suites.drift.generate import generate as generate_problems
from tests.lab.kinds.labels.study import plan_labels
from tests.lab.kit.plans import plan_for
from tests.lab.kit.runs import make
from tests.lab.recomputed import Entry, assert_paired, check_assignments, check_labels, means_of, read_run

DRIFT = "sim/forget:0.4+malform:0.1@3"
LABELS = "sim/labels:wrong=0.4,confidence=0.9/0.6@3"


def reported(folder: Path) -> dict[str, Any]:
    """Return the JSON of the report."""
    found: dict[str, Any] = json.loads(json.dumps(open_report([folder]).to_json()))
    return found


def rows(report: dict[str, Any]) -> dict[str, dict[str, Any]]:
    [run] = report["runs"]
    return {row["arm"]["method"]: row for row in run["rows"] if row["domain"] is None}


def check_tests(
    comparisons: Sequence[dict[str, Any]], turns: dict[str, list[Entry]], right: Callable[[Entry], Sequence[bool]]
) -> None:
    assert comparisons
    for each in comparisons:
        one, other = (means_of(turns[each[side]["method"]], right) for side in ("arm", "other"))
        assert_paired(each["paired"], one, other)


@pytest.mark.slow
def test_a_run_about_assignments(tmp_path: Path) -> None:
    plan = make(9, ("direct", "drift_repair_project", "random_legal"), turns=10, model=DRIFT)
    asyncio.run(run(plan, open_model(DRIFT), tmp_path))
    settings, turns = read_run(tmp_path)
    assert settings["suite"] == "drift"
    report = reported(tmp_path)
    for method, row in rows(report).items():
        check_assignments(turns[method], row)
    check_tests(report["comparisons"], turns, lambda entry: [entry["score"]["correct"]] if entry["score"] else [])


@pytest.mark.slow
def test_a_run_in_which_few_problems_are_long(tmp_path: Path) -> None:
    methods = [find_method(name) for name in ("direct", "mus_repair", "random_legal")]
    plan = plan_for("drift", generate_problems(9, 40), methods, model=DRIFT, extractor="templates")
    asyncio.run(run(plan, open_model(DRIFT), tmp_path))
    _, turns = read_run(tmp_path)
    assert 0 < len({entry["problem"] for entry in turns["direct"] if entry["turns"] == 10}) < 20
    for method, row in rows(reported(tmp_path)).items():
        check_assignments(turns[method], row)


def test_a_run_about_labels(tmp_path: Path) -> None:
    cases = generate_cases(9, {"relational": 4, "policy": 4})
    plan = plan_labels(cases, ["direct", "maxsat_repair", "always_unknown"], LABELS)
    asyncio.run(run(plan, SimulatedAnswerer(LABELS, cases), tmp_path))
    _, turns = read_run(tmp_path)
    report = reported(tmp_path)
    for method, row in rows(report).items():
        check_labels(turns[method], row)

    def right(entry: Entry) -> list[bool]:
        given = entry["record"]["detail"]["labels"]
        return [given.get(id) == gold for id, gold in entry["score"]["gold"].items()]

    check_tests(report["comparisons"]["accuracy"], turns, right)
    for each in report["comparisons"]["accuracy"]:
        assert each["paired"]["difference"] == pytest.approx(each["mean"] - each["other_mean"])


@pytest.mark.slow
def test_the_second_opinion_finds_a_figure_that_is_a_little_wrong(tmp_path: Path) -> None:
    plan = make(9, ("direct",), turns=10, model=DRIFT)
    asyncio.run(run(plan, open_model(DRIFT), tmp_path))
    _, turns = read_run(tmp_path)
    row = rows(reported(tmp_path))["direct"]
    for path, change in (
        (("accuracy", "low"), -0.03),
        (("accuracy", "hits"), 1),
        (("retention", "published", "value"), 0.01),
        (("retention", "published", "high"), 0.2),
        (("retention", "same_problems", "of"), 1),
        (("outcomes", "drift"), 1),
    ):
        wrong = json.loads(json.dumps(row))
        *places, last = path
        part = wrong
        for place in places:
            part = part[place]
        part[last] += change
        with pytest.raises(AssertionError):
            check_assignments(turns["direct"], wrong)
