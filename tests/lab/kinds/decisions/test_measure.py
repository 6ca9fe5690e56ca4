"""Rows of decisions, and how methods compare."""

from __future__ import annotations

from typing import Any

from holdtrue_lab.figures.statistics import Rate
from holdtrue_lab.kinds.decisions.entry import DecisionKind
from holdtrue_lab.kinds.decisions.metrics import (
    ASSUMED,
    CAUGHT,
    DECIDED,
    DECISIONS,
    FALSE_BLOCKS,
    HELD,
    LABELLED,
    LET_THROUGH,
    MEASURE,
    MISSED,
    NEEDLESS,
    REPLAYED,
    RULES_DECIDED,
)
from holdtrue_lab.kit.groups import FigureRow
from tests.lab.kinds.decisions.runs import METHODS, decided, decisions, run_of


def row(entries: list[Any]) -> FigureRow:
    [found] = MEASURE(entries).rows
    return found


def counts(rate: Rate) -> tuple[int, int]:
    return rate.hits, rate.of


def test_controls_catch_nothing_and_their_harm_is_theirs() -> None:
    found = {row.arm.method: row for row in MEASURE(run_of(*METHODS)).rows}
    assert counts(MISSED(found["allow_all"])) == (3, 3)
    assert counts(LET_THROUGH(found["allow_all"])) == (3, 3)
    assert counts(HELD(found["block_writes"])) == (3, 3)
    assert counts(FALSE_BLOCKS(found["block_writes"])) == (3, 3)
    assert counts(LET_THROUGH(found["block_writes"])) == (1, 3), "the tool would have rejected one"
    assert counts(NEEDLESS(found["ask_always"])) == (3, 3)
    assert {name: counts(CAUGHT(found[name]))[0] for name in METHODS[2:]} == dict.fromkeys(METHODS[2:], 0)
    assert {name: REPLAYED(found[name]).of for name in METHODS[2:]} == dict.fromkeys(METHODS[2:], 0)


def test_a_call_without_a_label_is_decided_and_not_scored() -> None:
    found = row([decided("block", "R1", label=None, reward=None), decided("allow", task=2, assumptions=["no reason"])])
    assert (DECIDED(found), LABELLED(found), counts(found.accuracy)) == (2, 1, (1, 1))
    assert counts(ASSUMED(found)) == (1, 2)
    assert counts(RULES_DECIDED(found)) == (2, 2)
    assert counts(RULES_DECIDED(row([decided("ask", "R1", undecided=["R1"]), decided("allow", task=2)]))) == (1, 2)
    assert DECISIONS(found)[DecisionKind.BLOCK] == 1
    none = row([decided("allow", label=None)])
    assert none.accuracy.value is None and CAUGHT(none).value is None and counts(REPLAYED(none)) == (1, 1)


def test_intervals_are_drawn_by_task() -> None:
    """Trials that all agree within their tasks say no more than one trial of each."""

    def trials(count: int) -> list[Any]:
        return [
            decided("allow" if task % 2 else "block", task=task, trial=k) for task in range(6) for k in range(count)
        ]

    few, many = trials(1), trials(8)
    one, other = LET_THROUGH(row(few)), LET_THROUGH(row(many))
    assert (one.low, one.high, one.interval) == (other.low, other.high, other.interval)


def test_a_method_of_one_s_own_is_a_control_if_its_settings_say_so() -> None:
    own = {"own_methods": {"mine": {"decider": "block"}, "yours": {"decider": "policy"}}}
    entries = [*decisions("mine"), *decisions("yours"), *decisions("ask_always")]
    assert MEASURE(entries, own).controls == {"mine", "ask_always"}
    asking = {arm.arm.method: arm.asks_model for arm in MEASURE(entries, own).plays}
    assert asking == {"mine": False, "yours": True, "ask_always": False}
