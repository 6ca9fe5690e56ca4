"""The parts of a report about decisions, and its rows for Parquet and for scorers."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from holdtrue_lab.figures.cells import coverage, percent, share
from holdtrue_lab.kinds.decisions.entry import DecisionEntry, DecisionScore
from holdtrue_lab.kinds.decisions.method import GUARD
from holdtrue_lab.kinds.decisions.metrics import CAUGHT, FALSE_BLOCKS, LET_THROUGH, MEASURE, MISSED
from holdtrue_lab.kinds.decisions.report import DecisionReport
from holdtrue_lab.kinds.decisions.shown import say_decision, say_label, say_score, show_conversations
from holdtrue_lab.kinds.decisions.tables import CONTENTS
from holdtrue_lab.kit.flat import NAMED, FlatRows, solver
from holdtrue_lab.kit.groups import FigureRow
from holdtrue_lab.kit.headline import Figure, gain_over_plain, over_plain
from holdtrue_lab.kit.panels import draw_against
from holdtrue_lab.kit.reporting import Reporting
from holdtrue_lab.kit.words import Number


@dataclass(frozen=True, slots=True)
class _Call:
    folder: Path
    entry: DecisionEntry

    @property
    def score(self) -> DecisionScore | None:
        return self.entry.against

    @property
    def record(self) -> str | None:
        """The guard's own record as JSON."""
        record = self.entry.record.detail.record
        return None if record is None else json.dumps(record)


def _calls(folder: Path, turns: Sequence[DecisionEntry]) -> Iterator[_Call]:
    return (_Call(folder, entry) for entry in turns)


CALLS = FlatRows(
    DecisionEntry,
    {
        **NAMED,
        "task": (str, "entry.record.detail.task"),
        "trial": (int, "entry.record.detail.trial"),
        "message": (int, "entry.record.detail.message"),
        "turns": (int, "entry.turns"),
        "turn": (int, "entry.turn"),
        "model": (str, "entry.record.model"),
        "method": (str, "entry.method"),
        "mode": (str, "entry.record.variant"),
        "tool": (str, "entry.record.detail.tool"),
        "arguments": (str, "entry.record.detail.arguments"),
        "decision": (str, "entry.record.detail.decision"),
        "rules": (str, "entry.record.detail.rules"),
        "labelled_rules": (str, "entry.record.detail.labelled_rules"),
        "assumptions": (int, "entry.record.detail.assumptions"),
        "undecided": (str, "entry.record.detail.undecided"),
        "unread": (int, "entry.record.detail.unread"),
        "why": (str, "entry.record.detail.why"),
        "record": (str, "record"),
        "replayed": (bool, "entry.score.replayed"),
        "reward": (float, "entry.score.reward"),
        "executed": (bool, "score.executed"),
        "standing": (str, "score.standing"),
        "correct": (bool, "score.correct"),
        "clean": (bool, "score.clean"),
        "caught": (bool, "score.caught"),
        "false_block": (bool, "score.false_block"),
        "let_through": (bool, "score.let_through"),
        "asked": (bool, "score.asked"),
        "broken": (str, "score.broken"),
        "found": (str, "score.found"),
        "unfounded": (str, "score.unfounded"),
        "rejected": (str, "score.rejected"),
        **solver("entry.record"),
    },
    _calls,
)


def predict(entries: Iterable[DecisionEntry]) -> Iterator[Mapping[str, Any]]:
    """Yield the decision of each entry, with its rules by the ids of the labels. A dialogue has one object for all
    calls.
    """
    dialogues: dict[str, list[Mapping[str, Any]]] = {}
    for entry in entries:
        detail = entry.record.detail
        if detail.call:
            form = {"call": detail.call, "mutant": detail.form, "decision": detail.decision.value}
            dialogues.setdefault(entry.problem, []).append({**form, "slots": list(detail.named)})
            continue
        yield {
            "task": detail.task,
            "trial": detail.trial,
            "message": detail.message,
            "decision": detail.decision.value,
            "rules": list(detail.labelled_rules),
        }
    for problem, calls in dialogues.items():
        yield {"id": problem, "turns": [], "calls": calls}


def draw_help_and_harm(report: DecisionReport) -> str:
    """Draw broken calls caught against sound calls let through, with 95% bars. Each model has a panel, and each method
    a mark.
    """
    x, y = ("sound calls let through, %", LET_THROUGH), ("broken calls caught, %", CAUGHT)
    return draw_against(report.groups, "help_and_harm", x, y)


def _figure(report: DecisionReport, row: FigureRow) -> Figure:
    return Figure(
        row.title,
        percent(CAUGHT(row).value),
        f"missed {share(MISSED(row))}, false blocks {share(FALSE_BLOCKS(row))}, sound calls let through "
        f"{share(LET_THROUGH(row))}",
        f"caught {coverage(CAUGHT(row).hits, CAUGHT(row).of)} broken calls, in {Number(row.finished):conversation}",
    )


# The functions by which the page's template describes an entry.
_SAYING = {"told": say_decision, "label": say_label, "worth": say_score}

REPORTING = Reporting(
    measure=MEASURE,
    report=DecisionReport,
    contents=lambda report: CONTENTS,
    template="decision_page.html.jinja",
    package="holdtrue_lab.kinds.decisions",
    figure=_figure,
    gain=gain_over_plain("right decisions", "task"),
    strongest=over_plain(GUARD),
    drawings=lambda report: {"help_and_harm": draw_help_and_harm(report), **_SAYING},
    compared=MEASURE.metrics.compared,
    conversations=show_conversations,
    rows=CALLS,
    predictions=predict,
)
