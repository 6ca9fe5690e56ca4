"""This module lists what a report about labels shows: tables in order, headline, drawn figure and cases."""

from __future__ import annotations

from collections.abc import Mapping

from holdtrue_lab.figures.cells import decimal, p_value, percent
from holdtrue_lab.figures.drawing import draw_mark, inline, line_legend, name_looks, open_panels, printable
from holdtrue_lab.kinds.labels.flat import QUERIES
from holdtrue_lab.kinds.labels.measure import measure_labels
from holdtrue_lab.kinds.labels.report import LabelReport
from holdtrue_lab.kinds.labels.row import LabelRow
from holdtrue_lab.kinds.labels.setup import is_dialogue
from holdtrue_lab.kinds.labels.shown import show_cases
from holdtrue_lab.kinds.labels.tables import queries
from holdtrue_lab.kinds.labels.tables.revisions import (
    consistency_of_dialogues,
    dialogues,
    entailment,
    overhead,
    overhead_of_time,
    policies,
    retractions,
    revision,
    withdrawn,
)
from holdtrue_lab.kinds.labels.tables.tests import every_pair_of_methods, paired_figures
from holdtrue_lab.kit.cost_tables import COST_TABLES, right_cost
from holdtrue_lab.kit.headline import Figure, difference_words
from holdtrue_lab.kit.reporting import Reporting, figures_at
from holdtrue_lab.kit.tables import Contents
from holdtrue_lab.kit.words import Number


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


_CASES = Contents(
    sections=(
        ("Results", (queries.results, paired_figures, every_pair_of_methods, queries.results_by_domain)),
        (
            "Labels and consistency",
            (queries.labels, queries.consistency, queries.formulas, queries.confusion, queries.outcomes),
        ),
        ("Revision", (queries.revision_cost, revision, withdrawn)),
        ("Cost", (overhead, overhead_of_time, *COST_TABLES)),
    ),
    short=(queries.results, queries.consistency, right_cost),
)
_DIALOGUES = Contents(
    sections=(
        ("Results", (dialogues, entailment, retractions, policies, paired_figures, every_pair_of_methods)),
        ("Labels and consistency", (queries.labels, consistency_of_dialogues, queries.confusion, queries.outcomes)),
        ("Revision", (queries.revision_cost, revision, withdrawn)),
        ("Cost", (overhead, overhead_of_time, *COST_TABLES)),
    ),
    short=(dialogues, consistency_of_dialogues, right_cost),
)


def _figure(report: LabelReport, row: LabelRow) -> Figure:
    sets = row.sets
    return Figure(
        row.title,
        percent(row.accuracy.value),
        f"set consistency {percent(sets.consistent.value)}%, revision cost {decimal(sets.cost.value)}",
        f"accuracy over {row.queries} queries in {Number(row.finished):case}",
    )


def _gain(report: LabelReport, best: LabelRow, base: LabelRow) -> str:
    return "; ".join(
        f"{figure.replace('_', ' ')} {difference_words(each.paired, f'{Number(each.paired.problems):case}')}, "
        f"q {p_value(each.q)}"
        for figure in ("accuracy", "set_consistency")
        for each in report.comparisons[figure]
        if (each.arm, each.other) == (best.arm, base.arm)
    )


def _drawings(report: LabelReport) -> Mapping[str, str]:
    return {"tradeoff": draw_tradeoff(report), "what": "dialogue" if is_dialogue(report.suite) else "case"}


REPORTING = Reporting(
    measure=measure_labels,
    report=LabelReport,
    contents=lambda report: _DIALOGUES if is_dialogue(report.suite) else _CASES,
    template="label_page.html.jinja",
    package="holdtrue_lab.kinds.labels",
    figure=_figure,
    gain=_gain,
    drawings=_drawings,
    compared=figures_at(
        "set_consistency=sets.consistent epistemic_consistency=sets.epistemic auc_prefix_consistency=sets.prefix "
        "revision_cost=sets.cost first_accuracy macro_f1"
    ),
    conversations=show_cases,
    rows=QUERIES,
)
