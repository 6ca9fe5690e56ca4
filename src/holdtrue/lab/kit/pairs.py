"""Two methods on the same problems: what is tested of them, and which tests are corrected together.

One policy holds for every table of paired tests. A family is all tests of one figure with one suite, model and
settings, whichever problems and methods they are about; each p-value is given with Holm's correction over its family.
Other figures, and other models, are other questions, and so are other families.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from holdtrue.figures.significance import Paired, holm, mcnemar, paired
from holdtrue.lab.kit.arm import Arm
from holdtrue.lab.kit.plays import ACCURACY, AnyPlay, ArmPlays, shared

FAMILY = "Holm: over all tests of one figure with one model and settings."
"""The policy, as a table's caption tells it."""


def settings_of(arm: Arm) -> Arm:
    """What methods that are compared have in common: suite, model, protocol and extractor."""
    return replace(arm, method="")


def by_settings(arms: Iterable[ArmPlays[AnyPlay]]) -> list[list[ArmPlays[AnyPlay]]]:
    """The arms of each suite, model and settings, in order of first appearance."""
    groups: dict[Arm, list[ArmPlays[AnyPlay]]] = {}
    for each in arms:
        groups.setdefault(settings_of(each.arm), []).append(each)
    return list(groups.values())


def rivals(arms: Iterable[ArmPlays[AnyPlay]]) -> Iterator[Pair[AnyPlay]]:
    """Every two methods that ask the model, and have a problem in common, of each suite, model and settings.

    The method that was played first comes second in a pair, so that differences tell what the later one adds.
    """
    for group in by_settings(each for each in arms if each.asks_model):
        yield from (pair for first, second in combinations(group, 2) if (pair := Pair(second, first)).problems)


@dataclass(frozen=True)
class Pair(Generic[AnyPlay]):
    """Two arms on the original problems that both have finished, each counting once by the mean of its turns."""

    arm: ArmPlays[AnyPlay]
    other: ArmPlays[AnyPlay]
    figure: str = ACCURACY

    @cached_property
    def problems(self) -> Sequence[tuple[Sequence[float], Sequence[float]]]:
        """For each problem the figure in its turns, under the one and under the other."""
        return [
            ([one.values(self.figure)[turn] for turn in turns], [two.values(self.figure)[turn] for turn in turns])
            for one, two, turns in shared(self.arm, self.other, self.figure)
        ]

    def on(self, figure: str) -> Pair[AnyPlay]:
        """The same two on another figure."""
        return Pair(self.arm, self.other, figure)

    @property
    def turns(self) -> int:
        """How many turns both have played."""
        return sum(len(first) for first, _ in self.problems)

    @property
    def of_turns(self) -> tuple[float, float]:
        """The means over all turns."""
        first, second = (sum(sum(each[side]) for each in self.problems) / self.turns for side in (0, 1))
        return first, second

    @cached_property
    def means(self) -> tuple[list[float], list[float]]:
        """The means by problem."""
        first, second = ([sum(each[side]) / len(each[side]) for each in self.problems] for side in (0, 1))
        return first, second

    @property
    def of_problems(self) -> tuple[float, float]:
        """The means over problems."""
        first, second = self.means
        return sum(first) / len(first), sum(second) / len(second)

    def test(self) -> Paired:
        """The mean difference over problems."""
        return paired(*self.means)

    def solved(self) -> Solved:
        """How many problems each has solved."""
        first, second = ([majority(rate) for rate in each] for each in self.means)
        only_arm = sum(one and not two for one, two in zip(first, second, strict=True))
        only_other = sum(two and not one for one, two in zip(first, second, strict=True))
        return Solved(sum(first), sum(second), only_arm, only_other, mcnemar(only_arm, only_other))


@dataclass(frozen=True, slots=True)
class Solved:
    """The problems that either arm has solved, and those that it alone has; `p` is of McNemar's exact test on these."""

    arm: int
    other: int
    only_arm: int
    only_other: int
    p: float


def majority(rate: float) -> bool:
    """Whether a problem counts as solved, where this share of its turns is right: a tie is no majority."""
    return rate > 0.5


class OfArm(Protocol):
    """What belongs to an arm: its plays, a row, or a test of what it did."""

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
    """The tests with their p-values, corrected in their families, in the field of that name (`part.field` in a part).

    A test without a p-value is in no family. `apart` tells tests of another table, which answer another question.
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
