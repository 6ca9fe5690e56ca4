"""Candidates: what is measured of searches for a solution."""

from __future__ import annotations

from holdtrue.lab.kinds.search.entry import SearchEntry
from holdtrue.lab.kit.kind import Kind, part

KIND = Kind(
    "search",
    SearchEntry,
    playing=part("holdtrue.lab.kinds.search.playing:SearchPlaying"),
    reporting=part("holdtrue.lab.kinds.search.reporting:REPORTING"),
    teller=part("holdtrue.lab.kinds.search.shown:SearchTeller"),
    problem_rows=part("holdtrue.lab.kinds.search.problem_rows:ROWS"),
)
