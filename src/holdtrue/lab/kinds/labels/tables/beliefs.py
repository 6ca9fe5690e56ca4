"""Dialogues as belief revision (GreedySAT, tables 1 and 2): settings, modes and systems side by side."""

from __future__ import annotations

from holdtrue.figures.cells import coverage
from holdtrue.figures.table import MODEL, Column, Table, make_table
from holdtrue.lab.kinds.labels.report import LabelReport
from holdtrue.lab.kinds.labels.row import LabelRow
from holdtrue.lab.kinds.labels.tables.columns import ACCURACY, CASES, CONSISTENT, Cells, number, share
from holdtrue.lab.kit.by_row import line_by_row
from holdtrue.lab.kit.groups import Group

_DIALOGUES: Cells = {Column("dia\u00adlogues"): lambda row: coverage(row.finished, row.problems)}
_RESULTS: Cells = {
    **share("raw acc.", lambda row: row.first_accuracy),
    **share("final acc.", lambda row: row.accuracy),
    **share("by en\u00adtail\u00adment", lambda row: row.entailed_accuracy),
    Column("en\u00adtailed of"): lambda row: coverage(row.entailed_accuracy.of, row.queries),
    Column("in\u00adcons."): lambda row: coverage(row.inconsistent, row.sets.consistent.of),
    Column("contra\u00addic\u00adtions"): lambda row: coverage(row.revisions.opposed.hits, row.revisions.opposed.of),
    Column("re\u00adtracts"): lambda row: str(row.revisions.retracted),
    **number("a dialogue", lambda row: row.revisions.per_case),
    **_DIALOGUES,
}
_REVISIONS: Cells = {
    **share("final acc.", lambda row: row.accuracy),
    Column("re\u00adtracts"): lambda row: str(row.revisions.retracted),
    Column("re\u00adjected"): lambda row: str(row.revisions.rejected),
    Column("re\u00adin\u00adstated"): lambda row: str(row.revisions.reinstated),
    Column("need\u00adless"): lambda row: coverage(row.revisions.needless.hits, row.revisions.needless.of),
    **share("policies differ", lambda row: row.revisions.differ),
    Column("of turns"): lambda row: coverage(row.revisions.differ.of, row.turns),
    **_DIALOGUES,
}


def dialogues(report: LabelReport) -> Table:
    """The published table, with what follows from the beliefs beside it."""
    return _by_setting(
        report,
        "dialogues",
        "Results by setting, mode and system",
        "Raw: each answer as it was given. Final: what the last belief about its atom says in the end, whichever "
        "answer that was; unknown without one. By entailment: what follows from rules and beliefs in the end, over the "
        "questions of dialogues that end possible; with the suite's own rules this also answers what nobody said, and "
        "who commits to nothing scores 100.0. Inconsistent: dialogues that end impossible; contradictions: dialogues "
        "in which the same thing was called true and false. System none is the baseline. Intervals are 95%, over "
        "dialogues. "
        f"{report.caution} (GreedySAT, tables 1 and 2.)",
        _RESULTS,
    )


def retractions(report: LabelReport) -> Table:
    """What became of beliefs."""
    return _by_setting(
        report,
        "retractions",
        "Beliefs withdrawn, refused and brought back",
        "Rejected: never let in, because the rules alone refute it. Needless: retractions that could have stayed, each "
        "by itself, in the end. Policies differ: turns at which screened policies would end in different beliefs, from "
        "the same state, and at how many turns that was looked for.",
        _REVISIONS,
    )


def consistency_of_dialogues(report: LabelReport) -> Table:
    """Everything about whether answers fit together."""
    return line_by_row(
        report,
        "consistency",
        "Consistency of the answers to a dialogue",
        "Epistemic: also every question answered unknown is left open by the rest. Prefixes: the mean share of a "
        "dialogue's first 1, 2, ... answers that can hold, as they stand in the end of their turn. Clashes: answers "
        "that cannot hold with the rules and the earlier answers, each clash once. Revision cost: the fewest answers "
        f"to withdraw until the rest can hold. {report.caution}",
        {
            **ACCURACY,
            **CONSISTENT,
            **share("epis\u00adtemic", lambda row: row.sets.epistemic),
            **share("pre\u00adfixes", lambda row: row.sets.prefix),
            **number("re\u00advision cost", lambda row: row.sets.cost),
            **share("clashes", lambda row: row.sets.density),
            **CASES,
        },
    )


def _by_setting(report: LabelReport, name: str, title: str, note: str, cells: Cells) -> Table:
    lines = [
        (group.label, row.domain or "all", *report.modes[row.arm], *(cell(row) for cell in cells.values()))
        for group in report.groups
        for row in _rows(group)
    ]
    words = [Column(word, words=True) for word in ("setting", "mode", "system")]
    return make_table(name, title, note, [MODEL, *words, *cells], lines)


def _rows(group: Group[LabelRow]) -> list[LabelRow]:
    """The rows by setting (and then over all, where there are several), each with the methods in their order."""
    settings = list(dict.fromkeys(row.domain for row in group.rows if row.domain is not None))
    shown = [*settings, None] if len(settings) != 1 else settings
    return [row for setting in shown for row in group.rows if row.domain == setting]
