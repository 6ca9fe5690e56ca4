"""Pages about runs of every kind of answer are whole, need no network, and show the words of models as text."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from holdtrue_lab.kit.page import as_page, write_page
from holdtrue_lab.kit.report import all_tables, open_report
from tests.frozen.kept_runs import write_run
from tests.frozen.suites import COMPARED
from tests.lab.kit.test_page import Page, on_page

EVIL = "<script>alert(1)</script>\0\ud800 & \"'{{ 7 * 7 }}"
SAID = frozenset({"text", "user_message", "sentence", "reason", "delivered", "formula", "retold"})
"""Fields of a journal whose words come from a model or from a user."""


def spoil(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: EVIL if key in SAID and isinstance(own, str) else spoil(own) for key, own in value.items()}
    return [spoil(own) for own in value] if isinstance(value, list) else value


def spoil_all(entries: list[Any]) -> list[Any]:
    return [spoil(entry) for entry in entries]


@pytest.mark.parametrize("names", COMPARED, ids=lambda names: names[0])
def test_pages_are_whole_and_words_of_models_are_never_markup(names: tuple[str, str], tmp_path: Path) -> None:
    report = open_report([write_run(name, tmp_path / name, spoil_all) for name in names])
    text = write_page(report, tmp_path / "page.html", 1).read_text(encoding="utf-8")
    page = Page(text)
    assert set(re.findall(r'https?://[^\s"<]*', text)) <= {"http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"}
    assert not {"link", "img", "iframe", "object"} & {tag for tag, _ in page.elements}
    ids = Counter(page.values("id"))
    assert max(ids.values()) == 1
    links = page.values("href")
    assert len(links) > 5 and {link.removeprefix("#") for link in links} <= ids.keys()
    assert page.report_tables() == on_page(all_tables(report))
    assert [tag for tag, _ in page.elements if tag == "script"] == ["script"]
    assert "<script>alert(1)</script>" in page.text
    assert "{{ 7 * 7 }}" in page.text
    drawings = re.findall(r"(?s)<svg .*?</svg>", text)
    assert drawings
    for drawing in drawings:
        ElementTree.fromstring(drawing)
        assert not re.search(r"<style|<metadata|<image|<script|matplotlib", drawing)
    models = {f">{row.arm.model[:30]}" for row in report.rows}
    assert names[0] == "guard" or all(model in drawings[0] for model in models), "every model has a panel"


KINDS = ("drift_asked", "cross_query_one", "belief", "cegvr_latin", "verge_gold")


def without_scores(entries: list[Any]) -> list[Any]:
    return [{**entry, "score": None} for entry in entries if entry["record"]]


def the_first(entries: list[Any]) -> list[Any]:
    return entries[:1]


@pytest.mark.parametrize("change", [without_scores, the_first])
@pytest.mark.parametrize("name", KINDS)
def test_runs_without_gold_and_runs_that_have_begun_have_a_page(name: str, change: Any, tmp_path: Path) -> None:
    report = open_report([write_run(name, tmp_path / name, change)])
    for transcripts in (0, 2):
        page = Page(as_page(report, transcripts))
        assert page.report_tables() == on_page(all_tables(report))
    if change is the_first:
        assert "unfinished, " in page.text
