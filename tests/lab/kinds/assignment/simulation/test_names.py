from __future__ import annotations

import pytest

from holdtrue.errors import SettingsError
from holdtrue_lab.kinds.assignment.simulation.names import (
    ANSWER_FAULTS,
    EFFECTS,
    READING_FAULTS,
    REPLY_FAULTS,
    Character,
    Fault,
    read_name,
)


@pytest.mark.parametrize(
    ("name", "character"),
    [
        ("sim/perfect", Character()),
        ("perfect@3", Character(seed=3)),
        ("sim/forget:0.3", Character((Fault("forget", 0.3),))),
        ("sim/skill:0.95@7", Character((Fault("skill", 0.95),), 7)),
        ("sim/flip:1+add:0.25", Character((Fault("flip", 1.0), Fault("add", 0.25)))),
    ],
)
def test_names_say_what_a_model_is_like(name: str, character: Character) -> None:
    assert read_name(name) == character
    assert read_name(character.name) == character
    assert character.name.startswith("sim/")


@pytest.mark.parametrize("kind", [*ANSWER_FAULTS, *READING_FAULTS, *REPLY_FAULTS, *EFFECTS])
def test_every_fault_has_a_name(kind: str) -> None:
    assert Character((Fault(kind, 0.5),)).name == f"sim/{kind}:0.5"


@pytest.mark.parametrize(
    "name",
    [
        "sim/", "sim/forget", "sim/forget:", "sim/forget:1.1", "sim/forget:-1", "sim/forget:nan", "sim/dream:0.5",
        "sim/forget:0.5+", "sim/perfect+forget:0.5", "sim/forget:0.5@", "sim/forget:0.5@x", "sim/forget:0.5@-1",
    ],
)  # fmt: skip
def test_other_names_are_refused_with_the_known_ones(name: str) -> None:
    with pytest.raises(SettingsError, match="sim/"):
        read_name(name)
