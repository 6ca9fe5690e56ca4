"""A `SearchProblem`: variables with bounds, constraints on them, and whether anything satisfies these."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from holdtrue.logic.formula import Formula, Variable, expect_formula

Gold = Literal["sat", "unsat"]
Difficulty = Literal["easy", "medium", "hard"]


@dataclass(frozen=True, slots=True)
class Requirement:
    """One constraint: its id within the problem, how a model is told of it, and what it demands."""

    id: str
    text: str
    formula: Formula

    def __post_init__(self) -> None:
        expect_formula(self.formula, f"requirement {self.id!r}")


@dataclass(frozen=True, slots=True)
class SearchProblem:
    """One search for values; `gold` is proved, or None where nobody knows.

    `domain` is the kind of problem (linear, sudoku4, ...), as reports group them. A variable's sort is its bounds,
    which are hard: no constraint, but part of what a candidate has to be. `setting` are sentences that are told before
    the variables. `variant` names how the problem was rewritten without changing what it asks, '' where it is an
    original, and `base` is the id of the problem that it was made of. `metadata` holds what is known of its structure
    and proofs.
    """

    id: str
    suite: str
    domain: str
    variables: tuple[Variable, ...]
    constraints: tuple[Requirement, ...]
    gold: Gold | None = None
    difficulty: Difficulty | None = None
    setting: tuple[str, ...] = ()
    variant: str = ""
    base: str = ""
    metadata: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        variables: Iterable[Variable],
        constraints: Iterable[Requirement],
        *,
        setting: Iterable[str] = (),
        id: str = "own",
    ) -> SearchProblem:
        """A problem of one's own; `Requirement.text` is what the model is told."""
        return cls(id, "", "own", tuple(variables), tuple(constraints), setting=tuple(setting))

    @property
    def formulas(self) -> Mapping[str, Formula]:
        """What the constraints demand, by their ids."""
        return {constraint.id: constraint.formula for constraint in self.constraints}

    def is_solution(self, values: Mapping[str, int]) -> bool:
        """Whether there is a value for every variable, within its bounds, and no other, and no constraint is broken."""
        return (
            values.keys() == {variable.name for variable in self.variables}
            and all(variable.sort.low <= values[variable.name] <= variable.sort.high for variable in self.variables)
            and all(constraint.formula.holds(values) for constraint in self.constraints)
        )
