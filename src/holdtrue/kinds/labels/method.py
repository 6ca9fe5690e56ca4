"""Methods for labels: how queries are answered, and what happens if the answers cannot all be right."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from holdtrue.errors import SettingsError
from holdtrue.kinds.labels.prompts import LABEL_SYSTEM
from holdtrue.kinds.method_check import check_method
from holdtrue.language.retries import RetryDifference
from holdtrue.ledger.policies import POLICIES, RevisionPolicy

LabelAnswerer = Literal["model", "always_unknown", "one_model", "solver_only"]
LabelFeedback = Literal["names", "conflict"]


@dataclass(frozen=True, slots=True)
class LabelMethod:
    """A `LabelMethod` says what a turn about queries does.

    Attributes:
        name: The name in reports.
        frame: The system prompt.
        samples: The number of answers that are drawn; each query gets the label given most often, with its share of
            the samples as confidence.
        temperature: The temperature of every answer, of repairs too; None for the run's.
        repairs: How often at most labels that cannot all be right are given back to the model.
        feedback: What it is told then: the `names` of the answers that fail, or one minimal `conflict` of premises and
            answers in sentences.
        retry_difference: How the request of a retry differs from earlier ones of its turn
            (`language.retries.RetryDifference`).
        policy: Which beliefs give way in the end if they clash (`ledger.policies`); a label that is given up becomes
            UNKNOWN.
        answerer: The model, or a control that never asks it: everything UNKNOWN, the labels of one witness of the
            premises, or what the solver proves.
        format_retries: How often an answer that cannot be read is asked for again.
        truncation_retries: How often an answer that was cut is asked for again.

    Raises:
        SettingsError: Settings do not fit together.
    """

    name: str
    frame: str = "direct"
    samples: int = 1
    temperature: float | None = None
    repairs: int = 0
    feedback: LabelFeedback = "names"
    retry_difference: RetryDifference = "none"
    policy: RevisionPolicy = "none"
    answerer: LabelAnswerer = "model"
    format_retries: int = 1
    truncation_retries: int = 1

    def __post_init__(self) -> None:
        least = {"samples": 1, "repairs": 0, "format_retries": 0, "truncation_retries": 0}
        check_method(self, least, LABEL_SYSTEM)

    @property
    def uses_formulas(self) -> bool:
        """Return whether the formulas of sentences change what the method does."""
        return self.repairs > 0 or self.policy != "none" or self.answerer in ("one_model", "solver_only")


_PRESETS = (
    LabelMethod("direct"),
    LabelMethod("few_shot", frame="few_shot"),
    LabelMethod("cot", frame="cot"),
    LabelMethod("self_consistency", frame="cot", samples=5, temperature=0.7),
    LabelMethod("check_repair", repairs=2),
    LabelMethod("maxsat_repair", policy="min_change"),
    LabelMethod("conflict_repair", repairs=2, feedback="conflict", retry_difference="quote"),
    LabelMethod("always_unknown", answerer="always_unknown"),
    LabelMethod("one_model", answerer="one_model"),
    LabelMethod("solver_only", answerer="solver_only"),
    # A prompting mode and a revision policy, which is what one at a time is asked with: `none` is the baseline.
    *(
        LabelMethod(policy if frame == "direct" else f"{frame}_{policy}", frame=frame, policy=policy)
        for frame in ("direct", "cot")
        for policy in POLICIES
    ),
)
LABEL_PRESETS: dict[str, LabelMethod] = {method.name: method for method in _PRESETS}


def in_frame(method: LabelMethod, frame: str) -> LabelMethod:
    """Return the method with another frame, which becomes part of its name; a control is returned as it is."""
    if method.answerer != "model" or method.frame == frame:
        return method
    return replace(method, name=f"{frame}_{method.name}", frame=frame)


def find_label_method(name: str) -> LabelMethod:
    """The preset of that name; raises `SettingsError` listing what there is."""
    try:
        return LABEL_PRESETS[name]
    except KeyError:
        raise SettingsError(f"unknown method {name!r}; there are {', '.join(LABEL_PRESETS)}") from None
