"""The facts of each answered item that report rows need, so that a run's texts are never all in memory."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from zlib import crc32

from holdtrue.claim_record import CheckRecord, ClaimVerdict, ContextRecord, JointVerdict, SoftVerdict
from holdtrue.kinds.claims.record import ClaimAttempt, ClaimsRecord
from holdtrue.lab.kinds.claims.counts import (
    Pair,
    agreement_rates,
    claim_alerts,
    context_alerts,
    context_rates,
    funnel_rates,
    joint_rates,
    refusals,
    routing_rates,
    verdict_rates,
)
from holdtrue.lab.kinds.claims.entry import ClaimEntry, ClaimScore
from holdtrue.lab.kit.plays import Asked
from holdtrue.record import AnswerStatus, CallRecord, total

OWN, EXTRACTION, MEASURING = "own", "extraction", "measuring"

_ROUNDS = frozenset({"answer", "repair", "refine"})

_VERDICTS: Mapping[str, ClaimVerdict | SoftVerdict] = {
    **{verdict.value: verdict for verdict in ClaimVerdict},
    **{verdict.value: verdict for verdict in SoftVerdict},
}

Spent = tuple[float, ...]
"""What was spent, in the order of `row.SPENT`."""


@dataclass(frozen=True, slots=True)
class Checked:
    """What was found about one answer. If `together`, it is proved that its claims can all hold together."""

    verdicts: tuple[ClaimVerdict | SoftVerdict, ...]
    score: float
    accepted: bool
    together: bool


@dataclass(frozen=True, slots=True)
class Answered:
    """The answer of one round. `right` is None where gold is not known, `checked` where nothing was verified."""

    right: bool | None
    checked: Checked | None


@dataclass(frozen=True, slots=True)
class ItemFacts:
    """One item under one arm, which is a model with a method.

    `score` lacks the texts of the options. `checked` is about the answer that was delivered. `rates` are hits with
    their total, by part of `ClaimRow` and field. `spent` is by part of `Costs`, and `purposes` by what the calls were
    for.
    """

    problem: str
    domain: str
    asked: Asked
    score: ClaimScore | None
    asks_model: bool
    checked: Checked | None
    rates: Mapping[str, Mapping[str, Pair]]
    verdicts: Mapping[str, int]
    refused: Mapping[str, int]
    context: str | None
    alerts: Mapping[str, int]
    claim_alerts: Mapping[str, int]
    rounds: tuple[Answered, ...]
    spent: Mapping[str, Spent]
    purposes: Mapping[str, Spent]
    elapsed_s: float


def facts_of(entry: ClaimEntry) -> ItemFacts:
    """The facts of one item."""
    record, score = entry.record, entry.score
    final = record.final if record.attempts else None
    check = final.check if final is not None and record.delivered is not None else None
    gold = None if score is None else score.gold
    rounds = tuple(_answered(attempt, gold) for attempt in _rounds(record.attempts))
    said = "\0".join((record.user_message, *entry.told))
    context = record.detail.context
    return ItemFacts(
        problem=entry.problem,
        domain=entry.domain,
        asked=(entry.problem, crc32(said.encode("utf-8", "surrogatepass"))),
        score=None if score is None else replace(score, options={}),
        asks_model=any(attempt.calls for attempt in record.attempts),
        checked=None if check is None else _checked(check),
        rates=_rates(score, check, context, refused=_refuses(record)),
        verdicts=Counter(() if check is None else (claim.verdict for claim in check.claims)),
        refused=Counter(() if check is None else refusals(check)),
        context=None if context is None else context.status,
        alerts=Counter(() if context is None else context_alerts(context)),
        claim_alerts=Counter(() if check is None else claim_alerts(check)),
        rounds=rounds,
        spent=_spent_by_part(record),
        purposes=_spent_by_purpose(record),
        elapsed_s=record.elapsed_s,
    )


def _rates(
    score: ClaimScore | None, check: CheckRecord | None, context: ContextRecord | None, *, refused: bool
) -> Mapping[str, Mapping[str, Pair]]:
    """What the item adds to each rate, by the part of the row that it stands in."""
    parts: dict[str, Mapping[str, Pair]] = {}
    if score is not None:
        parts["answers"] = {**_score_rates(score), "refused": (int(refused), 1)}
        parts["supported"] = _implied(score.supported, score.gold)
        parts["proved"] = _implied(score.proved, score.gold)
    if check is not None:
        parts["checks"] = {"accepted": (int(check.accepted), 1)}
        parts["verdicts"] = verdict_rates(check)
        parts["routing"] = routing_rates(check)
        parts["funnel"] = funnel_rates(check)
        parts["agreements"] = agreement_rates(check)
        parts["joint"] = joint_rates(check)
    if context is not None:
        parts["contexts"] = context_rates(context)
    return parts


def _refuses(record: ClaimsRecord) -> bool:
    return bool(record.attempts) and record.final.verdict.answer is AnswerStatus.REFUSED


def _score_rates(score: ClaimScore) -> Mapping[str, Pair]:
    given = int(score.given is not None)
    return {
        "accuracy": (int(score.correct), 1),
        "coverage": (given, 1),
        "precision": (int(score.correct), given),
    }


def _implied(letter: str | None, gold: str) -> Mapping[str, Pair]:
    found = int(letter is not None)
    return {"found": (found, 1), "right": (int(letter == gold), found)}


def _rounds(attempts: tuple[ClaimAttempt, ...]) -> list[ClaimAttempt]:
    """The answers of all rounds; the last attempt alone where the method knows no rounds."""
    return [attempt for attempt in attempts if attempt.kind in _ROUNDS] or list(attempts[-1:])


def _answered(attempt: ClaimAttempt, gold: str | None) -> Answered:
    right = None if gold is None else (attempt.answer or {}).get("option") == gold
    return Answered(right, None if attempt.check is None else _checked(attempt.check))


def _checked(check: CheckRecord) -> Checked:
    # A verdict that has no name here is worth nothing, and so is this one.
    verdicts = tuple(_VERDICTS.get(claim.verdict, SoftVerdict.UNCERTAIN) for claim in check.claims)
    return Checked(verdicts, check.score, check.accepted, check.joint.verdict == JointVerdict.CONSISTENT)


def _spent_by_part(record: ClaimsRecord) -> Mapping[str, Spent]:
    answers = [call for attempt in record.attempts for call in attempt.calls]
    return {
        OWN: _spent([*answers, *record.extraction]),
        EXTRACTION: _spent(record.extraction),
        MEASURING: _spent(record.measuring),
    }


def _spent_by_purpose(record: ClaimsRecord) -> Mapping[str, Spent]:
    calls = [call for attempt in record.attempts for call in attempt.calls]
    by_purpose: dict[str, list[CallRecord]] = {}
    for call in (*calls, *record.extraction, *record.measuring):
        by_purpose.setdefault(call.purpose, []).append(call)
    return {purpose: _spent(made) for purpose, made in by_purpose.items()}


def _spent(calls: Iterable[CallRecord]) -> Spent:
    usage = total(call.usage for call in calls)
    return usage.calls, usage.completion_tokens, usage.tokens, usage.latency_s
