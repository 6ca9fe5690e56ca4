"""This module tests two methods on the same problems, and corrects the p-values of many such tests together.

An *arm* is a method with one model. A *family* is all tests of one figure with one suite, model and settings, over any
problems and methods. In every table of paired tests, each p-value has Holm's correction over its family.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from holdtrue_lab.figures.significance import Paired, holm, mcnemar, paired
from holdtrue_lab.kit.arm import Arm
from holdtrue_lab.kit.plays import ACCURACY, AnyPlay, ArmPlays, shared

FAMILY = "Holm: over all tests of one figure with one model and settings."
"""The extent of Holm's correction in words, for a table's caption."""


def settings_of(arm: Arm) -> Arm:
    """Return an arm without its method: the suite, model, protocol and extractor that compared methods share."""
    return replace(arm, method="")


def by_settings(arms: Iterable[ArmPlays[AnyPlay]]) -> list[list[ArmPlays[AnyPlay]]]:
    """Return arms grouped by suite, model and settings, in order of first appearance."""
    groups: dict[Arm, list[ArmPlays[AnyPlay]]] = {}
    for each in arms:
        groups.setdefault(settings_of(each.arm), []).append(each)
    return list(groups.values())


def rivals(arms: Iterable[ArmPlays[AnyPlay]]) -> Iterator[Pair[AnyPlay]]:
    """Yield every two methods with the same suite, model and settings that call the model and share a problem.

    In each pair the method that was played first comes second, so that differences show the gain of the later one.
    """
    for group in by_settings(each for each in arms if each.asks_model):
        yield from (pair for first, second in combinations(group, 2) if (pair := Pair(second, first)).problems)


@dataclass(frozen=True)
class Pair(Generic[AnyPlay]):
    """A `Pair` is two arms on the problems that both have finished.

    Changed forms, which are problems made by changing others, are left out. Each problem counts by the mean of its
    turns.
    """

    arm: ArmPlays[AnyPlay]
    other: ArmPlays[AnyPlay]
    figure: str = ACCURACY

    @cached_property
    def problems(self) -> Sequence[tuple[Sequence[float], Sequence[float]]]:
        """The values of the figure by turn, under `arm` and under `other`, for each problem."""
        return [
            ([one.values(self.figure)[turn] for turn in turns], [two.values(self.figure)[turn] for turn in turns])
            for one, two, turns in shared(self.arm, self.other, self.figure)
        ]

    def on(self, figure: str) -> Pair[AnyPlay]:
        """Return the same pair of arms on another figure."""
        return Pair(self.arm, self.other, figure)

    @property
    def turns(self) -> int:
        """The number of turns that both have played."""
        return sum(len(first) for first, _ in self.problems)

    @property
    def of_turns(self) -> tuple[float, float]:
        """The mean over all turns, for each arm."""
        first, second = (sum(sum(each[side]) for each in self.problems) / self.turns for side in (0, 1))
        return first, second

    @cached_property
    def means(self) -> tuple[list[float], list[float]]:
        """The mean of each problem, for each arm."""
        first, second = ([sum(each[side]) / len(each[side]) for each in self.problems] for side in (0, 1))
        return first, second

    @property
    def of_problems(self) -> tuple[float, float]:
        """The mean over problems, for each arm."""
        first, second = self.means
        return sum(first) / len(first), sum(second) / len(second)

    def test(self) -> Paired:
        return paired(*self.means)

    def solved(self) -> Solved:
        """Return the number of problems that each has solved, and McNemar's test."""
        first, second = ([majority(rate) for rate in each] for each in self.means)
        only_arm = sum(one and not two for one, two in zip(first, second, strict=True))
        only_other = sum(two and not one for one, two in zip(first, second, strict=True))
        p = mcnemar(only_arm, only_other)
        return Solved(sum(first), sum(second), only_arm, only_other, p, holm=p, q=p)


@dataclass(frozen=True, slots=True)
class Solved:
    """A `Solved` counts the problems that each arm has solved, and those that only one of the arms has solved.

    A problem is solved if most of its turns are right. `p` is McNemar's exact test on the problems that only one arm
    has solved. `holm` and `q` equal `p` at first. `corrected` replaces them by the corrections of `p` over the family:
    by Holm, and by Benjamini-Hochberg.
    """

    arm: int
    other: int
    only_arm: int
    only_other: int
    p: float
    holm: float
    q: float


def majority(rate: float) -> bool:
    """Return whether a problem with this share of right turns counts as solved; a tie does not."""
    return rate > 0.5


class OfArm(Protocol):
    """An `OfArm` is an object with an `arm`: the arm's plays, its row in a report, or a test of it."""

    __dataclass_fields__: ClassVar[dict[str, Any]]

    @property
    def arm(self) -> Arm: ...


Test = TypeVar("Test", bound=OfArm)
Correction = Callable[[Sequence[float]], list[float]]


def corrected(
    tests: Iterable[Test],
    name: str,
    p: Callable[[Test], float | None],
    *,
    by: Correction = holm,
    apart: Callable[[Test], Hashable] = lambda test: None,
) -> tuple[Test, ...]:
    """Return the tests with a corrected p-value in the field `name`, which may be `part.field`.

    `p` reads the raw p-value of a test; a test without one is unchanged. Tests are corrected together if they have the
    same suite, model and settings, and `apart` returns the same value for them.
    """
    found = list(tests)
    families: dict[Hashable, list[int]] = {}
    for place, test in enumerate(found):
        if p(test) is not None:
            families.setdefault((settings_of(test.arm), apart(test)), []).append(place)
    for places in families.values():
        values = by([value for place in places if (value := p(found[place])) is not None])
        for place, value in zip(places, values, strict=True):
            found[place] = _with(found[place], name, value)
    return tuple(found)


def _with(record: Any, name: str, value: float) -> Any:
    head, _, rest = name.partition(".")
    return replace(record, **{head: _with(getattr(record, head), rest, value) if rest else value})
