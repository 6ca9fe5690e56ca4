"""The report of runs of searches: comparisons of methods, and the frontier of cost and verified rate.

Paired tests are over problems. They compare two methods that search, or one method on problems and their rewritten
forms. A method is on the *frontier* if no other is as good in cost and rate, and better in one of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar

from holdtrue_lab.figures.cells import divide, percent
from holdtrue_lab.figures.significance import Paired, paired, wilcoxon
from holdtrue_lab.figures.statistics import Estimate, Rate, means
from holdtrue_lab.kinds.search.metrics import COUNT, PER_TRIAL, RECALL, VERIFIED, asks_model, is_revealed
from holdtrue_lab.kit.arm import Arm
from holdtrue_lab.kit.comparison import Comparison, corrected_together, figures_of
from holdtrue_lab.kit.groups import FigureRow, Group, group
from holdtrue_lab.kit.pairs import Pair, corrected, rivals
from holdtrue_lab.kit.plays import ArmPlays, Play, of_originals, pooled
from holdtrue_lab.kit.runs import Runs


@dataclass(frozen=True, slots=True)
class CostDifference:
    """The additional cost of one arm over another.

    `difference` is the mean over problems, where each problem counts by the mean of its trials. `p` is the p-value of
    Wilcoxon's signed-rank test over problems, and `holm` is `p` after Holm's correction.
    """

    difference: Estimate
    p: float
    holm: float


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchComparison(Comparison):
    """A comparison of two methods of search. Its turns are trials, and accuracy is the share of verified trials.

    `matched` is true if both methods had the same budget, so neither makes only a single call. `revealed` is true if
    one of them showed the model solutions of the solver. The p-values of such pairs are corrected separately, because
    these pairs answer another question.
    """

    matched: bool
    revealed: bool
    calls: CostDifference
    generated: CostDifference


def compare_searches(runs: Sequence[Sequence[ArmPlays[Play]]]) -> tuple[SearchComparison, ...]:
    """Compare every two methods that ask the model with the same budget, even from different runs (`rivals`)."""

    def revealed(each: SearchComparison) -> bool:
        return each.revealed

    found = corrected_together(map(_comparison, rivals(pooled(runs))), revealed)
    found = corrected(found, "calls.holm", lambda each: each.calls.p, apart=revealed)
    return corrected(found, "generated.holm", lambda each: each.generated.p, apart=revealed)


def _comparison(pair: Pair[Play]) -> SearchComparison:
    return SearchComparison(
        **figures_of(pair),
        matched=not (pair.arm.single or pair.other.single),
        revealed=is_revealed(pair.arm.arm) or is_revealed(pair.other.arm),
        calls=_cost(pair.on("calls")),
        generated=_cost(pair.on("generated")),
    )


def _cost(pair: Pair[Play]) -> CostDifference:
    differences = [one - two for one, two in zip(*pair.means, strict=True)]
    [difference] = means([differences])
    p = wilcoxon(differences)
    return CostDifference(difference, p, p)


@dataclass(frozen=True, slots=True)
class Robustness:
    """The results of one method under one way to rewrite problems, over the problems that are finished in both forms.

    `base` and `rewritten` are the shares of verified trials, in 0..1; each original counts once. `paired` tests
    `rewritten` minus `base`, with an interval over problems and the p-value of a sign-permutation test. `holm` is the
    p-value after Holm's correction over all ways of rewriting and all methods.
    """

    arm: Arm
    variant: str
    base: float
    rewritten: float
    paired: Paired
    holm: float


def robustness(runs: Sequence[Sequence[ArmPlays[Play]]]) -> tuple[Robustness, ...]:
    """Return, for each method that asks the model, its results on rewritten problems, by way of rewriting.

    A rewritten problem and its original may come from different runs. If different problems have an original's id, none
    of them counts, because it is unknown which of them was rewritten.
    """
    found = [each for arm in pooled(runs) if arm.asks_model for each in _of_arm(arm)]
    return corrected(found, "holm", lambda each: each.paired.p)


def _of_arm(arm: ArmPlays[Play]) -> Iterator[Robustness]:
    """Yield one result for each way of rewriting. The p-values are not yet corrected."""
    originals = of_originals(arm)
    rewritten: dict[str, dict[str, list[float]]] = {}
    for play in arm.plays.values():
        if play.variant and play.base in originals:
            rewritten.setdefault(play.variant, {}).setdefault(play.base, []).append(play.rate)
    for variant, by_base in sorted(rewritten.items()):
        yield _row(arm.arm, variant, by_base, originals)


def _row(arm: Arm, variant: str, by_base: Mapping[str, Sequence[float]], originals: Mapping[str, Play]) -> Robustness:
    """Return the result for one way of rewriting. An original that was rewritten several times counts once."""
    base = [originals[problem].rate for problem in by_base]
    rewritten = [sum(rates) / len(rates) for rates in by_base.values()]
    test = paired(rewritten, base)
    return Robustness(arm, variant, sum(base) / len(base), sum(rewritten) / len(base), test, test.p)


COSTS = ("calls", "generated", "solver_calls")


@dataclass(frozen=True, slots=True)
class FrontierPoint:
    """One method that asks the model: its share of verified trials, and its mean costs of a trial.

    `best` says, for each of `COSTS`, whether the method is on the frontier. It is if no other method is at least as
    good in rate and cost, and better in one of them. A method that showed the model solutions is never on a frontier,
    and keeps no other method off it.
    """

    arm: Arm
    title: str
    verified: Rate
    spent: Mapping[str, Estimate]
    best: Mapping[str, bool]


def frontier(rows: Iterable[FigureRow]) -> tuple[FrontierPoint, ...]:
    """Return a point for each method that asks the model, in the order of `rows`.

    Methods are compared within the same suite, model and budget, by their estimates alone and without intervals.
    """
    groups: dict[Arm, list[FigureRow]] = {}
    for row in rows:
        if asks_model(row) and COUNT(row):
            groups.setdefault(replace(row.arm, method=""), []).append(row)
    return tuple(_point(row, group) for group in groups.values() for row in group)


def _point(row: FigureRow, group: Sequence[FigureRow]) -> FrontierPoint:
    spent = {cost: PER_TRIAL[cost](row) for cost in COSTS}
    rivals = [other for other in group if not is_revealed(other.arm) and other is not row]
    best = {cost: not is_revealed(row.arm) and not any(_beats(other, row, cost) for other in rivals) for cost in COSTS}
    return FrontierPoint(row.arm, row.title, VERIFIED(row), spent, best)


def _beats(one: FigureRow, two: FigureRow, cost: str) -> bool:
    """Return whether `one` is at least as good as `two` in rate and cost, and better in one of them."""
    spent = PER_TRIAL[cost]
    gains = (_value(VERIFIED(one)) - _value(VERIFIED(two)), _value(spent(two)) - _value(spent(one)))
    return min(gains) >= 0 and max(gains) > 0


def _value(figure: Rate | Estimate) -> float:
    return figure.value or 0.0


ALWAYS_UNSAT, RANDOM_IN_DOMAIN = "always_unsat", "random_in_domain"


@dataclass(frozen=True, kw_only=True)
class SearchReport(Runs[FigureRow]):
    """The report of several runs of searches.

    `comparisons` compares every two methods with the same budget, and `robustness` has results on rewritten problems.
    """

    JSON_PROPERTIES: ClassVar[tuple[str, ...]] = ("comparisons", "robustness", "frontier")
    ACROSS_METHODS: ClassVar[bool] = True

    @cached_property
    def bins(self) -> tuple[Group[FigureRow], ...]:
        """The rows of each difficulty, grouped by model. `groups` has the rows over all difficulties."""
        return group([(run.folder, run.measured.bins) for run in self.runs], self.names)

    @cached_property
    def comparisons(self) -> tuple[SearchComparison, ...]:
        return compare_searches(self.plays)

    @cached_property
    def robustness(self) -> tuple[Robustness, ...]:
        return robustness(self.plays)

    @cached_property
    def frontier(self) -> Mapping[str, tuple[FrontierPoint, ...]]:
        """The points of each model's methods, by the model's name."""
        return {each.label: frontier(each.whole) for each in self.groups}

    @cached_property
    def singles(self) -> frozenset[Arm]:
        """The arms that make a single call, even if the budget is larger."""
        return frozenset(arm.arm for plays in self.plays for arm in plays if arm.single)

    @cached_property
    def caution(self) -> str:
        """The warning to compare a verified rate with the rates of controls, and these rates.

        If `always_unsat` was not run, its rate follows from the gold labels.
        """
        rows = [row for row in self.rows if COUNT(row)]
        played = {row.arm.method: row for row in rows}
        most = max(rows, key=COUNT, default=None)
        scores = []
        for method in (ALWAYS_UNSAT, RANDOM_IN_DOMAIN):
            row = played.get(method)
            if row is not None:
                scores.append(f"{method} verifies {percent(VERIFIED(row).value)}% of its {COUNT(row)} trials")
            elif method == ALWAYS_UNSAT and most is not None:
                share = percent(divide(RECALL(most).of, COUNT(most)))
                scores.append(f"{method}, not run here, would verify {share}% of the trials of {most.title}")
            else:
                scores.append(f"{method} was not run here")
        return (
            "A verified rate is worth what it adds to controls that never ask a model, and to asking as often without "
            f"feedback: {'; '.join(scores)}."
        )
