"""Rows of decisions, and how methods compare."""

from __future__ import annotations

import random
from typing import Any

from holdtrue.figures.statistics import Rate
from holdtrue.lab.kinds.decisions.entry import DecisionKind
from holdtrue.lab.kinds.decisions.measure import measure_decisions
from holdtrue.lab.kinds.decisions.row import DecisionRow, RuleRow, ToolRow
from holdtrue.lab.kit.entry import Entry
from tests.lab.kinds.decisions.runs import METHODS, decided, decisions, failure, run_of


def row(entries: list[Any]) -> DecisionRow:
    [found] = measure_decisions(entries).rows
    return found


def counts(rate: Rate) -> tuple[int, int]:
    return rate.hits, rate.of


def test_every_figure_is_out_of_the_calls_that_it_is_about() -> None:
    found = row(decisions())
    assert (found.calls, found.labelled, found.finished, found.tasks) == (7, 7, 6, 3)
    assert found.standings == {"broken": 3, "undecided": 1, "sound": 3, "open": 0}
    assert counts(found.accuracy) == (4, 7)
    assert counts(found.help.caught) == (1, 3)
    assert counts(found.help.held) == (1, 3)
    assert counts(found.help.missed) == (1, 3)
    assert counts(found.help.asked) == (1, 1)
    assert counts(found.harm.false_blocks) == (1, 3)
    assert counts(found.harm.let_through) == (2, 3)
    assert counts(found.harm.needless) == (0, 3)
    assert counts(found.harm.blocked_rewarded) == (3, 5)
    assert counts(found.harm.blocked_failed) == (0, 1)
    assert counts(found.replayed) == (7, 7)
    assert {kind.value: number for kind, number in found.decisions.items()} == {
        "allow": 2,
        "block": 4,
        "ask": 1,
        "confirm": 0,
    }
    assert found.rules == (RuleRow("R1", 2, 1, 2), RuleRow("R2", 1, 0, 1), RuleRow("S1", 1, 0, 0))
    assert found.tools == (ToolRow("lend", 6, 3, 1, 1, 0), ToolRow("renew", 1, 0, 0, 0, 1))
    assert found.seconds.value is not None and abs(found.seconds.value - 0.002) < 1e-12


def test_controls_catch_nothing_and_their_harm_is_theirs() -> None:
    found = {row.arm.method: row for row in measure_decisions(run_of(*METHODS)).rows}
    assert counts(found["allow_all"].help.missed) == (3, 3)
    assert counts(found["allow_all"].harm.let_through) == (3, 3)
    assert counts(found["block_writes"].help.held) == (3, 3)
    assert counts(found["block_writes"].harm.false_blocks) == (3, 3)
    assert counts(found["block_writes"].harm.let_through) == (1, 3), "the tool would have rejected one"
    assert counts(found["ask_always"].harm.needless) == (3, 3)
    assert {name: counts(found[name].help.caught)[0] for name in METHODS[2:]} == dict.fromkeys(METHODS[2:], 0)
    assert {name: found[name].replayed.of for name in METHODS[2:]} == dict.fromkeys(METHODS[2:], 0)


def test_a_call_without_a_label_is_decided_and_not_scored() -> None:
    found = row([decided("block", "R1", label=None, reward=None), decided("allow", task=2, assumptions=["no reason"])])
    assert (found.calls, found.labelled, counts(found.accuracy)) == (2, 1, (1, 1))
    assert counts(found.assumed) == (1, 2)
    assert counts(found.decided) == (2, 2)
    assert counts(row([decided("ask", "R1", undecided=["R1"]), decided("allow", task=2)]).decided) == (1, 2)
    assert found.decisions[DecisionKind.BLOCK] == 1
    none = row([decided("allow", label=None)])
    assert none.accuracy.value is None and none.help.caught.value is None and counts(none.replayed) == (1, 1)


def test_unfinished_and_failed_conversations_are_counted_and_left_out() -> None:
    entries: list[Entry] = [decided("allow"), decided("allow", task=2, turns=2), failure()]
    found = row(entries)
    assert (found.problems, found.finished, found.failed, found.calls) == (3, 1, 1, 1)


def test_intervals_are_drawn_by_task() -> None:
    """Trials that all agree within their tasks say no more than one trial of each."""

    def trials(count: int) -> list[Any]:
        return [
            decided("allow" if task % 2 else "block", task=task, trial=k) for task in range(6) for k in range(count)
        ]

    few, many = trials(1), trials(8)
    one, other = row(few).harm.let_through, row(many).harm.let_through
    assert (one.low, one.high, one.interval) == (other.low, other.high, other.interval)


def test_rows_do_not_depend_on_the_order_of_entries() -> None:
    entries: list[Any] = [*run_of("guard", "allow_all"), failure()]
    shuffled = random.Random(1).sample(entries, len(entries))
    before, after = (sorted(measure_decisions(each).rows, key=lambda r: r.arm.method) for each in (entries, shuffled))
    assert before == after


def test_a_method_of_one_s_own_is_a_control_if_its_settings_say_so() -> None:
    own = {"own_methods": {"mine": {"decider": "block"}, "yours": {"decider": "policy"}}}
    entries = [*decisions("mine"), *decisions("yours"), *decisions("ask_always")]
    assert measure_decisions(entries, own).controls == {"mine", "ask_always"}
    asking = {arm.arm.method: arm.asks_model for arm in measure_decisions(entries, own).plays}
    assert asking == {"mine": False, "yours": True, "ask_always": False}
