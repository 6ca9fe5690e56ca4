"""These settings say how claims are formalized and verified: what is published and its ablations are settings too."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, fields
from typing import Literal, get_args

from holdtrue.errors import SettingsError
from holdtrue.options import one_of
from holdtrue_claims.claim_record import ClaimVerdict, SoftVerdict
from holdtrue_claims.fol.conventions import CONVENTIONS

Accept = Literal["proved", "judged"]
Routing = Literal["types", "hard", "soft"]


def at_least(settings: object, where: str = "", **least: int) -> None:
    """Raise `SettingsError` for a setting that is less than this; the message begins with `where`."""
    for name, value in least.items():
        if getattr(settings, name) < value:
            raise SettingsError(f"{where}{name} must be at least {value}, got {getattr(settings, name)}")


@dataclass(frozen=True, slots=True)
class FormalSettings:
    """`FormalSettings` say how sentences become formulas (VERGE, section 3.3 and table 9).

    Attributes:
        samples: The number K of formulas that are drawn for each claim; the largest set of samples that agree must be
            the only one of its size and have more than half of them.
        temperature: The temperature of these samples.
        round_trip: The least share, in 0..1, of a claim that its formula has to bring back when it is translated to
            words; None for no round trip.
        corrections: How often a formula that failed a gate is asked for again; a new one counts only if it entails the
            old one.
        context_samples: K for premises; with 1 they are asked for at temperature 0.
        refinements: How often premises that cannot all hold are asked for again.
        stop_early: No more samples are drawn once those that are left can change nothing about which formula is taken.
        choice_rounds: How often a model has to choose the formula among its near variants at most, in more than half of
            the rounds (`formula_choice`); 0 for no such choice, as published.
        choice_shown: How many statements are shown at once there, the formula among them.
        choice_variants: How many near variants of a formula are asked about at most.
        assume: The conventions (`logic.fol.conventions`) that count as stated, so that a verdict may rest on them.
    """

    samples: int = 3
    temperature: float = 1.0
    round_trip: float | None = 0.7
    corrections: int = 1
    context_samples: int = 1
    refinements: int = 2
    stop_early: bool = True
    choice_rounds: int = 0
    choice_shown: int = 4
    choice_variants: int = 6
    assume: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for convention in self.assume:
            one_of("convention", convention, CONVENTIONS)
        at_least(self, samples=1, context_samples=1, corrections=0, refinements=0)
        at_least(self, choice_rounds=0, choice_shown=2, choice_variants=1)
        if not 0 <= self.temperature < math.inf:
            raise SettingsError(f"temperature must be a number and at least 0, got {self.temperature}")
        if self.round_trip is not None and not 0 <= self.round_trip <= 1:
            raise SettingsError(f"round_trip must be between 0 and 1, got {self.round_trip}")


@dataclass(frozen=True, slots=True)
class Weights:
    """The weight of each verdict, in 0..1; `other` is for all that have no field here, such as contradictory.

    Only these four are published; what is `assumed` is worth nothing unless somebody says so.

    Raises `SettingsError` for a weight outside 0 to 1.
    """

    entailed: float = 1.0
    supported: float = 0.9
    possible: float = 0.7
    other: float = 0.0
    assumed: float = 0.0

    def __post_init__(self) -> None:
        for own in fields(self):
            weight = getattr(self, own.name)
            if not 0 <= weight <= 1:
                raise SettingsError(f"the weight of {own.name} is not between 0 and 1: {weight}")

    def value(self, verdict: ClaimVerdict | SoftVerdict) -> float:
        return float(getattr(self, verdict.value, self.other))


@dataclass(frozen=True, slots=True)
class CheckSettings:
    """`CheckSettings` say how the claims of an answer are verified and scored (VERGE, sections 3.4 and 3.5, table 9).

    The default is for users: nothing counts as accepted that was not proved. `PUBLISHED` are the published settings.

    Attributes:
        formal: How claims become formulas.
        routing: Who decides a claim where judges are accepted: by the type that the model gave it (`types`), always the
            solver (`hard`, the ablation without routing), or always judges (`soft`).
        judges: The number N of judges that are asked about each soft claim.
        judge: The name of the model that judges; None for the one that answers.
        judge_temperature: The temperature of judges.
        stop_early: No more judges are asked once those that are left cannot change the verdict.
        accept: `proved`: every claim goes to the solver, one that got no formula is unproved, and an answer is accepted
            only if every claim of it was proved. `judged`: judges decide where a solver cannot, what they support is
            worth its weight, and the score decides.
        judges_trusted: Judges count without a calibration, as published.
        calibration_floor: The least lower confidence bound of the share of a judge's support that is right, for its
            support to count under `judged`.
        ask_judges: Judges are asked also where their word cannot change what is accepted, so that it can be measured.
        bridges: Whether bridging axioms are proposed for the joint check.
        smallest: Whether the fewest claims to set aside are found too, beside the least confident ones.
        least_score: The least score of an accepted answer, where judges are accepted.
        weights: The weight of each verdict in the score.
    """

    formal: FormalSettings = field(default_factory=lambda: FormalSettings(round_trip=None, choice_rounds=3))
    routing: Routing = "types"
    judges: int = 5
    judge: str | None = None
    judge_temperature: float = 1.0
    stop_early: bool = True
    accept: Accept = "proved"
    judges_trusted: bool = False
    calibration_floor: float = 0.75
    ask_judges: bool = False
    bridges: bool = True
    smallest: bool = True
    least_score: float = 0.75
    weights: Weights = field(default_factory=Weights)

    def __post_init__(self) -> None:
        at_least(self, judges=1)
        one_of("way to accept", self.accept, get_args(Accept))
        one_of("routing", self.routing, get_args(Routing))
        for name in ("least_score", "calibration_floor"):
            if not 0 <= getattr(self, name) <= 1:
                raise SettingsError(f"{name} must be between 0 and 1, got {getattr(self, name)}")


PUBLISHED = CheckSettings(FormalSettings(assume=CONVENTIONS), accept="judged", judges_trusted=True)
"""The settings of the published pipeline, in which judges decide what a solver cannot, and no formula is chosen."""
