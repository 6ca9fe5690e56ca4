"""Report tables about accuracy: overall, by domain and by turn (DRIFT-Bench, tables 3, 4 and 7, figure 3)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence

from holdtrue_lab.figures.cells import MISSING, coverage, p_value, percent
from holdtrue_lab.figures.statistics import Rate
from holdtrue_lab.figures.table import MODEL, Column
from holdtrue_lab.kinds.assignment.measure import LAST_TURN
from holdtrue_lab.kinds.assignment.report import Report
from holdtrue_lab.kinds.assignment.row import Depth, DriftRow
from holdtrue_lab.kinds.assignment.tables import COVERAGE, DECIDED, ROW, decided
from holdtrue_lab.kit.comparison import DIRECT, Comparison
from holdtrue_lab.kit.pairs import FAMILY
from holdtrue_lab.kit.tables import BY_METHOD, METHOD, Cells, Columns, Lines, ReportTable, by_part, paired_points

_DEPTH = Columns[Depth]()


accuracy = ReportTable[DriftRow](
    "accuracy",
    "Accuracy of turns",
    "Right: complete, and satisfies all that was truly said so far; every turn counts once, so that long problems "
    "count for more. Upstream: the published measure, which also accepts partial answers (DRIFT-Bench, table 3).",
    BY_METHOD,
    {
        **ROW.count("prob\u00adlems", lambda row: row.problems),
        Column("scored"): lambda row: coverage(row.scored, row.turns),
        **ROW.share("accu\u00adracy", lambda row: row.accuracy),
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
        **ROW.share("as pub\u00adlished", lambda row: row.retention.published),
        **ROW.share("same prob\u00adlems", lambda row: row.retention.same_problems),
        Column("with both"): lambda row: str(row.retention.problems),
    },
)


def _against_direct(report: Report) -> Iterator[tuple[Sequence[str], tuple[DriftRow, Comparison]]]:
    """Yield each method that was compared with `direct`, where the row is the whole of its arm."""
    rows = Counter(row.arm for row in report.rows)
    against = {each.arm: each for each in report.comparisons if each.other.method == DIRECT and rows[each.arm] == 1}
    for names, row in BY_METHOD.find(report):
        if row.arm in against:
            yield names, (row, against[row.arm])


accuracy_against_direct = ReportTable[tuple[DriftRow, Comparison]](
    "accuracy_against_direct",
    "Accuracy against direct",
    "Mean accuracies of the problems that both have finished, each counting once however many turns it has; the "
    f"p-value is that of a sign-permutation test. {FAMILY}",
    Lines(BY_METHOD.heads, _against_direct),
    {
        Column("accu\u00adracy %"): lambda each: percent(each[1].mean),
        Column("vs direct, pp"): lambda each: paired_points(each[1].paired),
        Column("p"): lambda each: p_value(each[1].paired.p),
        Column("Holm"): lambda each: p_value(each[1].holm),
        Column("q"): lambda each: p_value(each[1].q),
        Column("prob\u00adlems"): lambda each: str(each[1].paired.problems),
        COVERAGE: lambda each: decided(each[0]),
    },
    "q: after Benjamini-Hochberg, over the same tests as Holm.",
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
    "Percent of scored turns that are right, and how many were scored (DRIFT-Bench, tables 4 and 7).",
    Lines((MODEL, METHOD), _parts),
    _domains,
)


def _turns(row: DriftRow) -> Iterator[tuple[str, Depth]]:
    return ((str(point.turn), point) for point in row.depth)


accuracy_by_turn = ReportTable[Depth](
    "accuracy_by_turn",
    "Accuracy by turn",
    "Percent of the turns with this number that are right, and how many were scored (DRIFT-Bench, figure 3).",
    by_part("turn", _turns),
    {**_DEPTH.share("accu\u00adracy", lambda point: point.accuracy), **_DEPTH.count("scored", lambda p: p.accuracy.of)},
)
