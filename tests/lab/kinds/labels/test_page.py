"""The page of a run about queries."""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from holdtrue.kinds.labels.method import find_label_method
from holdtrue_lab.kinds.labels.report import LabelReport
from holdtrue_lab.kinds.labels.shown import show_cases
from holdtrue_lab.kinds.labels.simulation import SimulatedAnswerer
from holdtrue_lab.kit.page import as_page, write_page
from holdtrue_lab.kit.report import all_tables, open_report
from holdtrue_lab.kit.runner import run
from holdtrue_lab.suites.belief.generate import generate_dialogues
from tests.lab.kinds.labels.runs import controls, dialogue, queries, write
from tests.lab.kit.plans import plan_for
from tests.lab.kit.test_page import Page, on_page

MODEL = "sim/labels:wrong=0.4@0"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Dialogues in which much is wrong, and some of it withdrawn."""
    place = tmp_path_factory.mktemp("dialogues")
    methods = [find_label_method(name) for name in ("none", "greedy_printed", "min_change")]
    cases = generate_dialogues(7, 4, schedule="random")
    plan = plan_for(cases[0].suite, cases, methods, model=MODEL)
    asyncio.run(run(plan, SimulatedAnswerer(MODEL, cases), place))
    return place


@pytest.fixture(scope="module")
def report(folder: Path) -> LabelReport:
    found = open_report([folder])
    assert isinstance(found, LabelReport)
    return found


def test_nothing_is_asked_of_the_network_and_every_link_leads_somewhere(report: LabelReport) -> None:
    text = as_page(report, 2)
    page = Page(text)
    assert set(re.findall(r'https?://[^\s"<]*', text)) <= {"http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"}
    ids = Counter(page.values("id"))
    assert max(ids.values()) == 1
    links = page.values("href")
    assert len(links) > 20
    assert {link.removeprefix("#") for link in links} <= ids.keys()
    assert page.report_tables() == on_page(all_tables(report))


def test_a_bundle_shows_what_was_first_answered_and_what_stands_in_the_end(tmp_path: Path) -> None:
    found = open_report([write(tmp_path, [*queries(), *controls()])])
    assert isinstance(found, LabelReport)
    case = next(case for case in show_cases(found, 2) if case.name == "p")
    talk = next(talk for talk in case.conversations if talk.side.method.startswith("maxsat_repair"))
    [turn] = talk.turns
    answer = turn.answers[2]
    assert answer.path == ("CONTRADICTED", "UNKNOWN")
    assert (answer.correct, answer.clashes, turn.right) == (True, True, 4)
    assert list(turn.entry.record.detail.set_aside) == ["q2"]
    page = Page(as_page(found, 2))
    assert "CONTRADICTED → UNKNOWN" in page.text
    assert "cannot all be right: premises P2, P5; q1 “statement q1” as CONTRADICTED" in page.text
    assert "one_model has 50.0% accuracy" in page.text
    assert "oracle premises" in page.text
    assert "cases consistent, %" in page.text


def test_what_models_say_is_text_and_never_markup(tmp_path: Path) -> None:
    evil = "<script>alert(1)</script>\0\ud800 & \"'{{ 7 * 7 }}"
    entries = []
    for each in queries():
        said = tuple(replace(attempt, text=evil) for attempt in each.record.attempts)
        events = tuple(replace(event, sentence=evil, reason=evil) for event in each.record.events)
        asked = dict.fromkeys(each.record.detail.asked, evil)
        detail = replace(each.record.detail, asked=asked)
        record = replace(each.record, attempts=said, events=events, detail=detail)
        entries.append(replace(each, record=record, problem_lines=(evil,)))
    path = write_page(open_report([write(tmp_path / "run", entries)]), tmp_path / "page.html", 9)
    found = Page(path.read_text(encoding="utf-8"))
    assert [tag for tag, _ in found.elements if tag == "script"] == ["script"]
    assert "<script>alert(1)</script>" in found.text
    assert "{{ 7 * 7 }}" in found.text


@pytest.mark.parametrize("transcripts", [0, 9])
def test_runs_of_all_kinds_have_a_page(tmp_path: Path, transcripts: int) -> None:
    unscored = [replace(each, score=None) for each in queries()]
    begun = dialogue()[:1]
    for name, entries, suite, row, finished in (
        ("unscored", unscored, "cross_query", ["direct", "-", "-"], f"{min(transcripts, 2)} of 2 finished cases"),
        ("begun", begun, "belief", ["stress", "direct", "min_change (oracle premises)"], "0 of 0 finished dialogues"),
        ("controls", controls(), "cross_query", ["always_unknown", "50.0", "[9.5, 90.5]W"], "0 of 2 finished cases"),
    ):
        page = Page(as_page(open_report([write(tmp_path / name, entries, suite=suite)]), transcripts))
        rows = [table[2][: len(row)] for table in page.tables if len(table) > 2 and table[1] == ["sim/test"]]
        assert row in rows, name
        assert finished in page.text, name
