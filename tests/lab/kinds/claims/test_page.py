"""The page of a run about claims, and its figures."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from holdtrue_claims.claim_record import CheckRecord
from holdtrue_claims.kind import verdict_words as words
from holdtrue_claims.kind.record import ClaimsDetail
from holdtrue_lab.kinds.claims.report import ClaimReport
from holdtrue_lab.kinds.claims.reporting import draw_rounds, draw_verified
from holdtrue_lab.kinds.claims.shown import show_items
from holdtrue_lab.kit.page import as_page, write_page
from holdtrue_lab.kit.report import all_tables, open_report
from tests.lab.kinds.claims.runs import CONTEXT, PROBLEM_LINES, answers, changed, mended, once, restated, write
from tests.lab.kit.test_page import Page, on_page


def opened(*folders: Path) -> ClaimReport:
    report = open_report(folders)
    assert isinstance(report, ClaimReport)
    return report


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("claims"), [*answers(), *changed()])


@pytest.fixture(scope="module")
def report(folder: Path) -> ClaimReport:
    return opened(folder)


@pytest.fixture(scope="module")
def text(report: ClaimReport) -> str:
    return as_page(report, 9)


def test_the_same_journals_give_the_same_bytes(folder: Path, tmp_path: Path, text: str) -> None:
    assert write_page(open_report([folder]), tmp_path / "page.html", 9).read_text(encoding="utf-8") == text


def test_nothing_is_asked_of_the_network_and_every_link_leads_somewhere(report: ClaimReport, text: str) -> None:
    page = Page(text)
    assert set(re.findall(r'https?://[^\s"<]*', text)) <= {"http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"}
    ids = Counter(page.values("id"))
    assert max(ids.values()) == 1
    links = page.values("href")
    assert len(links) > 10
    assert {link.removeprefix("#") for link in links} <= ids.keys()
    assert page.report_tables() == on_page(all_tables(report))


def test_questions_open_claim_by_claim(report: ClaimReport, text: str) -> None:
    found = show_items(report, 9)
    assert {each.name for each in found} == {"p", "q", "r"}  # changed forms are not shown beside their originals
    for item in found:
        assert item.context == PROBLEM_LINES[:2]
        assert (item.gold in dict(item.options), item.messages) == (True, ("Is it?",))
        for talk in item.conversations:
            cell = text.partition(f'id="{item.id}-{talk.side.id}"')[2].partition("</article>")[0]
            said = " ".join(Page(f"<p>{cell.partition('>')[2]}</p>").text.split())
            for premise in talk.context.premises if talk.context is not None else ():
                assert f"{premise.id} {premise.text}" in said
                assert all(words.describe_alert(alert) in said for alert in premise.alerts)
            for answer in talk.answers:
                check = answer.attempt.check
                assert check is None or words.describe_score(check) in said
                for claim in check.claims if check is not None else ():
                    told = f"{claim.id} {claim.text} {words.in_words(claim.verdict)} {words.describe_route(claim)}"
                    assert told in said
                    assert all(sentence in said for sentence in answer.why(claim))
                assert all(sentence in said for sentence in answer.joint)


def test_the_first_of_all_is_where_methods_differ(report: ClaimReport) -> None:
    first = show_items(report, 1)[0]
    assert {talk.side.method: talk.entry.score and talk.entry.score.correct for talk in first.conversations} == {
        "cot": False,
        "verge": True,
        "restate_premises": False,
    }


def test_the_page_says_what_the_control_scores_and_who_is_simulated(text: str) -> None:
    said = Page(text).text
    assert said.count("accuracy 0.0%, score 1.00") > 4
    assert "is no proof that they are right" in said
    assert "A simulated model with planted faults: sim/test" in said
    assert "suite verge, fol, formulas by llm" in said


def test_figures_are_whole_svg_and_the_same_every_time(report: ClaimReport) -> None:
    drawn = [draw(report) for draw in (draw_verified, draw_rounds)]
    assert drawn == [draw(report) for draw in (draw_verified, draw_rounds)]
    for svg in drawn:
        assert svg.startswith("<svg ")
        ElementTree.fromstring(svg)
        assert not re.search(r"<style|<metadata|<image|<script|matplotlib", svg)
        assert "sim/test" in svg and ">verge</text>" in svg
    verified, rounds = drawn
    assert ">restate_premises</text>" in verified
    assert ">cot</text>" not in rounds  # it knows no rounds
    ids = [id for svg in drawn for id in re.findall(r' id="([^"]*)"', svg)]
    assert len(ids) == len(set(ids))


def test_nothing_is_drawn_where_nothing_was_verified_or_played_again(tmp_path: Path) -> None:
    report = opened(write(tmp_path, [once("p", checked=None)]))
    assert (draw_verified(report), draw_rounds(report)) == ("", "")
    assert "<figure>" not in as_page(report, 1)


def test_several_models_have_a_panel_each(folder: Path, tmp_path: Path) -> None:
    entries = [replace(each, record=replace(each.record, model="sim/other")) for each in answers()]
    report = opened(folder, write(tmp_path, entries, model="sim/other"))
    for draw in (draw_verified, draw_rounds):
        drawn = draw(report)
        assert ">sim/test</text>" in drawn and ">sim/other</text>" in drawn


def test_what_models_say_is_text_and_never_markup(tmp_path: Path) -> None:
    evil = "<script>alert(1)</script>\0\ud800 & \"'{{ 7 * 7 }}"

    def spoil(check: CheckRecord) -> CheckRecord:
        claims = tuple(replace(claim, text=evil, reason=evil, premises=(evil,)) for claim in check.claims)
        return replace(check, claims=claims, joint=replace(check.joint, conflict=(evil,)))

    premises = tuple(replace(each, text=evil, formula=evil) for each in CONTEXT.premises)
    context = replace(CONTEXT, things={evil: evil}, premises=premises)
    entries = []
    for each in (once("p"), mended("p"), restated("p")):
        said = tuple(
            replace(attempt, text=evil, check=spoil(attempt.check)) for attempt in each.record.attempts if attempt.check
        )
        record = replace(each.record, attempts=said, user_message=evil, detail=ClaimsDetail(context))
        entries.append(replace(each, record=record, problem_lines=(evil, *each.problem_lines)))
    path = write_page(open_report([write(tmp_path / "run", entries)]), tmp_path / "page.html", 9)
    found = Page(path.read_text(encoding="utf-8"))
    assert [tag for tag, _ in found.elements if tag == "script"] == ["script"]
    assert "<script>alert(1)</script>" in found.text
    assert "{{ 7 * 7 }}" in found.text


def test_runs_of_all_kinds_have_a_page(tmp_path: Path) -> None:
    right = "right in 1 of 1 question; 100.0% of 2 claims verified"
    kinds = {
        "unscored": ([once("p", gold=None), mended("p", gold=None)], "cot", "right in 0 of 0 questions"),
        "unverified": ([once("p", None, None, premises=None)], "cot", "right in 0 of 1 question; claims not verified"),
        "controls": ([restated("p")], "restate_premises", "accuracy 0.0%, score 1.00, 100.0% of its claims entailed"),
        "undelivered": ([mended("p", delivered=None)], "verge", "right in 0 of 1 question; claims not verified"),
        "untold": ([once("p", problem_lines=())], "cot", right),
    }
    for name, (entries, method, says) in kinds.items():
        page = Page(as_page(opened(write(tmp_path / name, entries)), 9))
        rows = [table[1][0] == "sim/test" and table[2][0] for table in page.tables if len(table) > 2]
        assert method in rows and says in page.text, name
