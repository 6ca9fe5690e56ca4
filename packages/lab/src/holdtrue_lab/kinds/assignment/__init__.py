"""Assignments: the kind of answer that gives a value to each variable of a problem."""

from __future__ import annotations

from holdtrue_lab.kinds.assignment.entry import AssignmentEntry
from holdtrue_lab.kit.kind import Kind, part

KIND = Kind(
    "assignment",
    AssignmentEntry,
    playing=part("holdtrue_lab.kinds.assignment.playing:AssignmentPlaying"),
    reporting=part("holdtrue_lab.kinds.assignment.reporting:REPORTING"),
    teller=part("holdtrue_lab.kinds.assignment.shown:AssignmentTeller"),
    problem_rows=part("holdtrue_lab.kinds.assignment.problem_rows:ROWS"),
)
