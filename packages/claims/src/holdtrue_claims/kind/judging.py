"""Ask judges about a claim, and decide whether their verdict counts. A judge without a calibration does not count."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from holdtrue.language.asking import Asking
from holdtrue_claims.claim_record import ClaimType, ClaimVerdict, SoftVerdict
from holdtrue_claims.kind.calibration import Calibrations
from holdtrue_claims.kind.prompts.judges import Judgement, Vote, is_settled, judge, vote
from holdtrue_claims.kind.settings import CheckSettings

JUDGE = "judge"
"""The purpose of a judge's call."""


@dataclass(frozen=True, slots=True)
class Judges:
    """`Judges` judge the claims of one answer, all with the same model. `author` is the model that wrote the answer.

    `author` is None if no known model wrote it. `saved` and `not_asked` count omitted calls (see `CheckRecord`).
    """

    asking: Asking
    context: str
    settings: CheckSettings
    calibrations: Calibrations
    author: str | None = None
    saved: Counter[str] = field(default_factory=Counter)
    not_asked: Counter[str] = field(default_factory=Counter)

    async def vote(self, text: str) -> Vote:
        """Ask as many judges as can change the result, and return their joint verdict. Raises `ModelError`."""
        judgements: list[Judgement] = []
        for number in range(self.settings.judges):
            left = self.settings.judges - number
            if self.settings.stop_early and is_settled(judgements, left):
                self.saved[JUDGE] += left
                break
            judgements.append(
                await judge(self.asking, self.context, text, temperature=self.settings.judge_temperature, sample=number)
            )
        return vote(judgements)

    def doubt(self, type: ClaimType) -> str | None:
        """Return why support by these judges does not count for claims of this type; None if it counts."""
        if self.settings.judges_trusted:
            return None
        name, floor = self.asking.model.name, self.settings.calibration_floor
        low = self.calibrations.low(name, type)
        if low is not None and low >= floor:
            return None
        who = f"{name} judges its own answer, and" if name == self.author else f"as a judge {name}"
        if low is None:
            return f"{who} is not calibrated for {type.value} claims"
        supported, right = self.calibrations.counted(name, type)
        return (
            f"{who} was right in {right} of {supported} {type.value} claims that it supported, which shows no more "
            f"than {low:.0%}, and {floor:.0%} is needed"
        )

    def weigh(self, found: Vote, type: ClaimType, *, hard: bool) -> tuple[ClaimVerdict | SoftVerdict, str | None]:
        """Return the verdict on a claim, and the reason if the judges' support does not count.

        `hard`: the claim is for the solver, but has no reliable formula.
        """
        doubt = self.doubt(type)
        if hard:
            judged = self.settings.accept == "judged"
            return (found.verdict if judged and doubt is None else ClaimVerdict.UNPROVED), doubt if judged else None
        if found.verdict is not SoftVerdict.SUPPORTED or doubt is None:
            return found.verdict, None
        return SoftVerdict.UNCERTAIN, doubt
