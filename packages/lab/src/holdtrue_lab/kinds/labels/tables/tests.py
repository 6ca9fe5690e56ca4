"""Report tables of paired tests between methods that answer queries."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from holdtrue_lab.figures.cells import p_value
from holdtrue_lab.figures.table import MODEL, Column
from holdtrue_lab.kinds.labels.plays import FIGURES
from holdtrue_lab.kinds.labels.report import LabelReport
from holdtrue_lab.kit.arm import Arm
from holdtrue_lab.kit.comparison import Comparison
from holdtrue_lab.kit.pairs import FAMILY
from holdtrue_lab.kit.plays import ACCURACY
from holdtrue_lab.kit.tables import AGAINST, METHOD, Columns, Lines, ReportTable, every_pair


def _pairs(report: LabelReport) -> Iterator[tuple[Sequence[str], Comparison]]:
    """Figures of one pair stand together, accuracy first: consistency alone would say nothing."""
    found = {(each.arm, each.other, figure): each for figure in FIGURES for each in report.comparisons[figure]}
    planned = (pair for pair, each in found.items() if each.planned)
    pairs: dict[tuple[Arm, Arm], None] = dict.fromkeys((arm, other) for arm, other, _ in planned)
    names = report.names
    for arm, other in pairs:
        about = (names.model(arm), names.method(arm), names.method(other))
        for figure in FIGURES if (arm, other, FIGURES[0]) in found else ():
            if (arm, other, figure) in found:
                yield (*about, figure.replace("_", " ")), found[arm, other, figure]


every_pair_of_methods = every_pair(lambda report: report.comparisons[ACCURACY])

paired_figures = ReportTable[Comparison](
    "paired_figures",
    "Paired tests",
    "Each method against the simplest one, and against the strongest other one that asks the model and no solver. "
    "All figures are means over cases, each counting once however many queries it has, with the p-value of a two-sided "
    "sign-permutation test.",
    Lines((MODEL, METHOD, AGAINST, Column("figure", words=True)), _pairs),
    {
        **Columns[Comparison]().difference(lambda each: each.paired),
        Column("p"): lambda each: p_value(each.paired.p),
        Column("Holm"): lambda each: p_value(each.holm),
        Column("q"): lambda each: p_value(each.q),
        Column("cases"): lambda each: str(each.paired.problems),
    },
    f"{FAMILY} q: after Benjamini-Hochberg, over the same. Kept: the share of labels that need not be withdrawn. "
    "{caution}",
)
