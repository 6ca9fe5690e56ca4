"""Report tables about accuracy: overall, by domain and by turn (DRIFT-Bench, tables 3, 4 and 7, figure 3)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence

from holdtrue.figures.cells import MISSING, coverage, p_value, percent, points, points_interval, rate_interval
from holdtrue.figures.table import MODEL, Column
from holdtrue.lab.kinds.assignment.report import Report
from holdtrue.lab.kinds.assignment.row import DriftRow
from holdtrue.lab.kinds.assignment.tables import ACCURACY, COVERAGE, DECIDED, ROW, decided
from holdtrue.lab.kit.comparison import DIRECT, Comparison
from holdtrue.lab.kit.pairs import FAMILY
from holdtrue.lab.kit.tables import BY_METHOD, METHOD, Cells, Lines, ReportTable


def _accuracy(report: Report) -> Cells[DriftRow]:
    """With the paired difference against `direct`, where the row is the whole of its arm."""
    rows = Counter(row.arm for row in report.rows)
    against = {each.arm: each for each in report.comparisons if each.other.method == DIRECT and rows[each.arm] == 1}

    def paired(show: Callable[[Comparison], str]) -> Callable[[DriftRow], str]:
        return lambda row: show(against[row.arm]) if row.arm in against else MISSING

    return {
        **ROW.count("prob\u00adlems", lambda row: row.problems),
        Column("scored"): lambda row: coverage(row.scored, row.turns),
        **ACCURACY,
        Column("95% interval"): lambda row: rate_interval(row.accuracy),
        Column("vs direct, pp", optional=True, wide=True): paired(lambda found: points(found.paired.difference)),
        Column("95% of differ\u00adence", optional=True, wide=True): paired(
            lambda found: points_interval(found.paired.low, found.paired.high)
        ),
        Column("Holm", optional=True, wide=True): paired(lambda found: p_value(found.holm)),
        Column("q", optional=True, wide=True): paired(lambda found: p_value(found.q)),
        Column("reten\u00adtion %", optional=True): lambda row: (
            MISSING if row.retained.value is None else f"{percent(row.retained.value)} of {row.retained.of}"
        ),
        **ROW.alone("up\u00adstream", lambda row: row.upstream_accuracy),
        **ROW.count("failed", lambda row: row.failed, optional=True),
        **DECIDED,
    }


accuracy = ReportTable(
    "accuracy",
    "Accuracy of turns",
    "Right: complete, and satisfies all that was truly said so far. The difference against direct is paired over "
    f"problems, each counting once; its p-value is that of a sign-permutation test. {FAMILY} q: after "
    "Benjamini-Hochberg, over the same. Retention: turns right at turn 10, as a share of the turns right at turn 1, on "
    "problems that have both. Upstream: the published measure, which also accepts partial answers. Intervals are "
    "95%, over problems. (DRIFT-Bench, table 3.)",
    BY_METHOD,
    _accuracy,
)

Parts = Mapping[str | None, DriftRow]


def _parts(report: Report) -> Iterator[tuple[Sequence[str], Parts]]:
    """Each method's rows by domain, and over all."""
    for group in report.groups:
        for whole in group.whole:
            parts = {row.domain: row for row in group.rows if row.arm == whole.arm}
            yield (group.label, report.names.method(whole.arm)), {**parts, None: whole}


def _domains(report: Report) -> Cells[Parts]:
    def accuracy_in(domain: str) -> Callable[[Parts], str]:
        def cell(parts: Parts) -> str:
            row = parts.get(domain)
            return MISSING if row is None else f"{percent(row.accuracy.value)} of {row.scored}"

        return cell

    domains = dict.fromkeys(row.domain for group in report.groups for row in group.rows if row.domain)
    cells: Cells[Parts] = {Column(domain.replace("_", " ")): accuracy_in(domain) for domain in domains}
    return {**cells, COVERAGE: lambda parts: decided(parts[None])}


accuracy_by_domain = ReportTable(
    "accuracy_by_domain",
    "Accuracy by domain",
    "Percent of scored turns that are right, and how many were scored. (DRIFT-Bench, tables 4 and 7.)",
    Lines((MODEL, METHOD), _parts),
    _domains,
)


def _turns(report: Report) -> Cells[DriftRow]:
    numbers = sorted({point.turn for group in report.groups for row in group.rows for point in row.depth})
    return {**{Column(f"turn {number}"): _at_turn(number) for number in numbers}, **DECIDED}


def _at_turn(number: int) -> Callable[[DriftRow], str]:
    return lambda row: next((percent(point.accuracy.value) for point in row.depth if point.turn == number), MISSING)


accuracy_by_turn = ReportTable(
    "accuracy_by_turn",
    "Accuracy by turn",
    "Percent of the turns with this number that are right. (DRIFT-Bench, figure 3.)",
    BY_METHOD,
    _turns,
)
