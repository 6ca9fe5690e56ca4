"""How answers change by round, and what other weights of judges would have made of the same rounds."""

from __future__ import annotations

from collections.abc import Iterator

from holdtrue.figures.cells import MISSING, decimal, decimal_interval, p_value, percent, points, rate_interval
from holdtrue.figures.table import MODEL, Column, Table, make_table
from holdtrue.figures.trend import Trend
from holdtrue.lab.kinds.claims.report import ClaimReport
from holdtrue.lab.kinds.claims.row import ClaimRow
from holdtrue.lab.kinds.claims.tables.columns import written
from holdtrue.lab.kit.by_row import METHOD


def rounds(report: ClaimReport) -> Table:
    """Round by round."""
    return make_table(
        "rounds",
        "Answers by round",
        "Accuracy and score of what would be delivered if no more rounds were allowed: the accepted answer, or else "
        "the one with the best score so far; a question that stopped earlier keeps its own. Said: right among the very "
        "answers of this round, over the questions that played it, which are the harder ones the later it is. 95% "
        "intervals over questions. (VERGE, figure 3 and table 13.)",
        [
            MODEL,
            METHOD,
            Column("round", words=True),
            Column("accu\u00adracy %"),
            Column("95% of accu\u00adracy", wide=True),
            Column("score"),
            Column("95% of score", wide=True),
            Column("said, right %"),
            Column("said"),
            Column("items"),
        ],
        [
            (
                label,
                name,
                str(each.round),
                percent(each.accuracy.value),
                rate_interval(each.accuracy),
                written(each.score, ".2f"),
                decimal_interval(each.score),
                percent(each.said.value),
                str(each.said.of),
                str(each.accuracy.of),
            )
            for label, name, row in _several(report)
            for each in row.convergence.rounds
        ],
    )


def trends(report: ClaimReport) -> Table:
    """Do they get better?"""
    return make_table(
        "trends",
        "Trends over rounds",
        "Kendall's tau-b of each figure against the order of rounds, 1 where it rises in every round, with its exact "
        "two-sided p-value; few rounds can show little. Nothing stands where all rounds are equal. Rose: questions "
        "that were wrong after the first round and are right after the last; fell: the opposite, both of all. Rounds: "
        "mean played. (VERGE, figure 3.)",
        [
            MODEL,
            METHOD,
            Column("last accu\u00adracy %"),
            *_trend_columns("accu\u00adracy"),
            *_trend_columns("score"),
            *_trend_columns("said"),
            Column("rose %"),
            Column("fell %"),
            Column("rounds"),
            Column("items"),
        ],
        [
            (
                label,
                name,
                percent(row.convergence.rounds[-1].accuracy.value),
                *_trend(row.convergence.accuracy),
                *_trend(row.convergence.score),
                *_trend(row.convergence.said),
                percent(row.convergence.rose.value),
                percent(row.convergence.fell.value),
                decimal(row.convergence.played.value),
                str(row.convergence.rose.of),
            )
            for label, name, row in _several(report)
        ],
    )


def weights(report: ClaimReport) -> Table:
    """What if judges counted for more, or less?"""
    return make_table(
        "weights",
        "Weight of a supported claim",
        "What would have come of the recorded rounds if support by judges were worth so much: no model is asked again. "
        "Change: against the accuracy at the method's own weight, in percentage points. Moved: questions that would "
        "deliver another of their answers. Exact: no question would have gone on where the record ends; else so many "
        "would have, and the best recorded answer stands for what is not known. (VERGE, table 4.)",
        [
            MODEL,
            METHOD,
            Column("weight", words=True),
            Column("accu\u00adracy %"),
            Column("95% of accu\u00adracy", wide=True),
            Column("change, pp"),
            Column("moved"),
            Column("ac\u00adcepted %"),
            Column("score"),
            Column("exact"),
            Column("items"),
        ],
        [
            (
                group.label,
                report.names.method(row.arm),
                decimal(each.weight),
                percent(each.accuracy.value),
                rate_interval(each.accuracy),
                points(each.change),
                str(each.moved),
                percent(each.accepted.value),
                written(each.score, ".2f"),
                "yes" if each.exact else f"no, {each.open} open",
                str(each.accuracy.of),
            )
            for group in report.groups
            for row in group.whole
            for each in row.reweighed
        ],
    )


def _several(report: ClaimReport) -> Iterator[tuple[str, str, ClaimRow]]:
    """The rows in which any question went into a second round."""
    for group in report.groups:
        for row in group.whole:
            if len(row.convergence.rounds) > 1:
                yield group.label, report.names.method(row.arm), row


def _trend_columns(what: str) -> list[Column]:
    return [Column(f"tau, {what}"), Column(f"p, {what}")]


def _trend(trend: Trend) -> tuple[str, str]:
    return decimal(trend.tau), MISSING if trend.tau is None else p_value(trend.p)
