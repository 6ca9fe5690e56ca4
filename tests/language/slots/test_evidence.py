"""What a conversation knows beside the words of a message."""

from __future__ import annotations

import pytest

from holdtrue.language.slots.candidates import candidates_in
from holdtrue.language.slots.evidence import only_wonders, weigh
from tests.language.slots.worlds import clinic, context

WORLD = clinic()


def weighed(message: str, **known: object) -> dict[tuple[str, object], float]:
    own = context(**known)  # type: ignore[arg-type]
    found = weigh(WORLD, [(0.5, each) for each in candidates_in(WORLD, message, own)], own)
    return {(each.slot.id, each.value): probability for probability, each in found if each.said == "user"}


def test_a_value_is_of_the_slot_under_whose_name_a_tool_showed_it() -> None:
    shown = {"ines falk": frozenset({frozenset(("dentist", "nam"))})}
    found = weighed("with Ines Falk please", shown=shown)
    assert found["Clinic.dentist_name", "Ines Falk"] > 0.9 > 0.1 > found["Taxi.address", "Ines Falk"]
    assert set(weighed("with Ines Falk please").values()) == {0.5}


def test_an_answer_settles_which_of_two_values_was_meant() -> None:
    known = {"held": {"Clinic.patients": 2}, "doubted": frozenset(("Clinic.patients",)), "assistant": "Is it 2 or 3?"}
    assert weighed("3, the 2 was from last week", **known)["Clinic.patients", 3] > 0.9
    assert weighed("2, sorry", **known)["Clinic.patients", 2] > 0.9
    # What nobody asked about is no answer.
    assert weighed("5, sorry", **known)["Clinic.patients", 5] == 0.5


def test_the_number_of_an_answer_is_of_no_other_slot() -> None:
    known = {"held": {"Clinic.patients": 2}, "doubted": frozenset(("Clinic.patients",)), "assistant": "Is it 2 or 3?"}
    assert ("Clinic.hour", "15:00") not in weighed("3, sorry", **known)


@pytest.mark.parametrize(
    ("text", "wonders"),
    [
        ("Who plays on Friday?", True),
        ("and why on Friday?", True),
        ("Can I come on Friday?", False),
        ("Friday.", False),
    ],
)
def test_who_asks_who_or_why_settles_nothing(text: str, wonders: bool) -> None:
    assert only_wonders(text, text.index("Friday") + 6) is wonders
