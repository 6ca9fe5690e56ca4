"""One answered question, prepared for the HTML page: its premises and formulas, and each answer claim by claim."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from holdtrue.claim_record import CheckRecord, ClaimRecord, ClaimVerdict, ContextRecord, PremiseRecord, SoftVerdict
from holdtrue.kinds.claims.record import ClaimAttempt
from holdtrue.kinds.claims.verdict_words import (
    Sayings,
    describe_alert,
    describe_claim,
    describe_context,
    describe_joint,
    describe_no_answer,
    describe_refined,
    describe_route,
    describe_score,
    describe_source,
    in_words,
)
from holdtrue.lab.kinds.claims.entry import ClaimEntry
from holdtrue.lab.kit.shown import SHOWN
from holdtrue.record import TurnOutcome, total

_GOOD = frozenset({ClaimVerdict.ENTAILED, SoftVerdict.SUPPORTED})
_BAD = frozenset({ClaimVerdict.CONTRADICTORY, SoftVerdict.UNSUPPORTED})


@dataclass(frozen=True, slots=True)
class ShownPremise:
    """A premise and its formula.

    `source` says in words who said it, and `refined` that it was formalized again; both are '' where there is nothing
    to say. If `clash`, the premise is part of a conflict that was found.
    """

    id: str
    text: str
    formula: str | None
    source: str
    refined: str
    clash: bool
    alerts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ShownClaim:
    """A claim. `good` and `bad` choose the colour of its verdict, and `why` gives the reasons in sentences.

    If `clash`, it is part of a conflict between the answer's claims; if `change`, it is one of those to change.
    """

    id: str
    text: str
    verdict: str
    good: bool
    bad: bool
    route: str
    formula: str | None
    why: tuple[str, ...]
    clash: bool
    change: bool


@dataclass(frozen=True, slots=True)
class ShownAnswer:
    """One attempt; `checked` is False where its claims were not verified. `cut` counts characters that are left out."""

    number: int
    kind: str
    option: str | None
    checked: bool
    claims: tuple[ShownClaim, ...]
    joint: tuple[str, ...]
    bridges: tuple[ShownPremise, ...]
    verdict: str
    no_answer: tuple[str, ...]
    text: str
    cut: int


@dataclass(frozen=True, slots=True)
class ShownQuestion:
    """One question under one method. `correct` is None without a score, and `given` None without an option.

    `calls` and `tokens` are the method's own, `measured` the calls that it would not have made.
    """

    outcome: TurnOutcome
    correct: bool | None
    given: str | None
    supported: str | None
    proved: str | None
    score: float | None
    calls: int
    tokens: int
    measured: int
    status: str | None
    premises: tuple[ShownPremise, ...]
    words: tuple[tuple[str, str], ...]
    found: tuple[str, ...]
    answers: tuple[ShownAnswer, ...]

    @property
    def faulty(self) -> bool:
        """Whether the premises have a fault that the reader should see."""
        return self.status not in (None, "consistent") or any(each.alerts for each in self.premises)


def show_question(entry: ClaimEntry) -> ShownQuestion:
    """Prepare a question for the page."""
    record, score, context = entry.record, entry.score, entry.record.detail.context
    final = record.final.check
    clash = {*(context.conflict if context is not None else ()), *(final.joint.conflict if final is not None else ())}
    return ShownQuestion(
        outcome=record.final.verdict.outcome,
        correct=None if score is None else score.correct,
        given=None if score is None else score.given,
        supported=None if final is None else final.supported,
        proved=None if final is None else final.proved,
        score=None if final is None else final.score,
        calls=record.usage.calls,
        tokens=record.usage.tokens,
        measured=total(call.usage for call in record.measuring).calls,
        status=None if context is None else context.status,
        premises=tuple(_premise(each, clash) for each in (context.premises if context is not None else ())),
        words=() if context is None else tuple({**context.things, **context.words}.items()),
        found=() if context is None else tuple(describe_context(context, Sayings(context))),
        answers=tuple(_answer(attempt, context) for attempt in record.attempts),
    )


def _premise(premise: PremiseRecord, clash: Collection[str]) -> ShownPremise:
    return ShownPremise(
        premise.id,
        premise.text,
        premise.formula,
        describe_source(premise),
        describe_refined(premise),
        premise.id in clash,
        tuple(map(describe_alert, premise.alerts)),
    )


def _answer(attempt: ClaimAttempt, context: ContextRecord | None) -> ShownAnswer:
    check, option = attempt.check, (attempt.answer or {}).get("option")
    sayings = Sayings(context, check)
    return ShownAnswer(
        number=attempt.attempt,
        kind=attempt.kind,
        option=None if option is None else str(option),
        checked=check is not None,
        claims=() if check is None else tuple(_claim(claim, check, sayings) for claim in check.claims),
        joint=() if check is None else tuple(describe_joint(check.joint, sayings)),
        bridges=() if check is None else tuple(_premise(each, check.joint.conflict) for each in check.joint.bridges),
        verdict="" if check is None else describe_score(check),
        no_answer=tuple(describe_no_answer(attempt)),
        text=attempt.text[:SHOWN],
        cut=max(0, len(attempt.text) - SHOWN),
    )


def _claim(claim: ClaimRecord, check: CheckRecord, sayings: Sayings) -> ShownClaim:
    return ShownClaim(
        id=claim.id,
        text=claim.text,
        verdict=in_words(claim.verdict),
        good=claim.verdict in _GOOD,
        bad=claim.verdict in _BAD,
        route=describe_route(claim),
        formula=claim.formalization.formula if claim.formalization is not None else None,
        why=tuple(describe_claim(claim, sayings)),
        clash=claim.id in check.joint.conflict,
        change=claim.id in check.change,
    )
