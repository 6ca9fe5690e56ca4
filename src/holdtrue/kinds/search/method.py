"""Methods for searches: the feedback after failed candidates, and the use of the calls."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from holdtrue.errors import SettingsError
from holdtrue.kinds.method_check import check_method
from holdtrue.kinds.search.prompts import SEARCH_SYSTEM
from holdtrue.language.retries import RetryDifference
from holdtrue.options import one_of

SearchAnswerer = Literal["model", "always_unsat", "random_in_domain", "solver_only"]
SearchFeedback = Literal["none", "generic", "core", "ranked", "conflict"]
REVEALED = "+witness"


@dataclass(frozen=True, slots=True)
class SearchMethod:
    """The procedure of one search: how it spends its budget, and which feedback the model gets.

    Attributes:
        name: The name in reports.
        frame: The system prompt.
        feedback: The content of the next round's prompt. `none` has no feedback. `generic` says that the last candidate
            failed, and how. `core` adds the constraints of the solver's core, as sentences. `ranked` adds the variables
            to revise and to keep, for the round's best failure. `conflict` has all violated constraints, a minimal
            conflict and earlier refuted candidates. It divides the calls between the two best failures so far, and a
            repeated candidate is not checked again.
        retry_difference: How the request of a later round's call differs from earlier ones
            (`language.retries.RetryDifference`).
        partial: With feedback `conflict`, ask only for the values that cannot stay.
        single: Make one call, whatever the budget.
        reveal_witness: After a false claim, show the solver's solution in `core` and `ranked` prompts, as the published
            study did. Use this only to reproduce it.
        temperature: The temperature of calls; None for the run's.
        answerer: The model, or a control that never asks it.

    Raises:
        SettingsError: The settings do not fit together.
    """

    name: str
    frame: str = "direct"
    feedback: SearchFeedback = "none"
    retry_difference: RetryDifference = "none"
    partial: bool = False
    single: bool = False
    reveal_witness: bool = False
    temperature: float | None = None
    answerer: SearchAnswerer = "model"

    def __post_init__(self) -> None:
        check_method(self, {}, SEARCH_SYSTEM)
        if self.retry_difference == "quote" and self.feedback == "none":
            raise SettingsError(f"method {self.name!r}: feedback none tells of no failure, so none can be quoted")
        if self.reveal_witness and self.feedback not in ("core", "ranked"):
            raise SettingsError(f"method {self.name!r}: only feedback core or ranked can reveal a witness")
        if self.reveal_witness is not self.name.endswith(REVEALED):
            # In reports, only the name shows whether solutions were revealed.
            raise SettingsError(f"method {self.name!r}: names end with {REVEALED} just where a witness is revealed")


SEARCH_PRESETS: dict[str, SearchMethod] = {
    method.name: method
    for method in (
        SearchMethod("one_shot", single=True),
        SearchMethod("multi_no_feedback"),
        SearchMethod("multi_generic_feedback", feedback="generic"),
        SearchMethod("multi_unsat_core_feedback", feedback="core"),
        SearchMethod("cd_vgs_core_rank", feedback="ranked"),
        SearchMethod("cd_vgs", feedback="conflict", partial=True),
        SearchMethod("cd_vgs_whole", feedback="conflict"),
        SearchMethod("always_unsat", answerer="always_unsat"),
        SearchMethod("random_in_domain", answerer="random_in_domain"),
        SearchMethod("solver_only", answerer="solver_only"),
    )
}
"""The five published methods, our own (`cd_vgs`, also without partial asks), and the controls."""


def revealed(method: SearchMethod) -> SearchMethod:
    """Return the method with the witness revealed and `+witness` in its name, if its feedback has a core."""
    if method.reveal_witness or method.feedback not in ("core", "ranked"):
        return method
    return replace(method, name=f"{method.name}{REVEALED}", reveal_witness=True)


def find_search_method(name: str) -> SearchMethod:
    """Return the preset of that name, also with `+witness`. Raises `SettingsError` with the known names."""
    known = SEARCH_PRESETS | {method.name: method for method in map(revealed, SEARCH_PRESETS.values())}
    return known[one_of("method", name, tuple(known))]
