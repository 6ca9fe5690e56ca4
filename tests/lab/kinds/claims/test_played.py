"""The figures of a run that was really played, by a model that answers in tests."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from holdtrue_lab.kinds.claims.entry import ClaimEntry
from holdtrue_lab.kinds.claims.measure import measure_claims
from holdtrue_lab.kinds.claims.recount import kept, replay, rounds_of
from holdtrue_lab.kinds.claims.settings import ClaimSettings, played_methods
from holdtrue_lab.kit.folder import Measured
from holdtrue_lab.kit.groups import FigureRow
from holdtrue_lab.kit.journal import read_entries
from holdtrue_lab.kit.runner import run
from holdtrue_lab.kit.settings import read_settings
from tests.lab.kinds.claims.answering_model import bakers
from tests.lab.kinds.claims.claimed import figured
from tests.lab.kinds.claims.items import ITEMS, plan_claims

METHODS = ("direct", "self_refine", "verge", "verge_proved", "verge_t10")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("played")
    plan = plan_claims(ITEMS, list(METHODS), settings=ClaimSettings(formal="gold", judges=2, least_score=0.8))
    asyncio.run(run(plan, bakers(), path))
    return path


@pytest.fixture(scope="module")
def measured(folder: Path) -> Measured[FigureRow]:
    return measure_claims(read_entries(folder), played_methods(read_settings(folder) or {}))


def entries(folder: Path) -> list[ClaimEntry]:
    return [entry for entry in read_entries(folder) if isinstance(entry, ClaimEntry)]


def test_what_is_kept_in_the_end_is_what_was_delivered(folder: Path, measured: Measured[FigureRow]) -> None:
    for entry in entries(folder):
        [*_, last] = kept(rounds_of(entry))
        check = entry.record.final.check
        assert entry.score is not None
        assert last.right == entry.score.correct
        assert (last.checked is None) == (check is None)
        assert check is None or (last.checked is not None and last.checked.score == check.score)
    for row in map(figured, measured.rows):
        assert row.convergence.rounds[-1].accuracy == row.accuracy
        assert row.convergence.rounds[-1].score == row.score


def test_a_replay_at_the_methods_own_weight_delivers_what_was_delivered(
    folder: Path, measured: Measured[FigureRow]
) -> None:
    methods = played_methods(read_settings(folder) or {})
    played = [entry for entry in entries(folder) if methods[entry.method].strategy == "verge"]
    assert len({len(rounds_of(entry)) for entry in played}) > 1
    for entry in played:
        found, check = replay(rounds_of(entry), methods[entry.method], 0.9), entry.record.final.check
        assert check is not None
        assert (found.score, found.accepted, found.open) == (check.score, check.accepted, False)
    for row in map(figured, measured.rows):
        own = [each for each in row.reweighed if each.weight == 0.9]
        assert [(each.accuracy, each.accepted, each.change, each.exact) for each in own] == [
            (row.accuracy, row.accepted, 0.0, True)
        ] * len(own)
        assert bool(own) == row.arm.method.startswith("verge")


def test_all_calls_are_counted_once(folder: Path, measured: Measured[FigureRow]) -> None:
    for row in map(figured, measured.rows):
        if row.domain is not None:
            continue
        records = [entry.record for entry in entries(folder) if entry.method == row.arm.method]
        calls = sum(record.usage.calls + len(record.measuring) for record in records)
        by_part = [row.costs.own.calls.value, row.costs.measuring.calls.value]
        assert sum(value or 0.0 for value in by_part) == pytest.approx(calls / len(records))
        assert bool(row.costs.measuring.calls.value) != row.arm.method.startswith("verge")
