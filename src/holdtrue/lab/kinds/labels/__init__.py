"""Labels: what is measured of answers to queries about premises."""

from __future__ import annotations

from typing import Any

from holdtrue.lab.kinds.labels.entry import LabelEntry
from holdtrue.lab.kit.kind import Kind, Teller
from holdtrue.lab.kit.playing import Playing
from holdtrue.lab.kit.reporting import Reporting


def _playing() -> Playing[Any, Any]:
    from holdtrue.lab.kinds.labels.playing import LabelPlaying

    return LabelPlaying()


def _reporting() -> Reporting:
    from holdtrue.lab.kinds.labels.reporting import REPORTING

    return REPORTING


def _teller() -> Teller:
    from holdtrue.lab.kinds.labels.teller import LabelTeller

    return LabelTeller()


KIND = Kind("labels", LabelEntry, _playing, _reporting, _teller)
