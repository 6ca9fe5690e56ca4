"""Prepare arms that answer queries for the paired tests that all kinds share, and compare them on each figure."""

from __future__ import annotations

from collections.abc import Sequence

from holdtrue_lab.kinds.labels.facts import Bundle
from holdtrue_lab.kinds.labels.setup import is_dialogue
from holdtrue_lab.kit.arm import Arm
from holdtrue_lab.kit.comparison import DIRECT, Comparison, compare
from holdtrue_lab.kit.plays import ACCURACY, ArmPlays, Play

FIGURES = (ACCURACY, "set_consistency", "epistemic_consistency", "auc_prefix_consistency", "kept")
"""Arms are compared on these figures, all better when higher. `kept` is the share of labels that need not be withdrawn:
1 less the revision cost by the number of queries with a formula."""

_NONE, _COT, _COT_NONE = "none", "cot_", "cot_none"


def simplest(suite: str) -> str:
    """Return the name of the suite's method that asks directly, and does nothing more."""
    return _NONE if is_dialogue(suite) else DIRECT


def reference(arm: Arm) -> str:
    """Return the method that an arm is compared with.

    It is the suite's simplest one; a revision policy is compared with no revision under the same prompt frame.
    """
    if is_dialogue(arm.suite) and arm.method.startswith(_COT) and arm.method != _COT_NONE:
        return _COT_NONE
    return simplest(arm.suite)


def plays_of(arm: Arm, bundles: Sequence[Bundle]) -> ArmPlays[Play]:
    """Return the finished cases of an arm, as paired tests take them.

    In the place of turns stand the queries of a case, or the case as a whole, whichever a figure is about. A baseline
    asks the model, and never a solver.
    """
    asks = any(bundle.asked_model for bundle in bundles)
    baseline = asks and not any(bundle.spent()["solver_calls"] for bundle in bundles)
    return ArmPlays(arm, baseline, {bundle.key: _play(bundle) for bundle in bundles}, asks_model=asks)


def compare_labels(runs: Sequence[Sequence[ArmPlays[Play]]]) -> dict[str, tuple[Comparison, ...]]:
    """Compare, for each of `FIGURES`, every method with its `reference` and with the strongest other baseline.

    On accuracy every other pair follows.
    In these results `accuracy` is the mean of the figure, whichever it is. See `compare`.
    """
    return {figure: compare(runs, reference, figure, every_pair=figure == ACCURACY) for figure in FIGURES}


def _play(bundle: Bundle) -> Play:
    parts = {figure: _parts(bundle, figure) for figure in FIGURES}
    known = {
        figure: {place: part for place, part in enumerate(verdicts, start=1) if part is not None}
        for figure, verdicts in parts.items()
    }
    return Play(bundle.domain, len(parts[ACCURACY]), known.pop(ACCURACY), known)


def _parts(bundle: Bundle, figure: str) -> Sequence[bool | None]:
    """Verdicts whose mean is the figure; None where one is undecided."""
    whole = bundle.whole
    match figure:
        case "accuracy":
            return [bundle.labels.get(id) == gold for id, gold in sorted(bundle.gold.items())]
        case "auc_prefix_consistency":
            return [prefix for _, prefix in sorted(bundle.prefix.items())]
        case "set_consistency":
            return [whole.consistent if whole else None]
        case "epistemic_consistency":
            return [whole.epistemic if whole else None]
        case _:
            if whole is None or whole.revision_cost is None:
                return []
            return [place >= whole.revision_cost for place in range(whole.of)]
