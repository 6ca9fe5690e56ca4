"""Arms that answer queries, made ready to be compared: by the same tests as any others, on each figure in turn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from holdtrue.lab.kinds.labels.facts import Bundle
from holdtrue.lab.kinds.labels.setup import is_dialogue
from holdtrue.lab.kit.arm import Arm
from holdtrue.lab.kit.comparison import DIRECT, Comparison, compare
from holdtrue.lab.kit.plays import ArmPlays, Play

FIGURES = ("accuracy", "set_consistency", "epistemic_consistency", "auc_prefix_consistency", "kept")
"""What arms are compared on, all better when higher. `kept` is the share of labels that need not be withdrawn: 1 less
the revision cost by the number of queries with a formula."""

_NONE, _COT, _COT_NONE = "none", "cot_", "cot_none"


def simplest(suite: str) -> str:
    """The method of a suite that asks directly, and does nothing more."""
    return _NONE if is_dialogue(suite) else DIRECT


def reference(arm: Arm) -> str:
    """What a method is compared with: the simplest one, but policies with no revision under the same prompting."""
    if is_dialogue(arm.suite) and arm.method.startswith(_COT) and arm.method != _COT_NONE:
        return _COT_NONE
    return simplest(arm.suite)


def plays_of(arms: Mapping[Arm, Sequence[Bundle]]) -> dict[str, tuple[ArmPlays, ...]]:
    """Finished cases by arm, for each of `FIGURES`.

    What would be a problem's turns are a case's queries, or the case itself.
    """
    baselines = {arm: _is_baseline(bundles) for arm, bundles in arms.items()}
    return {
        figure: tuple(
            ArmPlays(arm, baselines[arm], {bundle.asked: _play(bundle, figure) for bundle in bundles})
            for arm, bundles in arms.items()
        )
        for figure in FIGURES
    }


def compare_labels(runs: Sequence[Mapping[str, tuple[ArmPlays, ...]]]) -> dict[str, tuple[Comparison, ...]]:
    """For each of `FIGURES` every method against its `reference` and the strongest other baseline (see `compare`).

    A comparison's `accuracy` is the figure's mean, and each figure is a family of its own for `q`.
    """
    return {figure: compare([run[figure] for run in runs], reference) for figure in FIGURES}


def _is_baseline(bundles: Sequence[Bundle]) -> bool:
    """As `ArmPlays` says: it asks the model, and never a solver."""
    return any(bundle.asked_model for bundle in bundles) and not any(b.spent()["solver_calls"] for b in bundles)


def _play(bundle: Bundle, figure: str) -> Play:
    parts = _parts(bundle, figure)
    right = {place: part for place, part in enumerate(parts, start=1) if part is not None}
    return Play(bundle.domain, len(parts), right)


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
