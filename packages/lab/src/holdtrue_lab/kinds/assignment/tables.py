"""The tables of a report about assignments.

Tables about accuracy, paired tests and overlaps are defined here, and tables about failures in `failure_tables`. Many
tables follow a table of DRIFT-Bench, which their notes name.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from holdtrue.record import Channel
from holdtrue_lab.figures.cells import MISSING, coverage, divide, fraction, p_value, percent, points
from holdtrue_lab.figures.statistics import Rate
from holdtrue_lab.figures.table import MODEL, Column
from holdtrue_lab.kinds.assignment import metrics as own
from holdtrue_lab.kinds.assignment.failure_tables import (
    COVERAGE,
    DECIDED,
    ROW,
    SCORED,
    Row,
    after_retry,
    alarms,
    channels,
    channels_by_domain,
    cost,
    cost_of_measuring,
    delivery,
    harm_and_help,
    ledger,
    no_answer,
    published_split,
    show_decided,
    structure,
    triggers,
    truncation,
)
from holdtrue_lab.kinds.assignment.report import Overlap, Report
from holdtrue_lab.kit.comparison import DIRECT, Comparison
from holdtrue_lab.kit.cost_tables import COST_TABLES, right_cost
from holdtrue_lab.kit.groups import FigureRow
from holdtrue_lab.kit.pairs import FAMILY
from holdtrue_lab.kit.tables import (
    BY_METHOD,
    METHOD,
    Cells,
    Columns,
    Contents,
    Lines,
    ReportTable,
    by_pair,
    by_part,
    columns,
    every_pair,
    pair_columns,
    paired_points,
)

accuracy = Row(
    "accuracy",
    "Accuracy of turns",
    "Right: complete, and satisfies all that was truly said so far; every turn counts once, so that long problems "
    "count for more. Upstream: the published measure, which also accepts partial answers (DRIFT-Bench, table 3).",
    BY_METHOD,
    {
        **ROW.count("prob\u00adlems", lambda row: row.problems),
        **SCORED,
        **columns(own.RIGHT),
        **ROW.alone("up\u00adstream", own.UPSTREAM_RIGHT),
        **ROW.count("failed", lambda row: row.failed, optional=True),
        **DECIDED,
    },
)


def _at_end(turn: int) -> Callable[[FigureRow], str]:
    def cell(row: FigureRow) -> str:
        at = next((point.accuracy for point in own.DEPTH(row) if point.turn == turn), Rate(0, 0))
        return f"{percent(at.value)} of {at.of}"

    return cell


retention = Row(
    "retention",
    "Retention: what is left of the accuracy of turn 1 at turn 10",
    "As published: accuracy at turn 10 over accuracy at turn 1, each of all problems that have the turn (DRIFT-Bench, "
    "table 3). Same problems: turns right at turn 10 over turns right at turn 1, of the problems that have both.",
    Lines(
        BY_METHOD.heads,
        lambda report: (each for each in BY_METHOD.find(report) if own.RETENTION(each[1]).value is not None),
    ),
    {
        Column("turn 1 %"): _at_end(1),
        Column(f"turn {own.LAST_TURN} %"): _at_end(own.LAST_TURN),
        **ROW.share("as pub\u00adlished", own.RETENTION),
        **ROW.share("same prob\u00adlems", own.RETENTION_OF_SAME),
        **ROW.count("with both", own.WITH_BOTH_ENDS),
    },
)


def _against_direct(report: Report) -> Iterator[tuple[Sequence[str], tuple[FigureRow, Comparison]]]:
    """Yield each method's row and its comparison with `direct`. Arms with several rows are left out."""
    rows = Counter(row.arm for row in report.rows)
    against = {each.arm: each for each in report.comparisons if each.other.method == DIRECT and rows[each.arm] == 1}
    for names, row in BY_METHOD.find(report):
        if row.arm in against:
            yield names, (row, against[row.arm])


accuracy_against_direct = ReportTable[tuple[FigureRow, Comparison]](
    "accuracy_against_direct",
    "Accuracy against direct",
    "Mean accuracies of the problems that both have finished, each counting once however many turns it has; the "
    f"p-value is that of a sign-permutation test. {FAMILY}",
    Lines(BY_METHOD.heads, _against_direct),
    {
        Column("mean of prob\u00adlems %"): lambda each: percent(each[1].mean),
        Column("vs direct, pp"): lambda each: paired_points(each[1].paired),
        Column("p"): lambda each: p_value(each[1].paired.p),
        Column("Holm"): lambda each: p_value(each[1].holm),
        Column("q"): lambda each: p_value(each[1].q),
        Column("prob\u00adlems"): lambda each: str(each[1].paired.problems),
        COVERAGE: lambda each: show_decided(each[0]),
    },
    "q: after Benjamini-Hochberg, over the same tests as Holm.",
)

Parts = Mapping[str | None, FigureRow]


def _parts(report: Report) -> Iterator[tuple[Sequence[str], Parts]]:
    """Yield, for each method, a mapping from domains to rows; the row over all domains has the key None."""
    for group in report.groups:
        for whole in group.whole:
            parts = {row.domain: row for row in group.rows if row.arm == whole.arm}
            yield (group.label, report.names.method(whole.arm)), {**parts, None: whole}


def _domains(report: Report) -> Cells[Parts]:
    def accuracy_in(domain: str) -> Callable[[Parts], str]:
        def cell(parts: Parts) -> str:
            row = parts.get(domain)
            return MISSING if row is None else f"{percent(row.accuracy.value)} of {own.SCORED(row)}"

        return cell

    domains = dict.fromkeys(row.domain for group in report.groups for row in group.rows if row.domain)
    cells: Cells[Parts] = {Column(domain.replace("_", " ")): accuracy_in(domain) for domain in domains}
    return {**cells, COVERAGE: lambda parts: show_decided(parts[None])}


accuracy_by_domain = ReportTable(
    "accuracy_by_domain",
    "Accuracy by domain",
    "Percent of scored turns that are right, and how many were scored (DRIFT-Bench, tables 4 and 7).",
    Lines((MODEL, METHOD), _parts),
    _domains,
)
accuracy_by_turn = ReportTable[own.Depth](
    "accuracy_by_turn",
    "Accuracy by turn",
    "Percent of the turns with this number that are right, and how many were scored (DRIFT-Bench, figure 3).",
    by_part("turn", lambda row: ((str(point.turn), point) for point in own.DEPTH(row))),
    {
        **Columns[own.Depth]().share("accu\u00adracy", lambda point: point.accuracy),
        Column("scored"): lambda point: str(point.accuracy.of),
    },
)

accuracy_by_constraints = ReportTable[own.Depth](
    "accuracy_by_constraints",
    "Accuracy by number of constraints",
    "Percent of the turns with so many gold constraints that are right, and how many were scored.",
    by_part("constraints", lambda row: ((_active(point.turn), point) for point in own.LOAD(row))),
    {
        **Columns[own.Depth]().share("accu\u00adracy", lambda point: point.accuracy),
        Column("scored"): lambda point: str(point.accuracy.of),
    },
)


def _active(most: int) -> str:
    return f"{most - own.ACTIVE_STEP + 1} to {most}" if most else "0"


@dataclass(frozen=True, slots=True)
class _Gain:
    """A method that checks answers, compared with the strongest method that does not; one row for each folder."""

    found: Comparison
    method: str
    rows: Sequence[FigureRow]

    def share(self, channel: Channel) -> str:
        """Return the percentage of wrong turns, over all rows, that are in this channel."""
        wrong = sum(map(own.WRONG, self.rows))
        return percent(divide(sum(own.CHANNELS(row)[channel].turns for row in self.rows), wrong))


def _gains(report: Report) -> Iterator[tuple[Sequence[str], _Gain]]:
    names = report.names
    for each in _against_strongest(report):
        if each.arm not in report.baselines and each.arm.method not in report.controls:
            rows = [row for row in report.rows if row.arm == each.arm]
            yield (names.model(each.arm), names.method(each.other)), _Gain(each, names.method(each.arm), rows)


def _against_strongest(report: Report) -> list[Comparison]:
    return [each for each in report.comparisons if each.strongest]


summary = ReportTable[_Gain](
    "summary",
    "What checking adds to the best baseline",
    "The best baseline is the strongest method that asks the model and lets no check change what is delivered. "
    "Gain in percentage points, and as a share of the baseline's accuracy.",
    Lines((MODEL, Column("best base\u00adline", words=True)), _gains),
    {
        Column("its accu\u00adracy %"): lambda each: percent(each.found.other_accuracy),
        METHOD: lambda each: each.method,
        Column("accu\u00adracy %"): lambda each: percent(each.found.accuracy),
        Column("gain pp"): lambda each: points(each.found.accuracy - each.found.other_accuracy),
        Column("gain %"): lambda each: percent(each.found.lift),
        Column("turns"): lambda each: str(each.found.turns),
    },
    "Over the turns of problems that both have finished. (DRIFT-Bench, table 1.)",
)
still_wrong = ReportTable[_Gain](
    "still_wrong",
    "Why turns are still wrong under a method that checks",
    "Shares of the turns that are still wrong. Drift alone says nothing, because a method that projects keeps its own "
    "ledger by construction.",
    Lines(BY_METHOD.heads, lambda report: (((names[0], gain.method), gain) for names, gain in _gains(report))),
    {
        Column("accu\u00adracy %"): lambda each: percent(each.found.accuracy),
        Column("drift %"): lambda each: each.share(Channel.DRIFT),
        Column("ledger gap %"): lambda each: each.share(Channel.LEDGER_GAP),
        Column("contra\u00addiction %"): lambda each: each.share(Channel.CONTRADICTION),
        Column("turns"): lambda each: str(each.found.turns),
    },
    "Contradiction: the commitments cannot all be kept. Drift: they can, and the answer breaks some. Ledger gap: the "
    "answer keeps the ledger and is wrong all the same. (DRIFT-Bench, table 1.)",
)
paired_tests = ReportTable[Comparison](
    "paired_tests",
    "Paired tests against the strongest other method",
    "The other method is the strongest one whose answers no check has changed, over the problems that both have "
    "finished in any folder: difference of the mean accuracies of problems, each counting once however many turns it "
    "has. The p-value is that of a two-sided sign-permutation test (DRIFT-Bench, table 9).",
    by_pair(_against_strongest),
    pair_columns(q=True),
    f"Two methods that check are held against each other in the table of every pair. {FAMILY} Those of every pair are "
    "among them. q: after Benjamini-Hochberg, over the same.",
)
every_pair_of_methods = every_pair(lambda report: report.comparisons)


def _overlap(of_methods: bool, what: str, same_and_apart: Sequence[Column], more: str) -> ReportTable[Overlap]:
    """Declare the table of pairs of methods of one model, or of pairs of models under one method.

    A pair is left out if one of the two had no wrong turn.
    """

    def find(report: Report) -> Iterator[tuple[Sequence[str], Overlap]]:
        same, apart = report.names.method, report.names.model
        if of_methods:
            same, apart = apart, same
        for each in report.overlaps:
            if each.first_wrong and each.second_wrong and (each.first.method != each.second.method) is of_methods:
                yield (same(each.first), apart(each.first), apart(each.second)), each

    return ReportTable(
        f"overlap_of_{what}",
        f"Overlap of wrong turns between {what}",
        "Turns that are wrong under both, as a share of those wrong under either (Jaccard), of A's, and of B's. Over "
        f"the turns of problems that both have finished{more}.",
        Lines(tuple(same_and_apart), find),
        {
            Column("wrong in A"): lambda each: coverage(each.first_wrong, each.turns),
            Column("wrong in B"): lambda each: coverage(each.second_wrong, each.turns),
            Column("in both"): lambda each: str(each.both_wrong),
            Column("Jac\u00adcard"): lambda each: fraction(each.jaccard),
            Column("share of A"): lambda each: fraction(each.first_share),
            Column("share of B"): lambda each: fraction(each.second_share),
        },
    )


overlap_of_models = _overlap(
    False,
    "models",
    (METHOD, Column("model A", words=True), Column("model B", words=True)),
    " (DRIFT-Bench, table 11)",
)
overlap_of_methods = _overlap(
    True,
    "methods",
    (MODEL, Column("method A", words=True), Column("method B", words=True)),
    "; pairs in which a method had no wrong turn are left out",
)

CONTENTS = Contents(
    sections=(
        (
            "Accuracy",
            (
                *(summary, accuracy, accuracy_against_direct, paired_tests, every_pair_of_methods),
                *(accuracy_by_domain, accuracy_by_turn, accuracy_by_constraints, retention),
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
