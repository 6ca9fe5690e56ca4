"""A search method says what a model is told when its candidates fail, and how the calls that it has are spent."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from holdtrue.errors import SettingsError
from holdtrue.kinds.method_check import check_method
from holdtrue.kinds.search.prompts import SEARCH_SYSTEM

SearchAnswerer = Literal["model", "always_unsat", "random_in_domain", "solver_only"]
SearchFeedback = Literal["none", "generic", "core", "ranked", "conflict"]
REVEALED = "+witness"


@dataclass(frozen=True, slots=True)
class SearchMethod:
    """How one search spends its budget.

    `feedback` is what the prompt of the next round tells of a failure: `none`; `generic`, that the last candidate
    failed, and how; `core`, also the constraints of the solver's core as sentences; `ranked`, also which variables to
    revise and which to keep, of the round's best failure; `conflict`, all violated constraints, a minimal conflict and
    what was refuted before, with the calls shared between the two best failures so far, and only the variables asked
    for that the others leave free; what repeats a failure is not checked again. `single`: one call, whatever the
    budget. `reveal_witness`: after a false claim the `core` and `ranked` prompts show the solver's own solution, as the
    original did; only to reproduce that. `temperature` is that of the run where it is None. `answerer` is the model, or
    a control that never asks it.

    Raises `SettingsError` for settings that do not fit.
    """

    name: str
    frame: str = "direct"
    feedback: SearchFeedback = "none"
    partial: bool = False
    single: bool = False
    reveal_witness: bool = False
    temperature: float | None = None
    answerer: SearchAnswerer = "model"

    def __post_init__(self) -> None:
        check_method(self, {}, SEARCH_SYSTEM)
        if self.reveal_witness and self.feedback not in ("core", "ranked"):
            raise SettingsError(f"method {self.name!r}: only feedback core or ranked can reveal a witness")
        if self.reveal_witness is not self.name.endswith(REVEALED):
            # Reports tell by the name alone whether a row was shown solutions.
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
"""The five published arms, ours (`cd_vgs`, and the same without partial asks), and the controls."""


def revealed(method: SearchMethod) -> SearchMethod:
    """The method with the witness revealed, and named so; as it is where it has no such prompt."""
    if method.reveal_witness or method.feedback not in ("core", "ranked"):
        return method
    return replace(method, name=f"{method.name}{REVEALED}", reveal_witness=True)


def find_search_method(name: str) -> SearchMethod:
    """The preset of that name, also with `+witness`; raises `SettingsError` listing what there is."""
    preset = SEARCH_PRESETS.get(name.removesuffix(REVEALED))
    if preset is not None:
        found = revealed(preset) if name.endswith(REVEALED) else preset
        if found.name == name:
            return found
    shown = [method.name for method in map(revealed, SEARCH_PRESETS.values()) if method.reveal_witness]
    raise SettingsError(f"unknown method {name!r}; there are {', '.join([*SEARCH_PRESETS, *shown])}")
