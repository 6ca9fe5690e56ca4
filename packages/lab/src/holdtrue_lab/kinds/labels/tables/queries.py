"""Report tables about answers to queries: how many are right, and whether they can all be right together.

Their columns are the published ones: method, Acc, SetCons, RevCost, Overhead.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from holdtrue.kinds.labels.record import LabelOutcome
from holdtrue.record import Label
from holdtrue_lab.figures.cells import coverage, divide, percent, times
from holdtrue_lab.figures.table import Column
from holdtrue_lab.kinds.labels.row import NO_LABEL, LabelRow
from holdtrue_lab.kinds.labels.tables import ACCURACY, CASES, CONSISTENT, COST, ROW
from holdtrue_lab.kit.tables import BY_DOMAIN, BY_METHOD, ReportTable, by_part

_MEASURES = (
    "Accuracy is over queries, set consistency over cases: the premises and all labels can hold together. Revision "
    "cost: the fewest labels to withdraw until they can, mean over cases."
)
_MORE = "Rows about oracle premises used the suite's own formulas."

results = ReportTable[LabelRow](
    "results",
    "Results",
    _MEASURES,
    BY_METHOD,
    {
        **ACCURACY,
        **CONSISTENT,
        **COST,
        Column("over\u00adhead, time"): lambda row: times(row.overhead.seconds.times_direct),
        Column("over\u00adhead, tokens"): lambda row: times(row.overhead.tokens.times_direct),
        **CASES,
    },
    f"Overhead: wall time and tokens, as a multiple of direct's on the same cases. {_MORE} {{caution}}",
)

results_by_domain = ReportTable[LabelRow](
    "results_by_domain",
    "Results by domain",
    _MEASURES,
    BY_DOMAIN,
    {**ACCURACY, **CONSISTENT, **COST, **CASES},
    f"{_MORE} {{caution}}",
)

labels = ReportTable[LabelRow](
    "labels",
    "Labels",
    "F1 of each label's own, macro: the mean of the three. First: the labels before anything was checked.",
    BY_METHOD,
    {
        **ACCURACY,
        **ROW.share("macro F1", lambda row: row.macro_f1),
        **ROW.share("UNKNOWN F1", lambda row: row.unknown_f1),
        **ROW.share("first accu\u00adracy", lambda row: row.first_accuracy),
        Column("without a label"): lambda row: coverage(row.unparsed, row.queries),
        **CASES,
    },
    "Without a label: queries whose answer could not be read; they count as wrong.",
)

consistency = ReportTable[LabelRow](
    "consistency",
    "Consistency of the answers to a case",
    "Epistemic: also every statement called UNKNOWN is left open by the rest. Prefixes: the mean share of a case's "
    "first 1, 2, ... answers that can hold.",
    BY_METHOD,
    {
        **ACCURACY,
        **CONSISTENT,
        **ROW.share("epis\u00adtemic", lambda row: row.sets.epistemic),
        **ROW.share("pre\u00adfixes", lambda row: row.sets.prefix),
        **ROW.share("clashes", lambda row: row.sets.density),
        Column("decided"): lambda row: coverage(row.sets.consistent.of, row.finished),
    },
    "Clashes: answers that cannot hold with the premises and the earlier answers, each clash once. Decided: cases of "
    "which it was found out whether all answers can hold. {caution}",
)

revision_cost = ReportTable[LabelRow](
    "revision_cost",
    "What would have to be withdrawn",
    "Revision cost: the fewest labels to withdraw until the rest can hold, mean over cases; where needed: over "
    "inconsistent cases alone. Formal: queries whose statement has a formula; the others are left out.",
    BY_METHOD,
    {
        **ACCURACY,
        **CONSISTENT,
        **COST,
        **ROW.number("cost where needed", lambda row: row.sets.cost_inconsistent),
        Column("formal"): lambda row: coverage(row.sets.formal.hits, row.sets.formal.of),
        **CASES,
    },
    " {caution}",
)

formulas = ReportTable[LabelRow](
    "formulas",
    "Where formulas come from, and how far they can be trusted",
    "Formulas: gold (the suite's own), file (of a published file), or model (the model of the row wrote them). Formal: "
    "queries that have one, of premises that can all hold; re-proved: of a model's formulas that settle a query, those "
    "that prove its true label.",
    BY_METHOD,
    {
        **ACCURACY,
        Column("formulas", words=True): lambda row: row.formulas_of,
        Column("formal"): lambda row: coverage(row.sets.formal.hits, row.sets.formal.of),
        Column("settled"): lambda row: coverage(row.formulas.settled.hits, row.formulas.settled.of),
        **ROW.share("re-proved", lambda row: row.formulas.right),
        Column("decided"): lambda row: coverage(row.sets.consistent.of, row.finished),
        **CASES,
    },
    "All set metrics are about these formulas. Where they are a model's, a set is consistent as far as that model "
    "understood the sentences; true labels only measure that, and change nothing. Decided: cases of which it was found "
    "out whether all answers can hold.",
)

Counts = Mapping[str, int]


def _given(name: str) -> Callable[[Counts], str]:
    return lambda counts: f"{counts[name]} ({percent(divide(counts[name], sum(counts.values())))}%)"


confusion = ReportTable[Counts](
    "confusion",
    "Labels given, by true label",
    "Queries by their true label and by the one that they have in the end, and the share of the true label.",
    by_part("true label", lambda row: ((label.value, row.confusion[label]) for label in Label)),
    {
        **{Column(label.value): _given(label.value) for label in Label},
        Column(NO_LABEL.lower()): _given(NO_LABEL),
        Column("queries"): lambda counts: str(sum(counts.values())),
    },
)


_NO_LABELS = (LabelOutcome.UNPARSED, LabelOutcome.REFUSED)


def _outcome(*outcomes: LabelOutcome) -> Callable[[LabelRow], str]:
    return lambda row: percent(divide(sum(row.outcomes[outcome] for outcome in outcomes), row.turns))


outcomes = ReportTable[LabelRow](
    "outcomes",
    "What checks found in the last labels of a turn",
    "Percent of turns, before revision, by the formulas that the run had; accuracy is of queries. Contradicts "
    "premises: some label is refuted by the premises alone; beliefs: labels clash with each other, or with earlier "
    "ones.",
    BY_METHOD,
    {
        **ACCURACY,
        Column("no labels %"): _outcome(*_NO_LABELS),
        **{
            Column(f"{outcome.replace('_', ' ')} %"): _outcome(outcome)
            for outcome in LabelOutcome
            if outcome not in _NO_LABELS
        },
        **ROW.count("turns", lambda row: row.turns),
    },
    "No labels: the answer could not be read, or the model or a filter declined. {caution}",
)
