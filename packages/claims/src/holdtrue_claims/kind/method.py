"""Methods for claims: how a question is answered, and whether and how the check of the answer's claims is fed back."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, Literal

from holdtrue.errors import SettingsError
from holdtrue.language.retries import RetryDifference, check_difference
from holdtrue.options import one_of
from holdtrue_claims.kind.settings import PUBLISHED, CheckSettings, at_least

if TYPE_CHECKING:
    from holdtrue_claims.kind.answering import Answering

ClaimFeedback = Literal["full", "no_mcs", "core", "minimal"]


@dataclass(frozen=True, slots=True)
class ClaimMethod:
    """A `ClaimMethod` says what a turn about a question does.

    Attributes:
        name: The name in reports.
        strategy: How the answer is found. `once` asks once. `verge` verifies an answer and asks again with `feedback`,
            for at most `rounds` answers; it gives the accepted answer, or the one with the best score. A subclass may
            have strategies of its own.
        answerer: The `model`, or `given`: answers that were written before are taken.
        frame: The system prompt, `direct` or `cot`.
        temperature: The temperature of answers; None for the run's.
        rounds: The largest number of answers.
        turn_tokens: Once the calls of a turn took so many tokens, prompts counted, no further answer is asked for. What
            was asked for is still checked whole.
        feedback: What `verge` tells the model: `full` (verdicts, cores, correction sets, joint conflicts, alerts),
            `no_mcs` (the same without what to change), `core` (only what conflicts) or `minimal` (only that something
            is wrong).
        retry_difference: How the request of a retry differs from earlier ones of its turn
            (`language.retries.RetryDifference`).
        converge: `verge` stops if the score changes by less than this; with None it does not stop for that.
        patient: `verge` goes on after an accepted answer.
        check: How claims are verified. Under other strategies only the last answer is checked, to measure it.

    Raises:
        SettingsError: Settings do not fit together.
    """

    name: str
    strategy: str = "once"
    answerer: str = "model"
    frame: Literal["direct", "cot"] = "direct"
    temperature: float | None = None
    rounds: int = 3
    turn_tokens: int | None = None
    feedback: ClaimFeedback = "full"
    retry_difference: RetryDifference = "none"
    converge: float | None = 0.01
    patient: bool = False
    check: CheckSettings = field(default_factory=CheckSettings)

    strategies: ClassVar[tuple[str, ...]] = ("once", "verge")
    answerers: ClassVar[tuple[str, ...]] = ("model", "given")

    def __post_init__(self) -> None:
        check_difference(self)
        one_of("strategy", self.strategy, self.strategies)
        one_of("answerer", self.answerer, self.answerers)
        at_least(self, f"{self.name}: ", rounds=1)
        if self.turn_tokens is not None:
            at_least(self, f"{self.name}: ", turn_tokens=1)
        if self.converge is not None:
            at_least(self, f"{self.name}: ", converge=0)
        if self.answerer != "model" and self.strategy != "once":
            raise SettingsError(f"{self.name}: {self.answerer} answers once, and not by {self.strategy}")

    @property
    def verifies(self) -> bool:
        """Return whether the result of verification changes what the method does."""
        return self.strategy == "verge"

    @property
    def solves(self) -> bool:
        """Return whether the method itself asks a solver."""
        return self.verifies

    @property
    def own_strategy(self) -> Callable[[Answering], Awaitable[None]] | None:
        """Return what finds the answer of a turn by a strategy of a subclass; None for the strategies told here."""
        return None


CLAIM_PRESETS: dict[str, ClaimMethod] = {
    method.name: method
    for method in (
        ClaimMethod("direct", check=PUBLISHED),
        ClaimMethod("cot", frame="cot", check=PUBLISHED),
        ClaimMethod("verge", "verge", frame="cot", check=PUBLISHED),
        ClaimMethod("verge_proved", "verge", frame="cot", check=CheckSettings()),
        ClaimMethod("given", answerer="given", check=PUBLISHED),
    )
}
"""Answers of a model alone, the published pipeline, the pipeline as users have it, and answers that exist.

All are checked as published, so that one measure is laid to all, but for `verge_proved`: the pipeline as users have it,
which accepts only what was proved. In it no convention counts as stated, but for those that a data set states.
"""


def find_claim_method(name: str) -> ClaimMethod:
    """The preset of that name; raises `SettingsError` listing what there is."""
    return CLAIM_PRESETS[one_of("method", name, tuple(CLAIM_PRESETS))]
