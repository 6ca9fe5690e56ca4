"""Budgets, files, records and the wire: the small modules below all rooms."""

from __future__ import annotations

import json
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError

from holdtrue.budget import Budget, Deadline
from holdtrue.errors import SettingsError
from holdtrue.files import write_whole
from holdtrue.record import AnswerStatus, Channel, Satisfiability, TurnOutcome, Usage, channel, total, turn_outcome
from holdtrue.wire import first_fault, plain_fields
from tests.models.disk import no_file_beyond


class Clock:
    def __init__(self) -> None:
        self.now = 1_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    wound = Clock()
    monkeypatch.setattr(time, "monotonic", wound)
    return wound


def test_a_deadline_passes_when_its_moment_comes(clock: Clock) -> None:
    deadline = Budget(timeout_s=2.0).start()
    assert deadline == Deadline(1_002.0)
    assert (deadline.passed, deadline.remaining_s) == (False, 2.0)
    clock.now += 1.5
    assert (deadline.passed, deadline.remaining_s) == (False, 0.5)
    clock.now += 0.5
    assert (deadline.passed, deadline.remaining_s) == (True, 0.0)
    clock.now += 10
    assert (deadline.passed, deadline.remaining_s) == (True, 0.0)


def test_without_a_timeout_nothing_ever_passes(clock: Clock) -> None:
    deadline = Budget(timeout_s=None).start()
    clock.now += 1e9
    assert (deadline.at, deadline.passed, deadline.remaining_s) == (None, False, None)


def test_a_budget_of_nothing_is_spent_at_once(clock: Clock) -> None:
    assert Budget(timeout_s=0).start().passed


def test_the_default_is_bounded_in_time_only() -> None:
    assert (Budget().timeout_s, Budget().conflicts) == (5.0, None)


def test_several_questions_share_a_deadline(clock: Clock) -> None:
    budget = Budget(timeout_s=5.0, conflicts=70)
    deadline = budget.start()
    clock.now += 3
    assert budget.until(deadline) == Budget(2.0, 70)
    assert budget.until(Deadline(None)) == Budget(None, 70)


@pytest.mark.parametrize("timeout_s", ["5", float("nan"), -1, -0.5, True])
def test_a_limit_of_time_is_a_number_of_seconds(timeout_s: Any) -> None:
    with pytest.raises(
        SettingsError, match=r"timeout_s \(seconds, or None for no limit\) must be a number of at least 0"
    ):
        Budget(timeout_s)


@pytest.mark.parametrize("conflicts", ["x", 1.5, -1, float("nan"), False])
def test_a_limit_of_conflicts_is_a_whole_number(conflicts: Any) -> None:
    with pytest.raises(SettingsError, match=r"conflicts \(or None for no limit\) must be a whole number of at least 0"):
        Budget(conflicts=conflicts)


def test_an_end_is_a_deadline() -> None:
    with pytest.raises(SettingsError, match=r"end must be a Deadline, as shared.* makes it, not 5"):
        Budget(end=5)  # type: ignore[arg-type]


def test_the_new_text_takes_the_place_of_the_old(tmp_path: Path) -> None:
    path = tmp_path / "it.txt"
    for text in ("long and old", "new é"):
        write_whole(path, text)
        assert path.read_text(encoding="utf-8") == text
    assert [each.name for each in tmp_path.iterdir()] == ["it.txt"]


def test_what_cannot_be_written_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "it.txt"
    write_whole(path, "old")
    with pytest.raises(UnicodeEncodeError):
        write_whole(path, "\ud800")
    with no_file_beyond(100), pytest.raises(OSError, match="File too large"):
        write_whole(path, "x" * 1000)
    with pytest.raises(FileNotFoundError):
        write_whole(tmp_path / "nowhere" / "it.txt", "new")
    assert path.read_text(encoding="utf-8") == "old"
    assert [each.name for each in tmp_path.iterdir()] == ["it.txt"]


def test_two_at_a_time_leave_one_whole_text(tmp_path: Path) -> None:
    path = tmp_path / "it.txt"
    texts = [str(number) * 10_000 for number in range(8)]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda text: write_whole(path, text), texts * 5))
    assert path.read_text(encoding="utf-8") in texts
    assert [each.name for each in tmp_path.iterdir()] == ["it.txt"]


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


@dataclass(frozen=True, slots=True)
class Inner:
    number: int


@dataclass(frozen=True, slots=True)
class Outer:
    name: str
    parts: tuple[Inner, ...]


def test_a_record_is_written_with_all_its_fields() -> None:
    text = json.dumps(Outer("a", (Inner(1), Inner(2))), default=plain_fields)
    assert json.loads(text) == {"name": "a", "parts": [{"number": 1}, {"number": 2}]}
    assert TypeAdapter(Outer).validate_json(text) == Outer("a", (Inner(1), Inner(2)))


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"name": "a", "parts": [{"number": 1}, {"number": "x"}]}, "parts.1.number: Input should be a valid integer"),
        ({"parts": []}, "name: Field required"),
        (3, "Input should be a dictionary"),
    ],
)
def test_what_does_not_fit_is_told_with_its_place(given: object, words: str) -> None:
    with pytest.raises(ValidationError) as error:
        TypeAdapter(Outer).validate_python(given)
    assert first_fault(error.value).startswith(words)
