"""How runs of any kind are measured by declared metrics: rows and plays from the entries of a journal."""

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
from holdtrue_lab.kinds.assignment.metrics import MEASURE
from holdtrue_lab.kinds.labels.metrics import MEASURE as LABELS
from holdtrue_lab.kinds.search.metrics import MEASURE as SEARCHES
from holdtrue_lab.kit.entry import Entry
from holdtrue_lab.kit.figure_rows import FigureMeasure
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


def test_texts_are_not_kept() -> None:
    """1,000 turns with 100 kB of text each pass by in a few MB."""

    def long_turns() -> Iterator[Entry]:
        for number in range(500):
            for at in (1, 2):
                entry = turn(f"p{number}", at, DRIFTING, RESPECTING)
                attempts = tuple(replace(a, text=str(number % 10) * 50_000) for a in entry.record.attempts)
                call = CallRecord("m", "extract", Usage(), annotations={"note": str(at) * 1000})
                yield replace(entry, record=replace(entry.record, attempts=attempts, measuring=(call,)))

    MEASURE([turn("p", 1), turn("q", 1, correct=False)])  # loads what it needs
    tracemalloc.start()
    MEASURE(long_turns())
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 20_000_000  # the draws of the bootstrap are most of it
