from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from holdtrue_lab.kinds.assignment.report import Report
from holdtrue_lab.kinds.assignment.reporting import draw_across, draw_channels, draw_depth
from holdtrue_lab.kinds.assignment.row import DriftRow
from holdtrue_lab.kit.groups import Group
from holdtrue_lab.kit.journal import Journal
from tests.lab.conftest import read_report
from tests.lab.kinds.assignment.test_report import write
from tests.lab.kit.entries import settings, turn

Draw = Callable[[tuple[Group[DriftRow], ...]], str]
DRAW: list[Draw] = [draw_channels, draw_depth, lambda groups: draw_across(groups, "mus_repair")]


@pytest.fixture(scope="module")
def drawn(report: Report) -> list[str]:
    return [draw(report.groups) for draw in DRAW]


@pytest.mark.parametrize("number", range(len(DRAW)))
def test_figures_are_whole_svg_and_the_same_every_time(report: Report, drawn: list[str], number: int) -> None:
    svg = drawn[number]
    assert svg == DRAW[number](report.groups)
    assert svg.startswith("<svg ")
    ElementTree.fromstring(svg)
    assert not re.search(r"<style|<metadata|<image|<script|matplotlib", svg)
    assert set(re.findall(r'https?://[^"]*', svg)) <= {"http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"}
    texts = "".join(re.findall(r"<text [^>]*>([^<]*)</text>", svg))
    assert all(group.label in texts for group in report.groups)


def test_figures_of_one_page_do_not_share_ids(drawn: list[str]) -> None:
    ids = [id for svg in drawn for id in re.findall(r' id="([^"]*)"', svg)]
    assert len(ids) == len(set(ids))


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


def test_one_turn_is_marked_by_its_number(tmp_path: Path) -> None:
    with Journal(tmp_path, settings(problems=1)) as journal:
        journal.append(turn("p", 1, turns=1))
    svg = draw_depth(read_report([tmp_path]).groups)
    numbers = re.findall(r"<text [^>]*>([\d.]+)</text>", svg)
    assert numbers == ["1", "0", "20", "40", "60", "80", "100"]


def test_bands_of_many_methods_do_not_hide_the_lines(tmp_path: Path) -> None:
    methods = tuple(f"m{number}" for number in range(20))
    with Journal(tmp_path, settings(problems=1, methods=methods)) as journal:
        for method in methods:
            journal.append(turn("p", 1, turns=1, method=method))
    [group] = read_report([tmp_path]).groups
    assert "opacity: 0.025" in draw_depth([group])
    assert "opacity: 0.13" in draw_depth([replace(group, rows=group.rows[:2])])


def test_a_run_of_two_turns_can_be_drawn(tmp_path: Path) -> None:
    groups = read_report([write(tmp_path)]).groups
    channels, depth, across = ([*ElementTree.fromstring(draw(groups)).itertext()] for draw in DRAW)
    assert "direct   50.0%" in channels
    assert "direct" in depth and {"1", "2"} < {*depth}, "both turns are marked"
    assert "mus_repair" in across and "2" not in across, "a method that was not run has an empty figure"
