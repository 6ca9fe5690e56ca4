"""Methods for assignments. Each is a small frozen configuration of one loop, so that ablations are settings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from holdtrue.kinds.assignment.prompts import SYSTEM
from holdtrue.kinds.method_check import check_method
from holdtrue.language.retries import RetryDifference
from holdtrue.options import one_of
from holdtrue.record import Trigger

Answerer = Literal["model", "random_legal", "solver_only"]
Fallback = Literal["none", "project", "abstain"]
LedgerPart = Literal["all", "relevant"]
Distance = Literal["changes", "difference"]
"""The distance between answers: the number of changed values, or the sum of amounts (a changed name counts 1)."""

# The published triggers. None of them is for refusals, so a method must add that trigger to react to a refusal.
PUBLISHED = frozenset(Trigger) - {Trigger.ANSWER_REFUSED}
# A repair prompt cannot improve the reading of the user's message, so a failed reading causes no repair.
REPAIRABLE = PUBLISHED - {Trigger.CONSTRAINT_EXTRACTION_FAILED}


@dataclass(frozen=True, slots=True)
class Feedback:
    """The content of a repair prompt after a failed check.

    Attributes:
        triggers: Show the trigger codes with their published details. Otherwise, only say that a check failed.
        mus: Show the conflict of an unsat ledger.
        violated: Show the failed answer and everything that it breaks.
        hint: Name the entities that the nearest valid answer changes, but never their values.
    """

    triggers: bool = True
    mus: bool = False
    violated: bool = False
    hint: bool = False


@dataclass(frozen=True, slots=True)
class Method:
    """The procedure of a turn: the way of asking the model, and the treatment of answers that fail a check.

    Attributes:
        name: The name in reports.
        frame: The system prompt.
        ledger: Whether the prompt shows the ledger.
        samples: The number of answers drawn. The most frequent one wins.
        temperature: The temperature of all answers, including repairs; None for the run's.
        refinements: The most rounds in which the model criticizes and mends its answer, without any check.
        repairs: The most repair prompts after failed checks.
        feedback: The content of a repair prompt.
        retry_difference: How the request of a retry differs from earlier ones of its turn
            (`language.retries.RetryDifference`).
        triggers: The codes that count as a failed check.
        fallback: The treatment of an answer that still fails. `none` delivers it, and `abstain` delivers none.
            `project` delivers the nearest valid answer, or none if it finds none. If the commitments clash, it keeps
            the newest ones.
        distance: The distance by which a valid answer is the nearest.
        answerer: The model, or a control that never asks it.
        format_retries: The most retries after an answer that cannot be read.
        truncation_retries: The most retries after an answer that was cut.
        ledger_tokens: The largest ledger that a prompt shows. Beyond it the oldest lines are dropped.
        ledger_part: The part of the ledger that a prompt shows. `relevant` are the commitments that name entities of
            the message, and those that a chain of commitments ties to them.

    Raises:
        SettingsError: The settings do not fit together.
    """

    name: str
    frame: str = "direct"
    ledger: bool = False
    samples: int = 1
    temperature: float | None = None
    refinements: int = 0
    repairs: int = 0
    feedback: Feedback = Feedback()
    retry_difference: RetryDifference = "none"
    triggers: frozenset[Trigger] = REPAIRABLE
    fallback: Fallback = "none"
    distance: Distance = "changes"
    answerer: Answerer = "model"
    format_retries: int = 1
    truncation_retries: int = 2
    ledger_tokens: int = 3000
    ledger_part: LedgerPart = "all"

    def __post_init__(self) -> None:
        one_of("ledger_part", self.ledger_part, get_args(LedgerPart))
        least = dict.fromkeys(("refinements", "repairs", "format_retries", "truncation_retries", "ledger_tokens"), 0)
        check_method(self, {"samples": 1, **least}, SYSTEM)

    @property
    def baseline(self) -> bool:
        """Return whether the model is asked, and no check changes the delivered answer."""
        return self.answerer == "model" and self.repairs == 0 and self.fallback == "none"

    @property
    def uses_readings(self) -> bool:
        """Return whether the readings of the user's messages change the method's behaviour."""
        if self.answerer != "model":
            return self.answerer == "solver_only"
        return self.ledger or self.checks

    @property
    def checks(self) -> bool:
        """Return whether the verdict on an answer changes the method's behaviour."""
        return self.repairs > 0 or self.fallback != "none"


PRESETS: dict[str, Method] = {
    method.name: method
    for method in (
        Method("direct"),
        Method("cot", frame="cot"),
        Method("ledger", frame="ledger", ledger=True),
        Method("ledger_relevant", frame="ledger", ledger=True, ledger_part="relevant"),
        Method("self_consistency", frame="cot", samples=5, temperature=0.7),
        Method("self_refine", refinements=2),
        Method(
            "mus_repair",
            frame="repair",
            ledger=True,
            repairs=2,
            feedback=Feedback(mus=True),
            triggers=PUBLISHED,
        ),
        Method(
            "drift_repair",
            frame="repair",
            ledger=True,
            repairs=2,
            feedback=Feedback(mus=True, violated=True),
            retry_difference="quote",
        ),
        Method("project", fallback="project"),
        Method(
            "drift_repair_project",
            frame="repair",
            ledger=True,
            repairs=1,  # the model gets one try, then the solver projects
            feedback=Feedback(mus=True, violated=True, hint=True),
            retry_difference="quote",
            fallback="project",
        ),
        Method("random_legal", answerer="random_legal"),
        Method("solver_only", answerer="solver_only"),
    )
}


def find_method(name: str) -> Method:
    """Return the preset of that name. Raises `SettingsError` with the known names."""
    return PRESETS[one_of("method", name, tuple(PRESETS))]
