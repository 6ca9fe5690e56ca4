"""A `SearchProblem`: variables with bounds, constraints on them, and whether there is a solution."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from holdtrue.errors import DomainError
from holdtrue.logic.formula import Formula, Variable, expect_formula
from holdtrue.logic.variable_names import check_about, check_ids, check_variables

Gold = Literal["sat", "unsat"]
Difficulty = Literal["easy", "medium", "hard"]


@dataclass(frozen=True, slots=True)
class Requirement:
    """One constraint: its id within the problem, its text for the model, and its formula."""

    id: str
    text: str
    formula: Formula

    def __post_init__(self) -> None:
        text: object = self.text
        if not isinstance(text, str) or not text.strip():
            raise DomainError(f"requirement {self.id!r:.60}: it is told as a text, not {self.text!r:.60}")
        expect_formula(self.formula, f"requirement {self.id!r}")


@dataclass(frozen=True, slots=True)
class SearchProblem:
    """A search for values. `gold` says whether there is a solution, which is proved, or is None if nobody knows.

    `domain` is the type of problem (linear, sudoku4, ...), and groups problems in reports. A variable's sort gives its
    bounds. Bounds are not constraints, but part of the definition of a candidate. `setting` are sentences that precede
    the variables. `variant` names a rewriting that keeps the meaning ('' for an original), and `base` is the id of the
    original. `metadata` has facts about the problem's structure and proofs.

    Raises `DomainError` for a repeated constraint id or variable name, and for a constraint with an unknown variable.
    Raises it too if there are no variables or no constraints.
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

    def __post_init__(self) -> None:
        where = f"problem {self.id!r:.60}"
        check_variables(where, self.variables)
        for number, constraint in enumerate(self.constraints, start=1):
            if not isinstance(constraint, Requirement):
                raise DomainError(
                    f"{where}: constraint {number} must be a Requirement(id, text, formula), not {constraint!r:.60}"
                )
        check_ids(where, "constraint", [constraint.id for constraint in self.constraints])
        if not self.variables:
            raise DomainError(f"{where}: there are no variables, so that there is nothing to search for")
        if not self.constraints:
            raise DomainError(
                f"{where}: there are no constraints, so that any values within the bounds would be certified; state "
                "what they have to satisfy"
            )
        for constraint in self.constraints:
            check_about(f"{where}: constraint {constraint.id!r:.60}", constraint.formula, self.variables)

    @classmethod
    def of(
        cls,
        variables: Iterable[Variable],
        constraints: Iterable[Requirement],
        *,
        setting: Iterable[str] = (),
        id: str = "own",
    ) -> SearchProblem:
        """Return a problem outside of any suite; the model reads each `Requirement.text`. Raises `DomainError`."""
        if isinstance(setting, str):
            raise DomainError(f"problem {id!r:.60}: the setting is a list of sentences, not the text {setting!r:.60}")
        return cls(id, "", "own", tuple(variables), tuple(constraints), setting=tuple(setting))

    @property
    def formulas(self) -> Mapping[str, Formula]:
        """Return the formulas of the constraints by their ids."""
        return {constraint.id: constraint.formula for constraint in self.constraints}

    def is_solution(self, values: Mapping[str, int]) -> bool:
        """Return whether `values` has exactly the variables, all within their bounds, and breaks no constraint."""
        return (
            values.keys() == {variable.name for variable in self.variables}
            and all(values[variable.name] in variable.sort for variable in self.variables)
            and all(constraint.formula.holds(values) for constraint in self.constraints)
        )
