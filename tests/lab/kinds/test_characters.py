"""Names of simulated models say their rates and their seed, and a name that says anything else is refused."""

from __future__ import annotations

import pytest

from holdtrue.errors import SettingsError
from holdtrue_lab.kinds.claims.simulation.names import ClaimCharacter
from holdtrue_lab.kinds.labels.simulation import LabelCharacter
from holdtrue_lab.kinds.search.simulation import SearchCharacter
from holdtrue_lab.kit.simulation.names import RatedCharacter

NAMED: dict[str, RatedCharacter] = {
    "sim/labels": LabelCharacter(),
    "sim/labels@3": LabelCharacter(seed=3),
    "sim/labels:wrong=0.2,unknown=0.1,contradict=0.1,confidence=0.9/0.6@7": LabelCharacter(
        0.2, 0.1, 0.1, (0.9, 0.6), seed=7
    ),
    "sim/labels:confidence=1/0": LabelCharacter(confidence=(1.0, 0.0)),
    "sim/labels:wrong=.5,unknown=.25,contradict=.25": LabelCharacter(0.5, 0.25, 0.25),
    "sim/labels:belief@2": LabelCharacter(wrong=0.3, confidence=(0.9, 0.6), seed=2),
    "sim/search": SearchCharacter(),
    "sim/search:p=0.2,claim=0.1,generic=0,core=0.2,ranked=0.25,conflict=0.3,malformed=0.05@7": SearchCharacter(
        0.2, core=0.2, ranked=0.25, conflict=0.3, claim=0.1, malformed=0.05, seed=7
    ),
    "sim/search:p=0,witness=1,outside=.5,changed=1": SearchCharacter(0, witness=1, outside=0.5, changed=1),
    "sim/claims:wrong=0.5": ClaimCharacter(wrong=0.5),
}
KINDS: dict[str, type[RatedCharacter]] = {
    "labels:wrong": LabelCharacter,
    "search:p": SearchCharacter,
    "claims:wrong": ClaimCharacter,
}
NONE = (
    "sim/", "sim/{short}", "{kind}", "sim/{kind}:", "sim/{kind}:{rate}", "sim/{kind}:{rate}=", "sim/{kind}:{rate}=1.1",
    "sim/{kind}:{rate}=-1", "sim/{kind}:{rate}=nan", "sim/{kind}:dream=0.5", "sim/{kind}:{rate}=0.5,{rate}=0.1",
    "sim/{kind}:seed=1", "sim/{kind}@", "sim/{kind}@x", "sim/{kind}:{rate}=0.5@-1", "sim/perfect",
    "sim/{kind}x:{rate}=1", "openai/{kind}",
)  # fmt: skip
TOO_MUCH = (
    "sim/labels:wrong=0.6,unknown=0.5", "sim/labels:confidence=0.9", "sim/labels:confidence=0.9/1.1",
    "sim/labels:drift", "sim/search:core=0.2", "sim/search:p=0.6,core=0.5", "sim/search:claim=0.6,outside=0.5",
)  # fmt: skip


@pytest.mark.parametrize("name", NAMED)
def test_a_name_says_what_a_model_is_like(name: str) -> None:
    character = NAMED[name]
    assert type(character).read(name) == character
    assert type(character).read(character.name) == character


@pytest.mark.parametrize("named", KINDS)
@pytest.mark.parametrize("name", NONE)
def test_other_names_are_refused(named: str, name: str) -> None:
    kind, _, rate = named.partition(":")
    with pytest.raises(SettingsError, match=f"{kind}|a seed is needed"):
        KINDS[named].read(name.format(kind=kind, rate=rate, short=kind[:-1]))


@pytest.mark.parametrize("name", TOO_MUCH)
def test_rates_that_do_not_fit_each_other_are_refused(name: str) -> None:
    with pytest.raises(SettingsError, match=name[4:10]):
        KINDS["labels:wrong" if name[4] == "l" else "search:p"].read(name)
