from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from holdtrue_lab.figures.table import Column, make_table
from holdtrue_lab.figures.terminal import draw, open_console
from holdtrue_lab.kinds.assignment.report import Report
from holdtrue_lab.kit.entry import Entry
from holdtrue_lab.kit.report import all_tables
from tests.lab.conftest import read_report
from tests.lab.kinds.written import drawn, printed, write_run
from tests.lab.kit.entries import DRIFTING, RESPECTING, turn

ENTRIES: list[Entry] = [
    *(turn("p", n, DRIFTING, correct=False, turns=2) for n in (1, 2)),
    turn("q", 1, domain="scheduling"),
    turn("q", 2, domain="scheduling", correct=False),
    *(
        turn("p", n, DRIFTING, RESPECTING, first_correct=False, method="project", projected=True, churn=(1, 4))
        for n in (1, 2)
    ),
]


def make(folder: Path, entries: list[Entry], **changes: object) -> Report:
    return read_report([write_run(folder, entries, methods=("direct", "project"), problems=2, **changes)])


def line(text: str, title: str, name: str) -> list[str]:
    """Return the cells of the line with this name, in the table of that title."""
    table = text.partition(title)[2].partition("\n\n")[0].partition("──")[2]
    found = next(row for row in table.splitlines() if name in row.split())
    return found.partition(name)[2].split()


def test_the_tables_say_what_was_measured(tmp_path: Path) -> None:
    report = make(tmp_path, ENTRIES)
    text = printed(report, 1000, all_tables(report))
    assert "UNFINISHED: 3 of 4 conversations" in text
    accuracy = line(text, "Accuracy of turns", "direct")
    assert (accuracy[:3], accuracy[-2:]) == (["2", "4/4", "25.0"], ["25.0", "4/4"])
    assert line(text, "Accuracy by domain", "direct") == ["50.0", "of", "2", "0.0", "of", "2", "4/4"]
    assert line(text, "Why wrong", "direct") == ["25.0", "3", "66.7", "33.3", "0.0", "0.0", "4/4"]
    assert line(text, "by the published", "direct") == ["25.0", "33.3", "25.0", "100.0", "0.0", "0.0", "4/4"]
    assert line(text, "Harm and help", "project") == ["100.0", "2", "2", "0", "0", "0", "2/2"]
    assert line(text, "The ledger against gold", "project") == ["0.00", "0.0", "0.00", "0.0", "2/2", "2/2"]
    assert line(text, "What was delivered", "project") == ["100.0", "25.0", "100.0", "2/2", "2/2"]
    assert line(text, "Accuracy by turn", "direct")[:2] == ["1", "50.0"]
    assert line(text, "Triggers", "project")[-5:] == ["2", "(2", ">", "0)", "2/2"]
    assert line(text, "Cost of a turn", "project") == ["100.0", "2.00", "20", "2", "1.00", "2/2"]
    assert line(text, "Cost of measuring", "project") == ["100.0", "1.00", "5", "5", "0.25", "2/2"]
    assert line(text, "Paired tests", "project")[:2] == ["direct", "+100.0"]


@pytest.mark.parametrize(("width", "longest"), [(60, 60), (1000, 120)])
def test_every_table_says_below_its_title_how_it_is_to_be_read(report: Report, width: int, longest: int) -> None:
    text = printed(report, width, all_tables(report))
    for table in all_tables(report):
        below = text.partition(f"\n{table.title}")[2].partition("──")[0]
        assert table.note in " ".join(below.split()).replace("- ", "-")
    words = [row for row in text.splitlines() if "sign-permutation" in row or "Benjamini-Hochberg" in row]
    assert words and max(map(len, words)) <= longest


def test_what_is_piped_is_as_wide_as_it_need_be_or_as_the_environment_says(monkeypatch: pytest.MonkeyPatch) -> None:
    assert open_console().width == 1000
    monkeypatch.setenv("COLUMNS", "90")
    assert open_console().width == 90
    monkeypatch.setenv("COLUMNS", "wide")
    assert open_console().width == 1000


def test_drift_is_never_shown_without_accuracy_and_ledger_gap(tmp_path: Path) -> None:
    report = make(tmp_path, ENTRIES)
    _, *tables = printed(report, 1000, [replace(table, note="") for table in all_tables(report)]).split("\n\n")
    heads = [" ".join(table.split("──")[0].split()) for table in tables]
    showing = [head for head in heads if re.search(r"\bdrift\b", head)]
    assert len(showing) == 4
    for head in showing:
        assert "accu" in head
        assert "gap" in head


def test_names_that_look_like_markup_are_shown_as_they_are(tmp_path: Path) -> None:
    text = printed(make(tmp_path, [turn("p", 1, model="[bold]x[/]")]), 1000)
    assert "[bold]x[/]" in text.partition("Accuracy of turns")[2]


def test_oracle_rows_say_so(tmp_path: Path) -> None:
    played: list[Entry] = [turn("p", 1, method=method, extractor="gold") for method in ("direct", "project")]
    text = printed(make(tmp_path, played, extractor="gold"), 1000)
    assert line(text, "Accuracy of turns", "oracle:")[0] == "project"
    assert "oracle: direct" not in text


@pytest.mark.parametrize("width", [80, 100])
def test_numbers_and_names_are_whole_in_a_narrow_terminal(report: Report, width: int) -> None:
    narrow, wide = (printed(report, columns, all_tables(report)) for columns in (width, 1000))
    assert max(map(len, narrow.splitlines())) <= width
    assert "…" not in narrow
    for title in ("Accuracy by domain", "Why wrong", "Paired", "The ledger against gold"):
        assert line(narrow, title, "direct") == line(wide, title, "direct")
    # Models are in separate lines there, with all of their rows below.
    table = narrow.partition("Why wrong")[2].partition("\n\n")[0]
    for group in report.groups:
        assert "".join(table.partition(group.label[:10])[2].split()).startswith(group.label[10:])


def test_a_table_too_wide_for_a_terminal_is_drawn_in_parts_that_lose_nothing() -> None:
    titles = ["accuracy %", *(f"figure {n}" for n in range(9))]
    columns = [Column("model", words=True), Column("method", words=True), *map(Column, titles)]
    cells = [[f"{k}{n}.{n}" for n in range(len(titles))] for k in (1, 2)]
    lines = [("local/one", f"method{k}", *row) for k, row in enumerate(cells)]
    parts = list(draw(make_table("t", "Title", "", columns, lines), 40))
    text = drawn(parts, 40)
    assert len(parts) > 1
    assert max(map(len, text.splitlines())) <= 40
    assert text.count("Title: local/one, continued") == len(parts) - 1
    for row in cells:
        # Every figure once, and in every part the names and the first figure, which is accuracy.
        assert [text.count(cell) for cell in row] == [len(parts)] + [1] * (len(row) - 1)
    assert text.count("method0") == text.count("method1") == len(parts)
