"""The metrics of queries, over finished cases: right labels, consistency, and costs.

Consistency says nothing by itself: a method that always answers UNKNOWN is always consistent. So every row has its
accuracy too, and a report shows the controls beside the other methods.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import methodcaller
from typing import TYPE_CHECKING, Any, get_args

from holdtrue.kinds.labels.record import LabelOutcome, label_outcome
from holdtrue.record import Label
from holdtrue_lab.figures.cells import rate_in_interval, times
from holdtrue_lab.figures.statistics import Estimate, estimates
from holdtrue_lab.kinds.labels.entry import FormulaSource, LabelEntry, SetScore, first_labels
from holdtrue_lab.kinds.labels.setup import is_dialogue
from holdtrue_lab.kit.arm import Arm
from holdtrue_lab.kit.comparison import DIRECT
from holdtrue_lab.kit.figure_rows import Answers, FigureMeasure, Traits
from holdtrue_lab.kit.metrics import Added, Metric, Metrics, Units
from holdtrue_lab.kit.plays import ACCURACY, Play

if TYPE_CHECKING:
    from numpy.typing import NDArray

NO_LABEL = "none"
ONE_AT_A_TIME = "one"
"""The protocol of runs in which each prompt has a summary of beliefs and a single query."""
LABELS = tuple(Label)
Labels = Mapping[str, str]


class Bundle(Answers[LabelEntry]):
    """One case under one arm (a method with a model); some of its turns have been read. Metrics get the whole case."""

    def __init__(self, first: LabelEntry, measure: FigureMeasure[LabelEntry]) -> None:
        super().__init__(first, measure)
        self.gold: dict[str, str] = {}
        self.first: dict[str, str] = {}
        self.labels: Labels = {}
        self.entailed: Labels = {}
        self.whole: SetScore | None = None
        self.outcomes: Counter[LabelOutcome] = Counter()
        self.events: Counter[str] = Counter()
        self.prefix: dict[tuple[int, int], bool | None] = {}  # the keys are turns, and places of queries in them
        self.clash: Counter[bool] = Counter()
        self.differ: Counter[bool] = Counter()
        self.formulas: set[FormulaSource] = set()
        self.proved: dict[str, str | None] = {}
        self._latest = 0
        self._spent: dict[int, dict[str, float]] = {}

    def add(self, entry: LabelEntry) -> Bundle:
        super().add(entry)
        record, score = entry.record, entry.score
        self.first.update(first_labels(record))
        if entry.turn >= self._latest:
            self._latest = entry.turn
            # In a dialogue, the final belief about an atom counts, whichever answer gave it. An atom that was never
            # answered has no label.
            by_belief = record.detail.committed if is_dialogue(entry.suite) else {}
            self.labels = {id: by_belief.get(id, label) for id, label in record.detail.labels.items()}
            self.entailed = record.detail.entailed
        self.outcomes[label_outcome(record.final.verdict)] += 1
        self.events.update(event.kind for event in record.events)
        self._spent[entry.turn] = {name: spent(entry) for name, (_, _, spent) in SPENT.items()}
        if score is not None:
            self.gold.update(score.gold)
            self.formulas.add(score.formulas)
            self.proved.update(score.proved)
            self.prefix.update(((entry.turn, place), each) for place, each in enumerate(score.prefix))
            self.clash.update(each for each in score.clash if each is not None)
            self.differ.update([] if score.differ is None else [score.differ])
            self.whole = score.whole or self.whole
        return self

    @property
    def added(self) -> list[Added]:
        return [CASES.added(self)]

    @property
    def settled(self) -> dict[str, str]:
        """The labels that a model's formulas prove, by query."""
        return {id: label for id, label in self.proved.items() if label is not None}

    def spent(self, name: str) -> float:
        """Return the sum of one of `SPENT` over the turns in their order, so that rounding is always the same."""
        return sum(spent[name] for _, spent in sorted(self._spent.items()))

    def right(self, labels: Labels) -> int:
        """Return the number of queries with the right label in `labels`."""
        return sum(labels.get(id) == gold for id, gold in self.gold.items())

    def answered(self) -> Iterator[tuple[str, str | None]]:
        """Yield, for each query, the gold label and the final label, or None without a final label."""
        for id, gold in self.gold.items():
            label = self.labels.get(id)
            yield gold, label if label in LABELS else None

    def of_whole(self, read: Callable[[SetScore], Any]) -> Any:
        """Return a value from the score of the whole case, or None without a score."""
        return None if self.whole is None else read(self.whole)

    def play(self) -> Play:
        """Return the case for paired tests.

        The "turns" of the result are the queries, or the case as a whole, depending on the figure.
        """
        whole = self.whole
        kept = [] if whole is None or whole.revision_cost is None else [*range(whole.of)]
        parts: dict[str, Sequence[bool | None]] = {
            ACCURACY: [self.labels.get(id) == gold for id, gold in sorted(self.gold.items())],
            "set_consistency": [self.of_whole(lambda whole: whole.consistent)],
            "epistemic_consistency": [self.of_whole(lambda whole: whole.epistemic)],
            "auc_prefix_consistency": [prefix for _, prefix in sorted(self.prefix.items())],
            "kept": [place >= self.of_whole(lambda whole: whole.revision_cost) for place in kept],
        }
        known = {
            figure: {place: part for place, part in enumerate(verdicts, start=1) if part is not None}
            for figure, verdicts in parts.items()
        }
        return Play(self.domain, len(parts[ACCURACY]), known.pop(ACCURACY), known, unit=self.unit)


FIGURES = (ACCURACY, "set_consistency", "epistemic_consistency", "auc_prefix_consistency", "kept")
"""The figures by which arms are compared; higher is better. `kept` is the share of labels that need not be withdrawn,
over the queries with a formula."""

SPENT: Mapping[str, tuple[str, str, Callable[[LabelEntry], float]]] = {
    "tokens": ("tokens", ".0f", lambda entry: entry.record.usage.tokens),
    "calls": ("calls", ".2f", lambda entry: entry.record.usage.calls),
    "latency_s": ("seconds of calls", ".2f", lambda entry: entry.record.usage.latency_s),
    "seconds": ("seconds", ".2f", lambda entry: entry.record.time_s),
    "solver_calls": ("solver calls", ".1f", lambda entry: entry.record.solver_calls),
}
"""The costs of a method, each with its title, its format and its value for a turn. `latency_s` is the time of calls,
and `seconds` also includes the solver's time."""


def _known(value: float | None) -> tuple[float, float]:
    """Return the value and its weight for a mean that ignores None."""
    return (0.0, 0.0) if value is None else (value, 1.0)


def counts(answers: Iterable[tuple[str, str | None]]) -> list[int]:
    """Return, for each of `LABELS`, the number of true positives, of predictions, and of gold labels.

    `answers` are pairs of a gold label and a given label, which is None if no label was given.
    """
    found = list(answers)
    right = (sum(gold == label == own for gold, label in found) for own in LABELS)
    given = (sum(label == own for _, label in found) for own in LABELS)
    true = (sum(gold == own for gold, _ in found) for own in LABELS)
    return [*right, *given, *true]


def f1(sums: NDArray[Any]) -> NDArray[Any]:
    """Return the F1 of each label, shape (n, 3), from sums of counts, shape (n, 9).

    F1 is nan for a label that is never true and never given.
    """
    import numpy as np

    right, given, true = np.split(sums.astype(np.float64), 3, axis=1)
    return np.divide(2 * right, given + true, out=np.full_like(right, np.nan), where=given + true > 0)


def unknown_f1(sums: NDArray[Any]) -> NDArray[Any]:
    """Return the F1 of UNKNOWN alone, shape (n,)."""
    column: NDArray[Any] = f1(sums)[:, LABELS.index(Label.UNKNOWN)]
    return column


def macro_f1(sums: NDArray[Any]) -> NDArray[Any]:
    """Return the mean over the labels that have an F1, shape (n,)."""
    import numpy as np

    each = f1(sums)
    of = np.isfinite(each).sum(axis=1)
    total = np.nansum(each, axis=1)
    mean: NDArray[Any] = np.divide(total, of, out=np.full_like(total, np.nan), where=of > 0)
    return mean


def _f1(name: str, title: str, figure: Callable[[NDArray[Any]], NDArray[Any]]) -> Metric[Bundle, Estimate]:
    def value(units: Units) -> Estimate:
        import numpy as np

        [found] = estimates([(np.array([case for unit in units for case in unit], dtype=np.float64), figure)])
        return found

    return CASES.worked_out(
        name, lambda case: counts(case.answered()), value, title=f"{title} %", show=rate_in_interval
    )


CASES = Metrics[Bundle]()
TURNS = CASES.total("turns", lambda case: case.turns)
QUERIES = CASES.total("queries", lambda case: len(case.gold))
UNPARSED = CASES.total("unparsed", lambda case: sum(label is None for _, label in case.answered()))
RIGHT = CASES.share("accuracy", lambda case: (case.right(case.labels), len(case.gold)), "accu\u00adracy")
FIRST = CASES.share("first_accuracy", lambda case: (case.right(case.first), len(case.gold)), "first accu\u00adracy")
ENTAILED = CASES.share(
    "entailed_accuracy",
    lambda case: (case.right(case.entailed), len(case.gold.keys() & case.entailed.keys())),
    "by en\u00adtail\u00adment",
)
MACRO_F1 = _f1("macro_f1", "macro F1", macro_f1)
UNKNOWN_F1 = _f1("unknown_f1", "UNKNOWN F1", unknown_f1)
"""These metrics measure how many labels are right: final labels, first labels, and labels that final beliefs entail.

A missing label is wrong, and counts as no label in an F1. `UNPARSED` counts missing final labels. Macro F1 is the mean
over the labels that gold or the method gives at least once.
"""


def _confusion(units: Units) -> dict[str, dict[str, int]]:
    found = Counter(answer for unit in units for case in unit for answer in case)
    return {gold.value: {label or NO_LABEL: found[gold.value, label] for label in (*LABELS, None)} for gold in LABELS}


CONFUSION = CASES.worked_out("confusion", lambda case: tuple(case.answered()), _confusion)
"""The number of queries by gold label and final label."""
OUTCOMES = CASES.counted("outcomes", lambda case: case.outcomes, tuple(LabelOutcome))
"""The number of turns by the outcome of the check of their last labels."""

CONSISTENT = CASES.share(
    "sets.consistent", lambda case: case.of_whole(lambda whole: whole.consistent), "set consis\u00adtency"
)
EPISTEMIC = CASES.share("sets.epistemic", lambda case: case.of_whole(lambda whole: whole.epistemic), "epis\u00adtemic")


def _prefix_share(case: Bundle) -> tuple[float, float]:
    decided = [each for each in case.prefix.values() if each is not None]
    return _known(sum(decided) / len(decided) if decided else None)


def _cost(case: Bundle) -> int | None:
    cost: int | None = case.of_whole(lambda whole: whole.revision_cost)
    return cost


PREFIX = CASES.mean("sets.prefix", _prefix_share, "pre\u00adfixes %", show=rate_in_interval)
COST = CASES.mean("sets.cost", lambda case: _known(_cost(case)), "re\u00advision cost")
COST_NEEDED = CASES.mean("sets.cost_inconsistent", lambda case: _known(_cost(case) or None), "cost where needed")
EDITS = CASES.mean("sets.edits", lambda case: _known(case.of_whole(lambda whole: whole.edits)), "edits a case")
CLASHES = CASES.share("sets.density", lambda case: (case.clash[True], case.clash.total()), "clashes")
FORMAL = CASES.share(
    "sets.formal", lambda case: (case.of_whole(lambda whole: whole.of), len(case.gold)) if case.whole else None
)
INCONSISTENT = CASES.total("inconsistent", lambda case: case.of_whole(lambda whole: whole.consistent) is False)
"""The consistency of the answers to a case (see `SetScore` and `LabelScore`).

`PREFIX` is AUC-PrefixCons: the mean over cases of the share of prefixes that can hold. `COST` is the fewest commitments
to withdraw. `COST_NEEDED` is the same number over cases that need withdrawals. `EDITS` counts labels that the method
changed itself. `CLASHES` and `FORMAL` are shares of queries.
"""


def _sources(units: Units) -> dict[str, int]:
    found = Counter(source for unit in units for case in unit for source in case)
    return {source: found[source] for source in get_args(FormulaSource)}


SOURCES = CASES.worked_out("formulas.sources", lambda case: tuple(case.formulas), _sources)
SETTLED = CASES.share("formulas.settled", lambda case: (len(case.settled), len(case.proved)))
PROVED_RIGHT = CASES.share("formulas.right", lambda case: (case.right(case.settled), len(case.settled)), "re-proved")
FORMULAS_OF = CASES.worked_out(
    "formulas_of",
    SOURCES.of,
    lambda units: (
        " + ".join(source for source, count in _sources(units).items() if count and source != "none") or "none"
    ),
)
"""The sources of formulas: `gold` (the suite), `file` (a published file), `model`, and `none`.

Among the queries with a formula of a model, `SETTLED` is the share whose label the formulas prove. `PROVED_RIGHT` is
the share of these labels that are true.
"""

RETRACTED = CASES.total("revisions.retracted", lambda case: case.events["set_aside"], "re\u00adtracts")
REINSTATED = CASES.total("revisions.reinstated", lambda case: case.events["reinstated"], "re\u00adin\u00adstated")
REJECTED = CASES.total("revisions.rejected", lambda case: case.events["rejected"], "re\u00adjected")
PER_CASE = CASES.mean("revisions.per_case", lambda case: case.events["set_aside"], "re\u00adtracted a case")
NEEDLESS = CASES.share(
    "revisions.needless",
    lambda case: (case.of_whole(lambda whole: whole.needless), case.events["set_aside"]) if case.whole else None,
)
OPPOSED = CASES.share("revisions.opposed", lambda case: case.of_whole(lambda whole: whole.opposed))
DIFFER = CASES.share("revisions.differ", lambda case: (case.differ[True], case.differ.total()), "policies differ")
"""The revision of beliefs. The first three metrics are sums of events over cases; `PER_CASE` is retractions per case.

`NEEDLESS` is the share of retractions that were not needed. `OPPOSED` is the share of cases in which first labels
called one thing both true and false. `DIFFER` is the share of examined turns in which the policies would end in
different beliefs.
"""


def _overhead() -> Iterator[tuple[str, Metric[Bundle, Estimate], Metric[Bundle, float | None]]]:
    for name, (title, form, _) in SPENT.items():
        yield (
            name,
            CASES.mean(f"overhead.{name}.per_case", methodcaller("spent", name), title, form),
            CASES.worked_out(
                f"overhead.{name}.times_direct", lambda case: None, lambda units: None, f"{title}, times", times
            ),
        )


_OVERHEAD = tuple(_overhead())
SPENDS = {name: per_case for name, per_case, _ in _OVERHEAD}
TIMES = {name: times_direct for name, _, times_direct in _OVERHEAD}
"""The costs of a method. `SPENDS` has the means per case. `TIMES` has these means as multiples of those of the suite's
simplest method, over the cases that both have finished. `LabelMeasure` computes the multiples, because they need the
cases of another arm."""


def simplest(suite: str) -> str:
    """Return the name of the suite's method that only asks directly."""
    return "none" if is_dialogue(suite) else DIRECT


_ASKED, _SOLVED = "asked", "solved"


def _marks(entry: LabelEntry) -> Iterator[str]:
    if any(attempt.calls for attempt in entry.record.attempts):
        yield _ASKED
    if entry.record.solver_calls:
        yield _SOLVED
    if entry.score is not None:
        yield f"formulas of {entry.score.formulas}"


def _traits(arm: Arm, marks: frozenset[str], settings: Mapping[str, Any]) -> Traits:
    """Return the traits of a method. A method is an oracle if it used the suite's own formulas.

    If queries are asked one at a time, every prompt shows beliefs, which come from formulas. If no turn has a score,
    the function assumes that there were formulas.
    """
    has_formulas = marks - {_ASKED, _SOLVED} != {"formulas of none"}
    used = _SOLVED in marks or (arm.protocol == ONE_AT_A_TIME and _ASKED in marks)
    oracle = arm.gold and has_formulas and used
    return Traits(
        title=f"{arm.method} (oracle premises)" if oracle else arm.method,
        asks_model=_ASKED in marks,
        is_control=_ASKED not in marks,
        baseline=_ASKED in marks and _SOLVED not in marks,
        told={"oracle": oracle},
    )


@dataclass(frozen=True, kw_only=True)
class LabelMeasure(FigureMeasure[LabelEntry]):
    """Measures runs of queries, and compares the costs of methods with those of the suite's simplest method."""

    def figures(self, own: Sequence[Bundle], arm: Arm, others: Mapping[Arm, Sequence[Bundle]]) -> dict[str, Any]:
        figures = super().figures(own, arm, others)
        simple = {case.key: case for case in others.get(replace(arm, method=simplest(arm.suite)), ())}
        both = [(case, simple[case.key]) for case in own if case.key in simple]
        for name, metric in TIMES.items():
            base = sum(other.spent(name) for _, other in both)
            figures[metric.name] = sum(case.spent(name) for case, _ in both) / base if base else None
        return figures


MEASURE = LabelMeasure(
    entry=LabelEntry,
    metrics=CASES,
    accuracy=RIGHT,
    said=lambda entry: "\0".join(part for pair in entry.record.detail.asked.items() for part in pair),
    traits=_traits,
    marks=_marks,
    counts=lambda entry: False,
    by_domain=True,
    answers=Bundle,
)
