"""The metrics of readings: messages and constraints against gold, probabilities, and costs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from holdtrue.record import Usage, total
from holdtrue_lab.kinds.readings.calibration import Calibration, calibration_of
from holdtrue_lab.kinds.readings.entry import ReadingEntry
from holdtrue_lab.kinds.readings.method import READING_PRESETS
from holdtrue_lab.kit.figure_rows import FigureMeasure, setting_of
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
"""Messages of which just the constraints in gold were accepted, or were read, accepted or in doubt; of the constraints
that were accepted, those that are not in gold; messages of which something was read in doubt; of the constraints that
were read, those in doubt; of these, those in gold; of the constraints in gold, those in no reading; and commitments
that messages were read to take back, which gold does not judge."""

READINGS = Metrics[ReadingEntry](FIGURES)
_BY = ("kind", "domain", "style")


def _parts(own: ReadingEntry) -> Iterator[tuple[tuple[str, str], ReadingEntry]]:
    """Yield the kind, the domain and the style of a message, where it says these."""
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


def _usage(own: ReadingEntry) -> Usage:
    return total(call.usage for call in own.record.extraction)


COSTS = (
    READINGS.mean("calls", lambda own: _usage(own).calls),
    READINGS.mean("prompt_tokens", lambda own: _usage(own).prompt_tokens, "tokens in", ".0f"),
    READINGS.mean("completion_tokens", lambda own: _usage(own).completion_tokens, "tokens out", ".0f"),
    READINGS.mean("seconds", lambda own: _usage(own).latency_s),
)
"""Means over messages, of the calls to a model."""


def _reader(method: str, settings: Mapping[str, Any]) -> object:
    return setting_of(method, settings, READING_PRESETS, "reader")


MEASURE = FigureMeasure(
    entry=ReadingEntry,
    metrics=READINGS,
    accuracy=EXACT,
    said=lambda own: own.record.user_message,
    is_control=lambda method, settings: _reader(method, settings) in ("nothing", "gold"),
    asks_model=lambda method, settings: _reader(method, settings) == "model",
    title=lambda method: f"oracle: {method}" if method == "gold" else method,
)
