"""Measure a run of decisions: turn the entries of its journal into rows. No guard, model or solver is asked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from holdtrue.lab.kinds.decisions.entry import DecisionEntry
from holdtrue.lab.kinds.decisions.facts import DecisionPlay, Decisions
from holdtrue.lab.kinds.decisions.figures import row_of
from holdtrue.lab.kinds.decisions.method import DECISION_PRESETS
from holdtrue.lab.kinds.decisions.row import DecisionRow
from holdtrue.lab.kit.entry import Entry
from holdtrue.lab.kit.folder import Measured
from holdtrue.lab.kit.played import Part, PlayedArm, by_arm
from holdtrue.lab.kit.plays import ArmPlays


def measure_decisions(entries: Iterable[Entry], settings: Mapping[str, Any] | None = None) -> Measured[DecisionRow]:
    """Measure a run with these settings; the entries are read once, in any order, and their records are not kept.

    The result's `rows` are one for each method, in order of first appearance.
    """
    arms = by_arm(entries, DecisionEntry, lambda found, entry: (found or Decisions(entry)).add(entry))
    controls = frozenset(each.arm.method for each in arms if _is_control(each.arm.method, settings or {}))
    return Measured(
        rows=tuple(_row(each) for each in arms),
        plays=tuple(_plays(each, each.arm.method in controls) for each in arms),
        controls=controls,
    )


def _row(played: PlayedArm[Decisions]) -> DecisionRow:
    begun = {each.problem for each in played.facts} | played.failed.keys()
    return row_of(played.arm, Part([each for each in played.facts if each.finished], len(begun), len(played.failed)))


def _plays(played: PlayedArm[Decisions], control: bool) -> ArmPlays[DecisionPlay]:
    """Return the finished conversations. No arm is a baseline: none of them asks a model that a check could help."""
    plays = {each.key: each.play() for each in played.facts if each.finished}
    return ArmPlays(played.arm, baseline=False, plays=plays, asks_model=not control)


def _is_control(method: str, settings: Mapping[str, Any]) -> bool:
    """Return whether the method looks at nothing, as its preset or the run's settings say."""
    own = settings.get("own_methods", {}).get(method)
    if own is not None:
        return bool(own.get("decider") != "policy")
    return method in DECISION_PRESETS and DECISION_PRESETS[method].is_control
