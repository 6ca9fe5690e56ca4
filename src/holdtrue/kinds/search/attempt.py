"""Writing a candidate down with its verdict, and the text of a certified one."""

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
    """The record of attempt `number`; `text` is the model's own, by default the candidate as it would be written."""
    answer = given_values(candidate)
    shown = text if text is not None else written(answer or {})
    return SearchAttempt(number, "candidate", shown, answer, verdict, calls, step=step)


def given_values(candidate: Candidate) -> Mapping[str, int] | None:
    """A candidate's values, none for a claim; None for what could not be read, or is no claim and gives no value."""
    if isinstance(candidate, Assignment):
        return candidate.values or None
    return {} if isinstance(candidate, Infeasible) else None


def delivered_text(attempt: SearchAttempt) -> str | None:
    """The whole candidate in the shape in which candidates are asked for, None where it is not certified."""
    return written(attempt.answer or {}) if candidate_outcome(attempt).certified else None


def written(values: Mapping[str, str | int]) -> str:
    """A candidate as JSON; without values it is a claim."""
    candidate = {"status": "sat", "assignment": dict(values)} if values else {"status": "unsat"}
    return json.dumps(candidate, ensure_ascii=False)
