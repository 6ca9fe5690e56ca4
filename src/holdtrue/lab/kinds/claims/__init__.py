"""Claims: what is measured of answers in free text."""

from __future__ import annotations

from holdtrue.lab.kinds.claims.entry import ClaimEntry
from holdtrue.lab.kit.kind import Kind, part

KIND = Kind(
    "claims",
    ClaimEntry,
    playing=part("holdtrue.lab.kinds.claims.playing:ClaimPlaying"),
    reporting=part("holdtrue.lab.kinds.claims.reporting:REPORTING"),
    teller=part("holdtrue.lab.kinds.claims.shown:ClaimTeller"),
    problem_rows=part("holdtrue.lab.kinds.claims.problem_rows:ROWS"),
)
