"""Report tables of paired tests and overlaps between methods and models (DRIFT-Bench, tables 1, 9 and 11)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from holdtrue.record import Channel
from holdtrue_lab.figures.cells import coverage, divide, fraction, p_value, percent, points
from holdtrue_lab.figures.table import MODEL, Column
from holdtrue_lab.kinds.assignment.report import Overlap, Report
from holdtrue_lab.kinds.assignment.row import DriftRow
from holdtrue_lab.kit.comparison import Comparison
from holdtrue_lab.kit.pairs import FAMILY
from holdtrue_lab.kit.tables import BY_METHOD, METHOD, Cells, Columns, Lines, ReportTable, by_pair, every_pair


@dataclass(frozen=True, slots=True)
class _Gain:
    """A method that checks against the strongest one that does not; several rows where several folders hold its arm."""

    found: Comparison
    method: str
    rows: Sequence[DriftRow]

    def share(self, channel: Channel) -> str:
        """Of the wrong turns of these rows together."""
        wrong = sum(row.wrong for row in self.rows)
        return percent(divide(sum(row.channels[channel].turns for row in self.rows), wrong))


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
    {
        **Columns[Comparison]().difference(lambda each: each.paired),
        Column("p"): lambda each: p_value(each.paired.p),
        Column("Holm"): lambda each: p_value(each.holm),
        Column("q"): lambda each: p_value(each.q),
        Column("prob\u00adlems"): lambda each: str(each.paired.problems),
    },
    f"Two methods that check are held against each other in the table of every pair. {FAMILY} Those of every pair are "
    "among them. q: after Benjamini-Hochberg, over the same.",
)

every_pair_of_methods = every_pair(lambda report: report.comparisons)

_OVERLAP: Cells[Overlap] = {
    Column("wrong in A"): lambda each: coverage(each.first_wrong, each.turns),
    Column("wrong in B"): lambda each: coverage(each.second_wrong, each.turns),
    Column("in both"): lambda each: str(each.both_wrong),
    Column("Jac\u00adcard"): lambda each: fraction(each.jaccard),
    Column("share of A"): lambda each: fraction(each.first_share),
    Column("share of B"): lambda each: fraction(each.second_share),
}


def _overlaps(of_methods: bool) -> Callable[[Report], Iterator[tuple[Sequence[str], Overlap]]]:
    """Pairs of methods of one model, or of models under one method, both of which had wrong turns."""

    def find(report: Report) -> Iterator[tuple[Sequence[str], Overlap]]:
        same, apart = report.names.method, report.names.model
        if of_methods:
            same, apart = apart, same
        for each in report.overlaps:
            if each.first_wrong and each.second_wrong and (each.first.method != each.second.method) is of_methods:
                yield (same(each.first), apart(each.first), apart(each.second)), each

    return find


overlap_of_models = ReportTable(
    "overlap_of_models",
    "Overlap of wrong turns between models",
    "Turns that are wrong under both, as a share of those wrong under either (Jaccard), of A's, and of B's. Over "
    "the turns of problems that both have finished (DRIFT-Bench, table 11).",
    Lines((METHOD, Column("model A", words=True), Column("model B", words=True)), _overlaps(of_methods=False)),
    _OVERLAP,
)

overlap_of_methods = ReportTable(
    "overlap_of_methods",
    "Overlap of wrong turns between methods",
    "Turns that are wrong under both, as a share of those wrong under either (Jaccard), of A's, and of B's. Over "
    "the turns of problems that both have finished; pairs in which a method had no wrong turn are left out.",
    Lines((MODEL, Column("method A", words=True), Column("method B", words=True)), _overlaps(of_methods=True)),
    _OVERLAP,
)
