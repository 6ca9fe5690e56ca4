"""Record a candidate with its verdict, and write a certified one as text."""

from __future__ import annotations

import json
from collections.abc import Mapping

from holdtrue.kinds.search.reader import Candidate, Infeasible
from holdtrue.kinds.search.record import SearchAttempt, SearchStep, candidate_outcome
from holdtrue.record import CallRecord, VerdictRecord
from holdtrue.world.answer import Assignment


def make_attempt(
    number: int,
    candidate: Candidate,
    verdict: VerdictRecord,
    step: SearchStep,
    text: str | None = None,
    calls: tuple[CallRecord, ...] = (),
) -> SearchAttempt:
    """Return the record of attempt `number`; `text` is the model's own, by default the candidate written as JSON."""
    answer = given_values(candidate)
    shown = text if text is not None else written(answer or {})
    return SearchAttempt(number, "candidate", shown, answer, verdict, calls, step=step)


def given_values(candidate: Candidate) -> Mapping[str, int] | None:
    """Return a candidate's values: an empty mapping for a claim, and None for one that has neither claim nor values."""
    if isinstance(candidate, Assignment):
        return candidate.values or None
    return {} if isinstance(candidate, Infeasible) else None


def delivered_text(attempt: SearchAttempt) -> str | None:
    """Return a certified candidate as JSON, in the shape that prompts ask for, or None if it is not certified."""
    return written(attempt.answer or {}) if candidate_outcome(attempt).certified else None


def written(values: Mapping[str, str | int]) -> str:
    """Return a candidate as JSON; without values it is the claim that there is no solution."""
    candidate = {"status": "sat", "assignment": dict(values)} if values else {"status": "unsat"}
    return json.dumps(candidate, ensure_ascii=False)
