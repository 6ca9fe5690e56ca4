"""Scores of decisions: what is caught, false, let through and asked, and that a record is replayed."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdtrue_lab.kinds.decisions.entry import DecisionEntry, DecisionKind, DecisionScore
from holdtrue_lab.kinds.decisions.playing import is_replayed
from holdtrue_lab.kinds.decisions.problem import CallLabel, RecordedConversation
from holdtrue_lab.kit.journal import decode, encode
from holdtrue_lab.kit.retries import find_retries
from tests.lab.kinds.decisions.runs import METHODS, RULES, SOUND, breaks, decided, open_about, run_of

ALLOW, BLOCK, ASK, CONFIRM = (kind.value for kind in DecisionKind)


def score(label: CallLabel, decision: str, *rules: str) -> DecisionScore:
    found = decided(decision, *rules, label=label).against
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("label", "decision", "standing", "correct"),
    [
        (breaks("R1"), (BLOCK, "R1"), "broken", True),
        (breaks("R1"), (BLOCK, "R1-twice", "R2"), "broken", True),
        (breaks("R1"), (BLOCK, "R2"), "broken", False),
        (breaks("R1"), (BLOCK,), "broken", False),
        (breaks("R1"), (ASK, "R1"), "broken", False),
        (breaks("R1"), (ALLOW,), "broken", False),
        (breaks("R1", "S1"), (BLOCK, "S1"), "broken", False),
        (SOUND, (ALLOW,), "sound", True),
        (SOUND, (BLOCK, "R1"), "sound", False),
        (SOUND, (CONFIRM,), "sound", False),
        (breaks("S1"), (ALLOW,), "sound", True),
        (breaks("S1"), (BLOCK, "S1"), "sound", True),
        (breaks("S1"), (BLOCK, "R1"), "sound", False),
        (breaks("T1"), (BLOCK, "R1"), "sound", True),
        (breaks("T1"), (ASK,), "sound", False),
        (open_about("R1"), (ASK,), "undecided", True),
        (open_about("R1"), (CONFIRM,), "undecided", True),
        (open_about("R1"), (ALLOW,), "undecided", False),
        (open_about("S1"), (ALLOW,), "open", None),
        (open_about("T1"), (BLOCK, "R1"), "open", None),
        (CallLabel(("R1",), ("R2",), None), (BLOCK, "R1"), "broken", True),
    ],
)
def test_what_is_right_depends_on_what_the_call_is_by_the_facts(
    label: CallLabel, decision: tuple[str, ...], standing: str, correct: bool | None
) -> None:
    found = score(label, *decision)
    assert (found.standing, found.correct) == (standing, correct)
    assert decided(*decision, label=label).tally == (None if correct is None else (int(correct), 1))


IDS = st.lists(st.sampled_from(["R1", "R2", "S1", "T1", "Q7"]), unique=True)


@given(IDS, IDS, st.sampled_from(DecisionKind), IDS)
def test_counts_are_those_of_the_project_s_scorer(
    broken: list[str], undecided: list[str], decision: DecisionKind, rules: list[str]
) -> None:
    """The conditions of `score_tau.py`, word for word."""
    facts, talk, true, open_ = {"R1", "R2"}, {"S1"}, set(broken), set(undecided)
    mine = set(rules) if decision == "block" else set()
    tool = any(each.startswith("T") for each in true)
    sound = not true & facts and not open_
    found = score(CallLabel(tuple(broken), tuple(undecided), None), decision.value, *rules)
    assert (found.standing == "broken") == bool(true & facts)
    assert found.caught == bool(true & facts & mine)
    assert found.false_block == (decision == "block" and not true & (facts | talk) and not tool)
    assert (found.standing == "undecided") == bool(open_ & facts and not true & facts)
    assert (found.standing == "sound") == sound
    assert found.let_through == (sound and (decision == "allow" or (decision == "block" and tool)))
    assert found.asked == (bool(open_ & facts and not true & facts) and decision in ("ask", "confirm"))
    assert set(found.broken) == true & (facts | talk)
    assert set(found.found) == true & (facts | talk) & mine
    assert set(found.unfounded) == {rule for rule in mine & (facts | talk) if rule not in true | open_}


class Forgetful:
    """A policy whose replays come out otherwise."""

    def __init__(self, changed: bool) -> None:
        self.changed = changed

    def replay(self, record: dict[str, Any]) -> Any:
        assert record == {"decision": "allow", "rules": []}, "it gets the record alone, as the journal keeps it"
        again = {**record, "rules": ["R1"] if self.changed else []}
        return type("Again", (), {"to_json": lambda self: again})()


@pytest.mark.parametrize("changed", [False, True])
def test_a_replay_that_comes_out_otherwise_is_told(changed: bool) -> None:
    policy: Any = Forgetful(changed)
    problem = RecordedConversation("task1-0", "library", 1, 0, None, (), (), RULES, policy)
    assert is_replayed(problem, decided(ALLOW).record.detail) is not changed
    assert is_replayed(problem, decided(ALLOW, method="allow_all").record.detail) is None


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
