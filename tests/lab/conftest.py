"""Two short runs for all report tests: two models, with the same problems and methods."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest

from holdtrue.models.model_registry import open_model
from holdtrue_lab.kinds.assignment.metrics import MEASURE as measure_run
from holdtrue_lab.kinds.assignment.report import Report
from holdtrue_lab.kit.runner import run
from holdtrue_lab.kit.runs import read_runs
from tests.lab.kit.runs import make

MODELS = ("sim/forget:0.5@1", "sim/skill:0.7+malform:0.1@2")
METHODS = ("direct", "mus_repair", "drift_repair_project", "random_legal")


@pytest.fixture(scope="session")
def folders(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Return the folders of the runs, in the order of `MODELS`."""
    places = [tmp_path_factory.mktemp(name) for name in ("first", "second")]
    for model, place in zip(MODELS, places, strict=True):
        asyncio.run(run(make(methods=METHODS, turns=4, model=model), open_model(model), place))
    return places


@pytest.fixture(scope="session")
def report(folders: list[Path]) -> Report:
    return read_report(folders)


def read_report(folders: Sequence[Path]) -> Report:
    """Return the report of these runs of the drift suite."""
    return Report(suite="drift", runs=read_runs(folders, measure_run))
