"""DIMACS text read back: with a certificate's variable map and nothing else that made it."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

from pysat.solvers import Minisat22

from tests.solving.drat import read_dimacs

Clauses = Sequence[Sequence[int]]


def dimacs(clauses: Clauses) -> str:
    top = max((abs(literal) for clause in clauses for literal in clause), default=0)
    lines = (" ".join(map(str, (*clause, 0))) for clause in clauses)
    return f"p cnf {top} {len(clauses)}\n" + "".join(f"{line}\n" for line in lines)


def decoded(map: Mapping[str, Any], model: Sequence[int]) -> dict[str, int]:
    """The values that a model of the text gives the variables; every literal says the truth about them."""
    true = {literal for literal in model if literal > 0}
    values = {variable["name"]: variable["low"] for variable in map["variables"]}
    for literal in map["literals"]:
        if literal["op"] == ">=":
            values[literal["variable"]] += literal["literal"] in true
    for literal in map["literals"]:
        value = values[literal["variable"]]
        says = value >= literal["value"] if literal["op"] == ">=" else value == literal["value"]
        assert says is (literal["literal"] in true), literal
    return values


def sliced(text: str, part: Mapping[str, Any]) -> list[str]:
    """The lines of the text that belong to a part of the map."""
    first, last = part["lines"] or (1, 0)
    return text.splitlines()[first - 1 : last]


def without(text: str, part: Mapping[str, Any]) -> list[list[int]]:
    """The clauses of the text but those of a part of the map."""
    clauses = read_dimacs(text)
    if part["clauses"] is None:
        return clauses
    first, last = part["clauses"]
    assert [" ".join(map(str, (*clause, 0))) for clause in clauses[first - 1 : last]] == sliced(text, part)
    return clauses[: first - 1] + clauses[last:]


def some_model(clauses: Clauses, chance: random.Random) -> list[int]:
    """A model that the solver comes to from random guesses."""
    top = max(abs(literal) for clause in clauses for literal in clause)
    with Minisat22(bootstrap_with=clauses) as solver:
        solver.set_phases([chance.choice((-1, 1)) * literal for literal in range(1, top + 1)])
        assert solver.solve()
        model: list[int] = solver.get_model()
        return model
