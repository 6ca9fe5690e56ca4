"""Gold of all that was said up to a turn, beside what each turn says."""

from __future__ import annotations

from holdtrue.world.instance import Constraint, Instance
from holdtrue_lab.kinds.assignment.problem import Problem


def gold_until(problem: Problem, instance: Instance, turn: int) -> tuple[Constraint, ...]:
    """Return all constraints stated up to and including `turn`, in the order in which they were said."""
    stated = problem.gold_by_turn(instance)
    return tuple(made for number in sorted(stated) if number <= turn for made in stated[number])
