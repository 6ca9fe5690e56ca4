"""Names of simulated reasoners."""

from __future__ import annotations

import pytest

from holdtrue.errors import SettingsError
from holdtrue.lab.kinds.claims.simulation.names import ClaimCharacter


@pytest.mark.parametrize(
    "name", ["sim/claims", "sim/claims@3", "sim/claims:wrong=0.2,misread=0.1,drop=1,confuse=0.5@7"]
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
