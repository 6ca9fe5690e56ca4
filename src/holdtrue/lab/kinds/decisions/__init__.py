"""Decisions: what is measured of a guard that decides on the calls of a recorded agent."""

from __future__ import annotations

from holdtrue.lab.kinds.decisions.entry import DecisionEntry
from holdtrue.lab.kit.kind import Kind, part

KIND = Kind(
    "decisions",
    DecisionEntry,
    playing=part("holdtrue.lab.kinds.decisions.playing:DecisionPlaying"),
    reporting=part("holdtrue.lab.kinds.decisions.reporting:REPORTING"),
    teller=part("holdtrue.lab.kinds.decisions.shown:DecisionTeller"),
)
