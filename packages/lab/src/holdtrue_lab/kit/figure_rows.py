"""Measure a run by the metrics that a kind of answer declares: gather what answers add, and combine it in rows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar
from zlib import crc32

from holdtrue_lab.figures.statistics import Rate
from holdtrue_lab.kit.entry import Entry, PlayedEntry
from holdtrue_lab.kit.folder import Measured
from holdtrue_lab.kit.groups import FigureRow
from holdtrue_lab.kit.metrics import Added, Metric, Metrics
from holdtrue_lab.kit.played import PlayedArm, by_arm
from holdtrue_lab.kit.plays import ArmPlays, Play, ProblemKey

E = TypeVar("E", bound=PlayedEntry[Any])
OfMethod = Callable[[str, Mapping[str, Any]], bool]
"""Says something of a method by its name, and by the settings of its run."""


class Answers(Generic[E]):
    """One problem under one arm, as far as its turns have been read, in any order: what each adds to metrics.

    The entries are not kept, so that a run's texts are never all in memory.
    """

    def __init__(self, first: E, measure: FigureMeasure[E]) -> None:
        self.problem, self.unit, self._measure = first.problem, measure.unit(first), measure
        self._domain, self._turns = first.domain, first.turns
        self._added: dict[int, Added] = {}
        self._said: dict[int, str] = {}

    def add(self, entry: E) -> Answers[E]:
        """Add one turn, and return the answers themselves."""
        self._said[entry.turn] = self._measure.said(entry)
        self._added[entry.turn] = self._measure.metrics.added(entry)
        return self

    @property
    def finished(self) -> bool:
        return len(self._added) == self._turns

    @property
    def added(self) -> list[Added]:
        """Return, turn by turn, the numbers that each adds, so that sums are always rounded alike."""
        return [added for _, added in sorted(self._added.items())]

    @property
    def key(self) -> ProblemKey:
        said = "\0".join(text for _, text in sorted(self._said.items()))
        return self.problem, crc32(said.encode("utf-8", "surrogatepass"))

    def play(self) -> Play:
        """Return the problem as paired tests take it: all that is yes or no of what runs are compared by."""
        measure = self._measure
        figures = {name: self._yes_or_no(metric) for name, metric in measure.metrics.compared.items()}
        right = self._yes_or_no(measure.accuracy)
        return Play(self._domain, self._turns, right=right, figures=figures, unit=self.unit)

    def _yes_or_no(self, metric: Metric[E, Any]) -> dict[int, bool]:
        values = ((turn, added[metric.name]) for turn, added in sorted(self._added.items()))
        return {turn: value for turn, value in values if isinstance(value, bool)}


@dataclass(frozen=True, kw_only=True)
class FigureMeasure(Generic[E]):
    """Measures the runs of a kind of answer.

    Attributes:
        entry: The class of its journal entries.
        metrics: Its metrics.
        accuracy: The one of them by which methods are ranked.
        said: Returns what was said in a turn: problems that differ in it are not the same.
        is_control: Says whether a method looks at nothing.
        asks_model: Says whether a method asks a model.
        title: Returns the name of a method in reports.
        unit: Returns what intervals are drawn over, such as the task that a problem is a trial of.
    """

    entry: type[E]
    metrics: Metrics[E]
    accuracy: Metric[E, Rate]
    said: Callable[[E], str]
    is_control: OfMethod
    asks_model: OfMethod
    title: Callable[[str], str]
    unit: Callable[[E], str] = lambda entry: entry.problem

    def __call__(self, entries: Iterable[Entry], settings: Mapping[str, Any] | None = None) -> Measured[FigureRow]:
        """Measure a run with these settings; the entries are read once, in any order.

        The result's `rows` are one for each method, in order of first appearance.
        """
        arms = by_arm(entries, self.entry, lambda found, entry: (found or Answers(entry, self)).add(entry))
        return Measured(
            rows=tuple(map(self._row, arms)),
            plays=tuple(self._plays(each, settings or {}) for each in arms),
            controls=frozenset(each.arm.method for each in arms if self.is_control(each.arm.method, settings or {})),
        )

    def _row(self, played: PlayedArm[Answers[E]]) -> FigureRow:
        finished = [each for each in played.facts if each.finished]
        figures = self.metrics.combine(_by_unit(finished))
        return FigureRow(
            arm=played.arm,
            domain=None,
            problems=len({each.problem for each in played.facts} | played.failed.keys()),
            finished=len(finished),
            failed=len(played.failed),
            title=self.title(played.arm.method),
            accuracy=figures[self.accuracy.name],
            figures=figures,
        )

    def _plays(self, played: PlayedArm[Answers[E]], settings: Mapping[str, Any]) -> ArmPlays[Play]:
        """Return the finished problems. No arm is a baseline: none gives an answer that a check could mend."""
        plays = {each.key: each.play() for each in played.facts if each.finished}
        return ArmPlays(played.arm, False, plays, asks_model=self.asks_model(played.arm.method, settings))


def _by_unit(answers: Sequence[Answers[Any]]) -> list[list[Added]]:
    """Return what was added by units in their order, on which resampling depends."""
    units: dict[str, list[Added]] = {}
    for each in sorted(answers, key=lambda each: (each.unit, each.problem)):
        units.setdefault(each.unit, []).extend(each.added)
    return list(units.values())


def setting_of(method: str, settings: Mapping[str, Any], presets: Mapping[str, Any], name: str) -> Any:
    """Return a setting of a method, which the run's settings or the presets know; None where neither does."""
    own = settings.get("own_methods", {}).get(method)
    return getattr(presets.get(method), name, None) if own is None else own.get(name)
