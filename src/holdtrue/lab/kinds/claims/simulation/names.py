"""The names of simulated reasoners: which faults they have, how often, and with which seed.

`sim/claims` has none; `sim/claims:wrong=0.2,misread=0.1,drop=0.1,confuse=0.1@7` has them at these rates, with seed 7
(without `@` it is 0).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from types import MappingProxyType

from holdtrue.errors import SettingsError
from holdtrue.lab.kit.simulation.names import read_rates, split_seed

REASONER = "sim/claims"
CLAIM_FAULTS: Mapping[str, str] = MappingProxyType(
    {
        "wrong": "an answer with this probability gives another option than the right one",
        "misread": "a formula with this probability is another one of the same words",
        "drop": "a claim with this probability is left out where an answer is taken apart",
        "confuse": "a judge, a critic or a rater says with this probability something else than it should",
    }
)


@dataclass(frozen=True, slots=True)
class ClaimCharacter:
    """What a reasoner is like: the rates of its faults (`CLAIM_FAULTS`), and its seed."""

    wrong: float = 0.0
    misread: float = 0.0
    drop: float = 0.0
    confuse: float = 0.0
    seed: int = 0

    @property
    def name(self) -> str:
        """The reasoner's name, in its shortest spelling."""
        parts = [
            f"{each.name}={rate:g}"
            for each in fields(self)
            if (rate := getattr(self, each.name)) and each.name != "seed"
        ]
        return REASONER + (f":{','.join(parts)}" if parts else "") + (f"@{self.seed}" if self.seed else "")


def read_claim_name(name: str) -> ClaimCharacter:
    """The character behind a name; raises `SettingsError`."""
    text, seed = split_seed(name)
    kind, colon, told = text.partition(":")
    if kind != REASONER or (colon and not told):
        raise _refused(name, text)
    rates = read_rates(told, CLAIM_FAULTS)
    if isinstance(rates, str):
        raise _refused(name, rates)
    return ClaimCharacter(**rates, seed=seed)


def _refused(name: str, part: str) -> SettingsError:
    return SettingsError(
        f"{name!r}: cannot make out {part!r}; a reasoner is {REASONER}, or has rates up to 1, such as "
        f"{REASONER}:wrong=0.2,misread=0.1@7; there are {', '.join(CLAIM_FAULTS)}"
    )
