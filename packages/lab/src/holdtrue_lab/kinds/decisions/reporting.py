"""The parts of a report about decisions, and its rows for Parquet and for scorers."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from holdtrue_lab.figures.cells import coverage, percent, share
from holdtrue_lab.kinds.decisions.entry import DecisionDetail, DecisionEntry, DecisionKind, DecisionScore
from holdtrue_lab.kinds.decisions.method import GUARD
from holdtrue_lab.kinds.decisions.metrics import CAUGHT, FALSE_BLOCKS, LET_THROUGH, MEASURE, MISSED
from holdtrue_lab.kinds.decisions.report import DecisionReport
from holdtrue_lab.kinds.decisions.tables import CONTENTS
from holdtrue_lab.kit.flat import NAMED, FlatRows, solver
from holdtrue_lab.kit.groups import FigureRow
from holdtrue_lab.kit.headline import Figure, gain_over_plain, over_plain
from holdtrue_lab.kit.panels import draw_against
from holdtrue_lab.kit.reporting import Reporting
from holdtrue_lab.kit.shown import ProblemOnPage, show_most_telling
from holdtrue_lab.kit.transcript import shorten, title_of
from holdtrue_lab.kit.words import Number

_STANDINGS = {
    "broken": "it breaks a rule by the facts",
    "undecided": "the facts seen leave it undecided",
    "sound": "it is sound by the facts",
    "open": "facts do not say whether it is right",
}
_DECIDED = {
    DecisionKind.ALLOW: "allowed",
    DecisionKind.BLOCK: "blocked",
    DecisionKind.ASK: "asked about",
    DecisionKind.CONFIRM: "to be confirmed",
}


def say_decision(detail: DecisionDetail) -> str:
    """Return the decision in a few words, with the rules that it names, such as 'blocked (M2, B12)'."""
    rules = f" ({', '.join(detail.rules)})" if detail.rules else ""
    return f"{_DECIDED[detail.decision]}{rules}"


def say_label(score: DecisionScore) -> str:
    """Return the label of the call in words, such as 'it breaks a rule by the facts; broken: M2; it was executed'."""
    told = [_STANDINGS[score.standing]]
    if score.broken:
        told.append(f"broken: {', '.join(score.broken)}")
    if score.rejected:
        told.append(f"its tool rejects it: {', '.join(score.rejected)}")
    if score.executed is not None:
        told.append("it was executed" if score.executed else "it was not executed")
    return "; ".join(told)


def say_score(entry: DecisionEntry) -> str:
    """Return the score of the decision in one word, or 'not scored' if the right decision is not known."""
    score = entry.against
    if score is None or score.correct is None:
        return "false block" if score is not None and score.false_block else "not scored"
    return "right" if score.correct else "wrong"


class DecisionTeller:
    """Describes decisions in plain text, one by one."""

    def tell(self, entry: DecisionEntry) -> list[str]:
        """Return the lines about a decision. At the first of a conversation, also list the rules of its labels."""
        record = entry.record
        detail = record.detail
        lines = [title_of(entry, "call"), *(f"  {line}" for line in entry.problem_lines)]
        if record.user_message:
            lines.append(f"  user: {shorten(record.user_message)}")
        lines.append(f"  call, in message {detail.message}: {shorten(record.final.text)}")
        lines.append(f"  {say_decision(detail)}: {shorten(detail.why)}")
        lines += [f"  assumed: {shorten(each)}" for each in detail.assumptions]
        lines += [f"  not read: {shorten(each)}" for each in detail.unread]
        if entry.against is not None:
            lines.append(f"  label: {say_label(entry.against)}")
        lines.append(f"  {say_score(entry)}")
        return lines


class _Call(NamedTuple):
    folder: Path
    entry: DecisionEntry


def _record(call: _Call) -> str | None:
    """Return the guard's own record as JSON."""
    record = call.entry.record.detail.record
    return None if record is None else json.dumps(record)


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
        "record": (str, _record),
        "replayed": (bool, "entry.score.replayed"),
        "reward": (float, "entry.score.reward"),
        "executed": (bool, "entry.against.executed"),
        "standing": (str, "entry.against.standing"),
        "correct": (bool, "entry.against.correct"),
        "clean": (bool, "entry.against.clean"),
        "caught": (bool, "entry.against.caught"),
        "false_block": (bool, "entry.against.false_block"),
        "let_through": (bool, "entry.against.let_through"),
        "asked": (bool, "entry.against.asked"),
        "broken": (str, "entry.against.broken"),
        "found": (str, "entry.against.found"),
        "unfounded": (str, "entry.against.unfounded"),
        "rejected": (str, "entry.against.rejected"),
        **solver("entry.record"),
    },
    lambda folder, turns: (_Call(folder, entry) for entry in turns),
)


def predict(entries: Iterable[DecisionEntry]) -> Iterator[Mapping[str, Any]]:
    """Yield the decision of each entry, with the labels' ids of its rules; yield one object for a whole dialogue."""
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
    """Draw the share of broken calls that are caught against the share of sound calls that are let through.

    Marks have 95% bars. Each model has a panel, and each method a mark.
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
    conversations=lambda report, number: show_most_telling(report, number, DecisionEntry, ProblemOnPage),
    rows=CALLS,
    predictions=predict,
)
