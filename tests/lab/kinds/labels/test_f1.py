from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.lab.kinds.labels.f1 import counts, f1, macro_f1, unknown_f1
from tests.lab.kinds.labels.labelled import C, E, U

ANSWERS = st.lists(st.tuples(st.sampled_from((E, C, U)), st.sampled_from((E, C, U, None))), max_size=12)


def naive(answers: list[tuple[str, str | None]], label: str) -> float | None:
    """By precision and recall."""
    right = sum(gold == given == label for gold, given in answers)
    of_given = sum(given == label for _, given in answers)
    of_true = sum(gold == label for gold, _ in answers)
    if not of_given and not of_true:
        return None
    precision, recall = right / of_given if of_given else 0.0, right / of_true if of_true else 0.0
    return 2 * precision * recall / (precision + recall) if right else 0.0


@settings(deadline=None)
@given(ANSWERS)
def test_f1_is_that_of_precision_and_recall(answers: list[tuple[str, str | None]]) -> None:
    table = np.array([counts(answers)])
    each = [naive(answers, label) for label in (E, C, U)]
    known = [value for value in each if value is not None]
    assert f1(table)[0] == pytest.approx([math.nan if value is None else value for value in each], nan_ok=True)
    assert unknown_f1(table)[0] == pytest.approx(math.nan if each[2] is None else each[2], nan_ok=True)
    expected = sum(known) / len(known) if known else math.nan
    assert macro_f1(table)[0] == pytest.approx(expected, nan_ok=True)


@settings(deadline=None)
@given(ANSWERS, ANSWERS)
def test_counts_add_up(one: list[tuple[str, str | None]], two: list[tuple[str, str | None]]) -> None:
    assert np.array_equal(np.add(counts(one), counts(two)), counts([*one, *two]))


def test_a_missing_label_is_wrong_and_is_no_label() -> None:
    assert counts([(U, None), (E, E)]) == [1, 0, 0, 1, 0, 0, 1, 0, 1]
