"""Decide whether an answer is correct by the constraints that the user really stated (gold), not by readings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from holdtrue.budget import Budget
from holdtrue.logic.evaluate import Values
from holdtrue.solving.engine import Engine
from holdtrue.solving.result import Satisfiable, Unknown
from holdtrue.world.answer import Answer, Assignment
from holdtrue.world.world import Constraint, World


class Correctness(NamedTuple):
    """The verdicts on an answer by two measures. None means that the budget ended first.

    `correct` is true if the answer was parsed, is complete, and satisfies gold and the background. `upstream` is the
    published measure: a partial answer is also right if it can be completed.
    """

    correct: bool | None
    upstream: bool | None


def is_correct(
    instance: World, gold: Sequence[Constraint], answer: Answer, engine: Engine, budget: Budget | None = None
) -> Correctness:
    """Judge an answer by the gold constraints stated so far.

    `engine` must have the instance's variables and background. It is asked only if a value is missing. A missing
    optional value counts as right if some value fits. Values outside their sorts, and texts that are not values, are
    wrong by both measures.
    """
    if not isinstance(answer, Assignment) or answer.foreign or not _in_range(instance, answer.values):
        return Correctness(False, False)
    if len(answer.values) == len(instance.variables):
        right = satisfies(instance, gold, answer.values)
        return Correctness(right, right)
    formulas = {str(index): instance.formula(constraint) for index, constraint in enumerate(gold)}
    found = engine.decide(formulas, budget or Budget(), fixed=answer.values)
    possible = None if isinstance(found, Unknown) else isinstance(found, Satisfiable)
    return Correctness(False if answer.missing(instance.variables, instance.required) else possible, possible)


def _in_range(instance: World, values: Values) -> bool:
    sorts = {name: variable.sort for name, variable in instance.variables.items()}
    return all(value in sorts[name] for name, value in values.items())


def satisfies(instance: World, gold: Sequence[Constraint], values: Values) -> bool:
    """Return whether a complete assignment is in range and satisfies gold and the background. This needs no solver."""
    formulas = (*instance.background, *map(instance.formula, gold))
    return _in_range(instance, values) and all(formula.holds(values) for formula in formulas)
