from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from holdtrue.errors import ConstraintError, DomainError
from holdtrue_lab.kinds.assignment.problem import Problem, ProblemTurn
from tests.lab.kinds.assignment.gold import gold_until

NEAR: dict[str, Any] = {"type": "adjacent", "args": ["Ann", "Bob"]}
FIRST: dict[str, Any] = {"type": "at_position", "args": ["Ann", 1]}
LAST: dict[str, Any] = {"type": "at_position", "args": ["Cy", 3]}
PROBLEM = Problem(
    id="p",
    suite="drift",
    domain="seating",
    entities=("Ann", "Bob", "Cy"),
    context={"table_shape": "round"},
    turns=(ProblemTurn(1, "one", (NEAR, FIRST)), ProblemTurn(2, "two", (LAST,))),
)


def test_gold_piles_up() -> None:
    instance = PROBLEM.make_instance()
    near, first, last = (instance.constraint(made["type"], made["args"]) for made in (NEAR, FIRST, LAST))
    assert PROBLEM.gold_by_turn(instance) == {1: (near, first), 2: (last,)}
    assert gold_until(PROBLEM, instance, 1) == (near, first)
    assert gold_until(PROBLEM, instance, 2) == (near, first, last)
    assert instance.context["num_entities"] == 3


def test_a_problem_that_does_not_fit_says_so() -> None:
    with pytest.raises(DomainError, match="cooking"):
        replace(PROBLEM, domain="cooking").make_instance()
    alien = replace(PROBLEM, turns=(ProblemTurn(1, "", ({"type": "adjacent", "args": ["Ann", "Zoe"]},)),))
    with pytest.raises(ConstraintError, match="Zoe"):
        gold_until(alien, alien.make_instance(), 1)
