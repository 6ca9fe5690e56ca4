"""The parts of a report about readings: tables, headline, a drawn figure, messages, and Parquet rows."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from holdtrue.record import Usage, total
from holdtrue.wire import plain_fields
from holdtrue_lab.figures import drawing
from holdtrue_lab.figures.cells import percent
from holdtrue_lab.kinds.readings.calibration import Threshold
from holdtrue_lab.kinds.readings.entry import ReadingEntry
from holdtrue_lab.kinds.readings.metrics import CALIBRATION, MEASURE
from holdtrue_lab.kinds.readings.problem import RULES
from holdtrue_lab.kinds.readings.report import ReadingReport, say_row
from holdtrue_lab.kinds.readings.shown import say_readings, say_score, say_unread, show_messages
from holdtrue_lab.kinds.readings.tables import CONTENTS
from holdtrue_lab.kit.flat import COSTS, NAMED, FlatRows, solver, spent
from holdtrue_lab.kit.groups import FigureRow, Group
from holdtrue_lab.kit.headline import Figure, gain_over_plain, over_plain
from holdtrue_lab.kit.panels import Look, draw_panels
from holdtrue_lab.kit.reporting import Reporting
from holdtrue_lab.kit.words import Number

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True, slots=True)
class _Message:
    folder: Path
    entry: ReadingEntry

    @property
    def readings(self) -> str:
        """The readings as JSON."""
        return json.dumps(self.entry.record.readings, default=plain_fields)

    @property
    def usage(self) -> Usage:
        return total(call.usage for call in self.entry.record.extraction)


def _messages(folder: Path, turns: Sequence[ReadingEntry]) -> Iterator[_Message]:
    return (_Message(folder, entry) for entry in turns)


MESSAGES = FlatRows(
    ReadingEntry,
    {
        **NAMED,
        "kind": (str, "entry.score.kind"),
        "style": (str, "entry.score.style"),
        "family": (str, "entry.score.family"),
        "model": (str, "entry.record.model"),
        "method": (str, "entry.method"),
        "message": (str, "entry.record.user_message"),
        "readings": (str, "readings"),
        "correct": (bool, "entry.score.correct"),
        "with_doubtful": (bool, "entry.score.with_doubtful"),
        "right": (int, "entry.score.right"),
        "wrong": (int, "entry.score.wrong"),
        "gold": (int, "entry.score.gold"),
        "missed": (str, "entry.score.missed"),
        **spent("usage", *COSTS),
        **solver("entry.record"),
    },
    _messages,
)


def predict(entries: Iterable[ReadingEntry]) -> Iterator[Mapping[str, Any]]:
    """Yield the constraints of each message by the status of their readings, in the form of its file."""
    for entry in entries:
        yield {"id": entry.problem, **{status: _stated(entry, status) for status in ("accepted", "doubtful")}}


def _stated(entry: ReadingEntry, status: str) -> list[list[str | int]]:
    found = (own for own in entry.record.readings if own.status == status and own.act != "withdraws")
    return [[own.type, *own.args] for own in found if own.type is not None]


def draw_risk(report: ReadingReport) -> str:
    """Draw the share of wrong constraints against the share taken. Each model has a panel, and each reader a line."""

    def thresholds(row: FigureRow) -> list[Threshold]:
        found = CALIBRATION(row).thresholds if row.arm.method not in report.controls else ()
        return [own for own in found if own.risk.value is not None]

    def draw(panel: Axes, group: Group[FigureRow], look: Look) -> None:
        panel.set_xlim(0, 102)
        panel.set_xlabel("constraints taken, %")
        panel.set_ylabel("of these wrong, %")
        for row in filter(thresholds, group.whole):
            colour, marker, style = drawing.look(look(row))
            covered, wrong = (
                [100 * (rate.value or 0.0) for rate in rates]
                for rates in zip(*((own.covered, own.risk) for own in thresholds(row)), strict=True)
            )
            panel.plot(covered, wrong, color=colour, marker=marker, ls=style, ms=5, lw=1.4)

    return draw_panels(
        report.groups, "risk_and_coverage", (1.1, 2.6), draw, shows=lambda row: bool(thresholds(row)), sharex=True
    )


def _figure(report: ReadingReport, row: FigureRow) -> Figure:
    told = f"exact, over {Number(row.finished):message}"
    return Figure(row.title, percent(row.accuracy.value), say_row(row), told)


# The functions by which the page's template describes an entry.
_SAYING = {"told": say_readings, "unread": say_unread, "worth": say_score}

REPORTING = Reporting(
    measure=MEASURE,
    report=ReadingReport,
    contents=lambda report: CONTENTS,
    template="reading_page.html.jinja",
    package="holdtrue_lab.kinds.readings",
    figure=_figure,
    gain=gain_over_plain("exact readings", "message"),
    strongest=over_plain(RULES),
    drawings=lambda report: {"risk_and_coverage": draw_risk(report), **_SAYING},
    compared=MEASURE.metrics.compared,
    conversations=show_messages,
    rows=MESSAGES,
    predictions=predict,
)
