"""Labels: what is measured of answers to queries about premises."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from holdtrue.lab.kinds.labels.entry import LabelEntry
from holdtrue.lab.kit.kind import Kind, Teller
from holdtrue.lab.kit.playing import Playing
from holdtrue.lab.kit.reporting import Reporting

if TYPE_CHECKING:
    from holdtrue.lab.kit.export.problem_rows import ProblemRows


def _playing() -> Playing[Any, Any]:
    from holdtrue.lab.kinds.labels.playing import LabelPlaying

    return LabelPlaying()


def _reporting() -> Reporting:
    from holdtrue.lab.kinds.labels.reporting import REPORTING

    return REPORTING


def _teller() -> Teller:
    from holdtrue.lab.kinds.labels.teller import LabelTeller

    return LabelTeller()


def _problem_rows() -> ProblemRows:
    from holdtrue.lab.kinds.labels.problem_rows import ROWS

    return ROWS


KIND = Kind("labels", LabelEntry, _playing, _reporting, _teller, _problem_rows)
