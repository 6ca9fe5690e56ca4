"""Read what a prompt tells a model of its own last answer: a verification report, or the model's own critique.

A simulated model reads prompts with this; it is the inverse of `prompts.verification_report` and `prompts.critiques`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from holdtrue.kinds.claims.prompts.verification_report import (
    AGAIN,
    ALERTS,
    CHANGE,
    CLASH,
    GIVEN,
    KEEP,
    REFUTED,
    REPORT,
    WEAK,
)
from holdtrue.lab.kinds.claims.simulation.world import plain
from holdtrue.lab.kit.simulation.model import last_message
from holdtrue.language.critique import FOUND
from holdtrue.models.chat import Message

_TITLES = (CLASH, CHANGE, KEEP, WEAK, ALERTS)


@dataclass(frozen=True, slots=True)
class Feedback:
    """Holds what a model is told of its `previous` answer.

    Attributes:
        previous: The answer as it is shown again.
        change: The claims that it is enough to change.
        against: The claims that are refuted, and all sentences of a clash.
        doubted: The claims that were not proved, or not read.
        verdicts: Something is told of claims beside what conflicts, be it good or bad.
        own: It is the model's own critique, which names no claims.
    """

    previous: str
    change: tuple[str, ...] = ()
    against: tuple[str, ...] = ()
    doubted: tuple[str, ...] = ()
    verdicts: bool = False
    own: bool = False

    def about(self, claim: str) -> str:
        """Return the kind of feedback on a claim (`names.MENDING`), or '' if only other claims are named."""
        if self.own:
            return "mend_critique"
        if _is_named(claim, self.change):
            return "mend"
        if _is_named(claim, (*self.against, *self.doubted)):
            return "mend_verdicts" if self.verdicts else "mend_core"
        told_more = self.change or self.against or self.doubted or self.verdicts
        return "" if told_more else "mend_minimal"


def view_feedback(messages: Sequence[Message]) -> Feedback | None:
    """Return what the last user message tells of an answer, or None if it tells nothing of any."""
    last = last_message(messages)
    if last.startswith(FOUND):
        return Feedback(last_message(messages, "assistant"), own=True)
    lines = last.split("\n")
    if REPORT not in lines:
        return None
    report = lines[lines.index(REPORT) + 1 :]
    if AGAIN not in report or report[0] != GIVEN:
        return None
    previous, rest = report[1], report[2 : report.index(AGAIN)]
    refuted = [line.removeprefix(REFUTED) for line in rest if line.startswith(REFUTED)]
    listed: dict[str, list[str]] = {title: [] for title in _TITLES}
    title = ""
    for line in rest:
        title = line if line in listed else title if line.startswith("- ") else ""
        if title and line != title:
            listed[title].append(line.removeprefix("- "))
    return Feedback(
        previous,
        tuple(listed[CHANGE]),
        (*refuted, *listed[CLASH]),
        (*listed[WEAK], *listed[ALERTS]),
        verdicts=any(listed[title] for title in (CHANGE, KEEP, WEAK, ALERTS)),
    )


def _is_named(claim: str, sentences: Sequence[str]) -> bool:
    """Return whether one of the sentences is the claim, with or without a remark in brackets behind it."""
    own = plain(claim)
    return any(plain(sentence) == own or plain(sentence).startswith(f"{own} (") for sentence in sentences)
