"""The figure of a report about labels, as SVG text: accuracy against consistency."""

from __future__ import annotations

from holdtrue.figures.drawing import draw_mark, inline, line_legend, name_looks, open_panels, printable
from holdtrue.lab.kinds.labels.report import LabelReport


def draw_tradeoff(report: LabelReport) -> str:
    """Draw accuracy against set consistency, with 95% bars: a panel for each model, and a mark for each method."""
    methods = list(dict.fromkeys(printable(row.title) for row in report.rows))
    titles = [group.label for group in report.groups]
    with open_panels("tradeoff", titles, (1.1, 2.6), sharex=True) as (figure, panels, out):
        for panel, group in zip(panels, report.groups, strict=False):
            panel.set_xlim(-2, 102)
            panel.set_ylim(-2, 104)
            panel.set_xlabel("queries right, %")
            panel.set_ylabel("cases consistent, %")
            for row in group.whole:
                if row.accuracy.value is not None and row.sets.consistent.value is not None:
                    number = methods.index(printable(row.title))
                    draw_mark(panel, number, row.accuracy, row.sets.consistent, (100, 100))
                    name_looks(panel, [(number, methods[number])], line="none")
        line_legend(figure, panels, methods)
    return inline(out)
