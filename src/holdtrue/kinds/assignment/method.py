"""Methods for assignments: each is a small frozen configuration of one loop, so that ablations are settings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from holdtrue.errors import SettingsError
from holdtrue.kinds.assignment.prompts import SYSTEM
from holdtrue.kinds.method_check import check_method
from holdtrue.language.retries import RetryDifference
from holdtrue.record import Trigger

Answerer = Literal["model", "random_legal", "solver_only"]
Fallback = Literal["none", "project", "abstain"]
Distance = Literal["changes", "difference"]
"""The distance between answers: how many values change, or by how much numbers change (a changed name counts one)."""

# The published triggers. A refusal has no counterpart there: who wants it asked about again, or mended, says so.
PUBLISHED = frozenset(Trigger) - {Trigger.ANSWER_REFUSED}
# Asking the model again cannot make the user's message say more: that code is counted, and not acted on.
REPAIRABLE = PUBLISHED - {Trigger.CONSTRAINT_EXTRACTION_FAILED}


@dataclass(frozen=True, slots=True)
class Feedback:
    """A `Feedback` says what a repair prompt shows after a failed check.

    Attributes:
        triggers: The trigger codes with their published details; otherwise only that something failed.
        mus: The conflict of an unsat ledger.
        violated: Exactly what the answer breaks, with the failed answer beside it.
        hint: Which entities the nearest valid answer changes, but never their values.
    """

    triggers: bool = True
    mus: bool = False
    violated: bool = False
    hint: bool = False


@dataclass(frozen=True, slots=True)
class Method:
    """A `Method` says what a turn does: how the model is asked, and what happens to an answer that fails a check.

    Attributes:
        name: The name in reports.
        frame: The system prompt.
        ledger: Whether the prompt shows the ledger.
        samples: The number of answers that are drawn; the one given most often stands.
        temperature: The temperature of every answer, of repairs too; None for the run's.
        refinements: How often at most the model is asked what is wrong with its answer, and then to mend it, without
            any check.
        repairs: How often at most a failed check is fed back.
        feedback: What the model is told about a failed check.
        retry_difference: How the request of a retry differs from earlier ones of its turn
            (`language.retries.RetryDifference`).
        triggers: The codes that count as a failed check.
        fallback: What happens to an answer that still fails: `none` delivers it, `abstain` delivers none, and `project`
            delivers the nearest valid answer, or none if it finds none. If not all that was agreed can be kept, that is
            the nearest to what can, the newest first.
        distance: Which valid answer is the nearest.
        answerer: The model, or a control that never asks it.
        format_retries: How often an answer that cannot be read is asked for again.
        truncation_retries: How often an answer that was cut is asked for again.
        ledger_tokens: The largest ledger that a prompt shows; beyond it the oldest lines are dropped.

    Raises:
        SettingsError: Settings do not fit together.
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

    def __post_init__(self) -> None:
        least = dict.fromkeys(("refinements", "repairs", "format_retries", "truncation_retries", "ledger_tokens"), 0)
        check_method(self, {"samples": 1, **least}, SYSTEM)

    @property
    def baseline(self) -> bool:
        """Return whether the model is asked, and no check changes what is delivered."""
        return self.answerer == "model" and self.repairs == 0 and self.fallback == "none"

    @property
    def uses_readings(self) -> bool:
        """Return whether what is read from the user's messages changes what the method does."""
        if self.answerer != "model":
            return self.answerer == "solver_only"
        return self.ledger or self.checks

    @property
    def checks(self) -> bool:
        """Return whether the verdict on an answer changes what the method does."""
        return self.repairs > 0 or self.fallback != "none"


PRESETS: dict[str, Method] = {
    method.name: method
    for method in (
        Method("direct"),
        Method("cot", frame="cot"),
        Method("ledger", frame="ledger", ledger=True),
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
            repairs=1,  # one try to mend it in the model's own way; then the solver does
            feedback=Feedback(mus=True, violated=True, hint=True),
            retry_difference="quote",
            fallback="project",
        ),
        Method("random_legal", answerer="random_legal"),
        Method("solver_only", answerer="solver_only"),
    )
}


def find_method(name: str) -> Method:
    """The preset of that name; raises `SettingsError` listing what there is."""
    try:
        return PRESETS[name]
    except KeyError:
        raise SettingsError(f"unknown method {name!r}; there are {', '.join(PRESETS)}") from None
