"""Measure a run of queries: turn the entries of its journal into a row for each method. No model or solver is asked.

Consistency says nothing by itself: a method that always answers UNKNOWN is always consistent. So every row has its
accuracy too, and a report shows the controls beside the other methods.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, get_args

from holdtrue.kinds.labels.record import LabelOutcome
from holdtrue.record import Label
from holdtrue_lab.figures.statistics import Estimate, Rate, clustered, estimates, means
from holdtrue_lab.kinds.labels.entry import FormulaSource, LabelEntry, SetScore
from holdtrue_lab.kinds.labels.facts import REINSTATED, REJECTED, RETRACTED, SPENT, Bundle
from holdtrue_lab.kinds.labels.plays import plays_of, simplest
from holdtrue_lab.kinds.labels.row import NO_LABEL, Formulas, LabelRow, Overhead, Revisions, Sets, Spent
from holdtrue_lab.kit.arm import Arm
from holdtrue_lab.kit.entry import Entry
from holdtrue_lab.kit.folder import Measured
from holdtrue_lab.kit.played import Part, PlayedArm, by_arm

if TYPE_CHECKING:
    from numpy.typing import NDArray


ONE_AT_A_TIME = "one"
"""The protocol of runs that ask a single query behind a summary of beliefs."""


def measure_labels(entries: Iterable[Entry], settings: Mapping[str, Any] | None = None) -> Measured[LabelRow]:
    """Measure a run; the entries are read once, in any order, and their texts are not kept.

    The result's `rows` are one for each method, in order of first appearance, over all domains and then for each.
    """
    arms = by_arm(entries, LabelEntry, lambda bundle, entry: (bundle or Bundle(entry)).add(entry))
    direct = {each.arm: _finished(each, None) for each in arms}
    rows = tuple(
        _row(each, domain, direct.get(replace(each.arm, method=simplest(each.arm.suite)), []))
        for each in arms
        for domain in (None, *_domains(each))
    )
    return Measured(
        rows=rows,
        plays=tuple(plays_of(arm, bundles) for arm, bundles in direct.items()),
        # Those that never asked the model, whatever they are called.
        controls=frozenset(row.arm.method for row in rows if row.overhead.calls.per_case.value == 0),
    )


def _domains(played: PlayedArm[Bundle]) -> Iterable[str]:
    return dict.fromkeys((*(bundle.domain for bundle in played.facts), *played.failed.values()))


def _finished(played: PlayedArm[Bundle], domain: str | None) -> list[Bundle]:
    """Those of one domain, or of all."""
    return [bundle for bundle in played.facts if bundle.finished and domain in (None, bundle.domain)]


def _row(played: PlayedArm[Bundle], domain: str | None, direct: Sequence[Bundle]) -> LabelRow:
    """The row; `direct` is what the suite's simplest method has finished with the same settings."""
    failed = {problem for problem, its in played.failed.items() if domain in (None, its)}
    begun = failed.union(bundle.problem for bundle in played.facts if domain in (None, bundle.domain))
    oracle = played.arm.gold and _has_formulas(played) and _uses_formulas(played)
    about = Part(_finished(played, domain), len(begun), len(failed))
    return row_of(played.arm, oracle, domain, about, direct)


def _has_formulas(played: PlayedArm[Bundle]) -> bool:
    """Return whether there were formulas at all; without a score it is not known, and they may have been there."""
    sources = {source for bundle in played.facts for source in bundle.formulas}
    return sources != {"none"}


def _uses_formulas(played: PlayedArm[Bundle]) -> bool:
    """Return whether formulas had a part in what the method did: in a solver's answer, or in a prompt.

    Where queries are asked one at a time, every prompt tells what is believed so far, and beliefs are formulas.
    """
    told = played.arm.protocol == ONE_AT_A_TIME
    return any(bundle.spent()["solver_calls"] or (told and bundle.asked_model) for bundle in played.facts)


LABELS = tuple(Label)
_PLACE = {label.value: place for place, label in enumerate(LABELS)}


def counts(answers: Iterable[tuple[str, str | None]]) -> list[int]:
    """Return for each of `LABELS` the number of true positives, of predictions, and of gold labels.

    `answers` are pairs of the gold label and the one given, which is None for no label.
    """
    right, given, true = ([0] * len(LABELS) for _ in range(3))
    for gold, label in answers:
        true[_PLACE[gold]] += 1
        if label is not None:
            given[_PLACE[label]] += 1
            right[_PLACE[gold]] += label == gold
    return [*right, *given, *true]


def f1(sums: NDArray[Any]) -> NDArray[Any]:
    """The F1 of each label from sums of `counts`, shape (n, 9), as (n, 3); nan where it is neither true nor given."""
    import numpy as np

    right, given, true = np.split(sums.astype(np.float64), 3, axis=1)
    return np.divide(2 * right, given + true, out=np.full_like(right, np.nan), where=given + true > 0)


def unknown_f1(sums: NDArray[Any]) -> NDArray[Any]:
    """The F1 of UNKNOWN alone, shape (n,)."""
    column: NDArray[Any] = f1(sums)[:, LABELS.index(Label.UNKNOWN)]
    return column


def macro_f1(sums: NDArray[Any]) -> NDArray[Any]:
    """The mean F1 over the labels that have one, shape (n,)."""
    import numpy as np

    each = f1(sums)
    of = np.isfinite(each).sum(axis=1)
    total = np.nansum(each, axis=1)
    mean: NDArray[Any] = np.divide(total, of, out=np.full_like(total, np.nan), where=of > 0)
    return mean


def row_of(arm: Arm, oracle: bool, domain: str | None, played: Part[Bundle], direct: Sequence[Bundle]) -> LabelRow:
    """Return the row; `direct` are the cases that the suite's simplest method has finished with the same settings."""
    bundles = played.finished
    rates, mean = _rates(bundles), _means(bundles)
    macro, unknown = _f1s(bundles)
    outcomes = sum((bundle.outcomes for bundle in bundles), Counter[LabelOutcome]())
    return LabelRow(
        arm=arm,
        oracle=oracle,
        domain=domain,
        problems=played.problems,
        finished=len(bundles),
        failed=played.failed,
        turns=sum(bundle.turns for bundle in bundles),
        queries=sum(len(bundle.gold) for bundle in bundles),
        unparsed=sum(label is None for bundle in bundles for _, label in bundle.answered()),
        accuracy=rates["accuracy"],
        first_accuracy=rates["first"],
        entailed_accuracy=rates["entailed"],
        macro_f1=macro,
        unknown_f1=unknown,
        confusion=_confusion(bundles),
        outcomes={outcome: outcomes[outcome] for outcome in LabelOutcome},
        sets=Sets(
            consistent=rates["consistent"],
            epistemic=rates["epistemic"],
            prefix=mean["prefix"],
            cost=mean["cost"],
            cost_inconsistent=mean["cost_inconsistent"],
            edits=mean["edits"],
            density=rates["density"],
            formal=rates["formal"],
        ),
        formulas=Formulas(
            {source: sum(source in bundle.formulas for bundle in bundles) for source in get_args(FormulaSource)},
            settled=rates["settled"],
            right=rates["proved_right"],
        ),
        revisions=_revisions(bundles, rates, mean["retracted"]),
        overhead=_overhead(bundles, mean, direct),
    )


def _rates(bundles: Sequence[Bundle]) -> dict[str, Rate]:
    """All rates, by name."""
    wholes = [bundle.whole for bundle in bundles]
    columns = {
        "accuracy": [(b.right(b.labels), len(b.gold)) for b in bundles],
        "first": [(b.right(b.first), len(b.gold)) for b in bundles],
        "entailed": [(b.right(b.entailed), len(b.gold.keys() & b.entailed.keys())) for b in bundles],
        "consistent": [_flag(whole, lambda whole: whole.consistent) for whole in wholes],
        "epistemic": [_flag(whole, lambda whole: whole.epistemic) for whole in wholes],
        "opposed": [_flag(whole, lambda whole: whole.opposed) for whole in wholes],
        "density": [(b.clash[True], b.clash.total()) for b in bundles],
        "formal": [(b.whole.of, len(b.gold)) if b.whole else (0, 0) for b in bundles],
        "settled": [(len(b.settled), len(b.proved)) for b in bundles],
        "proved_right": [(b.right(b.settled), len(b.settled)) for b in bundles],
        "needless": [(b.whole.needless, b.events[RETRACTED]) if b.whole else (0, 0) for b in bundles],
        "differ": [(b.differ[True], b.differ.total()) for b in bundles],
    }
    split = [([hits for hits, _ in pairs], [of for _, of in pairs]) for pairs in columns.values()]
    return dict(zip(columns, clustered(split), strict=True))


def _flag(whole: SetScore | None, of: Callable[[SetScore], bool | None]) -> tuple[int, int]:
    value = None if whole is None else of(whole)
    return (0, 0) if value is None else (int(value), 1)


def _means(bundles: Sequence[Bundle]) -> dict[str, Estimate]:
    """All means over cases, by name."""
    costs = [bundle.whole.revision_cost if bundle.whole else None for bundle in bundles]
    spent = [bundle.spent() for bundle in bundles]
    columns: dict[str, Sequence[float | None]] = {
        "prefix": [bundle.prefix_share for bundle in bundles],
        "cost": costs,
        "cost_inconsistent": [cost or None for cost in costs],
        "edits": [bundle.whole.edits if bundle.whole else None for bundle in bundles],
        "retracted": [bundle.events[RETRACTED] for bundle in bundles],
        **{name: [each[name] for each in spent] for name in SPENT},
    }
    return dict(zip(columns, means(list(columns.values())), strict=True))


def _f1s(bundles: Sequence[Bundle]) -> list[Estimate]:
    """The macro F1, and that of UNKNOWN."""
    import numpy as np

    table = np.array([counts(bundle.answered()) for bundle in bundles], dtype=np.float64)
    return estimates([(table, macro_f1), (table, unknown_f1)])


def _confusion(bundles: Sequence[Bundle]) -> dict[str, dict[str, int]]:
    found = Counter(answer for bundle in bundles for answer in bundle.answered())
    return {
        gold.value: {label or NO_LABEL: found[gold.value, label] for label in (*(each.value for each in Label), None)}
        for gold in Label
    }


def _revisions(bundles: Sequence[Bundle], rates: Mapping[str, Rate], per_case: Estimate) -> Revisions:
    events = sum((bundle.events for bundle in bundles), Counter[str]())
    return Revisions(
        retracted=events[RETRACTED],
        reinstated=events[REINSTATED],
        rejected=events[REJECTED],
        per_case=per_case,
        needless=rates["needless"],
        opposed=rates["opposed"],
        differ=rates["differ"],
    )


def _overhead(bundles: Sequence[Bundle], mean: Mapping[str, Estimate], direct: Sequence[Bundle]) -> Overhead:
    others = {bundle.key: bundle.spent() for bundle in direct}
    both = [(bundle.spent(), others[bundle.key]) for bundle in bundles if bundle.key in others]
    times: dict[str, float | None] = {}
    for name in SPENT:
        base = sum(other[name] for _, other in both)
        times[name] = sum(own[name] for own, _ in both) / base if base else None
    return Overhead(**{name: Spent(mean[name], times[name]) for name in SPENT})
