"""Sentences about decisions and their labels, as a terminal and a page tell them."""

from __future__ import annotations

from holdtrue.lab.kinds.decisions.entry import DecisionEntry, DecisionScore
from holdtrue.lab.kinds.decisions.record import DecisionDetail, DecisionKind

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
    """Return what the label says of the call: 'it breaks a rule by the facts; broken: M2; it was executed'."""
    told = [_STANDINGS[score.standing]]
    if score.broken:
        told.append(f"broken: {', '.join(score.broken)}")
    if score.rejected:
        told.append(f"its tool rejects it: {', '.join(score.rejected)}")
    if score.executed is not None:
        told.append("it was executed" if score.executed else "it was not executed")
    return "; ".join(told)


def say_score(entry: DecisionEntry) -> str:
    """Return in one word what the decision is worth; 'not scored' where nobody knows."""
    score = entry.against
    if score is None or score.correct is None:
        return "false block" if score is not None and score.false_block else "not scored"
    return "right" if score.correct else "wrong"
