"""The vocabulary of outcomes: two axes, one exclusive outcome, one exclusive channel."""

from __future__ import annotations

from itertools import product

from holdtrue.record import AnswerStatus, Channel, Satisfiability, TurnOutcome, Usage, channel, total, turn_outcome


def test_outcomes_are_decided_in_their_order() -> None:
    found = {(ledger, answer): turn_outcome(ledger, answer) for ledger, answer in product(Satisfiability, AnswerStatus)}
    for (ledger, answer), outcome in found.items():
        if ledger is Satisfiability.UNSAT:
            assert outcome is TurnOutcome.CONTRADICTION
        elif answer is AnswerStatus.UNPARSED:
            assert outcome is TurnOutcome.UNPARSED
        elif answer is AnswerStatus.REFUSED:
            assert outcome is TurnOutcome.REFUSED
        elif answer is AnswerStatus.INCOMPLETE:
            assert outcome is TurnOutcome.INCOMPLETE
        elif ledger is Satisfiability.UNKNOWN or answer is AnswerStatus.UNDECIDED:
            assert outcome is TurnOutcome.UNDECIDED
    assert found[Satisfiability.SAT, AnswerStatus.VIOLATING] is TurnOutcome.DRIFT
    assert found[Satisfiability.SAT, AnswerStatus.RESPECTING] is TurnOutcome.CONSISTENT
    assert set(found.values()) == set(TurnOutcome)


def test_every_wrong_turn_has_one_channel_and_a_kept_ledger_means_a_gap() -> None:
    assert {channel(outcome) for outcome in TurnOutcome} == set(Channel)
    assert channel(TurnOutcome.CONSISTENT) is Channel.LEDGER_GAP
    assert all(channel(outcome).value == outcome.value for outcome in TurnOutcome if outcome != "consistent")


def test_usage_adds_up() -> None:
    assert total([Usage(1, 10, 5, 0.5), Usage(2, 1, 1, 0.25)]) == Usage(3, 11, 6, 0.75)
    assert total([]) == Usage() and Usage(1, 10, 5).tokens == 15
