"""Rules for every table of every suite, however long the names of models are."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from holdtrue_lab.figures.table import SOFT_HYPHEN, Table
from holdtrue_lab.figures.terminal import draw
from holdtrue_lab.kit.page import write_page
from holdtrue_lab.kit.report import all_tables, open_report, short_tables
from holdtrue_lab.kit.runs import Runs
from holdtrue_lab.kit.settings import JOURNAL_FILE, SETTINGS_FILE
from tests.chromium import Browser, needs_chromium
from tests.lab.conftest import MODELS
from tests.lab.kinds.claims import runs as claims
from tests.lab.kinds.decisions import runs as decisions
from tests.lab.kinds.labels import runs as labels
from tests.lab.kinds.search import runs as searches
from tests.lab.kinds.written import drawn
from tests.slow import first_of

LONG = "sim/organisation-of-a-long-name/model-of-many-words-instruct"
MOST = 9  # columns, names included
WIDTH = 120  # characters of a terminal


def _cross_query(folder: Path) -> list[Path]:
    return [labels.write(folder, [*labels.queries(), *labels.controls()])]


def _belief(folder: Path) -> list[Path]:
    return [labels.write(folder, [*labels.dialogue("none"), *labels.dialogue("cot_min_change")], suite="belief")]


def _cegvr(folder: Path) -> list[Path]:
    entries = [*searches.searches(), *searches.controls()]
    changed = [searches.repaired("p-renamed", variant="renaming", base="p")]
    return [searches.write(folder, [*entries, *changed])]


def _verge(folder: Path) -> list[Path]:
    return [claims.write(folder, [*claims.answers(), *claims.changed()])]


def _guard(folder: Path) -> list[Path]:
    return [decisions.write(folder, [*decisions.run_of(*decisions.METHODS), decisions.failure()])]


MAKERS: dict[str, Callable[[Path], list[Path]]] = {
    "cross_query": _cross_query,
    "belief": _belief,
    "cegvr": _cegvr,
    "verge": _verge,
    "guard": _guard,
}


def with_long_names(folder: Path, out: Path, number: int) -> Path:
    """Return the same run of a model with a name of 60 characters."""
    name = f"{LONG[:-2]}-{number}"
    assert len(name) == 60
    model = json.loads((folder / SETTINGS_FILE).read_text(encoding="utf-8"))["model"]
    out.mkdir()
    for file in (SETTINGS_FILE, JOURNAL_FILE):
        text = (folder / file).read_text(encoding="utf-8")
        (out / file).write_text(text.replace(json.dumps(model), json.dumps(name)), encoding="utf-8")
    return out


@pytest.fixture(scope="module", params=["drift", *MAKERS])
def report(request: pytest.FixtureRequest, folders: list[Path], tmp_path_factory: pytest.TempPathFactory) -> Runs[Any]:
    place = tmp_path_factory.mktemp(request.param)
    made = folders if request.param == "drift" else MAKERS[request.param](place / "played")
    assert len(MODELS) == len(folders)
    return open_report([with_long_names(folder, place / str(k), k) for k, folder in enumerate(made)])


def printed(table: Table) -> str:
    return drawn(draw(table, WIDTH), WIDTH)


def sentences(text: str) -> list[str]:
    """Return the sentences of a text; a full stop ends one if a capital or nothing follows."""
    return [each for each in re.split(r"(?<=[.!?])\s+(?=[A-Z(])", text.strip()) if each]


def test_no_table_has_more_columns_than_can_be_read_at_once(report: Runs[Any]) -> None:
    for table in all_tables(report):
        assert len(table.columns) <= MOST, (table.name, [column.title for column in table.columns])


def test_a_caption_has_at_most_two_sentences(report: Runs[Any]) -> None:
    for table in all_tables(report):
        assert 1 <= len(sentences(table.note)) <= 2, (table.name, sentences(table.note))


def test_every_table_is_drawn_whole_in_a_terminal_of_usual_width(report: Runs[Any]) -> None:
    for table in all_tables(report):
        text = printed(table)
        assert max(map(len, text.splitlines())) <= WIDTH, table.name
        assert "continued" not in text and "…" not in text, table.name
        words = text.replace(SOFT_HYPHEN, "").split()
        figures = [cell for line in table.lines for k, cell in enumerate(line) if not table.columns[k].words]
        assert {part for cell in figures for part in cell.split()} <= set(words), table.name


def test_what_is_shown_without_being_asked_for_is_little(report: Runs[Any]) -> None:
    assert 1 <= len(short_tables(report)) <= 4
    names = [table.name for table in all_tables(report)]
    assert len(names) == len(set(names)) and {table.name for table in short_tables(report)} <= set(names)


# Elements that go beyond the right edge of the window outside of a scrolling frame.
_CUT = """[...document.querySelectorAll("svg, table, h1, h2, h3, p, select, pre, dl")]
  .filter(each => each.checkVisibility() && !each.closest(".scroll"))
  .filter(each => each.getBoundingClientRect().right > innerWidth + 1)
  .map(each => each.outerHTML.slice(0, 80))"""
# A figure or table that is not in a frame that scrolls, can be reached by the keyboard and has a name.
_BARE = """[...document.querySelectorAll("svg, table")].filter(each => {
    const frame = each.closest(".scroll");
    return !frame || getComputedStyle(frame).overflowX !== "auto" || frame.tabIndex || !frame.ariaLabel;
  }).length"""
_OPEN = "document.querySelectorAll('details').forEach(each => each.open = true)"


@pytest.fixture(scope="module")
def page(report: Runs[Any], tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_page(report, tmp_path_factory.mktemp("page") / "page.html", 2)


@pytest.fixture(scope="module")
def browser() -> Any:
    with Browser() as found:
        yield found


@needs_chromium
@pytest.mark.parametrize("width", first_of([420, 1280, 1400], 1))
def test_nothing_on_the_page_is_cut(page: Path, browser: Browser, width: int) -> None:
    browser.open(page, width)
    for script in ("0", _OPEN):
        browser.value(script)
        assert browser.value("document.documentElement.scrollWidth") <= width
        assert browser.value(_CUT) == []
    assert browser.value(_BARE) == 0


@needs_chromium
def test_a_link_into_what_is_folded_opens_it_and_print_opens_all(page: Path, browser: Browser) -> None:
    browser.open(page, 1280)
    shut = "[...document.querySelectorAll('details.topic, details.long')].filter(each => !each.open).length"
    assert browser.value(shut) > 1
    name = browser.value("document.querySelector('details.topic section.table').id")
    seen = f"document.getElementById('{name}').checkVisibility()"
    assert browser.value(seen) is False
    gone = f"new Promise(done => {{ addEventListener('hashchange', () => done(true)); location.hash = '{name}' }})"
    assert browser.value(gone) is True
    assert browser.value(seen) is True
    browser.value("dispatchEvent(new Event('beforeprint'))")
    assert browser.value(shut) == 0
