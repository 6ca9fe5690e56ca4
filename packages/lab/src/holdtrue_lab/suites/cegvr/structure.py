"""Measure the structure of problems: the size and difficulty of each, and the composition of a set."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from math import floor
from typing import get_args

from holdtrue.errors import SettingsError
from holdtrue.kinds.search.problem import Difficulty, Gold, SearchProblem
from holdtrue.logic.formula import Compare, Formula, Variable, linear
from holdtrue.logic.node import Node

GOLDS: tuple[Gold, ...] = get_args(Gold)
DIFFICULTIES: tuple[Difficulty, ...] = get_args(Difficulty)
EASY, MEDIUM = 14, 22
"""The largest sizes of easy and of medium problems."""


def size(variables: Sequence[Variable], formulas: Iterable[Formula]) -> int:
    """Return the size of a problem: its number of variables and constraints, with equations counted twice.

    This is the published measure without the time that a solver took.
    """
    return len(variables) + sum(2 if isinstance(one, Compare) and one.op == "==" else 1 for one in formulas)


def difficulty_of(variables: Sequence[Variable], formulas: Iterable[Formula]) -> Difficulty:
    """Return the difficulty of a problem, which follows from its size."""
    found = size(variables, formulas)
    if found <= EASY:
        return "easy"
    return "medium" if found <= MEDIUM else "hard"


def widest_sum(formulas: Iterable[Formula]) -> int:
    """Return the largest number of variables in one comparison."""
    return max((len(linear(one.left - one.right).factors) for one in _comparisons(formulas)), default=0)


def _comparisons(formulas: Iterable[Formula]) -> Iterator[Compare]:
    """Every comparison, also within other formulas."""
    stack: list[Node] = list(formulas)
    while stack:
        node = stack.pop()
        if isinstance(node, Compare):
            yield node
        stack += node.children


def tally(problems: Sequence[SearchProblem]) -> str:
    """Return a line with the numbers of satisfiable and other problems by difficulty, and the sizes of smallest MUSes.

    >>> tally([])
    '0 sat, 0 unsat'
    """
    parts: list[str] = []
    for gold in GOLDS:
        own = [problem for problem in problems if problem.gold == gold]
        bins = Counter(problem.difficulty for problem in own)
        counts = ", ".join(f"{bins[name]} {name}" for name in DIFFICULTIES if bins[name])
        parts.append(f"{len(own)} {gold}" + (f" ({counts})" if counts else ""))
    sizes = Counter(size for problem in problems if isinstance(size := problem.metadata.get("smallest_mus"), int))
    if sizes:
        found = ", ".join(f"{size} ({count})" for size, count in sorted(sizes.items()))
        parts.append(f"smallest MUSes of {found} constraints")
    return ", ".join(parts)


def golds(count: int, sat_ratio: float) -> Iterator[Gold]:
    """Yield the labels of `count` problems; raises `SettingsError` for impossible numbers."""
    if count < 1 or not 0 <= sat_ratio <= 1:
        raise SettingsError("there has to be one problem at least, and a share of satisfiable ones between 0 and 1")
    satisfiable = 0
    for index in range(count):
        more = floor((index + 1) * sat_ratio + 0.5) > satisfiable
        satisfiable += more
        yield "sat" if more else "unsat"
