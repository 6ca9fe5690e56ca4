"""The figure of a report about decisions, as SVG text: help against harm."""

from __future__ import annotations

from holdtrue.figures.drawing import draw_mark, inline, line_legend, name_looks, open_panels, printable
from holdtrue.lab.kinds.decisions.report import DecisionReport


def draw_help_and_harm(report: DecisionReport) -> str:
    """Draw broken calls caught against sound calls let through, with 95% bars: a panel a model, and a mark a method."""
    methods = list(dict.fromkeys(printable(row.title) for row in report.rows))
    titles = [group.label for group in report.groups]
    with open_panels("help_and_harm", titles, (1.1, 2.6), sharex=True) as (figure, panels, out):
        for panel, group in zip(panels, report.groups, strict=False):
            panel.set_xlim(-2, 102)
            panel.set_ylim(-2, 104)
            panel.set_xlabel("sound calls let through, %")
            panel.set_ylabel("broken calls caught, %")
            for row in group.whole:
                if row.harm.let_through.value is not None and row.help.caught.value is not None:
                    number = methods.index(printable(row.title))
                    draw_mark(panel, number, row.harm.let_through, row.help.caught, (100, 100))
                    name_looks(panel, [(number, methods[number])], line="none")
        line_legend(figure, panels, methods)
    return inline(out)
