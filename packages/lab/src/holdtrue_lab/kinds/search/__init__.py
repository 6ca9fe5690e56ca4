"""Candidates: the kind of answer in which a model searches for a solution and proposes candidates."""

from __future__ import annotations

from holdtrue_lab.kinds.search.entry import SearchEntry
from holdtrue_lab.kit.kind import Kind, part

KIND = Kind(
    "search",
    SearchEntry,
    playing=part("holdtrue_lab.kinds.search.playing:SearchPlaying"),
    reporting=part("holdtrue_lab.kinds.search.reporting:REPORTING"),
    teller=part("holdtrue_lab.kinds.search.shown:SearchTeller"),
    problem_rows=part("holdtrue_lab.kinds.search.problem_rows:ROWS"),
)
