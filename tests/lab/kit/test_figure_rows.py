"""Declared metrics measure runs of any kind: rows and plays from the entries of a journal."""

from __future__ import annotations

import random
import tracemalloc
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.record import CallRecord, Usage
from holdtrue_lab.figures.statistics import clustered, means
from holdtrue_lab.kinds.assignment.metrics import MEASURE
from holdtrue_lab.kinds.labels.metrics import MEASURE as LABELS
from holdtrue_lab.kinds.search.metrics import MEASURE as SEARCHES
from holdtrue_lab.kit.entry import Entry
from holdtrue_lab.kit.figure_rows import FigureMeasure
from holdtrue_lab.kit.metrics import Metrics, Part, figures_json
from holdtrue_lab.kit.tables import columns
from tests.lab.kinds.labels import runs as labels
from tests.lab.kinds.search import runs as searches
from tests.lab.kit.entries import DRIFTING, RESPECTING, turn

RUNS: list[tuple[FigureMeasure[Any], list[Entry]]] = [
    (MEASURE, [turn(f"p{n}", at, correct=n > at) for n in range(4) for at in (1, 2)]),
    (LABELS, [*labels.queries(), *labels.dialogue("none")]),
    (SEARCHES, [*searches.searches(), *searches.controls()]),
]


@pytest.mark.parametrize(("measure", "entries"), RUNS)
@settings(max_examples=5, deadline=None)
@given(rng=st.randoms(use_true_random=False))
def test_the_order_of_entries_changes_no_figure(
    measure: FigureMeasure[Any], entries: list[Entry], rng: random.Random
) -> None:
    one, other = measure(entries), measure(rng.sample(entries, len(entries)))
    assert sorted(one.rows, key=str) == sorted(other.rows, key=str)
    assert sorted(map(str, one.plays)) == sorted(map(str, other.plays))


def test_problems_are_the_same_where_the_same_was_said() -> None:
    def asked(*messages: str) -> tuple[str, int]:
        entries = (turn("p", n, turns=len(messages)) for n, _ in enumerate(messages, start=1))
        said = [replace(e, record=replace(e.record, user_message=m)) for e, m in zip(entries, messages, strict=True)]
        [arm] = MEASURE(said).plays
        [found] = arm.plays
        return found

    assert asked("A before B", "and C") == asked("A before B", "and C")
    others = [asked("A before B", "and D"), asked("and C", "A before B"), asked("A before Ba", "nd C"), asked("\ud800")]
    assert len({asked("A before B", "and C"), *others}) == 5


def test_texts_are_not_kept() -> None:
    """Measuring 1,000 turns with 100 kB of text each needs only a few MB."""

    def long_turns() -> Iterator[Entry]:
        for number in range(500):
            for at in (1, 2):
                entry = turn(f"p{number}", at, DRIFTING, RESPECTING)
                attempts = tuple(replace(a, text=str(number % 10) * 50_000) for a in entry.record.attempts)
                call = CallRecord("m", "extract", Usage(), annotations={"note": str(at) * 1000})
                yield replace(entry, record=replace(entry.record, attempts=attempts, measuring=(call,)))

    MEASURE([turn("p", 1), turn("q", 1, correct=False)])  # loads its libraries
    tracemalloc.start()
    MEASURE(long_turns())
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 20_000_000  # the draws of the bootstrap are most of it


PARTS = Metrics[int]()
EVEN = PARTS.share("even", lambda number: number % 2 == 0)

NUMBERS = Metrics[int](PARTS)
SMALL = NUMBERS.share("help.small", lambda number: None if number < 0 else number < 3, "sm\u00adall", compared=True)
MEAN = NUMBERS.mean("help.mean", lambda number: number, form=".1f")
SUM = NUMBERS.total("sum", lambda number: number)
UNITS = NUMBERS.units("units")
SIGNS = NUMBERS.tally("signs", lambda number: "plus" if number >= 0 else None, ("plus", "minus"))
DIGITS = NUMBERS.parts("digits", ("digit",), lambda number: [((digit,), number) for digit in str(abs(number))], PARTS)

UNITS_OF_NUMBERS = ([1, 2, 31], [4, -1], [2, 2])
FOUND = Part({}, NUMBERS.combine([[NUMBERS.added(number) for number in unit] for unit in UNITS_OF_NUMBERS]))


def test_answers_are_combined_by_what_they_belong_to() -> None:
    assert [EVEN(FOUND), SMALL(FOUND)] == clustered([([1, 1, 2], [3, 2, 2]), ([2, 0, 2], [3, 1, 2])])
    assert (SUM(FOUND), UNITS(FOUND), SIGNS(FOUND)) == (41, 3, {"plus": 6, "minus": 0})
    assert MEAN(FOUND).value == 41 / 7
    alone = Part({}, NUMBERS.combine([[NUMBERS.added(number)] for number in (1, 2, 5)]))
    assert [MEAN(alone)] == means([[1, 2, 5]])


def test_parts_have_figures_of_their_own() -> None:
    assert [part.name for part in DIGITS(FOUND)] == ["1", "2", "3", "4"]
    assert [EVEN(part) for part in DIGITS(FOUND)][:2] == clustered([([0, 0], [2, 1])]) + clustered([([1, 2], [1, 2])])


def test_without_answers_there_are_no_values() -> None:
    none = Part({}, NUMBERS.combine([]))
    assert (SMALL(none).of, MEAN(none).value, SUM(none), UNITS(none), DIGITS(none)) == (0, None, 0, 0, ())


def test_names_are_places_in_the_json() -> None:
    found = figures_json(FOUND.figures)
    assert list(found) == ["even", "help", "sum", "units", "signs", "digits"]
    assert found["help"]["small"]["hits"] == 4
    assert [(each["digit"], each["even"]["of"]) for each in found["digits"]] == [("1", 3), ("2", 3), ("3", 1), ("4", 1)]


def test_a_metric_is_a_column_and_may_be_compared() -> None:
    cells = {column.title: read(FOUND) for column, read in columns(SMALL, SUM).items()}
    assert list(cells) == ["sm\u00adall %", "sum"] and cells["sum"] == "41"
    assert NUMBERS.compared == {"small": SMALL}
