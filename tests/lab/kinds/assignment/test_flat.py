from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import polars as pl

from holdtrue.record import AnswerStatus, Satisfiability, Trigger
from holdtrue_lab.kinds.assignment.flat import TURNS
from holdtrue_lab.kit.journal import Journal
from tests.lab.kit.entries import DRIFTING, RESPECTING, settings, turn, verdict


def test_a_turn_as_a_row() -> None:
    broken = verdict(Satisfiability.SAT, AnswerStatus.INCOMPLETE, Trigger.INCOMPLETE_ASSIGNMENT)
    played = turn("p", 2, broken, DRIFTING, correct=False, phantoms=1, churn=(1, 4), method="project", projected=True)
    entry = replace(played, record=replace(played.record, reader="gold"))
    row = dict(zip(TURNS.columns, next(TURNS.cells(Path("runs/a"), [entry])), strict=True))
    assert row == {
        "run": "runs/a",
        "suite": "drift",
        "problem": "p",
        "domain": "seating",
        "turns": 2,
        "model": "sim/test",
        "method": "project",
        "protocol": "stated",
        "extractor": "gold",
        "oracle": True,
        "turn": 2,
        "outcome": "drift",
        "channel": "drift",
        "correct": False,
        "upstream_correct": False,
        "first_correct": False,
        "upstream_ledger": "sat",
        "attempts": 2,
        "retries": 0,
        "identical_retries": 0,
        "same_answer_retries": 0,
        "first_triggers": "incomplete_assignment",
        "triggers": "answer_ledger_conflict",
        "violated": 0,
        "commitments": 0,
        "phantoms": 1,
        "gaps": 0,
        "churn": 1,
        "churn_of": 4,
        "projected": True,
        "abstained": False,
        "set_aside": 0,
        "calls": 2,
        "prompt_tokens": 20,
        "completion_tokens": 2,
        "tokens": 22,
        "latency_s": 1.0,
        "measuring_calls": 1,
        "measuring_tokens": 10,
        "measuring_latency_s": 0.25,
        "solver_calls": 0,
        "solver_s": 0.0,
    }


def test_lone_surrogates_do_not_stop_it(tmp_path: Path) -> None:
    with Journal(tmp_path, settings()) as journal:
        entry = turn("p", 1, RESPECTING)
        said = replace(entry.record.attempts[0], text="\ud800")
        journal.append(replace(entry, record=replace(entry.record, attempts=(said,), user_message="\ud800")))
    TURNS.write([tmp_path], tmp_path / "turns.parquet")
    assert len(pl.read_parquet(tmp_path / "turns.parquet")) == 1
