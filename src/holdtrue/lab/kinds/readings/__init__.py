"""Readings: what is measured of a reader that says which slots a user's messages settle."""

from __future__ import annotations

from typing import Any

from holdtrue.lab.kinds.readings.entry import ReadingEntry
from holdtrue.lab.kit.kind import Kind, Teller
from holdtrue.lab.kit.playing import Playing
from holdtrue.lab.kit.reporting import Reporting


def _playing() -> Playing[Any, Any]:
    from holdtrue.lab.kinds.readings.playing import ReadingPlaying

    return ReadingPlaying()


def _reporting() -> Reporting:
    from holdtrue.lab.kinds.readings.reporting import REPORTING

    return REPORTING


def _teller() -> Teller:
    from holdtrue.lab.kinds.readings.teller import ReadingTeller

    return ReadingTeller()


KIND = Kind("readings", ReadingEntry, _playing, _reporting, _teller)
