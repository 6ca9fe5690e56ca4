"""Readings: the kind of answer in which a reader names the constraints to which a message commits its user."""

from __future__ import annotations

from holdtrue_lab.kinds.readings.entry import ReadingEntry
from holdtrue_lab.kit.kind import Kind, part

KIND = Kind(
    "readings",
    ReadingEntry,
    playing=part("holdtrue_lab.kinds.readings.playing:ReadingPlaying"),
    reporting=part("holdtrue_lab.kinds.readings.reporting:REPORTING"),
    teller=part("holdtrue_lab.kinds.readings.reporting:ReadingTeller"),
)
