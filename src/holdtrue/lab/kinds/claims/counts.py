"""Count what a check found about an answer's claims, and about the premises that they were tested against.

Each `..._rates` function returns hits and their total by the name of a field of a part of `ClaimRow`; a row adds these
up over items.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from holdtrue.claim_record import (
    CheckRecord,
    ClaimVerdict,
    ContextRecord,
    FormalizationRecord,
    JointRecord,
    JointVerdict,
    Route,
)

Pair = tuple[int, int]
"""Hits, out of how many."""

DECIDED = frozenset({ClaimVerdict.ENTAILED, ClaimVerdict.CONTRADICTORY, ClaimVerdict.POSSIBLE})
AGREEMENTS = ("same_tree", "equivalent", "aligned")
ROUND_TRIP = "round_trip"
_STATED = frozenset({"context", "user"})


def verdict_rates(check: CheckRecord) -> Mapping[str, Pair]:
    """Return what one answer adds to the rates of `Verdicts`."""
    hits = {
        "verified": sum(claim.verdict in DECIDED for claim in check.claims),
        "entailed": _with(check, ClaimVerdict.ENTAILED),
        "fresh": sum(not claim.restated for claim in check.claims),
        "unknown": _with(check, ClaimVerdict.UNKNOWN),
        "inconsistent": _with(check, ClaimVerdict.INCONSISTENT_CONTEXT),
    }
    return {name: (count, len(check.claims)) for name, count in hits.items()}


def routing_rates(check: CheckRecord) -> Mapping[str, Pair]:
    """What one answer adds to the rates of `Routing`."""
    routes = Counter(claim.route for claim in check.claims)
    return {route.value: (routes[route], len(check.claims)) for route in Route}


def funnel_rates(check: CheckRecord) -> Mapping[str, Pair]:
    """What one answer adds to the rates of `Funnel`; all but `routed` are out of the claims for the solver."""
    tried = [claim for claim in check.claims if claim.route != Route.SOFT]
    formal = [claim.formalization for claim in tried if claim.formalization is not None]
    solved = [claim.verdict for claim in tried if claim.route == Route.HARD]
    hits = {
        "readable": sum(each.readable > 0 for each in formal),
        "agreed": sum(each.agreed for each in formal),
        "retold": sum(each.retold is not None for each in formal),
        "aligned": sum(each.retold is not None and each.refused != ROUND_TRIP for each in formal),
        "accepted": sum(each.formula is not None for each in formal),
        "corrected": sum(each.corrected for each in formal),
        "verified": sum(verdict in DECIDED for verdict in solved),
        "fallback": sum(claim.route == Route.HYBRID for claim in tried),
        "unknown": sum(verdict == ClaimVerdict.UNKNOWN for verdict in solved),
        "inconsistent": sum(verdict == ClaimVerdict.INCONSISTENT_CONTEXT for verdict in solved),
    }
    return {"routed": (len(tried), len(check.claims)), **{name: (count, len(tried)) for name, count in hits.items()}}


def agreement_rates(check: CheckRecord) -> Mapping[str, Pair]:
    """What one answer adds to the rates of `Agreements`, by pairs of samples."""
    hits: Counter[str] = Counter()
    pairs = 0
    for each in _formalizations(check):
        if each.same_tree is not None:
            of = len(each.samples) * (len(each.samples) - 1) // 2
            pairs += of
            hits.update({name: round((getattr(each, name) or 0.0) * of) for name in AGREEMENTS})
    return {name: (hits[name], pairs) for name in AGREEMENTS}


def joint_rates(check: CheckRecord) -> Mapping[str, Pair]:
    """What one answer adds to the rates of `Joint`; an answer without claims has nothing to hold together."""
    joint = check.joint
    if not check.claims:
        return {}
    decided = joint.verdict in (JointVerdict.CONSISTENT, JointVerdict.CONFLICT)
    conflict = joint.verdict == JointVerdict.CONFLICT
    disagrees = conflict and not _with(check, ClaimVerdict.CONTRADICTORY)
    vanishes = _vanishes(joint) if disagrees else None
    return {
        "decided": (int(decided), 1),
        "conflict": (int(conflict), int(decided)),
        "disagrees": (int(disagrees), int(decided)),
        "artifact": (int(vanishes or False), int(vanishes is not None)),
    }


def context_rates(context: ContextRecord) -> Mapping[str, Pair]:
    """What one context adds to the rates of `Contexts`."""
    stated = [premise for premise in context.premises if premise.source in _STATED]
    known = context.status in ("consistent", "inconsistent")
    return {
        "inconsistent": (int(context.status == "inconsistent"), int(known)),
        "read": (sum(premise.formula is not None for premise in stated), len(stated)),
        "clean": (sum(premise.formula is not None and not premise.alerts for premise in stated), len(stated)),
        "refined": (sum(premise.refined > 0 for premise in stated), len(stated)),
    }


def context_alerts(context: ContextRecord) -> Iterator[str]:
    """Yield the kind of every alert of a context and of its premises."""
    for alert in (*context.alerts, *(alert for premise in context.premises for alert in premise.alerts)):
        yield alert.kind


def claim_alerts(check: CheckRecord) -> Iterator[str]:
    """Yield the kind of every alert about the claims of an answer."""
    for each in _formalizations(check):
        for alert in each.alerts:
            yield alert.kind


def refusals(check: CheckRecord) -> Iterator[str]:
    """Yield the gate that each claim without a formula failed at."""
    for each in _formalizations(check):
        if each.refused is not None:
            yield each.refused


def _with(check: CheckRecord, verdict: ClaimVerdict) -> int:
    return sum(claim.verdict == verdict for claim in check.claims)


def _formalizations(check: CheckRecord) -> Iterator[FormalizationRecord]:
    return (claim.formalization for claim in check.claims if claim.formalization is not None)


def _vanishes(joint: JointRecord) -> bool | None:
    """Whether there is no conflict without bridging axioms; None where that is not known."""
    if all(bridge.formula is None for bridge in joint.bridges):
        return False
    if joint.without_bridges in (JointVerdict.CONSISTENT, JointVerdict.CONFLICT):
        return joint.without_bridges == JointVerdict.CONSISTENT
    return None
