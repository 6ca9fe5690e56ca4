"""Search problems for tests, made by hand; gold is found by trying all assignments."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from holdtrue.budget import SearchBudget
from holdtrue.kinds.search.method import find_search_method
from holdtrue.kinds.search.problem import Difficulty, Requirement, SearchProblem
from holdtrue.logic.formula import Formula, Variable
from holdtrue.logic.sorts import IntSort
from holdtrue_lab.kit.plan import Plan
from tests.lab.kit.plans import plan_for
from tests.solving.brute import possible

X1, X2, X3, X4 = X = tuple(Variable(f"x{place}", IntSort(0, 5)) for place in range(1, 5))
SAT = [(X1 + X2).eq(7), X2 - X3 >= 2, 2 * X3 + X4 <= 6, X1 + X4 >= 4]
UNSAT = [(X1 + X2).eq(9), (X2 + X3).eq(4), X1 - X3 <= 2, X4 >= 1]


def problem(id: str, formulas: Sequence[Formula], difficulty: Difficulty = "easy") -> SearchProblem:
    return SearchProblem(
        id=id,
        suite="cegvr",
        domain="linear",
        variables=X,
        constraints=tuple(
            Requirement(f"c{place}", str(formula), formula) for place, formula in enumerate(formulas, start=1)
        ),
        gold="sat" if possible(X, formulas) else "unsat",
        difficulty=difficulty,
    )


SOLVABLE, IMPOSSIBLE = problem("p-sat", SAT), problem("p-unsat", UNSAT)


def variant(of: SearchProblem, kind: str) -> SearchProblem:
    """The same problem with its constraints the other way round."""
    return replace(of, id=f"{of.id}-{kind}", constraints=of.constraints[::-1], variant=kind, base=of.id)


def plan_searches(problems: Sequence[SearchProblem], methods: Sequence[str], model: str, **more: Any) -> Plan:
    found = [find_search_method(name) for name in methods]
    limits = asdict(more.pop("limits", SearchBudget()))
    return plan_for("cegvr", problems, found, model=model, **limits, **more)


def write_original(folder: Path) -> Path:
    """Two problems in the published layout, one of which has no solution."""
    bounds = [{"name": name, "domain": "int", "bounds": {"lower": 0, "upper": 5}} for name in ("y1", "y2", "y3")]
    rows: dict[str, list[tuple[str, int, dict[str, int]]]] = {
        "sat": [("<=", 4, {"y1": 1, "y2": 1}), (">=", 7, {"y1": 1, "y3": 2}), ("=", 3, {"y2": 1})],
        "unsat": [("<=", 4, {"y1": 1, "y2": 1}), (">=", 3, {"y1": 1}), (">=", 2, {"y2": 1})],
    }
    lines = [
        {
            "problem_id": f"linear-{gold}-1",
            "task": "math",
            "ground_truth": gold,
            "variables": bounds,
            "constraints": [_row(*row) for row in found],
            "metadata": {},
        }
        for gold, found in rows.items()
    ]
    folder.mkdir(exist_ok=True)
    (folder / "problems.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    return folder


def _row(relation: str, bound: int, factors: dict[str, int]) -> dict[str, Any]:
    terms = [{"coefficient": factor, "variable": name} for name, factor in factors.items()]
    return {"kind": "linear_ineq", "relation": relation, "rhs": bound, "offset": 0.0, "terms": terms}
