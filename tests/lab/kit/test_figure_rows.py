"""How runs of any kind are measured by declared metrics: rows and plays from the entries of a journal."""

from __future__ import annotations

import json
import random
import tracemalloc
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.record import CallRecord, Usage
from holdtrue_lab.kinds.assignment.metrics import MEASURE, RIGHT, TURNS
from holdtrue_lab.kinds.labels.metrics import MEASURE as LABELS
from holdtrue_lab.kinds.search.metrics import MEASURE as SEARCHES
from holdtrue_lab.kit.arm import Arm
from holdtrue_lab.kit.entry import Entry
from holdtrue_lab.kit.figure_rows import FigureMeasure
from holdtrue_lab.kit.folder import Measured
from holdtrue_lab.kit.groups import row_json
from tests.lab.kinds.labels import runs as labels
from tests.lab.kinds.search import runs as searches
from tests.lab.kit.entries import DRIFTING, RESPECTING, failure, turn

FINISHED = replace(MEASURE, unfinished=False)
"""As most kinds are measured: problems that were not played to their end have no part in rows."""
RUNS: list[tuple[FigureMeasure[Any], list[Entry]]] = [
    (MEASURE, [turn(f"p{n}", at, correct=n > at) for n in range(4) for at in (1, 2)]),
    (LABELS, [*labels.queries(), *labels.dialogue("none")]),
    (SEARCHES, [*searches.searches(), *searches.controls()]),
]


def test_each_method_has_a_row_of_all_and_rows_by_domain() -> None:
    rows = MEASURE(
        [
            turn("p", 1, method="direct"),
            turn("p", 1, method="cot", extractor="gold"),
            turn("q", 1, method="direct", domain="scheduling", correct=False),
        ]
    ).rows
    assert [(row.arm.method, row.domain, row.problems, row.title) for row in rows] == [
        ("direct", None, 2, "direct"),
        ("direct", "scheduling", 1, "direct"),
        ("direct", "seating", 1, "direct"),
        ("cot", None, 1, "cot"),
        ("cot", "seating", 1, "cot"),
    ]


def test_what_was_not_finished_is_counted_and_a_failure_only_until_it_is_tried_again() -> None:
    entries: list[Entry] = [
        turn("p", 1),
        failure("p", 2),
        turn("q", 1, turns=1),
        failure("q", 1),  # tried again
        failure("r", 1),
        failure("r", 1),
        turn("s", 1),  # still going on
    ]
    for measure, of in ((FINISHED, 1), (MEASURE, 3)):
        row = measure(entries).rows[0]
        assert (row.problems, row.finished, row.failed, row.accuracy.of) == (4, 1, 2, of)
    again = MEASURE([*entries, turn("p", 2)]).rows[0]
    assert (again.problems, again.finished, again.failed) == (4, 2, 1)


@pytest.mark.parametrize("measure", [own for own, _ in RUNS])
def test_a_method_that_only_failed_has_a_row_and_no_plays(measure: FigureMeasure[Any]) -> None:
    found = measure([failure("p", method="cot")])
    assert found.rows[0].arm == Arm("drift", "", "", "", "cot")
    assert (found.rows[0].problems, found.rows[0].finished, found.rows[0].failed) == (1, 0, 1)
    assert found.rows[0].accuracy.value is None
    assert [len(arm.plays) for arm in found.plays] == [0]
    assert measure([]) == Measured(rows=(), plays=())


@pytest.mark.parametrize(("measure", "entries"), RUNS)
@settings(max_examples=5, deadline=None)
@given(rng=st.randoms(use_true_random=False))
def test_the_order_of_entries_changes_no_figure(
    measure: FigureMeasure[Any], entries: list[Entry], rng: random.Random
) -> None:
    one, other = measure(entries), measure(rng.sample(entries, len(entries)))
    assert sorted(one.rows, key=str) == sorted(other.rows, key=str)
    assert sorted(map(str, one.plays)) == sorted(map(str, other.plays))


@pytest.mark.parametrize(("measure", "entries"), RUNS)
def test_rows_become_json(measure: FigureMeasure[Any], entries: list[Entry]) -> None:
    for row in measure(entries).rows:
        found = json.loads(json.dumps(row_json(row)))
        assert (found["arm"]["method"], found["finished"]) == (row.arm.method, row.finished)


def test_entries_of_another_kind_are_passed_over() -> None:
    assert LABELS(RUNS[0][1]) == LABELS([])


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


def test_what_an_answer_adds_to_one_metric_is_found_again() -> None:
    assert TURNS.of(RIGHT, TURNS.added(turn("p", 1, correct=True))) is True


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
