"""Tests of counting, reading and writing calibrations of judges, and of files that are refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.errors import RecordError
from holdtrue_claims.claim_record import ClaimType
from holdtrue_claims.kind.calibration import (
    Calibration,
    Calibrations,
    calibrations_json,
    packaged_calibrations,
    read_calibrations,
    wilson_low,
    write_calibrations,
)
from holdtrue_lab.figures.statistics import wilson

ONE = Calibration("m", ClaimType.LOGICAL, 50, 40, 36, 5, "pairs, seed 7", "2026-11-23")


@settings(deadline=None)
@given(st.integers(1, 300), st.data())
def test_the_lower_bound_is_that_of_reports(of: int, data: st.DataObject) -> None:
    hits = data.draw(st.integers(0, of))
    assert wilson_low(hits, of) == pytest.approx(wilson(hits, of).low)


def test_measurements_of_one_model_and_type_count_together() -> None:
    known = Calibrations((ONE, ONE, Calibration("m", ClaimType.VAGUE, 9, 9, 9, 5, "x", "2026-11-23")))
    assert known.counted("m", ClaimType.LOGICAL) == (80, 72)
    assert known.low("m", ClaimType.LOGICAL) == pytest.approx(wilson(72, 80).low)
    assert known.low("m", ClaimType.TEMPORAL) is None and known.low("other", ClaimType.LOGICAL) is None


def test_support_that_was_never_given_is_no_measurement() -> None:
    never = Calibrations((Calibration("m", ClaimType.LOGICAL, 9, 0, 0, 5, "x", "2026-11-23"),))
    assert never.low("m", ClaimType.LOGICAL) is None


def test_a_file_is_read_as_it_was_written(tmp_path: Path) -> None:
    write_calibrations(tmp_path / "judges.json", [ONE])
    assert read_calibrations(tmp_path / "judges.json") == Calibrations((ONE,))
    assert calibrations_json([ONE])[0]["right"] == 36
    assert all(each.supported <= each.claims for each in packaged_calibrations().entries)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("{", "judges.json: "),
        ("[]", "calibrations"),
        ('{"calibrations": [{"model": "m"}]}', "calibrations.0: needed are just model, type"),
        ('{"calibrations": ["m"]}', "calibrations.0: needed are just model, type"),
        (json.dumps({"calibrations": [{**calibrations_json([ONE])[0], "right": "36"}]}), "got '36'"),
        (
            json.dumps({"calibrations": [{**calibrations_json([ONE])[0], "right": True}]}),
            "whole number is needed, got True",
        ),
        (json.dumps({"calibrations": [{**calibrations_json([ONE])[0], "type": "poetic"}]}), "calibrations.0.type"),
        (json.dumps({"calibrations": [{**calibrations_json([ONE])[0], "right": 41}]}), "cannot be"),
    ],
)
def test_what_is_no_calibration_is_refused_with_its_place(text: str, says: str, tmp_path: Path) -> None:
    (tmp_path / "judges.json").write_text(text)
    with pytest.raises(RecordError, match=r"judges\.json") as refused:
        read_calibrations(tmp_path / "judges.json")
    assert says in str(refused.value)
    with pytest.raises(RecordError, match="cannot be read"):
        read_calibrations(tmp_path / "none.json")
