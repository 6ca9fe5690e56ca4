"""Methods for claims: how a question is answered, and how the check of the answer's claims is fed back."""

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
    """A `ClaimMethod` says how a turn about a question is played.

    Attributes:
        name: The name in reports.
        strategy: How the answer is found. `once` asks once. `verge` verifies an answer and asks again with `feedback`,
            for at most `rounds` answers. It gives the accepted answer, or the one with the best score. A subclass may
            add strategies.
        answerer: The `model`, or `given` for answers that exist already.
        frame: The system prompt, `direct` or `cot`.
        temperature: The temperature of answers; None for that of the run.
        rounds: The largest number of answers.
        turn_tokens: The number of tokens of a turn, prompts included, after which no further answer is requested. An
            answer that exists is still checked in full.
        feedback: The feedback of `verge`: `full` has verdicts, cores, correction sets, joint conflicts and alerts.
            `no_mcs` omits correction sets, `core` has only conflicts, and `minimal` only says that something is wrong.
        retry_difference: How a retry differs from earlier requests of its turn (`language.retries.RetryDifference`).
        converge: `verge` stops if the score changes by less than this; None turns that off.
        patient: `verge` continues after an accepted answer.
        check: How claims are verified. Other strategies check only the last answer, to measure it.

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
        """Return whether the result of verification changes the course of the method."""
        return self.strategy == "verge"

    @property
    def solves(self) -> bool:
        """Return whether the method itself asks a solver."""
        return self.verifies

    @property
    def own_strategy(self) -> Callable[[Answering], Awaitable[None]] | None:
        """Return the strategy of a subclass that answers a turn; None for the strategies of this class."""
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
"""Presets: a model alone, the published pipeline, the pipeline for users, and answers that exist already.

All but `verge_proved` are checked as published, so that their measures are comparable. `verge_proved` is the pipeline
for users: it accepts only proved answers. No convention counts as stated unless a data set states it.
"""


def find_claim_method(name: str) -> ClaimMethod:
    """Return the preset of that name. Raises `SettingsError` that lists the presets."""
    return CLAIM_PRESETS[one_of("method", name, tuple(CLAIM_PRESETS))]
