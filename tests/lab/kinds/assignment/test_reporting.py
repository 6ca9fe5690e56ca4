from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from holdtrue_lab.kinds.assignment.report import Report
from holdtrue_lab.kinds.assignment.reporting import REPORTING, draw_across, draw_channels, draw_depth
from holdtrue_lab.kit.groups import FigureRow, Group
from tests.lab.conftest import read_report
from tests.lab.kinds.written import write_run
from tests.lab.kit.entries import DRIFTING, RESPECTING, turn

Draw = Callable[[tuple[Group[FigureRow], ...]], str]
DRAW: list[Draw] = [draw_channels, draw_depth, lambda groups: draw_across(groups, "mus_repair")]


@pytest.fixture(scope="module")
def drawn(report: Report) -> list[str]:
    return [draw(report.groups) for draw in DRAW]


def test_every_method_and_every_channel_is_named(report: Report, drawn: list[str]) -> None:
    channels, depth, _ = drawn
    for name in ("drift", "ledger gap", "contradiction (unsat)", "unparsed (other)", "incomplete", "undecided"):
        assert f">{name}</text>" in channels
    row = report.groups[0].whole[0]
    assert f"direct   {100 * (row.accuracy.value or 0):.1f}%</text>" in channels, "drift has its accuracy beside it"
    assert all(f">{row.arm.method}</text>" in depth for row in report.groups[0].whole)


def test_names_may_hold_any_character(report: Report) -> None:
    named = tuple(replace(group, label=f"_a<b>&$x_1$\0\ud800模{k}") for k, group in enumerate(report.groups))
    for draw in DRAW:
        assert "_a&lt;b&gt;&amp;$x_1$\ufffd\ufffd模1" in draw(named)


def test_bands_of_many_methods_do_not_hide_the_lines(tmp_path: Path) -> None:
    methods = tuple(f"m{number}" for number in range(20))
    write_run(tmp_path, (turn("p", 1, turns=1, method=method) for method in methods))
    [group] = read_report([tmp_path]).groups
    assert "opacity: 0.025" in draw_depth([group])
    assert "opacity: 0.13" in draw_depth([replace(group, rows=group.rows[:2])])


def test_a_gain_is_told_with_its_interval(tmp_path: Path) -> None:
    played = [turn(problem, 1, DRIFTING, correct=False, turns=1) for problem in "pq"]
    played += [turn(problem, 1, DRIFTING, RESPECTING, method="project", turns=1, projected=True) for problem in "pq"]
    write_run(tmp_path, played)
    [headline] = REPORTING.headlines(read_report([tmp_path]))
    assert [figure.accuracy for figure in headline.figures] == ["0.0", "100.0"]
    assert headline.gain.startswith("+100.0 pp, paired over 2 problems [")
