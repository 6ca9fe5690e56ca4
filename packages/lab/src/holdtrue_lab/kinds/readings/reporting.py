"""The parts of a report about readings: tables, headline, a drawn figure, messages, and Parquet rows."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from holdtrue.record import ReadingRecord, Usage
from holdtrue.wire import plain_fields
from holdtrue_lab.figures import drawing
from holdtrue_lab.figures.cells import percent
from holdtrue_lab.kinds.readings.calibration import Threshold
from holdtrue_lab.kinds.readings.entry import ReadingEntry, ReadingScore, say_constraint
from holdtrue_lab.kinds.readings.metrics import CALIBRATION, MEASURE, usage_of
from holdtrue_lab.kinds.readings.problem import RULES
from holdtrue_lab.kinds.readings.report import ReadingReport, say_row
from holdtrue_lab.kinds.readings.tables import CONTENTS
from holdtrue_lab.kit.flat import COSTS, NAMED, FlatRows, solver, spent
from holdtrue_lab.kit.groups import FigureRow, Group
from holdtrue_lab.kit.headline import Figure, gain_over_plain, over_plain
from holdtrue_lab.kit.panels import Look, draw_panels
from holdtrue_lab.kit.reporting import Reporting
from holdtrue_lab.kit.shown import ProblemOnPage, show_most_telling
from holdtrue_lab.kit.transcript import shorten, title_of
from holdtrue_lab.kit.words import Number

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def say_reading(own: ReadingRecord) -> str:
    """Return a reading in words: 'states assign(Mei, pet, Cat) ("Mei has the cat", accepted, 0.98)'."""
    return f'{own.act} {say_constraint(own.type, own.args)} ("{own.sentence}", {own.status}, {own.confidence:.2f})'


def say_score(score: ReadingScore) -> str:
    """Return a score in words: 'not exact; 2 accepted right, 1 wrong, of 3 in gold; missed: adjacent(A, B)'."""
    doubtful = f", {score.doubtful} in doubt ({score.doubtful_right} right)" if score.doubtful else ""
    exact = "exact" if score.correct else "exact with what is in doubt" if score.with_doubtful else "not exact"
    missed = f"; missed: {', '.join(score.missed)}" if score.missed else ""
    return f"{exact}; {score.right} accepted right, {score.wrong} wrong{doubtful}, of {score.gold} in gold{missed}"


def say_readings(entry: ReadingEntry) -> list[str]:
    """Return a line for each reading of an entry, or one line if nothing was read."""
    return [say_reading(own) for own in entry.record.readings if own.status != "rejected"] or ["reads nothing"]


def say_unread(entry: ReadingEntry) -> list[str]:
    """Return a line for each rejected sentence of an entry, with the reason."""
    return [f"{own.sentence!r}: {own.reason}" for own in entry.record.readings if own.status == "rejected"]


class ReadingTeller:
    """A `ReadingTeller` describes readings in plain text, one by one."""

    def tell(self, entry: ReadingEntry) -> list[str]:
        """Return the lines about one message."""
        lines = [title_of(entry, "message"), *(f"  {line}" for line in entry.problem_lines)]
        lines.append(f"  user: {shorten(entry.record.user_message)}")
        lines += [f"  {line}" for line in say_readings(entry)]
        lines += [f"  not read: {shorten(own)}" for own in say_unread(entry)]
        lines.append(f"  {say_score(entry.score)}")
        return lines


class _Message(NamedTuple):
    folder: Path
    entry: ReadingEntry
    usage: Usage


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
        "readings": (str, lambda row: json.dumps(row.entry.record.readings, default=plain_fields)),
        "correct": (bool, "entry.score.correct"),
        "with_doubtful": (bool, "entry.score.with_doubtful"),
        "right": (int, "entry.score.right"),
        "wrong": (int, "entry.score.wrong"),
        "gold": (int, "entry.score.gold"),
        "missed": (str, "entry.score.missed"),
        **spent("usage", *COSTS),
        **solver("entry.record"),
    },
    lambda folder, turns: (_Message(folder, entry, usage_of(entry)) for entry in turns),
)


def predict(entries: Iterable[ReadingEntry]) -> Iterator[Mapping[str, Any]]:
    """Yield the constraints of each message by the status of their readings, in the form of its file."""
    for entry in entries:
        yield {"id": entry.problem, **{status: _stated(entry, status) for status in ("accepted", "doubtful")}}


def _stated(entry: ReadingEntry, status: str) -> list[list[str | int]]:
    found = (own for own in entry.record.readings if own.status == status and own.act != "withdraws")
    return [[own.type, *own.args] for own in found if own.type is not None]


def draw_risk(report: ReadingReport) -> str:
    """Draw the share of wrong constraints against the share of constraints that are accepted at each threshold. Each
    model has a panel, and each reader a line.
    """

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
    conversations=lambda report, number: show_most_telling(report, number, ReadingEntry, ProblemOnPage),
    rows=MESSAGES,
    predictions=predict,
)
