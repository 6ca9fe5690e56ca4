"""The figure of a report about readings, as SVG text: risk against coverage."""

from __future__ import annotations

from holdtrue.figures.drawing import inline, line_legend, look, name_looks, open_panels, printable
from holdtrue.lab.kinds.readings.report import ReadingReport


def draw_risk(report: ReadingReport) -> str:
    """Draw how much of what is taken is wrong against the share that is taken: a panel a model, a line a reader."""
    methods = list(dict.fromkeys(printable(row.title) for row in report.rows))
    titles = [group.label for group in report.groups]
    with open_panels("risk_and_coverage", titles, (1.1, 2.6), sharex=True) as (figure, panels, out):
        for panel, group in zip(panels, report.groups, strict=False):
            panel.set_xlim(0, 102)
            panel.set_xlabel("events taken, %")
            panel.set_ylabel("of these wrong, %")
            for row in group.whole:
                found = [own for own in row.calibration.thresholds if own.risk.value is not None]
                if row.arm.method not in report.controls and found:
                    number = methods.index(printable(row.title))
                    covered = [100 * (own.covered.value or 0.0) for own in found]
                    wrong = [100 * (own.risk.value or 0.0) for own in found]
                    colour, marker, style = look(number)
                    panel.plot(covered, wrong, color=colour, marker=marker, ls=style, ms=5, lw=1.4)
                    name_looks(panel, [(number, methods[number])])
        line_legend(figure, panels, methods)
    return inline(out)
