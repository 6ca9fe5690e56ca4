"""This module measures a run by the metrics of a kind of answer, and makes report rows.

A *changed form* is a problem that was made by changing another one, its *original*.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar
from zlib import crc32

from holdtrue_lab.figures.statistics import Rate
from holdtrue_lab.kit.arm import Arm
from holdtrue_lab.kit.entry import Entry, PlayedEntry
from holdtrue_lab.kit.folder import Measured
from holdtrue_lab.kit.groups import FigureRow
from holdtrue_lab.kit.metrics import Added, Metric, Metrics
from holdtrue_lab.kit.played import PlayedArm, by_arm
from holdtrue_lab.kit.plays import ArmPlays, Play, ProblemKey

E = TypeVar("E", bound=PlayedEntry[Any])
Settings = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Traits:
    """The `Traits` of a method follow from its name, the run's settings and its turns.

    Attributes:
        title: The name of the method in reports.
        asks_model: Whether the method calls a model.
        is_control: Whether the method ignores all input.
        baseline: Whether the method calls the model and no check changes its answers (see `ArmPlays`).
        single: Whether the method makes a single call, however large its budget is.
        told: Further values for the JSON of the method's rows.
    """

    title: str
    asks_model: bool = True
    is_control: bool = False
    baseline: bool = False
    single: bool = False
    told: Mapping[str, Any] = field(default_factory=dict)


class Answers(Generic[E]):
    """The values that one problem adds to metrics under one arm (a method with a model).

    The turns of the problem are added one by one, in any order. To save memory, only their values are kept. `marks` is
    the union of the marks of all turns so far.
    """

    def __init__(self, first: E, measure: FigureMeasure[E]) -> None:
        self.problem, self.domain, self.turns = first.problem, first.domain, first.turns
        self.unit = measure.unit(first)
        self.variant, self.base, self.bin = "", "", ""
        self.marks: set[str] = set()
        self.shape: Any = None
        self._measure = measure
        self._added: dict[int, Added] = {}
        self._said: dict[int, int] = {}  # a checksum of the turn's messages, by turn

    def add(self, entry: E) -> Answers[E]:
        """Add one turn, and return the object itself."""
        measure = self._measure
        self._said[entry.turn] = crc32(measure.said(entry).encode("utf-8", "surrogatepass"))
        self.marks.update(measure.marks(entry))
        if measure.counts(entry):
            self._added[entry.turn] = measure.metrics.added(measure.fact(entry))
            self.variant, self.base, self.bin = measure.form(entry)
        if measure.shape is not None:
            shape = measure.shape(entry)
            self.shape = shape if self.shape is None else self.shape | shape
        return self

    @property
    def finished(self) -> bool:
        return len(self._said) == self.turns

    @property
    def added(self) -> list[Added]:
        """The values that each turn adds, sorted by turn, so that sums are always rounded alike."""
        return [added for _, added in sorted(self._added.items())]

    @property
    def key(self) -> ProblemKey:
        return self.problem, crc32(repr([said for _, said in sorted(self._said.items())]).encode())

    def play(self) -> Play | None:
        """Return the problem for paired tests, with its right turns and tested figures; None if no turn counts."""
        measure = self._measure
        figures = {name: self._numbers(metric) for name, metric in measure.tested.items()}
        right = {turn: bool(value) for turn, value in self._numbers(measure.accuracy).items()}
        if not self._added:
            return None
        return Play(self.domain, self.turns, right, figures, self.variant, self.base, unit=self.unit)

    def _numbers(self, metric: Metric[E, Any]) -> dict[int, float]:
        values = ((turn, self._measure.metrics.of(metric, added)) for turn, added in sorted(self._added.items()))
        return {turn: value for turn, value in values if isinstance(value, int | float)}


A = TypeVar("A", bound=Answers[Any])


@dataclass(frozen=True, kw_only=True)
class FigureMeasure(Generic[E]):
    """A `FigureMeasure` measures the runs of a kind of answer.

    Attributes:
        entry: The class of the kind's journal entries.
        metrics: The metrics of the kind.
        accuracy: The metric by which methods are ranked.
        said: Returns the messages of a turn; problems with one id but different messages count as different.
        traits: Returns the traits of an arm's method, given all marks of its turns and the run's settings.
        marks: Returns words about the method's behaviour in a turn, such as that it called the model.
        tested: Further metrics for paired tests, by name; each answer adds a bool or a number to them.
        unit: Returns the unit that the bootstrap resamples, such as the task of a trial.
        counts: Returns whether a turn adds to metrics.
        form: Returns the kind of change of a turn's problem ('' for an original), the original's id, and the bin.
        bins: The name for the bins (groups of problems, such as difficulties), and the bins in order.
        by_domain: Whether each domain gets a row.
        unfinished: Whether turns of unfinished problems count in rows.
        fact: Returns the object in an entry that the metrics measure, by default the entry.
        shape: Returns a turn's data about its problem; the data of all turns are joined by `|`.
        answers: The class that gathers the turns of a problem.
    """

    entry: type[E]
    metrics: Metrics[Any]
    accuracy: Metric[Any, Rate]
    said: Callable[[E], str]
    traits: Callable[[Arm, frozenset[str], Settings], Traits]
    marks: Callable[[E], Iterable[str]] = lambda entry: ()
    tested: Mapping[str, Metric[Any, Any]] = field(default_factory=dict)
    unit: Callable[[E], str] = lambda entry: entry.problem
    counts: Callable[[E], bool] = lambda entry: True
    form: Callable[[E], tuple[str, str, str]] = lambda entry: ("", "", "")
    bins: tuple[str, Sequence[str]] = ("", ())
    by_domain: bool = False
    unfinished: bool = False
    fact: Callable[[E], Any] = lambda entry: entry
    shape: Callable[[E], Any] | None = None
    answers: type[Answers[Any]] = Answers

    def __call__(self, entries: Iterable[Entry], settings: Settings | None = None) -> Measured[FigureRow]:
        """Measure a run with these settings; the entries are read once, in any order.

        The result has a row for each method over all domains, in order of first appearance, and rows for each domain.
        Only original problems count in these rows.
        """
        played = by_arm(entries, self.entry, lambda found, entry: (found or self.answers(entry, self)).add(entry))
        # If a problem failed before its score, other methods tell its bin and whether it is a changed form.
        everything = [answers for each in played for answers in each.facts]
        changed = {answers.problem for answers in everything if answers.variant}
        bins = {answers.problem: answers.bin for answers in everything if answers.bin}
        arms = [_MeasuredArm(self, each, settings or {}, changed, bins) for each in played]
        shapes: dict[ProblemKey, Any] = {}
        for answers in everything:
            if answers.finished and answers.shape is not None:
                known = shapes.get(answers.key)
                shapes[answers.key] = answers.shape if known is None else known | answers.shape
        return Measured(
            rows=tuple(row for arm in arms for row in arm.rows(arms)),
            bins=tuple(row for arm in arms for row in arm.bins(arms)),
            plays=tuple(arm.plays() for arm in arms),
            controls=frozenset(arm.arm.method for arm in arms if arm.traits.is_control and arm.finished),
            forms=1 + _changed_forms(everything),
            problems=shapes,
        )

    def figures(self, own: Sequence[Any], arm: Arm, others: Mapping[Arm, Sequence[Any]]) -> dict[str, Any]:
        """Return the figures of a row from its answers; `others` holds the finished answers of all arms."""
        return self.metrics.combine(_by_unit(own))


class _MeasuredArm:
    """A `_MeasuredArm` is an arm with everything played under it.

    `changed` holds the ids of changed forms, and `bins` the known bins by problem id.
    """

    def __init__(
        self,
        measure: FigureMeasure[Any],
        played: PlayedArm[Answers[Any]],
        settings: Settings,
        changed: set[str],
        bins: Mapping[str, str],
    ) -> None:
        self.arm, self._measure, self._answers, self._failed = played.arm, measure, played.facts, played.failed
        marks = frozenset[str]().union(*(each.marks for each in played.facts))
        self.traits = measure.traits(played.arm, marks, settings)
        begun = {each.problem: each.domain for each in played.facts} | dict(played.failed)
        self._domains = {problem: domain for problem, domain in begun.items() if problem not in changed}
        self._bins = {problem: bins[problem] for problem in self._domains if problem in bins}

    @property
    def finished(self) -> list[Answers[Any]]:
        return [each for each in self._answers if each.finished]

    def rows(self, arms: Sequence[_MeasuredArm]) -> Iterator[FigureRow]:
        """Yield the row over all domains, then those of each domain. Yield none if only changed forms were begun."""
        if self._domains:
            yield self._row(arms, self._domains.keys())
        for domain in sorted(set(self._domains.values())) if self._measure.by_domain else ():
            yield self._row(arms, {own for own, its in self._domains.items() if its == domain}, domain)

    def bins(self, arms: Sequence[_MeasuredArm]) -> Iterator[FigureRow]:
        """Yield the row of each bin."""
        there, order = set(self._bins.values()), self._measure.bins[1]
        for bin in (*(own for own in order if own in there), *sorted(there.difference(order))):
            yield self._row(arms, {own for own, its in self._bins.items() if its == bin}, bin=bin)

    def _row(
        self, arms: Sequence[_MeasuredArm], begun: Iterable[str], domain: str | None = None, bin: str | None = None
    ) -> FigureRow:
        measure, problems = self._measure, set(begun)
        those = [each for each in self._answers if each.problem in problems]
        finished = [each for each in those if each.finished]
        others = {each.arm: each.finished for each in arms}
        figures = measure.figures(those if measure.unfinished else finished, self.arm, others)
        name = measure.bins[0]
        return FigureRow(
            arm=self.arm,
            domain=domain,
            problems=len(problems),
            finished=len(finished),
            failed=len(problems & self._failed.keys()),
            title=self.traits.title,
            accuracy=figures[measure.accuracy.name],
            figures=figures,
            told={**self.traits.told, **({name: bin} if name else {})},
        )

    def plays(self) -> ArmPlays[Play]:
        """Return the finished problems, including changed forms."""
        traits = self.traits
        plays = {each.key: play for each in self.finished if (play := each.play()) is not None}
        return ArmPlays(self.arm, traits.baseline, plays, asks_model=traits.asks_model, single=traits.single)


def _changed_forms(answers: Iterable[Answers[Any]]) -> int:
    """Return the largest number of finished changed forms that an original has."""
    changed = {(each.base, each.problem) for each in answers if each.finished and each.variant}
    return max(Counter(original for original, _ in changed).values(), default=0)


def _by_unit(answers: Sequence[Answers[Any]]) -> list[list[Added]]:
    """Return the added values, grouped by units in sorted order, because resampling depends on the order."""
    units: dict[str, list[Added]] = {}
    for each in sorted(answers, key=lambda each: (each.unit, each.problem)):
        units.setdefault(each.unit, []).extend(each.added)
    return list(units.values())


def setting_of(method: str, settings: Settings, presets: Mapping[str, Any], name: str) -> Any:
    """Return a method's setting from the run's settings, or otherwise from the presets; None if neither has it."""
    own = settings.get("own_methods", {}).get(method)
    return getattr(presets.get(method), name, None) if own is None else own.get(name)
