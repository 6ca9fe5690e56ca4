"""Methods and models held against each other (DRIFT-Bench, tables 1, 9 and 11)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from holdtrue.figures.cells import divide, fraction, p_value, percent, points, points_interval
from holdtrue.figures.table import MODEL, Column, Table, make_table
from holdtrue.lab.kinds.assignment.overlap import Overlap
from holdtrue.lab.kinds.assignment.report import Report
from holdtrue.lab.kinds.assignment.row import DriftRow
from holdtrue.lab.kit.arm import Arm
from holdtrue.lab.kit.by_row import METHOD
from holdtrue.lab.kit.comparison import Comparison
from holdtrue.record import Channel


def summary(report: Report) -> Table:
    """What each method that checks gains over the strongest one that does not."""
    rows: defaultdict[Arm, list[DriftRow]] = defaultdict(list)
    for row in (row for group in report.groups for row in group.whole):
        rows[row.arm].append(row)  # several where several folders hold the same arm
    lines = []
    for each in _against_strongest(report):
        if each.arm in report.baselines or each.arm.method in report.controls:
            continue
        parts = rows[each.arm]
        lines.append(
            (
                report.names.model(each.arm),
                report.names.method(each.other),
                percent(each.other_accuracy),
                report.names.method(each.arm),
                percent(each.accuracy),
                points(each.accuracy - each.other_accuracy),
                percent(each.lift),
                *(percent(_share(parts, channel)) for channel in _TOLD),
                str(each.turns),
            )
        )
    return make_table(
        "summary",
        "What checking adds to the best baseline",
        "The best baseline is the strongest method that asks the model and lets no check change what is delivered. "
        "Gain in percentage points, and as a share of the baseline's accuracy, over the turns of problems that both "
        "have finished. Drift, ledger gap and contradiction are shares of the turns that are still wrong: drift alone "
        "says nothing, because a method that projects keeps its own ledger by construction. (DRIFT-Bench, table 1.)",
        [
            MODEL,
            Column("best base\u00adline", words=True),
            Column("accu\u00adracy %"),
            METHOD,
            Column("accu\u00adracy %"),
            Column("gain pp"),
            Column("gain %"),
            Column("drift %"),
            Column("ledger gap %"),
            Column("contra\u00addiction %"),
            Column("turns"),
        ],
        lines,
    )


_TOLD = (Channel.DRIFT, Channel.LEDGER_GAP, Channel.CONTRADICTION)


def _share(rows: Sequence[DriftRow], channel: Channel) -> float | None:
    """Of the wrong turns of these rows together."""
    return divide(sum(row.channels[channel].turns for row in rows), sum(row.wrong for row in rows))


def paired_tests(report: Report) -> Table:
    """Every method against the strongest other method that no check helps."""
    return make_table(
        "paired_tests",
        "Paired tests against the strongest other method",
        "Difference of mean accuracy over problems, its 95% bootstrap interval, the p-value of a two-sided "
        "sign-permutation test, and q after Benjamini-Hochberg over all comparisons of this report. Where several "
        "folders hold the same model and method, over the problems of all of them. The other method is the strongest "
        "one whose answers no check has changed. (DRIFT-Bench, table 9.)",
        [
            MODEL,
            METHOD,
            Column("against", words=True),
            Column("differ\u00adence, pp"),
            Column("95% interval"),
            Column("p"),
            Column("q"),
            Column("prob\u00adlems"),
            Column("turns"),
        ],
        [
            (
                report.names.model(each.arm),
                report.names.method(each.arm),
                report.names.method(each.other),
                points(each.paired.difference),
                points_interval(each.paired.low, each.paired.high),
                p_value(each.paired.p),
                p_value(each.q),
                str(each.paired.problems),
                str(each.turns),
            )
            for each in _against_strongest(report)
        ],
    )


def overlap_of_models(report: Report) -> Table:
    """Do two models fail at the same turns under the same method?"""
    return make_table(
        "overlap_of_models",
        "Overlap of wrong turns between models",
        "Turns that are wrong under both, as a share of those wrong under either (Jaccard), of A's, and of B's. Over "
        "problems that both have finished. (DRIFT-Bench, table 11.)",
        [METHOD, Column("model A", words=True), Column("model B", words=True), *_OVERLAP],
        [
            (
                report.names.method(each.first),
                report.names.model(each.first),
                report.names.model(each.second),
                *_overlap(each),
            )
            for each in _with_wrong(report.overlaps)
            if each.first.method == each.second.method
        ],
    )


def overlap_of_methods(report: Report) -> Table:
    """Do two methods fail at the same turns with the same model?"""
    return make_table(
        "overlap_of_methods",
        "Overlap of wrong turns between methods",
        "Turns that are wrong under both, as a share of those wrong under either (Jaccard), of A's, and of B's. Over "
        "problems that both have finished; pairs in which a method had no wrong turn are left out.",
        [MODEL, Column("method A", words=True), Column("method B", words=True), *_OVERLAP],
        [
            (
                report.names.model(each.first),
                report.names.method(each.first),
                report.names.method(each.second),
                *_overlap(each),
            )
            for each in _with_wrong(report.overlaps)
            if each.first.method != each.second.method
        ],
    )


_OVERLAP = (
    Column("wrong in A"),
    Column("wrong in B"),
    Column("in both"),
    Column("Jac\u00adcard"),
    Column("share of A"),
    Column("share of B"),
    Column("turns"),
)


def _overlap(each: Overlap) -> tuple[str, ...]:
    return (
        str(each.first_wrong),
        str(each.second_wrong),
        str(each.both_wrong),
        fraction(each.jaccard),
        fraction(each.first_share),
        fraction(each.second_share),
        str(each.turns),
    )


def _against_strongest(report: Report) -> list[Comparison]:
    return [each for each in report.comparisons if each.strongest]


def _with_wrong(overlaps: Iterable[Overlap]) -> list[Overlap]:
    return [each for each in overlaps if each.first_wrong and each.second_wrong]
