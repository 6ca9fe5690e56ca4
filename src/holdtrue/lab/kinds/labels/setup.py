"""What labels want to know of a suite."""

from __future__ import annotations

from dataclasses import dataclass

from holdtrue.lab.kit.registry import find_suite


@dataclass(frozen=True, slots=True)
class LabelSetup:
    """How a suite asks. `dialogue`: one question at a time, answered by yes or no, with beliefs revised in between."""

    dialogue: bool = False


def is_dialogue(suite: str) -> bool:
    """Whether the suite of that name asks in dialogues; raises `SettingsError` where there is none."""
    setup = find_suite(suite).setup
    return isinstance(setup, LabelSetup) and setup.dialogue
