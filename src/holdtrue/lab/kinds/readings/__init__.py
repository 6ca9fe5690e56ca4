"""Readings: what is measured of a reader that says which constraints a user's message commits to."""

from __future__ import annotations

from holdtrue.lab.kinds.readings.entry import ReadingEntry
from holdtrue.lab.kit.kind import Kind, part

KIND = Kind(
    "readings",
    ReadingEntry,
    playing=part("holdtrue.lab.kinds.readings.playing:ReadingPlaying"),
    reporting=part("holdtrue.lab.kinds.readings.reporting:REPORTING"),
    teller=part("holdtrue.lab.kinds.readings.shown:ReadingTeller"),
)
