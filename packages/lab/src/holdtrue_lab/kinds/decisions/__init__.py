"""Decisions: the kind of answer in which a guard decides on the tool calls of a recorded agent."""

from __future__ import annotations

from holdtrue_lab.kinds.decisions.entry import DecisionEntry
from holdtrue_lab.kit.kind import Kind, part

KIND = Kind(
    "decisions",
    DecisionEntry,
    playing=part("holdtrue_lab.kinds.decisions.playing:DecisionPlaying"),
    reporting=part("holdtrue_lab.kinds.decisions.reporting:REPORTING"),
    teller=part("holdtrue_lab.kinds.decisions.reporting:DecisionTeller"),
)
