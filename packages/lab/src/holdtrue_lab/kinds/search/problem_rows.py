"""Search problems as rows of a data set: variables with bounds, constraints, and whether anything satisfies these."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from holdtrue.kinds.search.problem import SearchProblem
from holdtrue.wire import json_cell
from holdtrue_lab.kit.export.problem_rows import TEXT, TEXTS, WHOLE, Column, ProblemRows, records


def _row(problem: SearchProblem) -> Mapping[str, Any]:
    return {
        "id": problem.id,
        "domain": problem.domain,
        "setting": list(problem.setting),
        "variables": [{"name": own.name, "low": own.sort.low, "high": own.sort.high} for own in problem.variables],
        "constraints": [{"id": own.id, "text": own.text, "formula": str(own.formula)} for own in problem.constraints],
        "gold": problem.gold,
        "difficulty": problem.difficulty,
        "variant": problem.variant,
        "base": problem.base,
        "metadata": json_cell(dict(problem.metadata)),
    }


ROWS = ProblemRows(
    "problems",
    (
        Column("id", TEXT, "the problem's id"),
        Column("domain", TEXT, "the kind of problem"),
        Column("setting", TEXTS, "sentences that are told before the variables"),
        Column("variables", records(name=TEXT, low=WHOLE, high=WHOLE), "what values are searched for, with its bounds"),
        Column("constraints", records(id=TEXT, text=TEXT, formula=TEXT), "what the values have to satisfy"),
        Column("gold", TEXT, "`sat` or `unsat`, proved; null where nobody knows"),
        Column("difficulty", TEXT, "`easy`, `medium` or `hard`, or null"),
        Column("variant", TEXT, "how the problem was rewritten; empty for an original"),
        Column("base", TEXT, "the id of the problem that it was made of"),
        Column("metadata", TEXT, "what is known of its structure and proofs, as JSON"),
    ),
    _row,
)
