"""A naive twin of the scorer of labels: it enumerates which statements of a case can be true together.

A pattern says for each query, in order, whether its statement is true.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdtrue.budget import Budget
from holdtrue.kinds.labels.case import Case
from holdtrue.record import Label
from holdtrue.solving.result import Satisfiable, Unknown
from holdtrue.solving.route import z3_engine

Patterns = NDArray[np.bool_]
SIDES: Mapping[str | None, int] = {Label.ENTAILED.value: 1, Label.CONTRADICTED.value: -1, Label.UNKNOWN.value: 0}
"""The commitment of a label; UNKNOWN commits to nothing."""
NO_LABEL = 2
_UNLIMITED = Budget(timeout_s=None)


def truth_patterns(case: Case) -> Patterns:
    """Return all patterns that the premises allow, as z3 proves, shape (patterns, queries)."""
    statements = [query.formula for query in case.queries if query.formula is not None]
    assert len(statements) == len(case.queries)
    engine = z3_engine(case.variables, (*case.laws, *case.theory.values()))
    found: set[tuple[bool, ...]] = set()

    def walk(begun: tuple[bool, ...]) -> None:
        if not any(pattern[: len(begun)] == begun for pattern in found):
            sides = [each if true else each.negation for each, true in zip(statements, begun, strict=False)]
            result = engine.decide({f"q{place}": side for place, side in enumerate(sides)}, _UNLIMITED)
            assert not isinstance(result, Unknown)
            if not isinstance(result, Satisfiable):
                return
            found.add(tuple(each.holds(result.witness) for each in statements))
        if len(begun) < len(statements):
            walk((*begun, True))
            walk((*begun, False))

    walk(())
    return np.array(sorted(found), dtype=np.bool_)


def sides(labels: Sequence[str | None]) -> list[int]:
    """Return the commitment of each label: 1 the statement, -1 its negation, 0 neither."""
    return [SIDES.get(label, NO_LABEL) for label in labels]


def set_figures(patterns: Patterns, labels: NDArray[Any]) -> dict[str, NDArray[Any]]:
    """Return the set figures of many labellings, shape (labellings, queries), given as by `sides`.

    `consistent`, `epistemic` and `cost` have one value for each labelling, `prefix` and `clash` one for each query.
    """
    wanted = np.where(patterns, 1, -1)  # (patterns, queries)
    commits = np.abs(labels) == 1
    misses = commits[:, None, :] & (labels[:, None, :] != wanted[None, :, :])  # (labellings, patterns, queries)
    agrees = ~misses.any(axis=2)
    consistent = agrees.any(axis=1)
    left_open = (agrees @ patterns) & (agrees @ ~patterns)
    kept = np.ones_like(agrees)
    clash = np.zeros_like(commits)
    for place in range(labels.shape[1]):
        still = kept & ~misses[:, :, place]
        clash[:, place] = ~still.any(axis=1)
        kept = np.where(clash[:, place, None], kept, still)
    return {
        "consistent": consistent,
        "epistemic": consistent & ((labels != 0) | left_open).all(axis=1),
        "cost": misses.sum(axis=2).min(axis=1),
        "prefix": (misses.cumsum(axis=2) == 0).any(axis=1),
        "clash": clash,
    }


def lightest_withdrawal(patterns: Patterns, labels: Sequence[int], weights: Sequence[int]) -> int:
    """Return the least weight of commitments whose removal makes the others consistent, by trying all subsets."""
    committed = [place for place, side in enumerate(labels) if abs(side) == 1]
    best = sum(weights[place] for place in committed)
    for choice in product((True, False), repeat=len(committed)):
        kept = [place for place, keep in zip(committed, choice, strict=True) if keep]
        weight = sum(weights[place] for place in committed if place not in kept)
        if weight < best and any(all(p[place] == (labels[place] == 1) for place in kept) for p in patterns):
            best = weight
    return best


def expected(patterns: Patterns, gold: Sequence[int], wrong: float) -> dict[str, tuple[float, float]]:
    """Return mean and variance of the set figures if each label is wrong with this probability, over all labellings.

    `prefix` is the share of consistent prefixes, and `clash` the number of clashes.
    """
    every = np.array(list(product((1, -1, 0), repeat=len(gold))))
    chances = np.where(every == np.array(gold), 1 - wrong, wrong / 2).prod(axis=1)
    figures = set_figures(patterns, every)
    values = {name: figures[name].astype(float) for name in ("consistent", "epistemic", "cost")}
    values |= {"prefix": figures["prefix"].mean(axis=1), "clash": figures["clash"].sum(axis=1).astype(float)}
    means = {name: float(chances @ value) for name, value in values.items()}
    return {name: (means[name], float(chances @ (value - means[name]) ** 2)) for name, value in values.items()}
