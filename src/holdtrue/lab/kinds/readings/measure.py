"""Measure a run of readings: turn the entries of its journal into rows. No reader or model is asked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from holdtrue.lab.kinds.readings.entry import ReadingEntry
from holdtrue.lab.kinds.readings.facts import Readings
from holdtrue.lab.kinds.readings.figures import row_of
from holdtrue.lab.kinds.readings.method import READING_PRESETS
from holdtrue.lab.kinds.readings.row import ReadingRow
from holdtrue.lab.kit.entry import Entry
from holdtrue.lab.kit.folder import Measured
from holdtrue.lab.kit.played import Part, PlayedArm, by_arm
from holdtrue.lab.kit.plays import ArmPlays, Play


def measure_readings(entries: Iterable[Entry], settings: Mapping[str, Any] | None = None) -> Measured[ReadingRow]:
    """Measure a run with these settings; the entries are read once, in any order, and their records are not kept.

    The result's `rows` are one for each method, in order of first appearance.
    """
    arms = by_arm(entries, ReadingEntry, lambda found, entry: (found or Readings(entry)).add(entry))
    own = (settings or {}).get("own_methods", {})
    readers = {name: method.reader for name, method in READING_PRESETS.items()}
    readers |= {name: table.get("reader") for name, table in own.items()}
    controls = frozenset(each.arm.method for each in arms if readers.get(each.arm.method) in ("nothing", "gold"))
    return Measured(
        rows=tuple(_row(each) for each in arms),
        plays=tuple(_plays(each, readers.get(each.arm.method) == "model") for each in arms),
        controls=controls,
    )


def _row(played: PlayedArm[Readings]) -> ReadingRow:
    begun = {each.problem for each in played.facts} | played.failed.keys()
    return row_of(played.arm, Part([each for each in played.facts if each.finished], len(begun), len(played.failed)))


def _plays(played: PlayedArm[Readings], asks_model: bool) -> ArmPlays[Play]:
    """Return the finished dialogues. No arm is a baseline: none of them gives an answer that a check could mend."""
    plays = {each.key: each.play() for each in played.facts if each.finished}
    return ArmPlays(played.arm, baseline=False, plays=plays, asks_model=asks_model)
