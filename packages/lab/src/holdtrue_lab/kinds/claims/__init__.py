"""Claims: the kind of answer in free text, whose statements are checked one by one."""

from __future__ import annotations

from holdtrue_lab.kinds.claims.entry import ClaimEntry
from holdtrue_lab.kit.kind import Kind, part

KIND = Kind(
    "claims",
    ClaimEntry,
    playing=part("holdtrue_lab.kinds.claims.playing:ClaimPlaying"),
    reporting=part("holdtrue_lab.kinds.claims.reporting:REPORTING"),
    teller=part("holdtrue_lab.kinds.claims.shown:ClaimTeller"),
    problem_rows=part("holdtrue_lab.kinds.claims.problem_rows:ROWS"),
)
