"""Work out one row of a report from the cases that were finished."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import get_args

from holdtrue.figures.statistics import Estimate, Rate, clustered, estimates, means
from holdtrue.kinds.labels.record import LabelOutcome
from holdtrue.lab.kinds.labels.entry import FormulaSource, SetScore
from holdtrue.lab.kinds.labels.f1 import counts, macro_f1, unknown_f1
from holdtrue.lab.kinds.labels.facts import REINSTATED, REJECTED, RETRACTED, SPENT, Bundle
from holdtrue.lab.kinds.labels.row import NO_LABEL, Formulas, LabelRow, Overhead, Revisions, Sets, Spent
from holdtrue.lab.kit.arm import Arm
from holdtrue.lab.kit.played import Part
from holdtrue.record import Label


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
