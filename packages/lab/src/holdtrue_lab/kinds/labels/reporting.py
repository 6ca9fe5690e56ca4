"""The parts of a report about labels: tables, headline, a drawn figure, and the cases that are shown in full."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from holdtrue.kinds.labels.record import label_outcome
from holdtrue.kinds.labels.verdict_words import why
from holdtrue_lab.figures.cells import decimal, p_value, percent
from holdtrue_lab.kinds.labels.flat import QUERIES as ROWS
from holdtrue_lab.kinds.labels.metrics import (
    CONSISTENT,
    COST,
    EPISTEMIC,
    FIRST,
    MACRO_F1,
    MEASURE,
    PREFIX,
    QUERIES,
    RIGHT,
)
from holdtrue_lab.kinds.labels.report import LabelReport
from holdtrue_lab.kinds.labels.setup import is_dialogue
from holdtrue_lab.kinds.labels.shown import show_cases
from holdtrue_lab.kinds.labels.tables import CONTENTS, CONTENTS_OF_DIALOGUES
from holdtrue_lab.kit.groups import FigureRow
from holdtrue_lab.kit.headline import Figure, difference_words
from holdtrue_lab.kit.panels import draw_against
from holdtrue_lab.kit.reporting import Reporting
from holdtrue_lab.kit.words import Number


def draw_tradeoff(report: LabelReport) -> str:
    """Draw accuracy against set consistency, with 95% bars. Each model has a panel, and each method a mark."""
    return draw_against(report.groups, "tradeoff", ("queries right, %", RIGHT), ("cases consistent, %", CONSISTENT))


def _figure(report: LabelReport, row: FigureRow) -> Figure:
    return Figure(
        row.title,
        percent(row.accuracy.value),
        f"set consistency {percent(CONSISTENT(row).value)}%, revision cost {decimal(COST(row).value)}",
        f"accuracy over {QUERIES(row)} queries in {Number(row.finished):case}",
    )


def _gain(report: LabelReport, best: FigureRow, base: FigureRow) -> str:
    return "; ".join(
        f"{figure.replace('_', ' ')} {difference_words(each.paired, f'{Number(each.paired.problems):case}')}, "
        f"q {p_value(each.q)}"
        for figure in ("accuracy", "set_consistency")
        for each in report.comparisons[figure]
        if (each.arm, each.other) == (best.arm, base.arm)
    )


def _drawings(report: LabelReport) -> Mapping[str, Any]:
    what = "dialogue" if is_dialogue(report.suite) else "case"
    return {"tradeoff": draw_tradeoff(report), "what": what, "why": why, "outcome": label_outcome}


REPORTING = Reporting(
    measure=MEASURE,
    report=LabelReport,
    contents=lambda report: CONTENTS_OF_DIALOGUES if is_dialogue(report.suite) else CONTENTS,
    template="label_page.html.jinja",
    package="holdtrue_lab.kinds.labels",
    figure=_figure,
    gain=_gain,
    drawings=_drawings,
    compared={
        "set_consistency": CONSISTENT,
        "epistemic_consistency": EPISTEMIC,
        "auc_prefix_consistency": PREFIX,
        "revision_cost": COST,
        "first_accuracy": FIRST,
        "macro_f1": MACRO_F1,
    },
    conversations=show_cases,
    rows=ROWS,
)
