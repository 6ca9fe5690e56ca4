from __future__ import annotations

import pytest

from holdtrue.errors import SettingsError
from holdtrue.lab.kinds.labels.simulation.names import PRESETS, LabelCharacter


@pytest.mark.parametrize(
    ("name", "character"),
    [
        ("sim/labels", LabelCharacter()),
        ("sim/labels@3", LabelCharacter(seed=3)),
        ("sim/labels:wrong=0.2", LabelCharacter(wrong=0.2)),
        (
            "sim/labels:wrong=0.2,unknown=0.1,contradict=0.1,confidence=0.9/0.6@7",
            LabelCharacter(0.2, 0.1, 0.1, (0.9, 0.6), seed=7),
        ),
        ("sim/labels:confidence=1/0", LabelCharacter(confidence=(1.0, 0.0))),
        ("sim/labels:wrong=.5,unknown=.25,contradict=.25", LabelCharacter(0.5, 0.25, 0.25)),
        ("sim/labels:belief@2", LabelCharacter(wrong=0.3, confidence=(0.9, 0.6), seed=2)),
    ],
)
def test_names_say_what_an_answerer_is_like(name: str, character: LabelCharacter) -> None:
    assert LabelCharacter.read(name) == character
    assert LabelCharacter.read(character.name) == character


def test_the_shortest_spelling_is_the_name() -> None:
    spelled = "sim/labels:unknown=0.10,wrong=0.200,contradict=0,confidence=0.8/0.80@0"
    assert LabelCharacter.read(spelled).name == "sim/labels:wrong=0.2,unknown=0.1"


@pytest.mark.parametrize("suite", ["cross_query", "belief"])
def test_there_is_a_preset_for_each_suite(suite: str) -> None:
    character = LabelCharacter.read(f"sim/labels:{suite}")
    assert character.name == f"sim/labels:{PRESETS[suite]}"
    assert 0 < character.wrong < 0.5
    assert character.confidence[0] > character.confidence[1]


@pytest.mark.parametrize(
    "name",
    [
        "sim/", "sim/label", "labels", "sim/labels:", "sim/labels:wrong", "sim/labels:wrong=", "sim/labels:wrong=1.1",
        "sim/labels:wrong=-1", "sim/labels:wrong=nan", "sim/labels:dream=0.5", "sim/labels:wrong=0.5,wrong=0.1",
        "sim/labels:wrong=0.6,unknown=0.5", "sim/labels:confidence=0.9", "sim/labels:confidence=0.9/1.1",
        "sim/labels:seed=1", "sim/labels@", "sim/labels@x", "sim/labels:wrong=0.5@-1", "sim/labels:drift",
        "sim/perfect", "sim/labelsx:wrong=1", "openai/labels",
    ],
)  # fmt: skip
def test_other_names_are_refused(name: str) -> None:
    with pytest.raises(SettingsError, match="labels"):
        LabelCharacter.read(name)
