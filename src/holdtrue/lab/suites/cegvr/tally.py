"""What a set of problems is made of, in a line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import get_args

from holdtrue.kinds.search.problem import Difficulty, Gold, SearchProblem


def tally(problems: Sequence[SearchProblem]) -> str:
    """How many are satisfiable and how many not, by difficulty, and how large the smallest MUSes are, where known.

    >>> tally([])
    '0 sat, 0 unsat'
    """
    parts: list[str] = []
    for gold in get_args(Gold):
        own = [problem for problem in problems if problem.gold == gold]
        bins = Counter(problem.difficulty for problem in own)
        counts = ", ".join(f"{bins[name]} {name}" for name in get_args(Difficulty) if bins[name])
        parts.append(f"{len(own)} {gold}" + (f" ({counts})" if counts else ""))
    sizes = Counter(size for problem in problems if isinstance(size := problem.metadata.get("smallest_mus"), int))
    if sizes:
        found = ", ".join(f"{size} ({count})" for size, count in sorted(sizes.items()))
        parts.append(f"smallest MUSes of {found} constraints")
    return ", ".join(parts)
