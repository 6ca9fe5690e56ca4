"""The text that tells a model which claims of its answer did not pass the check, so that it answers again.

This is the refinement step of VERGE (E.2.3), in words of our own.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from holdtrue.language.asking import one_line

Status = Literal["refuted", "clash", "weak", "no_claims", "context", "failed"]

# The lines by which a prompt's parts are told apart; simulated models read them too.
REPORT = "VERIFICATION REPORT on your previous answer"
GIVEN = "You answered:"
STATUS = "Status: "
REFUTED = "This claim is contradicted by what was said: "
BECAUSE = "  It cannot be true together with:"
DROP = "  It is enough to take back this part of it:"
CLASH = "These cannot all be true together:"
CHANGE = "It is enough to change these claims:"
KEEP = "These claims follow from what was said, keep them:"
WEAK = "These claims were not proved:"
ALERTS = "These claims could not be read as logic without doubt, say them more simply:"
STATUSES: dict[Status, str] = {
    "refuted": "contradicted. A solver proved that what was said rules out some of your claims.",
    "clash": "unsatisfiable. A solver proved that your claims cannot all be true together.",
    "weak": "not proved. Nothing contradicts your claims, but too little of them follows from what was said.",
    "no_claims": "nothing to check. No statement was found in your answer that can be true or false.",
    "context": "not checked. What was said cannot all be true, so nothing could be proved about your claims.",
    "failed": "your answer did not pass the check.",
}
VERDICTS: dict[str, str] = {
    "possible": "possible, but it does not follow",
    "assumed": "it follows, or is ruled out, only if more is assumed than was said",
    "unproved": "it could not be said in logic without doubt",
    "unknown": "the solver could not tell in time",
    "plausible": "plausible, and no more",
    "unsupported": "nothing supports it",
    "uncertain": "judges could not tell",
}
SAID_BY = {"user": "the user said this", "claim": "you said this before", "bridge": "this is assumed"}
YOURS = "your claim"
AGAIN = (
    "Write your answer again so that all of it holds. Do not weaken or change what was said in the context: "
    "correct your own reasoning."
)
# Of an answer so much is shown again (characters).
SHOWN_ANSWER = 2000


@dataclass(frozen=True, slots=True)
class Refuted:
    """A contradicted claim, the sentences that it cannot be true together with, and the parts of it to `drop`."""

    claim: str
    because: tuple[str, ...] = ()
    drop: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ClaimSignal:
    """All that the model may be told about its answer's claims; every entry is a sentence.

    Attributes:
        status: What is wrong with the answer as a whole; `STATUSES` says it in words.
        refuted: The claims that are contradicted, each with what contradicts it.
        clash: Claims and sentences of the context that cannot all be true together.
        change: Claims that are enough to change so that the rest can be true.
        keep: Claims that follow from the context.
        weak: Claims that were not proved, each with its verdict.
        alerts: Claims that could not be read as logic without doubt, each with the reason.
    """

    status: Status
    refuted: tuple[Refuted, ...] = ()
    clash: tuple[str, ...] = ()
    change: tuple[str, ...] = ()
    keep: tuple[str, ...] = ()
    weak: tuple[str, ...] = ()
    alerts: tuple[str, ...] = ()


def signal_lines(signal: ClaimSignal, previous: str) -> list[str]:
    """Return the lines of the report, which quotes the first `SHOWN_ANSWER` characters of the `previous` answer."""
    lines = [REPORT, GIVEN, one_line(previous)[:SHOWN_ANSWER], f"{STATUS}{STATUSES[signal.status]}"]
    for refuted in signal.refuted:
        lines.append(f"{REFUTED}{one_line(refuted.claim)}")
        if refuted.because:
            lines += [BECAUSE, *_listed(refuted.because, indent="  ")]
        if refuted.drop:
            lines += [DROP, *_listed(refuted.drop, indent="  ")]
    parts = (
        (CLASH, signal.clash),
        (CHANGE, signal.change),
        (KEEP, signal.keep),
        (WEAK, signal.weak),
        (ALERTS, signal.alerts),
    )
    for title, sentences in parts:
        if sentences:
            lines += [title, *_listed(sentences)]
    return [*lines, AGAIN]


def _listed(sentences: Iterable[str], indent: str = "") -> list[str]:
    return [f"{indent}- {one_line(sentence)}" for sentence in sentences]
