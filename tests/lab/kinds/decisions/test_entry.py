"""Journal entries of decisions: as lines and back, and what generic readers ask of them."""

from __future__ import annotations

import pytest

from holdtrue_lab.kinds.decisions.entry import DecisionEntry
from holdtrue_lab.kit.journal import decode, encode
from holdtrue_lab.kit.retries import find_retries
from tests.lab.kinds.decisions.runs import METHODS, breaks, decided, run_of


@pytest.mark.parametrize(
    "entry",
    [
        *run_of(*METHODS),
        decided("allow", label=None, reward=None, replayed=None),
        decided("ask", "R1", task="special", label=breaks("R1", executed=None), undecided=["R1"], assumptions=["that"]),
        decided("confirm", mode="observe", said="\ud800", by_solver=3),
    ],
)
def test_a_line_is_read_as_it_was_written(entry: DecisionEntry) -> None:
    assert decode(encode(entry)) == entry


def test_what_was_given_is_the_decision_with_its_rules() -> None:
    entry = decided("block", "R1-twice", "R2", label=breaks("R1"))
    assert entry.given == {"decision": "block", "rules": "R1-twice, R2"}
    assert (entry.record.outcome.value, find_retries(entry)) == ("block", [])
    assert entry.record.usage.calls == 0
