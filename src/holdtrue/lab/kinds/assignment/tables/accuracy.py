"""How many turns were right: overall, by domain, by turn (DRIFT-Bench, tables 3, 4 and 7, figure 3)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from holdtrue.figures.cells import MISSING, coverage, p_value, percent, points, points_interval, rate_interval
from holdtrue.figures.table import MODEL, Column, Table, make_table
from holdtrue.lab.kinds.assignment.report import Report
from holdtrue.lab.kinds.assignment.row import DriftRow
from holdtrue.lab.kinds.assignment.tables.by_row import Cell, decided, table_by_row
from holdtrue.lab.kit.by_row import METHOD
from holdtrue.lab.kit.comparison import DIRECT, Comparison


def accuracy(report: Report) -> Table:
    """Accuracy, and the paired difference against `direct`: where the row is the whole of its arm."""
    rows = Counter(row.arm for group in report.groups for row in group.whole)
    against = {each.arm: each for each in report.comparisons if each.other.method == DIRECT and rows[each.arm] == 1}

    def paired(show: Callable[[Comparison], str]) -> Cell:
        return lambda row: show(against[row.arm]) if row.arm in against else MISSING

    return table_by_row(
        report,
        "accuracy",
        "Accuracy of turns",
        "Right: complete, and satisfies all that was truly said so far. The difference against direct is paired over "
        "problems, each counting once; q is the p-value of a sign-permutation test after Benjamini-Hochberg over all "
        "comparisons of this report. Retention: turns right at turn 10, as a share of the turns right at turn 1, on "
        "problems that have both. Upstream: the published measure, which also accepts partial answers. Intervals are "
        "95%, over problems. (DRIFT-Bench, table 3.)",
        {
            Column("prob\u00adlems"): lambda row: str(row.problems),
            Column("scored"): lambda row: coverage(row.scored, row.turns),
            Column("accu\u00adracy %"): lambda row: percent(row.accuracy.value),
            Column("95% interval"): lambda row: rate_interval(row.accuracy),
            Column("vs direct, pp", optional=True, wide=True): paired(lambda found: points(found.paired.difference)),
            Column("95% of differ\u00adence", optional=True, wide=True): paired(
                lambda found: points_interval(found.paired.low, found.paired.high)
            ),
            Column("q", optional=True, wide=True): paired(lambda found: p_value(found.q)),
            Column("reten\u00adtion %", optional=True): _retention,
            Column("up\u00adstream %"): lambda row: percent(row.upstream_accuracy.value),
            Column("failed", optional=True): lambda row: str(row.failed),
        },
    )


def accuracy_by_domain(report: Report) -> Table:
    """Accuracy in each domain."""
    domains = list(dict.fromkeys(row.domain for group in report.groups for row in group.rows if row.domain))
    lines = []
    for group in report.groups:
        parts = {(row.arm, row.domain): row for row in group.rows}
        for whole in group.whole:
            cells = (_accuracy_of_all(parts.get((whole.arm, domain))) for domain in domains)
            lines.append((group.label, report.names.method(whole.arm), *cells, decided(whole)))
    return make_table(
        "accuracy_by_domain",
        "Accuracy by domain",
        "Percent of scored turns that are right, and how many were scored. (DRIFT-Bench, tables 4 and 7.)",
        [MODEL, METHOD, *(Column(domain.replace("_", " ")) for domain in domains), Column("de\u00adcided")],
        lines,
    )


def accuracy_by_turn(report: Report) -> Table:
    """Accuracy at each turn number."""
    numbers = sorted({point.turn for group in report.groups for row in group.rows for point in row.depth})
    return table_by_row(
        report,
        "accuracy_by_turn",
        "Accuracy by turn",
        "Percent of the turns with this number that are right. (DRIFT-Bench, figure 3.)",
        {Column(f"turn {number}"): _at_turn(number) for number in numbers},
    )


def _retention(row: DriftRow) -> str:
    return MISSING if row.retained.value is None else f"{percent(row.retained.value)} of {row.retained.of}"


def _accuracy_of_all(row: DriftRow | None) -> str:
    return MISSING if row is None else f"{percent(row.accuracy.value)} of {row.scored}"


def _at_turn(number: int) -> Cell:
    return lambda row: next((percent(point.accuracy.value) for point in row.depth if point.turn == number), MISSING)
