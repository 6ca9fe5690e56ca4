"""The names of simulated models: which faults they have, how often, and with which seed.

`sim/perfect`, `sim/forget:0.3`, `sim/forget:0.2+flip:0.1`, `sim/skill:0.95@7` (seed 7; without `@` it is 0).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from holdtrue.errors import SettingsError
from holdtrue.lab.kit.simulation.names import PREFIX, split_seed, write_seed

ANSWER_FAULTS: Mapping[str, str] = {
    "forget": "in a turn with this probability, one constraint (an earlier one, if any) is forgotten and broken",
    "slip": "in a turn with this probability, one value is changed so that something breaks",
    "malform": "in a turn with this probability, the answer is cut short so that nothing can be read",
    "omit": "in a turn with this probability, one entity is left out of the answer",
    "skill": "in a turn, each earlier constraint is remembered with this probability; a forgotten one is broken",
}
REPLY_FAULTS: Mapping[str, str] = {
    "refuse": "a request for an answer is with this probability refused",
    "cut": "a request for an answer has with this probability a reply that the limit ends after a draft",
}
READING_FAULTS: Mapping[str, str] = {
    "drop": "a sentence with this probability is not heard, and the answers break it where they can",
    "add": "with this probability, something more that its words could also mean is read into a sentence",
    "flip": "a sentence that has a direction is with this probability read the other way round",
    "contradict": "with this probability, something that clashes is reported beside a sentence",
}
_FAULT = re.compile(r"([a-z]+):([0-9]*\.?[0-9]+)")


@dataclass(frozen=True, slots=True)
class Fault:
    """One kind of fault, and its rate in 0..1 (for `skill` the probability of remembering)."""

    kind: str
    rate: float


@dataclass(frozen=True, slots=True)
class Character:
    """A `Character` is what a simulated model is like: its faults, tried in this order, and its seed."""

    faults: tuple[Fault, ...] = ()
    seed: int = 0

    @property
    def name(self) -> str:
        """The model's name, in its shortest spelling."""
        faults = "+".join(f"{fault.kind}:{fault.rate:g}" for fault in self.faults) or "perfect"
        return f"{PREFIX}{faults}{write_seed(self.seed)}"


def read_name(name: str) -> Character:
    """Return the faults and the seed that a name sets, with or without the leading `sim/`. Raises `SettingsError`."""
    text, seed = split_seed(name)
    text = text.removeprefix(PREFIX)
    faults = () if text == "perfect" else tuple(_read_fault(name, part) for part in text.split("+"))
    return Character(faults, seed)


def _read_fault(name: str, part: str) -> Fault:
    found = _FAULT.fullmatch(part)
    known = (*ANSWER_FAULTS, *REPLY_FAULTS, *READING_FAULTS)
    if found is None or found[1] not in known or float(found[2]) > 1:
        raise SettingsError(
            f"{name!r}: {part!r} is no fault; a simulated model is sim/perfect, or faults with rates up to 1, "
            f"such as sim/forget:0.3 or sim/forget:0.2+flip:0.1@7; there are {', '.join(known)}"
        )
    return Fault(found[1], float(found[2]))
