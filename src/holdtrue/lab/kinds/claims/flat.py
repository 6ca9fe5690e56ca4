"""One row per claim of each attempt, flat, for whoever goes on from here with a data frame.

An attempt without claims has one row. What is the item's or the attempt's own stands on each of its rows, so an attempt
is counted by its row with `first`, and an item by that of its attempt with `last`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from holdtrue.claim_record import CheckRecord, ClaimRecord, FormalizationRecord
from holdtrue.figures.parquet import stream_rows
from holdtrue.kinds.claims.record import ClaimAttempt
from holdtrue.lab.kinds.claims.entry import ClaimEntry
from holdtrue.lab.kit.journal import each_of
from holdtrue.record import Usage, total

COLUMNS: dict[str, type] = {
    "run": str,
    "suite": str,
    "item": str,
    "dataset": str,
    "model": str,
    "method": str,
    "protocol": str,
    "extractor": str,
    "gold": str,
    "given": str,  # the letter that was delivered
    "correct": bool,
    "perturbs": str,  # the item that this one is a changed form of
    "perturbation": str,
    "delivered": bool,
    "context": str,  # its status
    "premises": int,
    "premises_read": int,  # that have a formula
    "context_conflict": str,  # ids, separated by commas
    "context_alerts": int,
    "item_calls": int,
    "item_tokens": int,
    "item_seconds": float,
    "extraction_calls": int,
    "extraction_tokens": int,
    "extraction_seconds": float,
    "measuring_calls": int,
    "measuring_tokens": int,
    "measuring_seconds": float,
    "elapsed_seconds": float,
    "attempts": int,
    "attempt": int,
    "kind": str,
    "last": bool,
    "first": bool,
    "option": str,
    "outcome": str,
    "calls": int,
    "tokens": int,
    "seconds": float,
    "claims": int,
    "score": float,
    "mean": float,
    "deviation": float,
    "accepted": bool,
    "supported": str,
    "proved": str,
    "joint": str,
    "joint_conflict": str,
    "without_bridges": str,
    "change": str,
    "claim": str,
    "text": str,
    "type": str,
    "route": str,
    "routed": str,
    "verdict": str,
    "confidence": float,
    "shown_by": str,  # the premises that entail or contradict it
    "minimal": bool,
    "restated": bool,
    "votes": str,  # such as supported 4, uncertain 1
    "formula": str,
    "samples": int,
    "readable": int,
    "same_tree": float,
    "equivalent": float,
    "aligned": float,
    "agreed": bool,
    "similarity": float,
    "corrected": bool,
    "refused": str,
    "alerts": int,
}
_CHECK, _CLAIM, _FORMULA = (list(COLUMNS).index(name) for name in ("claims", "claim", "formula"))


def write_parquet(folders: Sequence[Path], path: Path) -> None:
    """Write all claims of these runs, in the order of their journals; raises what `write_parquet` raises."""
    stream_rows(lambda: (row for entry in each_of(folders, ClaimEntry) for row in flat(*entry)), COLUMNS, path)


def flat(folder: Path, entry: ClaimEntry) -> Iterator[tuple[Any, ...]]:
    """Each claim as one value for each of `COLUMNS`; what only a score or a check can tell is None without one."""
    item = _item(folder, entry)
    for attempt in entry.record.attempts:
        claims = attempt.check.claims if attempt.check is not None else ()
        for place, claim in enumerate(claims or (None,)):
            own = _attempt(attempt, last=attempt is entry.record.final, first=place == 0)
            yield (*item, *own, *_check(attempt.check), *_claim(claim))


def _item(folder: Path, entry: ClaimEntry) -> tuple[Any, ...]:
    record, score, context = entry.record, entry.score, entry.record.detail.context
    found = (
        str(folder),
        entry.suite,
        entry.problem,
        entry.domain,
        record.model,
        entry.method,
        record.variant,
        record.reader,
        *((score.gold, score.given, score.correct, score.perturbs, score.perturbation) if score else (None,) * 5),
        record.delivered is not None,
    )
    premises = context.premises if context is not None else ()
    about = (
        context.status if context is not None else None,
        len(premises),
        sum(premise.formula is not None for premise in premises),
        ",".join(context.conflict) if context is not None else "",
        sum(len(premise.alerts) for premise in premises) + (len(context.alerts) if context is not None else 0),
    )
    spent = (record.usage, *(total(call.usage for call in calls) for calls in (record.extraction, record.measuring)))
    return (
        *found,
        *about,
        *(value for usage in spent for value in _spent(usage)),
        record.elapsed_s,
        len(record.attempts),
    )


def _attempt(attempt: ClaimAttempt, *, last: bool, first: bool) -> tuple[Any, ...]:
    option = (attempt.answer or {}).get("option")
    return (
        attempt.attempt,
        attempt.kind,
        last,
        first,
        None if option is None else str(option),
        attempt.verdict.outcome.value,
        *_spent(total(call.usage for call in attempt.calls)),
    )


def _check(check: CheckRecord | None) -> tuple[Any, ...]:
    if check is None:
        return (None,) * (_CLAIM - _CHECK)
    joint = check.joint
    return (
        len(check.claims),
        *(check.score, check.mean, check.deviation, check.accepted),
        *(check.supported, check.proved),
        *(joint.verdict, ",".join(joint.conflict), joint.without_bridges),
        ",".join(check.change),
    )


def _claim(claim: ClaimRecord | None) -> tuple[Any, ...]:
    if claim is None:
        return (None,) * (len(COLUMNS) - _CLAIM)
    return (
        *(claim.id, claim.text, claim.type, claim.route, claim.routed, claim.verdict, claim.confidence),
        *(",".join(claim.premises), claim.minimal, claim.restated),
        ", ".join(f"{verdict} {count}" for verdict, count in claim.votes.items()),
        *_formalization(claim.formalization),
    )


def _formalization(made: FormalizationRecord | None) -> tuple[Any, ...]:
    if made is None:
        return (None,) * (len(COLUMNS) - _FORMULA)
    return (
        *(made.formula, len(made.samples), made.readable),
        *(made.same_tree, made.equivalent, made.aligned, made.agreed),
        *(made.similarity, made.corrected, made.refused, len(made.alerts)),
    )


def _spent(usage: Usage) -> tuple[int, int, float]:
    return usage.calls, usage.tokens, usage.latency_s
