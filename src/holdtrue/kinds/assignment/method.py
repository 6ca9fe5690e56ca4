"""A method is a small frozen configuration over one loop, so that ablations are settings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from holdtrue.errors import SettingsError
from holdtrue.kinds.assignment.prompts import SYSTEM
from holdtrue.kinds.method_check import check_method
from holdtrue.record import Trigger

Answerer = Literal["model", "random_legal", "solver_only"]
Fallback = Literal["none", "project", "abstain"]
Distance = Literal["changes", "difference"]
"""What the nearest answer has least of: values that change, or by how much amounts change (a name counts one)."""

# The published triggers. A refusal has no counterpart there: who wants it asked about again, or mended, says so.
PUBLISHED = frozenset(Trigger) - {Trigger.ANSWER_REFUSED}
# Asking the model again cannot make the user's message say more: that code is counted, and not acted on.
REPAIRABLE = PUBLISHED - {Trigger.CONSTRAINT_EXTRACTION_FAILED}


@dataclass(frozen=True, slots=True)
class Feedback:
    """What a repair prompt shows after a failed check.

    `triggers`: the trigger codes with their published details, else only that something failed. `mus`: the
    conflict of an unsat ledger. `violated`: exactly what the answer breaks, with the failed answer beside it.
    `hint`: which entities the nearest valid answer changes, never their values.
    """

    triggers: bool = True
    mus: bool = False
    violated: bool = False
    hint: bool = False


@dataclass(frozen=True, slots=True)
class Method:
    """What a turn does.

    `frame` names the system prompt; `ledger`: the prompt shows the ledger. `samples`: so many answers are drawn,
    and the one given most often stands; `temperature` is that of every answer, the run's where it is None.
    `refinements`: so often at most the model is asked what is wrong with its answer, and then to mend it; nothing is
    checked for it. `repairs`: how often a failed check is fed back at most; `triggers`: which codes count as failed.
    `fallback`: what happens to an answer that still fails: `none` delivers it, `abstain` delivers none, `project`
    delivers the nearest valid one, and none where none is found. Where not all that was agreed can be kept, that is
    the nearest to what can, the newest first. `distance` says which one is nearest.
    `answerer` is the model, or a control that never asks it.
    `format_retries` and `truncation_retries` are within one answer; `ledger_tokens` bounds the shown ledger, of
    which the oldest lines go first.

    Raises `SettingsError` for settings that do not fit.
    """

    name: str
    frame: str = "direct"
    ledger: bool = False
    samples: int = 1
    temperature: float | None = None
    refinements: int = 0
    repairs: int = 0
    feedback: Feedback = Feedback()
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
        """Whether the model is asked, and no check has a part in what is delivered."""
        return self.answerer == "model" and self.repairs == 0 and self.fallback == "none"

    @property
    def uses_ledger(self) -> bool:
        """Whether what is read from the user's messages changes what the method does."""
        return self.ledger or self.repairs > 0 or self.fallback != "none" or self.answerer == "solver_only"


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
        ),
        Method("project", fallback="project"),
        Method(
            "drift_repair_project",
            frame="repair",
            ledger=True,
            repairs=1,  # one try to mend it in the model's own way; then the solver does
            feedback=Feedback(mus=True, violated=True, hint=True),
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
