"""Describe the problems of a run by size and types of constraints, as its journal shows them (DRIFT-Bench, table 2)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from holdtrue_lab.kit.plays import ProblemKey


@dataclass(frozen=True, slots=True)
class Shape:
    """A `Shape` holds what one problem showed while it was played to its end.

    `entities` are counted in the answers, `types` are the constraint types that were read, `final` is the number of
    gold constraints at the last turn. `entities` and `final` are None where nothing showed them.
    """

    suite: str
    domain: str
    turns: int
    entities: int | None
    types: frozenset[str]
    final: int | None


@dataclass(frozen=True, slots=True)
class Structure:
    """The problems of one domain that some method has finished.

    `turns` is the mean length, between `shortest` and `longest`. `entities` is their mean number, over problems
    with an answer that could be read: entities are those that answers speak of. `types` are the constraint types
    that were ever read, sorted. `final` is the mean number of gold constraints at the last turn, over problems
    whose last turn has a score. Means are None where nothing is known.
    """

    suite: str
    domain: str
    problems: int
    turns: float
    shortest: int
    longest: int
    entities: float | None
    types: tuple[str, ...]
    final: float | None


def structures(runs: Iterable[Mapping[ProblemKey, Shape]]) -> tuple[Structure, ...]:
    """One row for each suite and domain, by name; a problem in several runs counts once."""
    problems: dict[tuple[str, ProblemKey], Shape] = {}
    for run in runs:
        for asked, shape in run.items():
            key = (shape.suite, asked)
            problems[key] = joined(problems[key], shape) if key in problems else shape
    domains: dict[tuple[str, str], list[Shape]] = {}
    for shape in problems.values():
        domains.setdefault((shape.suite, shape.domain), []).append(shape)
    return tuple(_structure(suite, domain, domains[suite, domain]) for suite, domain in sorted(domains))


def joined(first: Shape, second: Shape) -> Shape:
    """Return the shape of one problem from two plays of it."""
    return Shape(
        first.suite,
        first.domain,
        first.turns,
        max(first.entities or 0, second.entities or 0) or None,
        first.types | second.types,
        second.final if first.final is None else first.final,
    )


def _structure(suite: str, domain: str, shapes: list[Shape]) -> Structure:
    turns = [shape.turns for shape in shapes]
    return Structure(
        suite=suite,
        domain=domain,
        problems=len(shapes),
        turns=sum(turns) / len(turns),
        shortest=min(turns),
        longest=max(turns),
        entities=_mean([shape.entities for shape in shapes if shape.entities is not None]),
        types=tuple(sorted(frozenset[str]().union(*(shape.types for shape in shapes)))),
        final=_mean([shape.final for shape in shapes if shape.final is not None]),
    )


def _mean(values: list[int]) -> float | None:
    return sum(values) / len(values) if values else None
