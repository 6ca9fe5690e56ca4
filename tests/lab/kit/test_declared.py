"""Methods that a table of a plan file declares."""

from __future__ import annotations

import pytest

from holdtrue.errors import SettingsError
from holdtrue.kinds.assignment.method import PRESETS, Feedback, Method
from holdtrue.record import Trigger
from holdtrue_lab.kinds.assignment.playing import AssignmentPlaying
from holdtrue_lab.kit.playing import describe_method

PLAYING = AssignmentPlaying()


def test_what_a_table_does_not_name_stays_as_the_base_has_it() -> None:
    made = PLAYING.declare_method({"name": "mine", "base": "mus_repair", "repairs": 5, "feedback": {"violated": True}})
    base = PRESETS["mus_repair"]
    assert made.repairs == 5
    assert made.feedback == Feedback(mus=True, violated=True)
    assert (made.frame, made.ledger, made.triggers) == (base.frame, base.ledger, base.triggers)
    assert PLAYING.declare_method({"name": "plain"}) == Method("plain")


def test_triggers_are_codes() -> None:
    made = PLAYING.declare_method({"name": "mine", "triggers": ["unsat_ledger"]})
    assert made.triggers == {Trigger.UNSAT_LEDGER}


@pytest.mark.parametrize("preset", PRESETS.values(), ids=list(PRESETS))
def test_a_description_declares_the_same_method(preset: Method) -> None:
    described = {**describe_method(preset), "name": "same"}
    assert describe_method(PLAYING.declare_method(described)) == described


@pytest.mark.parametrize(
    ("table", "fault"),
    [
        ("direct", "a method is a table of settings, got 'direct'"),
        ({}, "needs a name"),
        ({"name": "two words"}, "needs a name"),
        ({"name": "direct"}, "a preset's name"),
        ({"name": "m", "base": "magic"}, "unknown method 'magic'"),
        ({"name": "m", "tries": 2}, "no setting 'tries', only name, frame"),
        ({"name": "m", "feedback": {"values": True}}, "no setting 'values', only triggers, mus"),
        ({"name": "m", "feedback": 3}, "feedback"),
        ({"name": "m", "repairs": "many"}, "repairs"),
        ({"name": "m", "repairs": -1}, "repairs must be at least 0"),
        ({"name": "m", "triggers": ["boredom"]}, "triggers"),
        ({"name": "m", "fallback": "cry"}, "fallback"),
        ({"name": "m", "frame": "poem"}, "no frame 'poem'"),
    ],
)
def test_what_does_not_fit_is_named(table: object, fault: str) -> None:
    with pytest.raises(SettingsError, match=fault):
        PLAYING.declare_method(table)
