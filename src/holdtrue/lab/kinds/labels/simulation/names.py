"""The names of simulated answerers of labels: how often they are wrong, and how sure they say they are.

`sim/labels` is always right; `sim/labels:wrong=0.2,unknown=0.1,contradict=0.1,confidence=0.9/0.6@7` has faults and
seed 7 (without `@` it is 0). `sim/labels:cross_query` and `sim/labels:belief` are short for `PRESETS`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from holdtrue.errors import SettingsError
from holdtrue.lab.kit.simulation.names import is_rate, split_seed

ANSWERER = "sim/labels"
LABEL_FAULTS: Mapping[str, str] = MappingProxyType(
    {
        "wrong": "one of the other two labels, each as likely",
        "unknown": "UNKNOWN",
        "contradict": "a label that is impossible with an earlier answer and the premises, where there is one",
    }
)
"""An answer has at most one of these faults, each with its own probability."""
PRESETS: Mapping[str, str] = MappingProxyType(
    {
        "cross_query": "wrong=0.2,confidence=0.9/0.6",
        "belief": "wrong=0.3,confidence=0.9/0.6",
    }
)
"""The usual answerers of both suites: wrong at these rates, and less sure where they are wrong."""

_USUAL_CONFIDENCE = (0.8, 0.8)


@dataclass(frozen=True, slots=True)
class LabelCharacter:
    """What an answerer is like: the probabilities of its faults, its mean confidence (0..1) in right and in wrong
    answers, and its seed.
    """

    wrong: float = 0.0
    unknown: float = 0.0
    contradict: float = 0.0
    confidence: tuple[float, float] = _USUAL_CONFIDENCE
    seed: int = 0

    @property
    def name(self) -> str:
        """The answerer's name, in its shortest spelling."""
        parts = [f"{kind}={rate:g}" for kind in LABEL_FAULTS if (rate := getattr(self, kind))]
        if self.confidence != _USUAL_CONFIDENCE:
            parts.append("confidence={:g}/{:g}".format(*self.confidence))
        return ANSWERER + (f":{','.join(parts)}" if parts else "") + (f"@{self.seed}" if self.seed else "")


def read_label_name(name: str) -> LabelCharacter:
    """The character behind a name; raises `SettingsError`."""
    text, seed = split_seed(name)
    kind, colon, faults = text.partition(":")
    if kind != ANSWERER or (colon and not faults):
        raise _refused(name, text)
    given: dict[str, str] = {}
    for part in filter(None, PRESETS.get(faults, faults).split(",")):
        key, _, value = part.partition("=")
        if key in given:
            raise _refused(name, part)
        given[key] = value
    sure = given.pop("confidence", None)
    rates = {key: _read_rate(name, key, value) for key, value in given.items()}
    if sum(rates.values()) > 1 + 1e-9:
        raise SettingsError(f"{name!r}: the rates of faults add up to more than 1")
    return LabelCharacter(
        **rates,
        confidence=_USUAL_CONFIDENCE if sure is None else _read_confidence(name, sure),
        seed=seed,
    )


def _read_rate(name: str, key: str, value: str) -> float:
    if key not in LABEL_FAULTS or not is_rate(value):
        raise _refused(name, f"{key}={value}" if value else key)
    return float(value)


def _read_confidence(name: str, value: str) -> tuple[float, float]:
    right, _, wrong = value.partition("/")
    if not all(map(is_rate, (right, wrong))):
        raise _refused(name, f"confidence={value}")
    return float(right), float(wrong)


def _refused(name: str, part: str) -> SettingsError:
    return SettingsError(
        f"{name!r}: cannot make out {part!r}; an answerer is {ANSWERER}, {ANSWERER}:PRESET with one of "
        f"{', '.join(PRESETS)}, or faults with rates up to 1, such as "
        f"{ANSWERER}:wrong=0.2,confidence=0.9/0.6@7; there are {', '.join(LABEL_FAULTS)}"
    )
