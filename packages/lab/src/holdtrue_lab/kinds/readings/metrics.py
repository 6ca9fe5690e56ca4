"""The metrics of readings: messages and constraints compared with gold, probabilities, and costs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from holdtrue.record import Usage, total
from holdtrue_lab.kinds.readings.calibration import Calibration, calibration_of
from holdtrue_lab.kinds.readings.entry import ReadingEntry
from holdtrue_lab.kinds.readings.problem import READING_PRESETS
from holdtrue_lab.kit.arm import Arm
from holdtrue_lab.kit.figure_rows import FigureMeasure, Traits, setting_of
from holdtrue_lab.kit.metrics import Metric, Metrics

FIGURES = Metrics[ReadingEntry]()
EXACT = FIGURES.share("figures.exact", lambda own: own.score.correct)
WITH_DOUBTFUL = FIGURES.share(
    "figures.with_doubtful", lambda own: own.score.with_doubtful, "with doubtful", compared=True
)
WRONG = FIGURES.share(
    "figures.wrong", lambda own: (own.score.wrong, own.score.right + own.score.wrong), "accepted wrong", compared=True
)
IN_DOUBT = FIGURES.share("figures.in_doubt", lambda own: own.score.doubtful > 0, "mes\u00adsages in doubt")
DOUBTFUL = FIGURES.share(
    "figures.doubtful",
    lambda own: (own.score.doubtful, own.score.right + own.score.wrong + own.score.doubtful),
    "of readings",
)
DOUBTFUL_RIGHT = FIGURES.share(
    "figures.doubtful_right", lambda own: (own.score.doubtful_right, own.score.doubtful), "of these right"
)
MISSED = FIGURES.share("figures.missed", lambda own: (len(own.score.missed), own.score.gold), compared=True)
MESSAGES = FIGURES.total("figures.messages", lambda own: 1, "mes\u00adsages")
REJECTED = FIGURES.total("figures.rejected", lambda own: own.score.rejected)
TAKEN_BACK = FIGURES.total("figures.taken_back", lambda own: own.score.taken_back)
"""Figures of messages are shares. In `EXACT`, the accepted constraints are exactly those of gold. In `WITH_DOUBTFUL`,
the accepted and doubtful ones together are those of gold. In `IN_DOUBT`, a constraint is doubtful.

Figures of constraints are shares, too. They are wrong ones of the accepted, doubtful ones of those read, right ones of
the doubtful, and missed ones of gold. `TAKEN_BACK` counts the commitments that messages take back according to their
readings; gold does not cover these.
"""

READINGS = Metrics[ReadingEntry](FIGURES)
_BY = ("kind", "domain", "style")


def _parts(own: ReadingEntry) -> Iterator[tuple[tuple[str, str], ReadingEntry]]:
    """Yield the kind, the domain and the style of a message, as far as they are known."""
    for by, name in zip(_BY, (own.score.kind, own.domain, own.score.style), strict=True):
        if name:
            yield (by, name), own


def _in_order(names: Iterable[tuple[str, ...]]) -> list[tuple[str, ...]]:
    return sorted(names, key=lambda each: (_BY.index(each[0]), each[1]))


PARTS = READINGS.parts("parts", ("by", "name"), _parts, FIGURES, _in_order)
CALIBRATION: Metric[ReadingEntry, Calibration] = READINGS.worked_out(
    "calibration",
    lambda own: own.score.judged,
    lambda units: calibration_of([judged for unit in units for judged in unit]),
)


def usage_of(own: ReadingEntry) -> Usage:
    """Return the usage of all calls to a model for a message."""
    return total(call.usage for call in own.record.extraction)


COSTS = (
    READINGS.mean("calls", lambda own: usage_of(own).calls),
    READINGS.mean("prompt_tokens", lambda own: usage_of(own).prompt_tokens, "tokens in", ".0f"),
    READINGS.mean("completion_tokens", lambda own: usage_of(own).completion_tokens, "tokens out", ".0f"),
    READINGS.mean("seconds", lambda own: usage_of(own).latency_s),
)
"""Means over messages, of the calls to a model."""


def _traits(arm: Arm, marks: frozenset[str], settings: Mapping[str, Any]) -> Traits:
    reader = setting_of(arm.method, settings, READING_PRESETS, "reader")
    title = f"oracle: {arm.method}" if arm.method == "gold" else arm.method
    return Traits(title=title, asks_model=reader == "model", is_control=reader in ("nothing", "gold"))


MEASURE = FigureMeasure(
    entry=ReadingEntry,
    metrics=READINGS,
    accuracy=EXACT,
    said=lambda own: own.record.user_message,
    traits=_traits,
    tested=READINGS.compared,
)
