"""How claims are formalized and verified: the published pipeline is the default, its ablations are settings."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Literal

from holdtrue.errors import SettingsError
from holdtrue.kinds.claims.score import Weights

Notation = Literal["fol", "smtlib"]
Routing = Literal["types", "rules", "hard", "soft"]


def at_least(settings: object, where: str = "", **least: int) -> None:
    """Raises `SettingsError` for a setting that is less than this; the message begins with `where`."""
    for name, value in least.items():
        if getattr(settings, name) < value:
            raise SettingsError(f"{where}{name} must be at least {value}, got {getattr(settings, name)}")


@dataclass(frozen=True, slots=True)
class FormalSettings:
    """How sentences become formulas (VERGE, section 3.3 and table 9).

    `samples` (K) formulas are drawn for each claim, at `temperature`; the largest set of them that says the same must
    be the only one and have more than half. `round_trip`: the least share (0..1) of a claim that its formula, told in
    words again, has to bring back; None asks for no round trip. `corrections`: how often a formula that failed a gate
    is asked for again; a new one counts only if it entails the old one. `context_samples` is K for premises, which are
    asked for at temperature 0 where it is 1. `refinements`: how often premises that cannot all hold are asked for
    again. `notation`: first-order text bound to the vocabulary, or SMT-LIB. Quantifiers range over the named things and
    `fresh` others.
    """

    notation: Notation = "fol"
    samples: int = 3
    temperature: float = 1.0
    round_trip: float | None = 0.7
    corrections: int = 1
    context_samples: int = 1
    refinements: int = 2
    fresh: int = 2

    def __post_init__(self) -> None:
        at_least(self, samples=1, context_samples=1, corrections=0, refinements=0, fresh=0)
        if not 0 <= self.temperature < math.inf:
            raise SettingsError(f"temperature must be a number and at least 0, got {self.temperature}")
        if self.round_trip is not None and not 0 <= self.round_trip <= 1:
            raise SettingsError(f"round_trip must be between 0 and 1, got {self.round_trip}")


@dataclass(frozen=True, slots=True)
class CheckSettings:
    """How an answer's claims are verified and scored (VERGE, sections 3.4 and 3.5, table 9).

    `routing`: by the type that the model gave (`types`), by rules first and by type where they say nothing (`rules`),
    or everything to the solver (`hard`: the ablation without routing) or to judges (`soft`). `judges` (N) are asked
    about each soft claim, at `judge_temperature`. `bridges`: propose bridging axioms for the joint check. `smallest`:
    also find the fewest claims to set aside, beside the least confident ones. `accept` is the least score of an answer
    that is accepted, `weights` what verdicts are worth.
    """

    formal: FormalSettings = field(default_factory=FormalSettings)
    routing: Routing = "types"
    judges: int = 5
    judge_temperature: float = 1.0
    bridges: bool = True
    smallest: bool = True
    accept: float = 0.75
    weights: Weights = field(default_factory=Weights)

    def __post_init__(self) -> None:
        at_least(self, judges=1)
        if not 0 <= self.accept <= 1:
            raise SettingsError(f"accept must be between 0 and 1, got {self.accept}")
