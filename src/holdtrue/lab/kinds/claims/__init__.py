"""Claims: what is measured of answers in free text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from holdtrue.lab.kinds.claims.entry import ClaimEntry
from holdtrue.lab.kit.kind import Kind, Teller
from holdtrue.lab.kit.playing import Playing
from holdtrue.lab.kit.reporting import Reporting

if TYPE_CHECKING:
    from holdtrue.lab.kit.export.problem_rows import ProblemRows


def _playing() -> Playing[Any, Any]:
    from holdtrue.lab.kinds.claims.playing import ClaimPlaying

    return ClaimPlaying()


def _reporting() -> Reporting:
    from holdtrue.lab.kinds.claims.reporting import REPORTING

    return REPORTING


def _teller() -> Teller:
    from holdtrue.lab.kinds.claims.teller import ClaimTeller

    return ClaimTeller()


def _problem_rows() -> ProblemRows:
    from holdtrue.lab.kinds.claims.problem_rows import ROWS

    return ROWS


KIND = Kind("claims", ClaimEntry, _playing, _reporting, _teller, _problem_rows)
