"""Assignments: what is measured of conversations about values of variables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from holdtrue.lab.kinds.assignment.entry import AssignmentEntry
from holdtrue.lab.kit.kind import Kind, Teller
from holdtrue.lab.kit.playing import Playing
from holdtrue.lab.kit.reporting import Reporting

if TYPE_CHECKING:
    from holdtrue.lab.kit.export.problem_rows import ProblemRows


def _playing() -> Playing[Any, Any]:
    from holdtrue.lab.kinds.assignment.playing import AssignmentPlaying

    return AssignmentPlaying()


def _reporting() -> Reporting:
    from holdtrue.lab.kinds.assignment.reporting import REPORTING

    return REPORTING


def _teller() -> Teller:
    from holdtrue.lab.kinds.assignment.teller import AssignmentTeller

    return AssignmentTeller()


def _problem_rows() -> ProblemRows:
    from holdtrue.lab.kinds.assignment.problem_rows import ROWS

    return ROWS


KIND = Kind("assignment", AssignmentEntry, _playing, _reporting, _teller, _problem_rows)
