from __future__ import annotations

import tracemalloc
from collections.abc import Iterator
from dataclasses import replace

import pytest

from holdtrue.kinds.assignment.record import AssignmentDetail
from holdtrue.record import CallRecord, Usage
from holdtrue_lab.kinds.assignment.entry import AssignmentEntry
from holdtrue_lab.kinds.assignment.measured import measure_run
from holdtrue_lab.kit.arm import Arm
from holdtrue_lab.kit.entry import Entry
from holdtrue_lab.kit.folder import Measured
from holdtrue_lab.kit.plays import ArmPlays, Play
from tests.lab.kit.entries import DRIFTING, RESPECTING, failure, turn


def only(entries: list[Entry]) -> ArmPlays[Play]:
    [plays] = measure_run(entries).plays
    return plays


def acting(entry: AssignmentEntry, kind: str, **changes: object) -> AssignmentEntry:
    """The entry with a last attempt of another kind."""
    *before, last = entry.record.attempts
    record = replace(entry.record, attempts=(*before, replace(last, kind=kind)), **changes)  # type: ignore[arg-type]
    return replace(entry, record=record)


def test_a_play_holds_the_scored_turns_of_a_finished_problem() -> None:
    plays = only(
        [
            turn("p", 1, correct=True, turns=3),
            turn("p", 2, scored=False, turns=3),
            turn("q", 1, correct=True),
            turn("p", 3, correct=False, turns=3),
            failure("q", 2),
        ]
    )
    assert plays.arm == Arm("drift", "sim/test", "stated", "templates", "direct")
    assert {asked[0]: play for asked, play in plays.plays.items()} == {"p": Play("seating", 3, {1: True, 3: False})}


def test_a_method_that_only_failed_has_a_row_and_no_plays() -> None:
    entries: list[Entry] = [turn("p", 1), turn("p", 2, method="cot"), failure("q"), failure("r", method="project")]
    found = measure_run(entries)
    assert {row.arm.method for row in found.rows} == {"direct", "cot", "project"}
    assert [arm.arm.method for arm in found.plays] == ["direct", "cot"]
    assert measure_run([]) == Measured(rows=(), plays=(), controls=measure_run([]).controls)


def test_problems_are_the_same_where_the_same_was_said() -> None:
    def asked(*messages: str) -> tuple[str, int]:
        entries = (turn("p", n, turns=len(messages)) for n, _ in enumerate(messages, start=1))
        said = [replace(e, record=replace(e.record, user_message=m)) for e, m in zip(entries, messages, strict=True)]
        [found] = only(list(said)).plays
        return found

    assert asked("A before B", "and C") == asked("A before B", "and C")
    others = [asked("A before B", "and D"), asked("and C", "A before B"), asked("A before Ba", "nd C"), asked("\ud800")]
    assert len({asked("A before B", "and C"), *others}) == 5


@pytest.mark.parametrize(
    ("method", "expected"),
    [
        *(("direct", True), ("cot", True), ("ledger", True), ("self_consistency", True), ("self_refine", True)),
        *(("mus_repair", False), ("drift_repair", False), ("project", False), ("drift_repair_project", False)),
        *(("random_legal", False), ("solver_only", False)),
    ],
)
def test_presets_are_baselines_by_their_names(method: str, expected: bool) -> None:
    """Also where nothing was ever repaired."""
    assert only([turn("p", 1, method=method)]).baseline is expected


def test_other_methods_are_baselines_by_what_they_did() -> None:
    plain = turn("p", 1, method="mine")
    assert only([plain]).baseline
    assert only([acting(turn("p", 1, DRIFTING, RESPECTING, method="mine"), "format"), plain]).baseline
    silent = replace(plain.record, attempts=(replace(plain.record.final, calls=()),))
    for other in (
        acting(turn("q", 1, DRIFTING, RESPECTING, method="mine"), "repair"),
        acting(turn("q", 1, DRIFTING, RESPECTING, method="mine"), "fallback", detail=AssignmentDetail(projected=True)),
        turn("q", 1, DRIFTING, method="mine", delivered=None),
    ):
        assert not only([other, plain]).baseline
        assert not only([plain, other]).baseline
    assert not only([replace(plain, record=silent)]).baseline  # it never asked the model


def test_texts_are_not_kept() -> None:
    """1,000 turns with 100 kB of text each pass by in a few MB."""

    def long_turns() -> Iterator[Entry]:
        for number in range(500):
            for at in (1, 2):
                entry = turn(f"p{number}", at, DRIFTING, RESPECTING)
                attempts = tuple(replace(a, text=str(number % 10) * 50_000) for a in entry.record.attempts)
                call = CallRecord("m", "extract", Usage(), annotations={"note": str(at) * 1000})
                yield replace(entry, record=replace(entry.record, attempts=attempts, measuring=(call,)))

    measure_run([turn("p", 1), turn("q", 1, correct=False)])  # loads what it needs
    tracemalloc.start()
    measure_run(long_turns())
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 20_000_000  # the draws of the bootstrap are most of it
