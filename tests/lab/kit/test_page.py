from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from holdtrue_lab.figures.table import MODEL, Table
from holdtrue_lab.kinds.assignment.report import Report
from holdtrue_lab.kinds.assignment.shown import show_problems
from holdtrue_lab.kit.entry import Entry
from holdtrue_lab.kit.journal import Journal
from holdtrue_lab.kit.page import as_page, write_page
from holdtrue_lab.kit.report import all_tables
from holdtrue_lab.kit.shown import SHOWN
from tests.lab.conftest import MODELS, read_report
from tests.lab.kinds.written import write_run
from tests.lab.kit.entries import failure, settings, turn

VOID = frozenset({"meta", "br", "link", "img", "input", "hr", "wbr"})


class Page(HTMLParser):
    """A parsed page: its elements with their attributes, its tables as rows of cells, and its text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.tables: list[list[list[str]]] = []
        self.text = ""
        self._open: list[str] = []
        self.feed(text)
        self.close()
        assert self._open == [], "every element is closed"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self._open.append(tag)
        if tag == "table":
            self.tables.append([])
        elif tag == "tr":
            self.tables[-1].append([])
        elif tag in ("td", "th"):
            self.tables[-1][-1].append("")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "script" in self._open or "style" in self._open:
            return
        self.text += data
        if {"td", "th"} & set(self._open):
            self.tables[-1][-1][-1] += data

    def report_tables(self) -> dict[str, list[list[str]]]:
        """Return the tables of the report by name: titles and lines, with figures and intervals joined."""
        names = [found["id"] for tag, found in self.elements if tag == "section" and found.get("class") == "table"]
        return {
            str(name): [[cell for cell in row if cell] for row in rows]
            for name, rows in zip(names, self.tables, strict=False)
        }

    def values(self, name: str) -> list[str]:
        return [value for _, found in self.elements if (value := found.get(name)) is not None]


def on_page(tables: list[Table]) -> dict[str, list[list[str]]]:
    """Return tables as a page shows them: a model in a separate line above its rows, and intervals in separate
    cells.
    """
    return {table.name: _rows(table) for table in tables}


def _rows(table: Table) -> list[list[str]]:
    grouped = table.columns[0] == MODEL
    rows, model = [[column.title for column in table.columns[grouped:]]], ""
    for line in table.lines:
        if grouped and line[0] != model:
            model = line[0]
            rows.append([model])
        rows.append([part for cell in line[grouped:] for part in _INTERVAL.split(cell)])
    return rows


_INTERVAL = re.compile(r" (?=\[)")


@pytest.fixture(scope="module")
def text(report: Report) -> str:
    return as_page(report, 2)


@pytest.fixture(scope="module")
def page(text: str) -> Page:
    return Page(text)


def test_the_same_journals_give_the_same_bytes(folders: list[Path], tmp_path: Path) -> None:
    paths = [tmp_path / "first.html", tmp_path / "second.html"]
    first, second = (write_page(read_report(folders), path, 9) for path in paths)
    assert first.read_bytes() == second.read_bytes()


def test_nothing_is_asked_of_the_network_or_of_another_file(text: str, page: Page) -> None:
    assert set(re.findall(r'https?://[^\s"<]*', text)) <= {"http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"}
    assert all(value.startswith("#") for name in ("href", "src", "xlink:href", "action") for value in page.values(name))
    assert not {"link", "img", "iframe", "object"} & {tag for tag, _ in page.elements}
    assert not re.search(r"@import|url\((?!#)|@font-face|fetch\(|XMLHttpRequest", text)


def test_ids_are_unique_and_every_link_leads_somewhere(page: Page) -> None:
    ids = Counter(page.values("id"))
    assert max(ids.values()) == 1
    links = page.values("href")
    assert len(links) > 50
    assert {link.removeprefix("#") for link in links} <= ids.keys()


def test_simulated_models_are_named_on_every_row(report: Report, page: Page) -> None:
    for table in all_tables(report):
        if table.columns[0] == MODEL:
            assert {row[0] for row in page.report_tables()[table.name][1:] if len(row) == 1} <= set(MODELS)
    assert "Simulated models with planted faults" in page.text


def test_breaks_are_linked_both_ways_and_reminders_hold_the_ledger(report: Report, text: str) -> None:
    found = 0
    for problem in show_problems(report, 2):
        for talk in problem.conversations:
            key = f"{problem.id}-{talk.side.id}"
            for shown in talk.turns:
                cell = text.partition(f'id="{key}-t{shown.entry.turn}"')[2].partition("</article>")[0]
                reminder = cell.partition("Remind me of the constraints so far")[2]
                assert reminder.startswith(f" ({len(shown.record.holds)})")
                assert reminder.count("<li ") == len(shown.record.holds)
                for broken in shown.breaks:
                    assert f'data-c="{key}-{broken.id}"' in cell
                    assert f'href="#{key}-{broken.id}"' in cell
                    maker = text.partition(f'id="{key}-t{broken.made}"')[2].partition("</article>")[0]
                    assert f'id="{key}-{broken.id}"' in maker
                    assert f'<a href="#{key}-t{shown.entry.turn}">' in maker.partition(f'id="{key}-{broken.id}"')[2]
                    found += 1
    assert found > 10


def test_what_models_say_is_text_and_never_markup(tmp_path: Path) -> None:
    evil = "<script>alert(1)</script>\0\ud800 & \"'{{ 7 * 7 }}"
    played = []
    for number in (1, 2):
        entry = turn("<i>p", number, model=evil, domain="<b>", method="<u>")
        said = replace(entry.record.attempts[0], text=evil, answer={f"{evil}.x": evil})
        record = replace(entry.record, attempts=(said,), user_message=evil, delivered=evil)
        played.append(replace(entry, record=record))
    write_run(tmp_path, played, model=evil, methods=("direct",))
    path = write_page(read_report([tmp_path]), tmp_path / "page.html", 9)
    found = Page(path.read_text(encoding="utf-8"))
    assert [tag for tag, _ in found.elements if tag in ("script", "i", "u")] == ["script"]
    assert "<script>alert(1)</script>" in found.text
    assert "{{ 7 * 7 }}" in found.text


Change = Callable[[Journal], None]


def unfinished(journal: Journal) -> None:
    journal.append(turn("p", 1))
    journal.append(failure("q"))


def without_gold(journal: Journal) -> None:
    for number in (1, 2):
        journal.append(turn("p", number, scored=False))


def only_controls(journal: Journal) -> None:
    for number in (1, 2):
        journal.append(turn("p", number, method="random_legal"))


@pytest.mark.parametrize(
    ("write", "row", "finished"),
    [
        (unfinished, ["direct", "2", "1/1", "100.0", "[20.7, 100.0]W", "100.0", "1", "1/1"], (0, 0)),
        (without_gold, ["direct", "1", "0/2", "-", "-", "2/2"], (1, 1)),
        (only_controls, ["random_legal", "1", "2/2", "100.0", "[20.7, 100.0]W", "100.0", "2/2"], (0, 1)),
    ],
)
@pytest.mark.parametrize("transcripts", [0, 9])
def test_runs_of_all_kinds_have_a_page(
    tmp_path: Path, write: Change, row: list[str], finished: tuple[int, int], transcripts: int
) -> None:
    with Journal(tmp_path, settings(methods=("direct", "random_legal"))) as journal:
        write(journal)
    found = Page(as_page(read_report([tmp_path]), transcripts))
    accuracy = next(table for table in found.tables if "scored" in table[0])
    assert accuracy[1:] == [["sim/test"], row]
    shown, of = finished
    assert f"{shown if transcripts else 0} of {of} finished problems" in found.text


def test_an_unfinished_run_and_an_oracle_say_so(tmp_path: Path) -> None:
    played: list[Entry] = [turn("p", 1, method="project", extractor="gold"), failure("q")]
    write_run(tmp_path, played, extractor="gold", methods=("project",))
    found = Page(as_page(read_report([tmp_path]), 9))
    assert "oracle extractor gold" in found.text
    assert "unfinished, 0 of 2 conversations, 1 failed" in " ".join(found.text.split())
    assert "oracle: project" in found.text


def test_one_turn_is_one_turn_and_a_long_text_is_cut(tmp_path: Path) -> None:
    entry = turn("p", 1, turns=1)
    said = replace(entry.record.attempts[0], text="x" * (SHOWN + 7), answer=None)
    write_run(tmp_path, [replace(entry, record=replace(entry.record, attempts=(said,)))])
    found = Page(as_page(read_report([tmp_path]), 9))
    assert "p, 1 turn" in found.text
    assert "p, 1 turns" not in found.text
    assert "complete, 1 conversation." in " ".join(found.text.split())
    assert found.text.count("x" * SHOWN + "…") == 2, "where the answer stands, and with the attempt"
    assert "7 more characters are in the journal" in found.text
