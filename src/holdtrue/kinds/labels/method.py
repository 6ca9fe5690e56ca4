"""A label method says how queries are answered, and what is done where the answers cannot all be right."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from holdtrue.errors import SettingsError
from holdtrue.kinds.labels.prompts import LABEL_SYSTEM
from holdtrue.kinds.method_check import check_method
from holdtrue.ledger.policies import POLICIES, Policy

LabelAnswerer = Literal["model", "always_unknown", "one_model", "solver_only"]
LabelFeedback = Literal["names", "conflict"]


@dataclass(frozen=True, slots=True)
class LabelMethod:
    """What a turn about queries does.

    `frame` names the system prompt. `samples`: so many answers are drawn, each query gets the label that was given
    most often, and its confidence is the share of them; `temperature` is that of the run where it is None.
    `repairs`: how often labels that cannot all be right are given back at most, with `feedback`: the `names` of the
    answers that fail, or one minimal `conflict` of premises and answers in sentences. `policy` is what then happens to
    beliefs that clash (`ledger.policies`); a label that is given up becomes UNKNOWN. `answerer` is the model, or a
    control that never asks it: everything UNKNOWN, labels read off one witness of the premises, or what the solver
    proves. `format_retries` and `truncation_retries` are within one answer.

    Raises `SettingsError` for settings that do not fit.
    """

    name: str
    frame: str = "direct"
    samples: int = 1
    temperature: float | None = None
    repairs: int = 0
    feedback: LabelFeedback = "names"
    policy: Policy = "none"
    answerer: LabelAnswerer = "model"
    format_retries: int = 1
    truncation_retries: int = 1

    def __post_init__(self) -> None:
        least = {"samples": 1, "repairs": 0, "format_retries": 0, "truncation_retries": 0}
        check_method(self, least, LABEL_SYSTEM)

    @property
    def uses_formulas(self) -> bool:
        """Whether what the sentences say as formulas changes what the method does."""
        return self.repairs > 0 or self.policy != "none" or self.answerer in ("one_model", "solver_only")


_PRESETS = (
    LabelMethod("direct"),
    LabelMethod("few_shot", frame="few_shot"),
    LabelMethod("cot", frame="cot"),
    LabelMethod("self_consistency", frame="cot", samples=5, temperature=0.7),
    LabelMethod("check_repair", repairs=2),
    LabelMethod("maxsat_repair", policy="min_change"),
    LabelMethod("conflict_repair", repairs=2, feedback="conflict"),
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
    """The method in another frame, and named by it; a control, which asks no model, as it is."""
    if method.answerer != "model" or method.frame == frame:
        return method
    return replace(method, name=f"{frame}_{method.name}", frame=frame)


def find_label_method(name: str) -> LabelMethod:
    """The preset of that name; raises `SettingsError` listing what there is."""
    try:
        return LABEL_PRESETS[name]
    except KeyError:
        raise SettingsError(f"unknown method {name!r}; there are {', '.join(LABEL_PRESETS)}") from None
