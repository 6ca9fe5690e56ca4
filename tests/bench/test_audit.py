"""The benchmark of the audit runs, and finds exactly the planted faults."""

from __future__ import annotations

import json
from collections import Counter
from itertools import islice
from pathlib import Path

import pytest

from bench import audit, audit_scale
from holdtrue.audit.turn_checker import Checker
from holdtrue.budget import Budget
from holdtrue.verification.logged_turn import check_logged_turn, read_logged_turn
from holdtrue.world.registry import BUILTIN


@pytest.mark.slow
def test_a_quick_run_prints_every_row(capsys: pytest.CaptureFixture[str]) -> None:
    audit.main(["--turns", "120", "--growth", "60"])
    said = capsys.readouterr().out
    assert all(row.name in said for row in audit.ROWS)
    assert "consistent 100%" in said and "contradiction" in said and "60 turns" in said


def test_what_is_planted_is_found(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert audit_scale.main([str(tmp_path), "--turns", "3000", "--problems", "6", "--workers", "1"]) == 0
    found = json.loads(capsys.readouterr().out.partition("\n")[2])
    assert found["found"] == found["planted"] and found["planted"]["drift"] > 0
    # A count that differs from the planted one is reported.
    (tmp_path / "planted.json").write_text(json.dumps({**found["planted"], "drift": 1}), encoding="utf-8")
    assert audit_scale.main([str(tmp_path), "--turns", "3000", "--workers", "1"]) == 1


@pytest.mark.slow
def test_a_hundred_thousand_turns_are_checked_alike() -> None:
    checker, budget = Checker(BUILTIN), Budget(timeout_s=30)
    checked = Counter[str]()
    for turn in islice(audit.turns(audit.problems(), 5, broken=0.4, clashing=0.1), 100_000):
        line = json.dumps(turn).encode()
        found = checker.check(line).to_json()
        assert found == check_logged_turn(read_logged_turn(json.loads(line), BUILTIN, None), budget).to_json(), line
        checked[found["outcome"]] += 1
    assert checked.total() == 100_000 and set(checked) == {"consistent", "drift", "contradiction"}
    assert checker.quick > 80_000
