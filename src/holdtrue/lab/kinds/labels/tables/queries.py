"""Answers to queries: how many are right, and whether they can all be right together.

The form of the published results is method, Acc, SetCons, RevCost, Overhead.
"""

from __future__ import annotations

from holdtrue.figures.cells import coverage, divide, percent, times
from holdtrue.figures.table import MODEL, Column, Table, make_table
from holdtrue.kinds.labels.record import LabelOutcome
from holdtrue.lab.kinds.labels.report import LabelReport
from holdtrue.lab.kinds.labels.row import NO_LABEL, LabelRow
from holdtrue.lab.kinds.labels.tables.columns import ACCURACY, CASES, CONSISTENT, COST, LabelCell, number, share
from holdtrue.lab.kit.by_row import METHOD, line_by_row
from holdtrue.record import Label

_MEASURES = (
    "Accuracy is over queries, set consistency over cases: the premises and all labels can hold together. Revision "
    "cost: the fewest labels to withdraw until they can, mean over cases. Rows about oracle premises used the suite's "
    "own formulas; intervals are 95%, over cases."
)


def results(report: LabelReport) -> Table:
    """The published table."""
    return line_by_row(
        report,
        "results",
        "Results",
        f"{_MEASURES} Overhead: wall time and tokens, as a multiple of direct's on the same cases. {report.caution}",
        {
            **ACCURACY,
            **CONSISTENT,
            **COST,
            Column("over\u00adhead, time"): lambda row: times(row.overhead.elapsed_s.times_direct),
            Column("over\u00adhead, tokens"): lambda row: times(row.overhead.tokens.times_direct),
            **CASES,
        },
    )


def results_by_domain(report: LabelReport) -> Table:
    """The same figures in each domain."""
    return line_by_row(
        report,
        "results_by_domain",
        "Results by domain",
        f"{_MEASURES} {report.caution}",
        {**ACCURACY, **CONSISTENT, **COST, **CASES},
        by_domain=True,
    )


def labels(report: LabelReport) -> Table:
    """How good the labels are, one by one."""
    return line_by_row(
        report,
        "labels",
        "Labels",
        "F1 of each label's own, macro: the mean of the three. First: the labels before anything was checked. Without "
        "a label: queries whose answer could not be read; they count as wrong.",
        {
            **ACCURACY,
            **share("macro F1", lambda row: row.macro_f1),
            **share("UNKNOWN F1", lambda row: row.unknown_f1),
            **share("first accu\u00adracy", lambda row: row.first_accuracy),
            Column("without a label"): lambda row: coverage(row.unparsed, row.queries),
            **CASES,
        },
    )


def consistency(report: LabelReport) -> Table:
    """Everything about whether answers fit together."""
    return line_by_row(
        report,
        "consistency",
        "Consistency of the answers to a case",
        "Epistemic: also every statement called UNKNOWN is left open by the rest. Prefixes: the mean share of a case's "
        "first 1, 2, ... answers that can hold. Cost where needed: over inconsistent cases alone. Clashes: answers "
        "that cannot hold with the premises and the earlier answers, each clash once. Formal: queries whose statement "
        f"has a formula; the others are left out. {report.caution}",
        {
            **ACCURACY,
            **CONSISTENT,
            **share("epis\u00adtemic", lambda row: row.sets.epistemic),
            **share("pre\u00adfixes", lambda row: row.sets.prefix),
            **COST,
            **number("cost where needed", lambda row: row.sets.cost_inconsistent),
            **share("clashes", lambda row: row.sets.density),
            Column("decided"): lambda row: coverage(row.sets.consistent.of, row.finished),
            Column("formal"): lambda row: coverage(row.sets.formal.hits, row.sets.formal.of),
        },
    )


def confusion(report: LabelReport) -> Table:
    """What true labels were answered with."""
    given = (*(label.value for label in Label), NO_LABEL)
    lines = []
    for group in report.groups:
        for row in group.whole:
            for label in Label:
                counts = row.confusion[label]
                of = sum(counts.values())
                shares = (f"{counts[name]} ({percent(divide(counts[name], of))}%)" for name in given)
                lines.append((group.label, report.names.method(row.arm), label.value, *shares, str(of)))
    return make_table(
        "confusion",
        "Labels given, by true label",
        "Queries by their true label and by the one that they have in the end, and the share of the true label.",
        [
            MODEL,
            METHOD,
            Column("true label", words=True),
            *(Column(name.lower() if name == NO_LABEL else name) for name in given),
            Column("queries"),
        ],
        lines,
    )


def outcomes(report: LabelReport) -> Table:
    """What the checks said of the labels that were delivered."""
    return line_by_row(
        report,
        "outcomes",
        "What checks found in the last labels of a turn",
        "Percent of turns, before revision, by the formulas that the run had. Contradicts premises: some label is "
        "refuted by the premises alone. Contradicts beliefs: labels clash with each other, or with earlier ones. "
        f"{report.caution}",
        {
            **ACCURACY,
            **{Column(f"{outcome.replace('_', ' ')} %"): _outcome(outcome) for outcome in LabelOutcome},
            Column("turns"): lambda row: str(row.turns),
        },
    )


def _outcome(outcome: LabelOutcome) -> LabelCell:
    def cell(row: LabelRow) -> str:
        return percent(divide(row.outcomes[outcome], row.turns))

    return cell
