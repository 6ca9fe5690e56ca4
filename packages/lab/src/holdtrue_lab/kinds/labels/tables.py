"""The tables of a report about queries.

They have the published columns (method, Acc, SetCons, RevCost, Overhead), and columns about revision. Dialogues have
separate tables, which show them as belief revision (GreedySAT, tables 1 and 2).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from holdtrue.kinds.labels.record import LabelOutcome
from holdtrue.record import Label
from holdtrue_lab.figures.cells import MISSING, coverage, divide, percent, times
from holdtrue_lab.figures.statistics import Rate
from holdtrue_lab.figures.table import MODEL, Column
from holdtrue_lab.kinds.labels import metrics as own
from holdtrue_lab.kinds.labels.report import LabelReport
from holdtrue_lab.kit.arm import Arm
from holdtrue_lab.kit.comparison import Comparison
from holdtrue_lab.kit.cost_tables import COST_TABLES, right_cost
from holdtrue_lab.kit.groups import FigureRow
from holdtrue_lab.kit.metrics import Metric
from holdtrue_lab.kit.pairs import FAMILY
from holdtrue_lab.kit.plays import ACCURACY
from holdtrue_lab.kit.tables import (
    AGAINST,
    BY_DOMAIN,
    BY_METHOD,
    METHOD,
    Cells,
    Columns,
    Contents,
    Lines,
    ReportTable,
    by_part,
    columns,
    every_pair,
    pair_columns,
)

Row = ReportTable[FigureRow]
ROW = Columns[FigureRow]()
FINISHED: Cells[FigureRow] = {Column("cases"): lambda row: coverage(row.finished, row.problems)}
CASES: Cells[FigureRow] = {**FINISHED, **ROW.count("failed", lambda row: row.failed, optional=True)}
RIGHT = columns(own.RIGHT)
RESULT = columns(own.RIGHT, own.CONSISTENT, own.COST)


def _of(rate: Rate) -> str:
    return coverage(rate.hits, rate.of)


def _out_of(title: str, metric: Metric[Any, Rate]) -> Cells[FigureRow]:
    return {Column(title): lambda row: _of(metric(row))}


_FORMAL = _out_of("formal", own.FORMAL)
_DECIDED: Cells[FigureRow] = {Column("decided"): lambda row: coverage(own.CONSISTENT(row).of, row.finished)}

_MEASURES = (
    "Accuracy is over queries, set consistency over cases: the premises and all labels can hold together. Revision "
    "cost: the fewest labels to withdraw until they can, mean over cases."
)
_MORE = "Rows about oracle premises used the suite's own formulas."

results = Row(
    "results",
    "Results",
    _MEASURES,
    BY_METHOD,
    {
        **RESULT,
        Column("over\u00adhead, time"): lambda row: times(own.TIMES["seconds"](row)),
        Column("over\u00adhead, tokens"): lambda row: times(own.TIMES["tokens"](row)),
        **CASES,
    },
    f"Overhead: wall time and tokens, as a multiple of direct's on the same cases. {_MORE} {{caution}}",
)
results_by_domain = Row(
    "results_by_domain", "Results by domain", _MEASURES, BY_DOMAIN, {**RESULT, **CASES}, f"{_MORE} {{caution}}"
)

labels = Row(
    "labels",
    "Labels",
    "F1 of each label's own, macro: the mean of the three. First: the labels before anything was checked.",
    BY_METHOD,
    {
        **columns(own.RIGHT, own.MACRO_F1, own.UNKNOWN_F1, own.FIRST),
        Column("without a label"): lambda row: coverage(own.UNPARSED(row), own.QUERIES(row)),
        **CASES,
    },
    "Without a label: queries whose answer could not be read; they count as wrong.",
)


def _consistency(title: str, note: str, more: str) -> Row:
    cells = {**columns(own.RIGHT, own.CONSISTENT, own.EPISTEMIC, own.PREFIX, own.CLASHES), **_DECIDED}
    return Row("consistency", title, note, BY_METHOD, cells, more)


consistency = _consistency(
    "Consistency of the answers to a case",
    "Epistemic: also every statement called UNKNOWN is left open by the rest. Prefixes: the mean share of a case's "
    "first 1, 2, ... answers that can hold.",
    "Clashes: answers that cannot hold with the premises and the earlier answers, each clash once. Decided: cases of "
    "which it was found out whether all answers can hold. {caution}",
)
consistency_of_dialogues = _consistency(
    "Consistency of the answers to a dialogue",
    "Epistemic: also every question answered unknown is left open by the rest. Prefixes: the mean share of a "
    "dialogue's first 1, 2, ... answers that can hold, as they stand in the end of their turn.",
    "Clashes: answers that cannot hold with the rules and the earlier answers, each clash once. Decided: dialogues of "
    "which it was found out whether all answers can hold. {caution}",
)

revision_cost = Row(
    "revision_cost",
    "What would have to be withdrawn",
    "Revision cost: the fewest labels to withdraw until the rest can hold, mean over cases; where needed: over "
    "inconsistent cases alone. Formal: queries whose statement has a formula; the others are left out.",
    BY_METHOD,
    {**RESULT, **columns(own.COST_NEEDED), **_FORMAL, **CASES},
    " {caution}",
)

formulas = Row(
    "formulas",
    "Where formulas come from, and how far they can be trusted",
    "Formulas: gold (the suite's own), file (of a published file), or model (the model of the row wrote them). Formal: "
    "queries that have one, of premises that can all hold; re-proved: of a model's formulas that settle a query, those "
    "that prove its true label.",
    BY_METHOD,
    {
        **RIGHT,
        Column("formulas", words=True): own.FORMULAS_OF,
        **_FORMAL,
        **_out_of("settled", own.SETTLED),
        **columns(own.PROVED_RIGHT),
        **_DECIDED,
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
    by_part("true label", lambda row: ((label.value, own.CONFUSION(row)[label]) for label in Label)),
    {
        **{Column(label.value): _given(label.value) for label in Label},
        Column(own.NO_LABEL): _given(own.NO_LABEL),
        Column("queries"): lambda counts: str(sum(counts.values())),
    },
)

_NO_LABELS = (LabelOutcome.UNPARSED, LabelOutcome.REFUSED)


def _outcome(*outcomes: LabelOutcome) -> Callable[[FigureRow], str]:
    return lambda row: percent(divide(sum(own.OUTCOMES(row)[outcome] for outcome in outcomes), own.TURNS(row)))


outcomes = Row(
    "outcomes",
    "What checks found in the last labels of a turn",
    "Percent of turns, before revision, by the formulas that the run had; accuracy is of queries. Contradicts "
    "premises: some label is refuted by the premises alone; beliefs: labels clash with each other, or with earlier "
    "ones.",
    BY_METHOD,
    {
        **RIGHT,
        Column("no labels %"): _outcome(*_NO_LABELS),
        **{
            Column(f"{outcome.replace('_', ' ')} %"): _outcome(outcome)
            for outcome in LabelOutcome
            if outcome not in _NO_LABELS
        },
        **columns(own.TURNS),
    },
    "No labels: the answer could not be read, or the model or a filter declined. {caution}",
)

revision = Row(
    "revision",
    "Changed answers",
    "Edits: labels that the method itself changed, mean over cases. Revision cost is what is left to withdraw.",
    BY_METHOD,
    {**columns(own.FIRST, own.RIGHT, own.EDITS, own.COST), **CASES},
)


def _events(title: str, metric: Metric[Any, int]) -> Cells[FigureRow]:
    return ROW.count(title, metric, optional=True)


def _needless(row: FigureRow) -> str:
    found = own.NEEDLESS(row)
    return _of(found) if found.of else MISSING


def _differ(row: FigureRow) -> str:
    found = own.DIFFER(row)
    return f"{percent(found.value)} of {found.of}" if found.of else MISSING


withdrawn = Row(
    "withdrawn",
    "Withdrawn answers",
    "Retracted: beliefs given up, by the solver's verdict; needless are those that could have stayed. Rejected: never "
    "let in, because they contradict the premises alone.",
    BY_METHOD,
    {
        **RIGHT,
        **_events("re\u00adtracted", own.RETRACTED),
        **columns(own.PER_CASE),
        **_events("re\u00adjected", own.REJECTED),
        **_events("re\u00adinstated", own.REINSTATED),
        Column("need\u00adless", optional=True): _needless,
        Column("policies differ %"): _differ,
    },
    "Policies differ: turns at which screened policies would end in different beliefs, of those where a policy was at "
    "work.",
)


def _spent(*names: str) -> Cells[FigureRow]:
    return columns(*(metric for name in names for metric in (own.SPENDS[name], own.TIMES[name])))


_MEANS = (
    "Means per case. Times: as a multiple of what the simplest method (direct; none "
    "where beliefs are revised) spends on the same cases."
)
overhead = Row("overhead", "Overhead", _MEANS, BY_METHOD, {**RIGHT, **_spent("calls", "tokens"), **CASES})
overhead_of_time = Row(
    "overhead_of_time",
    "Overhead of time",
    _MEANS,
    BY_METHOD,
    {**_spent("seconds", "latency_s", "solver_calls"), **FINISHED},
    "Seconds: the recorded time of its calls, whichever method paid for them, and the CPU time of its solver. Solver "
    "calls: the method's own.",
)


def _settings(report: LabelReport) -> Iterator[tuple[Sequence[str], FigureRow]]:
    """Yield the rows by setting, with the methods in order. After several settings, rows over all of them follow."""
    for group in report.groups:
        settings = list(dict.fromkeys(row.domain for row in group.rows if row.domain is not None))
        for setting in [*settings, None] if len(settings) != 1 else settings:
            for row in group.rows:
                if row.domain == setting:
                    yield (group.label, row.domain or "all", *report.modes[row.arm]), row


_BY_SETTING = Lines((MODEL, *(Column(word, words=True) for word in ("setting", "mode", "system"))), _settings)
_DIALOGUES: Cells[FigureRow] = {Column("dia\u00adlogues"): lambda row: coverage(row.finished, row.problems)}
_FINAL = ROW.share("final acc.", own.RIGHT)
_FINAL_SAID = (
    "Final: what the last belief about its atom says in the end, whichever answer that was; unknown without one."
)

dialogues = Row(
    "dialogues",
    "Results by setting, mode and system",
    f"Raw: each answer as it was given. {_FINAL_SAID}",
    _BY_SETTING,
    {
        **ROW.share("raw acc.", own.FIRST),
        **_FINAL,
        Column("in\u00adcons."): lambda row: coverage(own.INCONSISTENT(row), own.CONSISTENT(row).of),
        **columns(own.RETRACTED),
        **_DIALOGUES,
    },
    "Inconsistent: dialogues that end impossible. System none is the baseline. {caution} (GreedySAT, tables 1 and 2.)",
)
entailment = Row(
    "entailment",
    "What follows from rules and beliefs in the end",
    "By entailment: what follows from rules and beliefs in the end, over the questions of dialogues that end possible. "
    "Contradictions: dialogues in which the same thing was called true and false.",
    _BY_SETTING,
    {
        **_FINAL,
        **columns(own.ENTAILED),
        Column("en\u00adtailed of"): lambda row: coverage(own.ENTAILED(row).of, own.QUERIES(row)),
        **_out_of("contra\u00addic\u00adtions", own.OPPOSED),
        **_DIALOGUES,
    },
    "With the suite's own rules entailment also answers what nobody said, and who commits to nothing scores 100.0. "
    f"{_FINAL_SAID} (GreedySAT, table 2.)",
)
retractions = Row(
    "retractions",
    "Beliefs withdrawn",
    "Retracts: beliefs withdrawn. Needless: retractions that could have stayed, each by itself, in the end.",
    _BY_SETTING,
    {
        **_FINAL,
        **columns(own.RETRACTED),
        **ROW.number("a dialogue", own.PER_CASE),
        **_out_of("need\u00adless", own.NEEDLESS),
        **_DIALOGUES,
    },
    _FINAL_SAID,
)
policies = Row(
    "policies",
    "Beliefs refused and brought back, and where policies differ",
    "Rejected: never let in, because the rules alone refute it. Policies differ: turns at which screened policies "
    "would end in different beliefs, from the same state, and at how many turns that was looked for.",
    _BY_SETTING,
    {
        **_FINAL,
        **columns(own.REJECTED, own.REINSTATED, own.DIFFER),
        Column("of turns"): lambda row: coverage(own.DIFFER(row).of, own.TURNS(row)),
    },
    _FINAL_SAID,
)


def _pairs(report: LabelReport) -> Iterator[tuple[Sequence[str], Comparison]]:
    """Yield the figures of each pair together, beginning with accuracy, because consistency alone says nothing."""
    found = {(each.arm, each.other, figure): each for figure in own.FIGURES for each in report.comparisons[figure]}
    planned = (pair for pair, each in found.items() if each.planned)
    pairs: dict[tuple[Arm, Arm], None] = dict.fromkeys((arm, other) for arm, other, _ in planned)
    names = report.names
    for arm, other in pairs:
        about = (names.model(arm), names.method(arm), names.method(other))
        for figure in own.FIGURES if (arm, other, ACCURACY) in found else ():
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
    pair_columns("cases", q=True),
    f"{FAMILY} q: after Benjamini-Hochberg, over the same. Kept: the share of labels that need not be withdrawn. "
    "{caution}",
)

_REVISION = ("Revision", (revision_cost, revision, withdrawn))
_COST = ("Cost", (overhead, overhead_of_time, *COST_TABLES))
CONTENTS = Contents(
    sections=(
        ("Results", (results, paired_figures, every_pair_of_methods, results_by_domain)),
        ("Labels and consistency", (labels, consistency, formulas, confusion, outcomes)),
        _REVISION,
        _COST,
    ),
    short=(results, consistency, right_cost),
)
CONTENTS_OF_DIALOGUES = Contents(
    sections=(
        ("Results", (dialogues, entailment, retractions, policies, paired_figures, every_pair_of_methods)),
        ("Labels and consistency", (labels, consistency_of_dialogues, confusion, outcomes)),
        _REVISION,
        _COST,
    ),
    short=(dialogues, consistency_of_dialogues, right_cost),
)
