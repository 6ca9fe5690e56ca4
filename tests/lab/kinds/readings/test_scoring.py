"""A reading is scored against gold by kind, value and ledger; soft sources count for nothing."""

from __future__ import annotations

from holdtrue.lab.kinds.readings.entry import ReadingDetail, ReadingScore, TakenEvent
from holdtrue.lab.kinds.readings.problem import DialogueTurn, GoldEvent, comparable
from holdtrue.lab.kinds.readings.scoring import score_reading

TOWN = GoldEvent("add", "C.town", "Old Mill", ("old mill", "the mill"), "stated")
HOUR = GoldEvent("amend", "C.hour", "15:00", ("15 00",), "accepted")
SOFT = GoldEvent("add", "C.day", "2023-05-12", ("2023 05 12",), "carried")
TURN = DialogueTurn(None, "hello", (TOWN, HOUR, SOFT))
HELD = {own.slot: own for own in TURN.gold}


def taken(kind: str, slot: str, value: object, confidence: float = 0.9) -> TakenEvent:
    return TakenEvent(kind, slot, value, "", "user", "literal", confidence)  # type: ignore[arg-type]


def score(*events: TakenEvent, ledger: dict[str, object]) -> ReadingScore:
    return score_reading(TURN, HELD, ReadingDetail(None, events, ledger), None)  # type: ignore[arg-type]


def test_a_value_is_right_in_any_of_its_forms() -> None:
    found = score(
        taken("add", "C.town", "The Mill!"),
        taken("amend", "C.hour", "15:00"),
        ledger={"C.town": "the mill", "C.hour": "15:00"},
    )
    assert (found.right, found.wrong) == ({"add": 1, "amend": 1}, {})
    assert found.correct and found.sound
    assert found.found == found.sources == {"stated": 1, "accepted": 1}


def test_a_wrong_value_kind_or_slot_is_wrong() -> None:
    found = score(
        taken("add", "C.town", "Elsewhere"),
        taken("add", "C.hour", "15:00"),
        taken("add", "C.other", 3, 0.5),
        ledger={"C.town": "Elsewhere", "C.hour": "15:00", "C.other": 3},
    )
    assert (found.right, found.wrong) == ({}, {"add": 3})
    assert not found.correct and not found.sound
    assert [own.confidence for own in found.judged] == [0.9, 0.9, 0.5]


def test_what_is_missing_is_not_wrong_and_what_is_soft_is_nothing() -> None:
    found = score(taken("add", "C.day", "2020-01-01"), ledger={"C.day": "2020-01-01"})
    assert found.right == found.wrong == {} and found.judged == ()
    assert not found.correct and found.sound


def test_values_are_compared_by_letters_and_digits() -> None:
    assert comparable("  Joe's  Café, 12:30 ") == "joes caf 12 30"
    assert comparable(True) == "true"
