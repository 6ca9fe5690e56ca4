"""Weights are read back as they were written, and what is no weight is refused."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from holdtrue.errors import InputError
from holdtrue.language.reading_weights import read_reading_weights, shipped_reading_weights

OURS = shipped_reading_weights()


def test_what_was_written_is_read() -> None:
    assert read_reading_weights(json.dumps(OURS.to_json())) == OURS
    plain = replace(OURS, phrased=None, phrasings={})
    assert read_reading_weights(json.dumps(plain.to_json())) == plain


def test_a_domain_without_phrasings_is_chosen_for_without_them() -> None:
    assert OURS.choice_in("seating") == (OURS.phrased, OURS.phrasings["seating"])
    assert (
        OURS.choice_in("another") == replace(OURS, phrasings={"another": {}}).choice_in("another") == (OURS.choice, {})
    )


@pytest.mark.parametrize(
    "change",
    [
        {"committed": {"words": 1.0}},
        {"committed": {"bias": float("nan")}},
        {"committed": {"bias": 10**400}},
        {"settled": 90},
        {"accepted": -1},
        {"phrasings": ["seating"]},
        {"choice": {}},
    ],
    ids=str,
)
def test_what_is_no_weight_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(InputError, match="no weights of sentences"):
        read_reading_weights(json.dumps({**OURS.to_json(), **change}))
