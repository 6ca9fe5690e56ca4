"""Assignments: what is measured of conversations about values of variables."""

from __future__ import annotations

from holdtrue.lab.kinds.assignment.entry import AssignmentEntry
from holdtrue.lab.kit.kind import Kind, part

KIND = Kind(
    "assignment",
    AssignmentEntry,
    playing=part("holdtrue.lab.kinds.assignment.playing:AssignmentPlaying"),
    reporting=part("holdtrue.lab.kinds.assignment.reporting:REPORTING"),
    teller=part("holdtrue.lab.kinds.assignment.shown:AssignmentTeller"),
    problem_rows=part("holdtrue.lab.kinds.assignment.problem_rows:ROWS"),
)
