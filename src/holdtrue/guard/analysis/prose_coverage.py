"""Tell which sentences of its prose a policy leaves open, and which of its parts stand for no sentence."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from holdtrue.guard.analysis.analysis_results import OpenSentence, ProseCoverage
from holdtrue.guard.policy import Policy

DECIDING = ("rules", "limits", "obligations", "effects", "tools.consent")
"""The sections whose parts decide. Facts, statements and tables only give them words."""


def prose_coverage(policy: Policy) -> ProseCoverage | None:
    """Return the coverage of a policy's prose, or None if the policy names no prose.

    A sentence is open if no part stands for it, or if an entry of `not_checked` leaves it open.
    """
    if policy.prose is None:
        return None
    reasons = {own.id: own.reason for own in policy.not_checked}
    settled = {number for own in policy.citing if not own.is_open for number in own.sentences}
    left: dict[int, list[str]] = defaultdict(list)
    for part in policy.citing:
        for number in part.sentences if part.is_open else ():
            left[number].append(reasons[part.name])
    return ProseCoverage(
        len(policy.prose.sentences),
        tuple(
            OpenSentence(own.number, own.text, own.path, tuple(left[own.number]))
            for own in policy.prose.sentences
            if own.number in left or own.number not in settled
        ),
        tuple(f"{own.section} {own.name}" for own in policy.citing if own.section in DECIDING and not own.sentences),
        policy.prose.digest if policy.prose.edited else "",
    )


def coverage_lines(coverage: ProseCoverage) -> Iterator[str]:
    """Yield the coverage for a terminal, with each open sentence below its headings."""
    count, rest = coverage.sentences - len(coverage.open), ", and these are open:" if coverage.open else ""
    yield f"Prose: {count} of {coverage.sentences} sentences are settled{rest}"
    for own in coverage.open:
        path = f"{' > '.join(own.path)}: " if own.path else ""
        yield f"  {own.number}. {path}{own.text}"
        yield from (f"    {reason}" for reason in own.reasons)
    if coverage.unfounded:
        yield f"Not in the prose, as far as the policy says: {', '.join(coverage.unfounded)}"
    if coverage.edited:
        yield "The prose was edited after its sentences were numbered."
        yield f"  Look at all numbers, and then write `digest: {coverage.edited}` under `prose`."
