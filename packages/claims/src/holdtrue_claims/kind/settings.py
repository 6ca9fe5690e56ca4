"""Settings that say how claims are formalized and verified, with the published values and their ablations."""

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
    """Raise `SettingsError` for a setting that is less than its bound; the message begins with `where`."""
    for name, value in least.items():
        if getattr(settings, name) < value:
            raise SettingsError(f"{where}{name} must be at least {value}, got {getattr(settings, name)}")


@dataclass(frozen=True, slots=True)
class FormalSettings:
    """`FormalSettings` say how sentences become formulas (VERGE, section 3.3 and table 9).

    Attributes:
        samples: The number K of formulas drawn for each claim. The largest agreeing set must be the only one of its
            size and have more than half of the formulas.
        temperature: The temperature of these samples.
        round_trip: The least share, in 0..1, of a claim's words in the translation of its formula; None for no round
            trip.
        corrections: How often another formula is requested after a failed gate. A new one must entail the old one.
        context_samples: K for premises; a single sample is drawn at temperature 0.
        refinements: How often other formulas are requested for premises that cannot all hold.
        stop_early: Stop drawing samples once the rest cannot change the choice.
        choice_rounds: The largest number of rounds in which a model chooses the formula among near variants. The
            formula must win a majority (`formula_choice`). The published value, 0, turns that off.
        choice_shown: The number of statements in one round, the formula included.
        choice_variants: The largest number of near variants of a formula.
        assume: The conventions (`fol.conventions`) that count as stated, so that a verdict may rest on them.
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
    """`Weights` are the weights of verdicts in the score, in 0..1. `other` is for verdicts without a field.

    The first four are published. `assumed` is 0 by default.

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

    The default is for users: only proof is accepted. `PUBLISHED` has the published values.

    Attributes:
        formal: How claims become formulas.
        routing: Who decides if judges are accepted: solver or judges by type of claim (`types`), the solver (`hard`),
            or judges (`soft`). `hard` is the ablation without routing.
        judges: The number N of judges for each claim that judges decide.
        judge: The name of the judging model; None for the answering model.
        judge_temperature: The temperature of judges.
        stop_early: Stop asking judges once the rest cannot change the verdict.
        accept: `proved`: every claim goes to the solver, and an answer is accepted only if all its claims are proved.
            `judged`: judges decide after the solver fails, their support has a weight, and the score decides.
        judges_trusted: Judges count without a calibration, as published.
        calibration_floor: The least lower confidence bound of the share of a judge's support that is right, so that
            `judged` counts the support.
        ask_judges: Ask judges even if their verdict cannot change acceptance, to measure them.
        bridges: Propose bridging axioms for the joint check.
        smallest: Also find the fewest claims to set aside, in addition to the least confident ones.
        least_score: The least score of an accepted answer if judges are accepted.
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
"""The published pipeline: judges decide after the solver fails, and no formula is chosen among variants."""
