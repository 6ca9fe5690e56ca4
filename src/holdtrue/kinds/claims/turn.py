"""The input of a claim method in one turn, which is all that it may look at, and its output."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from holdtrue.budget import Budget
from holdtrue.kinds.claims.calibration import Calibrations
from holdtrue.kinds.claims.premises import Premises
from holdtrue.kinds.claims.prompts.questions import Answer
from holdtrue.kinds.claims.record import ClaimAttempt
from holdtrue.language.asking import Asking
from holdtrue.record import CallRecord


@dataclass(frozen=True, slots=True)
class ClaimTurn:
    """One question as a claim method sees it.

    Attributes:
        asking: Asks the model.
        context: The sentences that the prompt shows.
        question: The question.
        options: The options by letter; empty for an open question.
        premises: What claims are tested against; None if nothing is tested, not even to measure it.
        statement: What the options are about, if they are true, false and unknown.
        history: Earlier messages, with the answers that were delivered.
        taken_back: Sentences of these messages that the user has withdrawn.
        given_answer: The answer of the control `given`.
        measure: Also check the answer of a method that checks nothing itself.
        formalizers: Models that draw formulas in turn; the answering model does if there are none.
        judge: Asks the model that judges; the answering model does if it is None.
        budget: The limit of each question to a solver about a program that the model writes as its answer.
        calibrations: What is known of how often judges are right.
    """

    asking: Asking
    context: tuple[str, ...]
    question: str
    options: Mapping[str, str]
    premises: Premises | None
    statement: str | None = None
    history: tuple[tuple[str, str], ...] = ()
    taken_back: tuple[str, ...] = ()
    given_answer: Answer | None = None
    measure: bool = True
    formalizers: tuple[Asking, ...] = ()
    judge: Asking | None = None
    budget: Budget = field(default_factory=Budget)
    calibrations: Calibrations = field(default_factory=Calibrations)


@dataclass(frozen=True, slots=True)
class ClaimPlayed:
    """`ClaimPlayed` is what a claim method did: its attempts, the last one delivered, and calls that only measured it.

    `premises` are those of the turn, with the names that checked answers brought.
    """

    attempts: tuple[ClaimAttempt, ...]
    delivered: str
    measuring: tuple[CallRecord, ...] = ()
    premises: Premises | None = None
