"""Names of simulated reasoners."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import pytest

from holdtrue.errors import SettingsError
from holdtrue_lab.kinds.claims.simulation.names import ClaimCharacter


@pytest.mark.parametrize(
    "name",
    [
        "sim/claims",
        "sim/claims@3",
        "sim/claims:wrong=0.2,misread=0.1,drop=1,confuse=0.5@7",
        "sim/claims:think=0.5,mend=1",
    ],
)
def test_a_name_says_what_a_reasoner_is_like(name: str) -> None:
    assert ClaimCharacter.read(name).name == name
    assert ClaimCharacter.read("sim/claims:drop=.5,wrong=0") == ClaimCharacter(drop=0.5)


@pytest.mark.parametrize(
    "name",
    [
        "sim/claim",
        "sim/claims:",
        "sim/claims:wrong",
        "sim/claims:wrong=2",
        "sim/claims:wrong=0.1,wrong=0.1",
        "sim/claims:seed=1",
        "sim/claims@x",
        "sim/perfect",
        "sim/claims:forget=0.1",
    ],
)
def test_other_names_are_none(name: str) -> None:
    with pytest.raises(SettingsError, match=r"sim/claims|a seed is needed"):
        ClaimCharacter.read(name)


def test_the_page_about_claims_names_every_rate() -> None:
    page = (Path(__file__).parents[5] / "docs" / "claims.md").read_text(encoding="utf-8")
    table = page[page.index("| rate |") : page.index("Without any of the last six rates")]
    rates = re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)
    assert sorted(rates) == sorted(field.name for field in fields(ClaimCharacter) if field.name != "seed")


def test_only_newer_rates_change_how_answers_and_chances_come_about() -> None:
    old = ClaimCharacter.read("sim/claims:wrong=0.2,misread=0.1,drop=1,confuse=0.5")
    assert not old.revises and not old.reads_whole_chat
    assert [old.probability("wrong", heat, steps) for heat in (0.0, 2.0) for steps in (0, 3)] == [0.2] * 4
    new = ClaimCharacter.read("sim/claims:wrong=0.4,think=0.5,heat=0.5")
    assert new.reads_whole_chat and not new.revises
    assert new.probability("wrong", 0.0, 1) == pytest.approx(0.2)
    assert new.probability("wrong", 1.0, 1) == pytest.approx(0.6)
    assert new.probability("drop", 1.0) == 0.0
