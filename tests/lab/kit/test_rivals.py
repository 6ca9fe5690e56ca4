"""Which methods are held against each other."""

from __future__ import annotations

from dataclasses import dataclass

from holdtrue.lab.kit.arm import Arm
from holdtrue.lab.kit.rivals import rivals


@dataclass(frozen=True)
class Played:
    arm: Arm
    asks_model: bool = True


def played(method: str, model: str = "m", *, asks_model: bool = True) -> Played:
    return Played(Arm("suite", model, "protocol", "llm", method), asks_model)


def test_every_two_of_the_same_settings_the_earlier_one_second() -> None:
    one, two, three = played("one"), played("two"), played("three")
    assert list(rivals([one, two, three])) == [[(two, one), (three, one), (three, two)]]


def test_other_models_are_another_family_and_controls_are_left_out() -> None:
    one, other, two, control = played("one"), played("one", "n"), played("two"), played("c", asks_model=False)
    assert list(rivals([one, other, control, two])) == [[(two, one)], []]
