"""The columns of search problems in an exported data set: variables with bounds, constraints, and gold."""

from __future__ import annotations

from typing import Any

from holdtrue.kinds.search.problem import SearchProblem
from holdtrue_lab.kit.export.problem_rows import TEXT, TEXTS, WHOLE, Column, ProblemRows, records


def _variables(problem: SearchProblem) -> list[dict[str, Any]]:
    return [{"name": own.name, "low": own.sort.low, "high": own.sort.high} for own in problem.variables]


ROWS = ProblemRows(
    "problems",
    (
        Column("id", TEXT, "the problem's id"),
        Column("domain", TEXT, "the kind of problem"),
        Column("setting", TEXTS, "sentences that are told before the variables"),
        Column(
            "variables",
            records(name=TEXT, low=WHOLE, high=WHOLE),
            "what values are searched for, with its bounds",
            _variables,
        ),
        Column("constraints", records(id=TEXT, text=TEXT, formula=TEXT), "what the values have to satisfy"),
        Column("gold", TEXT, "`sat` or `unsat`, proved; null where nobody knows"),
        Column("difficulty", TEXT, "`easy`, `medium` or `hard`, or null"),
        Column("variant", TEXT, "how the problem was rewritten; empty for an original"),
        Column("base", TEXT, "the id of the problem that it was made of"),
        Column("metadata", TEXT, "what is known of its structure and proofs, as JSON"),
    ),
)
