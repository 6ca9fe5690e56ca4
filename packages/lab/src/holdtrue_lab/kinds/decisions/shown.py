"""Show decisions on calls: on the HTML page for the conversations where methods differ most, and as plain text.

The text is for `report --turns`. The page has the same sentences.
"""

from __future__ import annotations

from holdtrue_lab.kinds.decisions.entry import DecisionDetail, DecisionEntry, DecisionKind, DecisionScore
from holdtrue_lab.kinds.decisions.report import DecisionReport
from holdtrue_lab.kit.shown import ProblemOnPage, show_most_telling
from holdtrue_lab.kit.transcript import shorten, title_of

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
    """Return the decision in a few words, with the rules that it names: 'blocked (M2, B12)'."""
    rules = f" ({', '.join(detail.rules)})" if detail.rules else ""
    return f"{_DECIDED[detail.decision]}{rules}"


def say_label(score: DecisionScore) -> str:
    """Return the label of the call in words: 'it breaks a rule by the facts; broken: M2; it was executed'."""
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
        """Return the lines about one decision. The first one of a conversation also lists the rules of its labels."""
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


def show_conversations(report: DecisionReport, number: int) -> list[ProblemOnPage[DecisionEntry]]:
    """Return at most `number` conversations, those on which methods differ most, with the calls as their messages."""
    return show_most_telling(report, number, DecisionEntry, ProblemOnPage)
