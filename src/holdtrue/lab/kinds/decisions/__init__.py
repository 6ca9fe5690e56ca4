"""Decisions: what is measured of a guard that decides on the calls of a recorded agent."""

from __future__ import annotations

from typing import Any

from holdtrue.lab.kinds.decisions.entry import DecisionEntry
from holdtrue.lab.kit.kind import Kind, Teller
from holdtrue.lab.kit.playing import Playing
from holdtrue.lab.kit.reporting import Reporting


def _playing() -> Playing[Any, Any]:
    from holdtrue.lab.kinds.decisions.playing import DecisionPlaying

    return DecisionPlaying()


def _reporting() -> Reporting:
    from holdtrue.lab.kinds.decisions.reporting import REPORTING

    return REPORTING


def _teller() -> Teller:
    from holdtrue.lab.kinds.decisions.teller import DecisionTeller

    return DecisionTeller()


KIND = Kind("decisions", DecisionEntry, _playing, _reporting, _teller)
