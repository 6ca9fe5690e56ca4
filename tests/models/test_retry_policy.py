"""Waits that servers ask for, in both forms, and garbage."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.models.retry_policy import LONGEST_BACKOFF_S, backoff_s, retry_after_s

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


@pytest.mark.parametrize("text", ["", "soon", "-5", "inf", "nan", "1e9", "٣", "5 s", "Fri, 99 Xyz 2026", "9" * 99])
def test_garbage_is_no_wait(text: str) -> None:
    assert retry_after_s({"retry-after": text}) is None


def test_seconds_and_milliseconds() -> None:
    assert retry_after_s({"retry-after": " 3600 "}) == 3600
    assert retry_after_s({"retry-after": "9", "retry-after-ms": "250"}) == 0.25


@given(st.integers(-(10**6), 10**7))
@settings(deadline=None, max_examples=50)
def test_a_date_is_told_by_the_server_s_clock(seconds: int) -> None:
    until = format_datetime(NOW + timedelta(seconds=seconds), usegmt=True)
    assert retry_after_s({"retry-after": until, "date": format_datetime(NOW, usegmt=True)}) == max(0, seconds)


@given(st.text(max_size=70))
@settings(deadline=None, max_examples=100)
def test_no_text_is_an_exception(text: str) -> None:
    wait_s = retry_after_s({"retry-after": text, "date": text})
    assert wait_s is None or wait_s >= 0


def test_waits_grow_up_to_a_limit() -> None:
    assert 0.375 <= backoff_s(1) <= 0.5
    assert 0.75 * LONGEST_BACKOFF_S <= backoff_s(50) <= LONGEST_BACKOFF_S
