"""The parts of a report about labels: tables, headline, a drawn figure, cases in full, and Parquet rows.

Parquet has a row for each query. A case is held in memory until its last turn, because only then the final label of
each query is known.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from holdtrue.kinds.labels.record import label_outcome
from holdtrue.kinds.labels.verdict_words import why
from holdtrue.record import Usage
from holdtrue_lab.figures.cells import decimal, p_value, percent
from holdtrue_lab.kinds.labels.entry import LabelEntry, first_labels
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
from holdtrue_lab.kit.flat import COSTS, NAMED, RETRY_COLUMNS, FlatRows, solver, spent
from holdtrue_lab.kit.groups import FigureRow
from holdtrue_lab.kit.headline import Figure, difference_words
from holdtrue_lab.kit.panels import draw_against
from holdtrue_lab.kit.reporting import Reporting
from holdtrue_lab.kit.words import Number


@dataclass(frozen=True, slots=True)
class _Query:
    """A query of a turn; `last` is the last turn of the query's case, and `place` the query's index in its turn."""

    folder: Path
    entry: LabelEntry
    last: LabelEntry
    id: str
    statement: str
    place: int
    first: str | None
    retractions: int
    own: Usage

    @property
    def gold(self) -> str | None:
        return None if self.entry.score is None else self.entry.score.gold.get(self.id)

    @property
    def final(self) -> str | None:
        return self.last.record.detail.labels.get(self.id)

    def is_gold(self, label: str | None) -> bool | None:
        return None if self.gold is None else label == self.gold

    def flag(self, name: str) -> bool | None:
        """Return this query's value in the field `name` of the turn's score, which has one value for each query."""
        flags: Sequence[bool | None] = () if self.entry.score is None else getattr(self.entry.score, name)
        return flags[self.place] if self.place < len(flags) else None


def _queries(folder: Path, case: Sequence[LabelEntry]) -> Iterator[_Query]:
    """Yield each query of a case. The turns must come in order."""
    retracted = [event.id for entry in case for event in entry.record.events if event.kind == "set_aside"]
    for entry in case:
        first, own = first_labels(entry.record), entry.record.usage
        for place, (id, statement) in enumerate(entry.record.detail.asked.items()):
            yield _Query(folder, entry, case[-1], id, statement, place, first.get(id), retracted.count(id), own)


def _cases(played: Iterable[tuple[Path, LabelEntry]]) -> Iterator[tuple[Path, list[LabelEntry]]]:
    """Yield the turns of each case under each method, as soon as they are complete.

    Incomplete cases follow at the end of a run.
    """
    begun: dict[tuple[Path, str, str], list[LabelEntry]] = {}
    for folder, entry in played:
        if any(key[0] != folder for key in begun):
            yield from ((key[0], begun.pop(key)) for key in list(begun))
        key = (folder, entry.problem, entry.method)
        begun.setdefault(key, []).append(entry)
        if entry.turn == entry.turns:
            yield folder, begun.pop(key)
    yield from ((key[0], turns) for key, turns in begun.items())


ROWS = FlatRows(
    LabelEntry,
    {
        **NAMED,
        "turns": (int, "entry.turns"),
        "model": (str, "entry.record.model"),
        "method": (str, "entry.method"),
        "asked": (str, "entry.record.variant"),  # one at a time, or as a bundle
        "formal": (str, "entry.record.reader"),  # the source of formulas: gold (an oracle if it is used) or llm
        "finished": (bool, lambda query: query.last.turn == query.entry.turns),
        "turn": (int, "entry.turn"),
        "query": (str, "id"),
        "statement": (str, "statement"),
        "gold": (str, "gold"),
        "first": (str, "first"),  # the label before anything was checked
        "label": (str, lambda query: query.entry.record.detail.labels.get(query.id)),  # the label after its turn
        "final": (str, "final"),  # the label after the last turn
        "entailed": (str, lambda query: query.last.record.detail.entailed.get(query.id)),  # by the final beliefs
        "confidence": (float, lambda query: query.entry.record.final.confidence.get(query.id)),
        "correct": (bool, lambda query: query.is_gold(query.final)),
        "first_correct": (bool, lambda query: query.is_gold(query.first)),
        "outcome": (str, lambda query: label_outcome(query.entry.record.final.verdict)),  # of the turn's last attempt
        "clash": (bool, lambda query: query.flag("clash")),
        "prefix": (bool, lambda query: query.flag("prefix")),
        "retractions": (int, "retractions"),
        "attempts": (int, "entry.record.attempts"),  # of the turn, as are all costs
        **RETRY_COLUMNS,
        "queries": (int, lambda query: len(query.entry.record.detail.asked)),  # asked in the turn
        **spent("own", *COSTS),
        **solver("entry.record"),
        "set_consistent": (bool, "last.score.whole.consistent"),  # of the case
        "epistemic": (bool, "last.score.whole.epistemic"),
        "revision_cost": (int, "last.score.whole.revision_cost"),
    },
    _queries,
    _cases,
)


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
