"""Candidates: what is measured of searches for a solution."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from holdtrue.lab.kinds.search.entry import SearchEntry
from holdtrue.lab.kit.kind import Kind, Teller
from holdtrue.lab.kit.playing import Playing
from holdtrue.lab.kit.reporting import Reporting

if TYPE_CHECKING:
    from holdtrue.lab.kit.export.problem_rows import ProblemRows


def _playing() -> Playing[Any, Any]:
    from holdtrue.lab.kinds.search.playing import SearchPlaying

    return SearchPlaying()


def _reporting() -> Reporting:
    from holdtrue.lab.kinds.search.reporting import REPORTING

    return REPORTING


def _teller() -> Teller:
    from holdtrue.lab.kinds.search.teller import SearchTeller

    return SearchTeller()


def _problem_rows() -> ProblemRows:
    from holdtrue.lab.kinds.search.problem_rows import ROWS

    return ROWS


KIND = Kind("search", SearchEntry, _playing, _reporting, _teller, _problem_rows)
