"""The names of simulated models for assignments. A name gives the faults, their rates, and a seed.

Examples are `sim/perfect`, `sim/forget:0.3`, `sim/forget:0.2+flip:0.1` and `sim/skill:0.95@7`. The seed stands after
`@`, and is 0 without it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from holdtrue.errors import SettingsError
from holdtrue_lab.kit.simulation.names import PREFIX, split_seed, write_seed

ANSWER_FAULTS: Mapping[str, str] = {
    "forget": "in a turn with this probability, one constraint (an earlier one, if any) is forgotten and broken",
    "slip": "in a turn with this probability, one value is changed so that something breaks",
    "malform": "in a turn with this probability, the answer is cut short so that nothing can be read",
    "omit": "in a turn with this probability, one entity is left out of the answer",
    "unclosed": "in a turn with this probability, the answer lacks its last brackets, so that nothing can be read",
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
EFFECTS: Mapping[str, str] = {
    "think": "where the prompt asks for reasons, a fault of the answer is with this probability noticed and avoided",
    "remind": "a constraint in the prompt's ledger that would be forgotten is with this probability remembered",
    "codes": "after a repair prompt that names what the check found, no fault strikes with this probability",
    "core": "the same after one that quotes a conflict of commitments",
    "broken": "the same after one that quotes what the answer breaks",
    "hint": "the same after one that names the entities to change",
    "tidy": "asked for clean JSON, the model closes with this probability the brackets that it left open",
    "bound": "where a schema is asked for, an answer that could not be read is with this probability whole",
    "recover": "what the latest message was misread as is taken back with this probability, once a conflict quotes it",
    "greedy": "at temperature 0, a further draw of a prompt repeats with this probability the first one",
}
"""The effects of a prompt or a setting on a simulated model. An effect occurs only if the model's name sets it."""
_FAULT = re.compile(r"([a-z]+):([0-9]*\.?[0-9]+)")


@dataclass(frozen=True, slots=True)
class Fault:
    """One kind of fault or effect, and its rate in 0..1. For `skill` the rate is the probability of remembering."""

    kind: str
    rate: float


@dataclass(frozen=True, slots=True)
class Character:
    """The faults of a simulated model in the order in which they are tried, and its effects and seed."""

    faults: tuple[Fault, ...] = ()
    seed: int = 0

    def effect(self, kind: str) -> float:
        """Return the rate of an effect (see `EFFECTS`), or 0 if the name does not set it."""
        return next((fault.rate for fault in self.faults if fault.kind == kind), 0.0)

    @property
    def name(self) -> str:
        """The model's name in its shortest spelling."""
        faults = "+".join(f"{fault.kind}:{fault.rate:g}" for fault in self.faults) or "perfect"
        return f"{PREFIX}{faults}{write_seed(self.seed)}"


def read_name(name: str) -> Character:
    """Return the faults, effects and seed that a name gives, with or without `sim/`. Raises `SettingsError`."""
    text, seed = split_seed(name)
    text = text.removeprefix(PREFIX)
    faults = () if text == "perfect" else tuple(_read_fault(name, part) for part in text.split("+"))
    return Character(faults, seed)


def _read_fault(name: str, part: str) -> Fault:
    found = _FAULT.fullmatch(part)
    known = (*ANSWER_FAULTS, *REPLY_FAULTS, *READING_FAULTS, *EFFECTS)
    if found is None or found[1] not in known or float(found[2]) > 1:
        raise SettingsError(
            f"{name!r}: {part!r} is no fault; a simulated model is sim/perfect, or faults with rates up to 1, "
            f"such as sim/forget:0.3 or sim/forget:0.2+flip:0.1@7; there are {', '.join(known)}"
        )
    return Fault(found[1], float(found[2]))
