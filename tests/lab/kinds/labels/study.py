"""Runs about queries for tests: cases played under many methods by a simulated answerer, and read back from disk."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from holdtrue.kinds.labels.case import Case
from holdtrue.kinds.labels.method import find_label_method
from holdtrue_lab.kinds.labels.entry import LabelEntry
from holdtrue_lab.kinds.labels.metrics import MEASURE as measure_labels
from holdtrue_lab.kinds.labels.report import compare_labels
from holdtrue_lab.kinds.labels.simulation import SimulatedAnswerer
from holdtrue_lab.kit.comparison import Comparison
from holdtrue_lab.kit.journal import read_entries
from holdtrue_lab.kit.plan import Plan
from holdtrue_lab.kit.runner import run
from tests.lab.kit.plans import plan_for
from tests.lab.kit.told import told


@dataclass(frozen=True)
class Study:
    """A run that was played: its entries by method and case, its rows over all domains, and its paired tests."""

    cases: dict[str, Case]
    entries: dict[str, dict[str, list[LabelEntry]]]
    rows: dict[str, Any]
    tests: dict[str, dict[str, Comparison]]
    """By figure and method, each against the suite's simplest one."""


def plan_labels(cases: Sequence[Case], methods: Sequence[str], model: str, **more: Any) -> Plan:
    found = [find_label_method(name) for name in methods]
    return plan_for(cases[0].suite, cases, found, model=model, **more)


def play_study(cases: Sequence[Case], methods: Sequence[str], model: str, folder: Path, **more: Any) -> Study:
    """Play the cases, and read the journal back."""
    plan = plan_labels(cases, methods, model, **more)
    standing = asyncio.run(run(plan, SimulatedAnswerer(model, cases), folder))
    assert (standing.turns, standing.failures) == (plan.turns, [])
    entries: dict[str, dict[str, list[LabelEntry]]] = {name: {} for name in methods}
    for entry in read_entries(folder):
        assert isinstance(entry, LabelEntry)
        entries[entry.method].setdefault(entry.problem, []).append(entry)
    measured = measure_labels(each for played in entries.values() for turns in played.values() for each in turns)
    tests: dict[str, dict[str, Comparison]] = {}
    for figure, found in compare_labels([measured.plays]).items():
        tests[figure] = {test.arm.method: test for test in found if test.other.method == methods[0]}
    rows = {row.arm.method: told(row) for row in measured.rows if row.domain is None}
    return Study({case.id: case for case in cases}, entries, rows, tests)


def describe(test: Comparison) -> str:
    """A paired test in words: the difference in points with its interval, and p."""
    found = test.paired
    return f"{100 * found.difference:+.2f} pp [{100 * found.low:+.2f}, {100 * found.high:+.2f}], p {found.p:.4f}"
