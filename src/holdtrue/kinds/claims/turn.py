"""All that a claim method may look at in one turn, and what it hands back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from holdtrue.kinds.claims.premises import Premises
from holdtrue.kinds.claims.prompts.questions import Answer
from holdtrue.kinds.claims.record import ClaimAttempt
from holdtrue.language.asking import Asking
from holdtrue.record import CallRecord


@dataclass(frozen=True, slots=True)
class ClaimTurn:
    """One question as a claim method sees it.

    `context` are the sentences that are shown; `premises` are what claims are tested against, None where
    nothing is to be tested, not even to measure. `statement` is what is true, false or unknown, where options say just
    that. `measure`: check also an answer whose method does not do it itself. `history` are earlier messages with the
    answers that were delivered, `taken_back` sentences of them that hold no more. `given` is the answer of the control
    `given`. `formalizers` draw formulas in turn; none: the model does.
    """

    asking: Asking
    context: tuple[str, ...]
    question: str
    options: Mapping[str, str]
    premises: Premises | None
    statement: str | None = None
    history: tuple[tuple[str, str], ...] = ()
    taken_back: tuple[str, ...] = ()
    given: Answer | None = None
    measure: bool = True
    formalizers: tuple[Asking, ...] = ()


@dataclass(frozen=True, slots=True)
class ClaimPlayed:
    """What a claim method did: every attempt, the last one delivered, and the calls that only measured it.

    `premises` are those of the turn, with the names that checked answers brought.
    """

    attempts: tuple[ClaimAttempt, ...]
    delivered: str
    measuring: tuple[CallRecord, ...] = ()
    premises: Premises | None = None
