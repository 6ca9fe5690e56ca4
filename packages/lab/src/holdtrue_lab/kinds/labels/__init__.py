"""Labels: the kind of answer that labels statements as entailed, contradicted or unknown, given premises."""

from __future__ import annotations

from holdtrue_lab.kinds.labels.entry import LabelEntry
from holdtrue_lab.kit.kind import Kind, part

KIND = Kind(
    "labels",
    LabelEntry,
    playing=part("holdtrue_lab.kinds.labels.playing:LabelPlaying"),
    reporting=part("holdtrue_lab.kinds.labels.reporting:REPORTING"),
    teller=part("holdtrue_lab.kinds.labels.shown:LabelTeller"),
    problem_rows=part("holdtrue_lab.kinds.labels.problem_rows:ROWS"),
)
