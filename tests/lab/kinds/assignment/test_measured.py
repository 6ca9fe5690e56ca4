from __future__ import annotations

from dataclasses import replace

import pytest

from holdtrue.kinds.assignment.record import AssignmentDetail
from holdtrue_lab.kinds.assignment.entry import AssignmentEntry
from holdtrue_lab.kinds.assignment.metrics import MEASURE as measure_run
from holdtrue_lab.kit.arm import Arm
from holdtrue_lab.kit.entry import Entry
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
    assert {asked[0]: play for asked, play in plays.plays.items()} == {
        "p": Play("seating", 3, {1: True, 3: False}, unit="p")
    }


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
