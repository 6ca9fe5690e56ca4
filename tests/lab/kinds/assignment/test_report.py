from __future__ import annotations

from pathlib import Path

from holdtrue_lab.kinds.assignment.metrics import MEASURE as measure_run
from holdtrue_lab.kit.folder import read_run
from holdtrue_lab.kit.journal import Journal
from tests.lab.conftest import read_report
from tests.lab.kit.entries import failure, settings, turn


def test_a_limit_makes_the_run_smaller(tmp_path: Path) -> None:
    with Journal(tmp_path, settings(problems=3, limit=1)) as journal:
        journal.append(turn("p", 1))
        journal.append(turn("p", 2))
    assert read_run(tmp_path, measure_run).complete


def test_a_method_that_only_failed_is_named_by_the_settings(tmp_path: Path) -> None:
    with Journal(tmp_path, settings()) as journal:
        journal.append(failure("p"))
    [whole, _] = read_run(tmp_path, measure_run).rows
    assert (whole.arm.model, whole.arm.protocol, whole.arm.extractor) == ("sim/test", "stated", "templates")


def test_controls_are_the_methods_that_never_ask_a_model(tmp_path: Path) -> None:
    own = {"chance": {"answerer": "random_legal"}, "mine": {"answerer": "model"}}
    with Journal(tmp_path, settings(own_methods=own)) as journal:
        for method in ("direct", "chance", "solver_only"):
            journal.append(turn("p", 1, turns=1, method=method))
    assert read_report([tmp_path]).controls == {"chance", "solver_only"}
