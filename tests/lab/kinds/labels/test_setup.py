from __future__ import annotations

import pytest

from holdtrue.record import Label
from holdtrue_lab.kinds.labels.setup import label_counts, label_shares
from holdtrue_lab.suites.belief.generate import generate_dialogues


def test_every_query_of_every_case_counts() -> None:
    cases = generate_dialogues(7, 4)
    counts = label_counts(cases)
    labels = [query.label.value for case in cases for query in case.queries]
    assert {label for label, count in counts.items() if count} == set(labels)
    assert sorted(labels) == sorted(label for label, count in counts.items() for _ in range(count))
    assert label_shares(cases) == pytest.approx({label: labels.count(label) / 40 for label in Label})


def test_no_cases_have_no_labels() -> None:
    assert label_counts([]) == {"ENTAILED": 0, "CONTRADICTED": 0, "UNKNOWN": 0}
    assert set(label_shares([]).values()) == {0.0}
