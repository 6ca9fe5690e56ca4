"""Labels: what is measured of answers to queries about premises."""

from __future__ import annotations

from holdtrue.lab.kinds.labels.entry import LabelEntry
from holdtrue.lab.kit.kind import Kind, part

KIND = Kind(
    "labels",
    LabelEntry,
    playing=part("holdtrue.lab.kinds.labels.playing:LabelPlaying"),
    reporting=part("holdtrue.lab.kinds.labels.reporting:REPORTING"),
    teller=part("holdtrue.lab.kinds.labels.shown:LabelTeller"),
    problem_rows=part("holdtrue.lab.kinds.labels.problem_rows:ROWS"),
)
