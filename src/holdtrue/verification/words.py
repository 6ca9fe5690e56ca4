"""Describe verdicts in sentences that a person can act on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from holdtrue.record import DRAWN, AnswerStatus, AttemptRecord, Satisfiability, VerdictRecord
from holdtrue.verification.coverage import Coverage, describe_gaps, describe_kept

Names = Mapping[str, str]


class AnyStatement(Protocol):
    """A commitment or the record of its event: it has a sentence and the turn in which it was agreed."""

    @property
    def sentence(self) -> str: ...

    @property
    def turn(self) -> int: ...


Agreed = Mapping[str, AnyStatement]
_ORDINALS = {1: "first", 2: "second", 3: "third"}


def quote(agreed: Agreed, ids: Iterable[str], names: Names | None = None) -> list[str]:
    """Return the commitments as quoted sentences with their turns. `names` replaces ids."""
    return [f'{names[id] if names else id}: "{agreed[id].sentence}" (turn {agreed[id].turn})' for id in ids]


def describe(
    verdict: VerdictRecord, agreed: Agreed, names: Names | None = None, coverage: Coverage | None = None
) -> list[str]:
    """Return the verdict in sentences, the most important first. `names` replaces the ids of commitments.

    `coverage` adds sentences about unread parts of the messages.
    """
    lines: list[str] = []
    if verdict.basis is Satisfiability.UNSAT:
        lines.append(describe_conflict(verdict.mus or (), agreed, names, minimal=verdict.mus_minimal))
    elif verdict.basis is Satisfiability.UNKNOWN:
        lines.append(f"It is not known whether the commitments can all be kept: {verdict.reason}.")
    return lines + describe_answer(verdict, agreed, names, coverage)


def describe_answer(
    verdict: VerdictRecord, agreed: Agreed, names: Names | None = None, coverage: Coverage | None = None
) -> list[str]:
    """Return the verdict on the answer in sentences, and the gaps of its `coverage`."""
    lines: list[str] = []
    match verdict.answer:
        case AnswerStatus.UNPARSED:
            lines.append(f"No answer could be read: {verdict.reason or 'nothing in the text fits'}.")
        case AnswerStatus.REFUSED:
            lines.append(f"There is no answer: {verdict.reason or 'the model refused'}.")
        case AnswerStatus.INCOMPLETE:
            lines.append(f"The answer is incomplete: {', '.join(verdict.missing)} missing.")
        case AnswerStatus.UNDECIDED:
            lines.append(f"Whether the answer keeps the commitments is undecided: {verdict.reason}.")
        case AnswerStatus.RESPECTING:
            lines.append(describe_kept(coverage))
    lines += [f"The answer breaks a law of the domain: {law}." for law in verdict.background]
    lines += [f"The answer breaks {quoted}." for quoted in quote(agreed, verdict.violated, names)]
    if verdict.blame:
        lines.append(f"The answer leaves no room for these together: {'; '.join(quote(agreed, verdict.blame, names))}.")
    return lines if verdict.answer is AnswerStatus.RESPECTING else lines + describe_gaps(coverage)


def describe_earlier(attempts: Sequence[AttemptRecord], agreed: Agreed, *, projected: bool) -> list[str]:
    """Return a sentence about an earlier, undelivered answer that broke commitments.

    `projected` says whether a solver mended that answer.
    """
    *before, final = attempts
    if final.kind == "best" or any(attempt.kind in DRAWN for attempt in attempts):
        return []  # a choice among several answers mends none
    broken = next((one for one in before if one.verdict.violated or one.verdict.background), None)
    if broken is None or not all(id in agreed for id in broken.verdict.violated):
        return []
    laws = (f"a law of the domain ({law})" for law in broken.verdict.background)
    text = " and ".join((*quote(agreed, broken.verdict.violated), *laws))
    if final.verdict.answer is not AnswerStatus.RESPECTING:
        became = "it was not delivered"
    else:
        became = "the solver put an answer that keeps everything in its place" if projected else "it was repaired"
    number = _ORDINALS.get(broken.attempt, f"{broken.attempt}th")
    return [f"The model's {number} answer broke {text}; {became}."]


def describe_conflict(ids: Sequence[str], agreed: Agreed, names: Names | None = None, *, minimal: bool) -> str:
    """Return a sentence about commitments that clash. Without any ids, the setting is impossible."""
    if not ids:
        return "The setting alone is impossible, whatever is agreed."
    text = "; ".join(quote(agreed, ids, names))
    if len(ids) == 1:
        return f"This commitment is impossible in this setting: {text}."
    advice = "Withdraw or change one of them." if minimal else "They may not all be needed for the conflict."
    return f"These commitments cannot all be kept: {text}. {advice}"
