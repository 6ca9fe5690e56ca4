"""Methods for labels: the way of answering queries, and the treatment of answers that clash."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from holdtrue.kinds.labels.prompts import LABEL_SYSTEM
from holdtrue.kinds.method_check import check_method
from holdtrue.language.retries import RetryDifference
from holdtrue.ledger.policies import POLICIES, RevisionPolicy
from holdtrue.options import one_of

LabelAnswerer = Literal["model", "always_unknown", "one_model", "solver_only"]
LabelFeedback = Literal["names", "conflict"]


@dataclass(frozen=True, slots=True)
class LabelMethod:
    """The procedure of a turn about queries.

    Attributes:
        name: The name in reports.
        frame: The system prompt.
        samples: The number of answers drawn. Each query gets its most frequent label, with its share as confidence.
        temperature: The temperature of all answers, including repairs; None for the run's.
        repairs: The most repair prompts about labels that clash.
        feedback: The content of a repair prompt: the `names` of the failing answers, or one minimal `conflict` in
            sentences.
        retry_difference: How the request of a retry differs from earlier ones of its turn
            (`language.retries.RetryDifference`).
        policy: Which beliefs give way in the end if they clash (`ledger.policies`). A label that gives way becomes
            UNKNOWN.
        answerer: The model, or a control that never asks it (see `loop.control_labels`).
        format_retries: The most retries after an answer that cannot be read.
        truncation_retries: The most retries after an answer that was cut.

    Raises:
        SettingsError: The settings do not fit together.
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
        """Return whether the formulas of sentences change the method's behaviour."""
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
    # A frame with a revision policy, for queries that are asked one at a time. Policy `none` is the baseline.
    *(
        LabelMethod(policy if frame == "direct" else f"{frame}_{policy}", frame=frame, policy=policy)
        for frame in ("direct", "cot")
        for policy in POLICIES
    ),
)
LABEL_PRESETS: dict[str, LabelMethod] = {method.name: method for method in _PRESETS}


def in_frame(method: LabelMethod, frame: str) -> LabelMethod:
    """Return the method with another frame, which becomes part of its name. A control is returned unchanged."""
    if method.answerer != "model" or method.frame == frame:
        return method
    return replace(method, name=f"{frame}_{method.name}", frame=frame)


def find_label_method(name: str) -> LabelMethod:
    """Return the preset of that name. Raises `SettingsError` with the known names."""
    return LABEL_PRESETS[one_of("method", name, tuple(LABEL_PRESETS))]
