"""This module declares what the file of a `SearchSession` holds, and checks it against the problem."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from holdtrue.budget import SearchBudget
from holdtrue.conversation.saved_file import read_formula, same_world
from holdtrue.errors import RecordError
from holdtrue.kinds.search.problem import Requirement, SearchProblem
from holdtrue.ledger.entries import EventKind, Source
from holdtrue.models.sampling import Sampling
from holdtrue.record import EventRecord

_CHANGES = (EventKind.ADDED, EventKind.AMENDED, EventKind.WITHDRAWN)


@dataclass(frozen=True, slots=True)
class SavedRequirement:
    """A requirement with its formula in the JSON of `logic.codec`."""

    id: str
    text: str
    formula: Any


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedSearch:
    """The state of a `SearchSession`.

    `problem` is `world_of` the one that was given, and `constraints` are those that hold now. `method` is a name only,
    `turns` counts the trials, and `pending` is what the next record tells of.
    """

    problem: Mapping[str, Any]
    method: str
    limits: SearchBudget
    sampling: Sampling
    turns: int
    constraints: tuple[SavedRequirement, ...]
    pending: tuple[EventRecord, ...]

    def restored(self, problem: SearchProblem) -> SearchProblem:
        """The problem as it was changed; raises `RecordError` with the place of what does not fit."""
        same_world("problem", self.problem, world_of(problem))
        if self.turns < 0:
            raise RecordError(f"turns: {self.turns} trials")
        texts = {each.id: each.text for each in self.constraints}
        last = {event.id: event for event in self.pending}
        for number, event in enumerate(self.pending):
            held = event.sentence if event.kind == EventKind.ADDED else None
            fits = event.kind in _CHANGES and (event is not last[event.id] or texts.get(event.id) == held)
            if not fits or (event.turn, event.source) != (self.turns, Source.USER):
                raise RecordError(f"pending.{number}: this change did not lead to these constraints")
        demanded = tuple(
            Requirement(each.id, each.text, read_formula(f"constraints.{number}", each.formula, problem.variables))
            for number, each in enumerate(self.constraints)
        )
        return replace(problem, constraints=demanded, gold=None, difficulty=None)


def world_of(problem: SearchProblem) -> dict[str, Any]:
    """Return what tells this problem from another one; its gold is no part of that."""
    return {name: getattr(problem, name) for name in ("id", "setting", "variables", "constraints")}
