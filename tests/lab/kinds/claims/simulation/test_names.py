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
