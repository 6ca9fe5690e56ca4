"""This module lists what a report about assignments shows: tables in order, headline, figures and problems."""

from __future__ import annotations

from collections.abc import Mapping

from holdtrue.figures.cells import coverage, p_value, percent
from holdtrue.lab.kinds.assignment.drawn import draw_across, draw_channels, draw_depth
from holdtrue.lab.kinds.assignment.flat import TURNS
from holdtrue.lab.kinds.assignment.measured import measure_run
from holdtrue.lab.kinds.assignment.report import Report, read_report
from holdtrue.lab.kinds.assignment.row import DriftRow
from holdtrue.lab.kinds.assignment.shown import show_problems
from holdtrue.lab.kinds.assignment.tables.accuracy import (
    accuracy,
    accuracy_against_direct,
    accuracy_by_domain,
    accuracy_by_turn,
    retention,
)
from holdtrue.lab.kinds.assignment.tables.comparisons import (
    every_pair_of_methods,
    overlap_of_methods,
    overlap_of_models,
    paired_tests,
    still_wrong,
    summary,
)
from holdtrue.lab.kinds.assignment.tables.failures import (
    after_retry,
    alarms,
    channels,
    channels_by_domain,
    harm_and_help,
    no_answer,
    published_split,
    triggers,
    truncation,
)
from holdtrue.lab.kinds.assignment.tables.ledger import cost, cost_of_measuring, delivery, ledger, structure
from holdtrue.lab.kit.cost_tables import COST_TABLES, right_cost
from holdtrue.lab.kit.headline import Figure, difference_words
from holdtrue.lab.kit.reporting import Reporting
from holdtrue.lab.kit.tables import Contents
from holdtrue.lab.kit.words import Number
from holdtrue.record import Channel

PUBLISHED = "mus_repair"  # the method of the published figure across models
CONTENTS = Contents(
    sections=(
        (
            "Accuracy",
            (
                *(summary, accuracy, accuracy_against_direct, paired_tests, every_pair_of_methods),
                *(accuracy_by_domain, accuracy_by_turn, retention),
            ),
        ),
        (
            "Failures",
            (
                *(channels, no_answer, still_wrong, published_split, channels_by_domain),
                *(overlap_of_models, overlap_of_methods),
            ),
        ),
        ("Checking and repair", (alarms, harm_and_help, triggers, after_retry, truncation)),
        ("Ledger, cost, problems", (ledger, delivery, cost, cost_of_measuring, *COST_TABLES, structure)),
    ),
    short=(accuracy, channels, right_cost),
)


def _figure(report: Report, row: DriftRow) -> Figure:
    # Drift never without ledger gap and accuracy beside it, also where there is no gap.
    shown = {channel: share.turns for channel, share in row.channels.items() if share.turns}
    if Channel.DRIFT in shown:
        shown.setdefault(Channel.LEDGER_GAP, 0)
    parts = ", ".join(f"{channel.value.replace('_', ' ')} {turns}" for channel, turns in shown.items())
    return Figure(
        report.names.method(row.arm),
        percent(row.accuracy.value),
        f"{row.wrong} wrong: {parts}" if parts else f"{row.wrong} wrong",
        f"{coverage(row.scored, row.turns)} turns scored, {coverage(row.decided, row.turns)} decided",
    )


def _gain(report: Report, best: DriftRow, base: DriftRow) -> str:
    for each in report.comparisons:
        if (each.arm, each.other) == (best.arm, base.arm):
            return f"{difference_words(each.paired, f'{Number(each.paired.problems):problem}')}, q {p_value(each.q)}"
    return ""


def _drawings(report: Report) -> Mapping[str, str]:
    across = _method_across(report)
    return {
        "channels": draw_channels(report.groups),
        "depth": draw_depth(report.groups),
        "across": draw_across(report.groups, across) if across else "",
    }


def _method_across(report: Report) -> str | None:
    """Return the method by which several models are compared: the published one, or else the best that all have."""
    if len(report.groups) < 2:
        return None
    means: dict[str, float] = {}
    for method in {row.arm.method for row in report.groups[0].whole if row.arm.method not in report.controls}:
        values = [row.accuracy.value for row in report.rows if row.arm.method == method]
        known = [value for value in values if value is not None]
        if len(known) == len(report.groups):
            means[method] = sum(known) / len(known)
    return max(means, key=lambda method: (method == PUBLISHED, means[method], method), default=None)


REPORTING = Reporting(
    read=read_report,
    measure=measure_run,
    report=Report,
    contents=lambda report: CONTENTS,
    template="page.html.jinja",
    package="holdtrue.lab.kinds.assignment",
    figure=_figure,
    gain=_gain,
    drawings=_drawings,
    compared={
        "upstream_accuracy": lambda row: row.upstream_accuracy,
        "retention_published": lambda row: row.retention.published,
        "retention_same_problems": lambda row: row.retention.same_problems,
        "alarms_right": lambda row: row.alarm.precision,
        "alarms_found": lambda row: row.alarm.recall,
        "churn": lambda row: row.ledger.churn,
        "abstained": lambda row: row.abstained,
    },
    conversations=show_problems,
    controls=False,
    rows=TURNS,
)
