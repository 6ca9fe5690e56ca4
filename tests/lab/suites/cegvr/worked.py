"""A line of the original's files, and its worked example."""

from __future__ import annotations

from typing import Any

PUBLISHED: dict[str, Any] = {
    "problem_id": "linear-unsat-0110",
    "task": "math",
    "ground_truth": "unsat",
    "variables": [
        {"name": "y1", "domain": "int", "bounds": {"lower": 0, "upper": 3}},
        {"name": "y2", "domain": "int", "bounds": {"lower": 0, "upper": 2}},
    ],
    "constraints": [
        {
            "kind": "linear_ineq",
            "relation": ">=",
            "rhs": 11,
            "offset": 0.0,
            "terms": [{"coefficient": 2, "variable": "y1"}, {"coefficient": 2, "variable": "y2"}],
        }
    ],
    "metadata": {},
}


def linear(relation: str, rhs: float, **coefficients: float) -> dict[str, Any]:
    """Return a linear constraint of the schema."""
    terms = [{"coefficient": factor, "variable": name} for name, factor in coefficients.items()]
    return {"kind": "linear_ineq", "relation": relation, "rhs": rhs, "offset": 0.0, "terms": terms}


WORKED: dict[str, Any] = {
    "problem_id": "lin-0127",
    "task": "math",
    "ground_truth": "unsat",  # x1 is 9 at most: 3*x1 + x2 cannot be 43
    "variables": [{"name": f"x{n}", "domain": "int", "bounds": {"lower": 0, "upper": 9}} for n in range(1, 5)],
    "constraints": [
        linear(">=", 23, x1=1, x2=4, x3=1, x4=2),
        linear("=", 43, x1=3, x2=1),
        linear("<=", 6, x2=1, x3=2, x4=-1),
        linear(">=", 1, x1=1, x3=-1, x4=1),
    ],
    "metadata": {},
}
