"""Report tables about accuracy: overall, by domain and by turn (DRIFT-Bench, tables 3, 4 and 7, figure 3)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from holdtrue.figures.cells import MISSING, coverage, percent, rate_interval
from holdtrue.figures.statistics import Rate
from holdtrue.figures.table import MODEL, Column
from holdtrue.lab.kinds.assignment.measure import LAST_TURN
from holdtrue.lab.kinds.assignment.report import Report
from holdtrue.lab.kinds.assignment.row import DriftRow
from holdtrue.lab.kinds.assignment.tables import ACCURACY, COVERAGE, DECIDED, ROW, decided
from holdtrue.lab.kit.tables import BY_METHOD, METHOD, Cells, Lines, ReportTable

accuracy = ReportTable[DriftRow](
    "accuracy",
    "Accuracy of turns",
    "Right: complete, and satisfies all that was truly said so far; every turn counts once, so that long problems "
    "count for more. Upstream: the published measure, which also accepts partial answers (DRIFT-Bench, table 3).",
    BY_METHOD,
    {
        **ROW.count("prob\u00adlems", lambda row: row.problems),
        Column("scored"): lambda row: coverage(row.scored, row.turns),
        **ACCURACY,
        Column("95% interval"): lambda row: rate_interval(row.accuracy),
        **ROW.alone("up\u00adstream", lambda row: row.upstream_accuracy),
        **ROW.count("failed", lambda row: row.failed, optional=True),
        **DECIDED,
    },
)


def _retained(report: Report) -> Iterator[tuple[Sequence[str], DriftRow]]:
    """Yield the rows of methods that have accuracy at both turns."""
    return ((names, row) for names, row in BY_METHOD.find(report) if row.retention.published.value is not None)


def _at_end(turn: int) -> Callable[[DriftRow], str]:
    def cell(row: DriftRow) -> str:
        at = next((point.accuracy for point in row.depth if point.turn == turn), Rate(0, 0))
        return f"{percent(at.value)} of {at.of}"

    return cell


retention = ReportTable[DriftRow](
    "retention",
    "Retention: what is left of the accuracy of turn 1 at turn 10",
    "As published: accuracy at turn 10 over accuracy at turn 1, each of all problems that have the turn (DRIFT-Bench, "
    "table 3). Same problems: turns right at turn 10 over turns right at turn 1, of the problems that have both.",
    Lines(BY_METHOD.heads, _retained),
    {
        Column("turn 1 %"): _at_end(1),
        Column(f"turn {LAST_TURN} %"): _at_end(LAST_TURN),
        **ROW.share("as pub\u00adlished", lambda row: row.retention.published, wide=False),
        **ROW.share("same prob\u00adlems", lambda row: row.retention.same_problems, wide=False),
        Column("with both"): lambda row: str(row.retention.problems),
    },
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
    "Percent of the turns with this number that are right, over the problems that are so long (DRIFT-Bench, figure 3).",
    BY_METHOD,
    _turns,
)
