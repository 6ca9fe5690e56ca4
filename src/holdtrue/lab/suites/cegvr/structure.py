"""What can be told of problems by looking at them: how large and how hard each is, and what a set is made of."""

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
"""Up to these sizes a problem is easy, and medium."""


def size(variables: Sequence[Variable], formulas: Iterable[Formula]) -> int:
    """How much there is to keep in mind: variables and constraints, an equation being two constraints.

    Like the original's measure, without the time that its solver happened to take.
    """
    return len(variables) + sum(2 if isinstance(one, Compare) and one.op == "==" else 1 for one in formulas)


def difficulty_of(variables: Sequence[Variable], formulas: Iterable[Formula]) -> Difficulty:
    """The bin of a problem of this size."""
    found = size(variables, formulas)
    if found <= EASY:
        return "easy"
    return "medium" if found <= MEDIUM else "hard"


def widest_sum(formulas: Iterable[Formula]) -> int:
    """The most variables that are compared with each other in one place."""
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
    """How many are satisfiable and how many not, by difficulty, and how large the smallest MUSes are, where known.

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
    """The labels of `count` problems; raises `SettingsError` for numbers that cannot be."""
    if count < 1 or not 0 <= sat_ratio <= 1:
        raise SettingsError("there has to be one problem at least, and a share of satisfiable ones between 0 and 1")
    satisfiable = 0
    for index in range(count):
        more = floor((index + 1) * sat_ratio + 0.5) > satisfiable
        satisfiable += more
        yield "sat" if more else "unsat"
