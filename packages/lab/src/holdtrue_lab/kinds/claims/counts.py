"""This module counts of an item the hits, out of how many, for each rate of its row, and how often things occur."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import comb

from holdtrue_claims.claim_record import (
    CheckRecord,
    ClaimVerdict,
    ContextRecord,
    FormalizationRecord,
    JointRecord,
    JointVerdict,
    Route,
    SoftVerdict,
)
from holdtrue_claims.kind.acceptance import judged_claims
from holdtrue_claims.kind.record import ClaimAttempt
from holdtrue_lab.kinds.claims.baselines import FALLBACK
from holdtrue_lab.kinds.claims.entry import ClaimScore

Pair = tuple[int, int]
"""Hits, out of how many."""
Rates = Mapping[str, Mapping[str, Pair]]
"""By the part of the row that they stand in, and name."""

PROVED = (ClaimVerdict.ENTAILED, ClaimVerdict.CONTRADICTORY)
"""The verdicts by which a solver proved a claim, or its denial, without assuming anything."""
AGREEMENTS = ("same_tree", "equivalent", "aligned")
ROUND_TRIP = "round_trip"
_STATED = frozenset({"context", "user"})


def score_rates(score: ClaimScore, *, refused: bool) -> Rates:
    """Return what a score adds to the rates of answers, and of what was proved."""
    given = int(score.given is not None)
    answers = {
        "accuracy": (int(score.correct), 1),
        "coverage": (given, 1),
        "precision": (int(score.correct), given),
        "refused": (int(refused), 1),
    }
    return {
        "answers": answers,
        "supported": _implied(score.supported, score.gold),
        "proved": _implied(score.proved, score.gold),
    }


def _implied(letter: str | None, gold: str) -> Mapping[str, Pair]:
    found = int(letter is not None)
    return {"found": (found, 1), "right": (int(letter == gold), found)}


def check_rates(check: CheckRecord) -> Rates:
    """Return what the check of one answer adds to all rates about claims."""
    claims, verdicts = check.claims, Counter(claim.verdict for claim in check.claims)
    routes = Counter(claim.route for claim in claims)
    hits = {
        "verified": sum(verdicts[each] for each in PROVED),
        "possible": verdicts[ClaimVerdict.POSSIBLE],
        "entailed": verdicts[ClaimVerdict.ENTAILED],
        "fresh": sum(not claim.restated for claim in claims),
        "refuted": verdicts[ClaimVerdict.CONTRADICTORY],
        "unproved": verdicts[ClaimVerdict.UNPROVED],
        "assumed": verdicts[ClaimVerdict.ASSUMED],
        "judged": sum(verdicts[each] for each in SoftVerdict),
        "unknown": verdicts[ClaimVerdict.UNKNOWN],
        "inconsistent": verdicts[ClaimVerdict.INCONSISTENT_CONTEXT],
    }
    judged = bool(judged_claims(check))
    proved = verdicts[ClaimVerdict.ENTAILED] == len(claims)
    return {
        "checks": {
            "accepted": (int(check.accepted), 1),
            "accepted_proved": (int(check.accepted and proved), 1),
            "accepted_possible": (int(check.accepted and not proved and not judged), 1),
            "accepted_judged": (int(check.accepted and judged), 1),
        },
        "verdicts": _out_of(len(claims), hits),
        "routing": _out_of(len(claims), {route.value: routes[route] for route in Route}),
        "funnel": _funnel(check),
        "agreements": _agreements(formalizations(check)),
        "joint": _joint(check.joint, contradictory=verdicts[ClaimVerdict.CONTRADICTORY]) if claims else {},
    }


def _out_of(whole: int, hits: Mapping[str, int]) -> dict[str, Pair]:
    return {name: (count, whole) for name, count in hits.items()}


def _funnel(check: CheckRecord) -> Mapping[str, Pair]:
    """All but `routed` are out of the claims for the solver."""
    tried = [claim for claim in check.claims if claim.route != Route.SOFT]
    formal = [claim.formalization for claim in tried if claim.formalization is not None]
    solved = Counter(claim.verdict for claim in tried if claim.route == Route.HARD)
    hits = {
        "readable": sum(each.readable > 0 for each in formal),
        "agreed": sum(each.agreed for each in formal),
        "retold": sum(each.retold is not None for each in formal),
        "aligned": sum(each.retold is not None and each.refused != ROUND_TRIP for each in formal),
        "accepted": sum(each.formula is not None for each in formal),
        "corrected": sum(each.corrected for each in formal),
        "verified": sum(solved[each] for each in PROVED),
        "possible": solved[ClaimVerdict.POSSIBLE],
        "fallback": sum(claim.route == Route.HYBRID and claim.verdict != ClaimVerdict.UNPROVED for claim in tried),
        "unproved": sum(claim.route == Route.HYBRID and claim.verdict == ClaimVerdict.UNPROVED for claim in tried),
        "assumed": solved[ClaimVerdict.ASSUMED],
        "unknown": solved[ClaimVerdict.UNKNOWN],
        "inconsistent": solved[ClaimVerdict.INCONSISTENT_CONTEXT],
    }
    return {"routed": (len(tried), len(check.claims)), **_out_of(len(tried), hits)}


def _agreements(formal: Sequence[FormalizationRecord]) -> Mapping[str, Pair]:
    """By pairs of samples."""
    sampled = [(each, comb(len(each.samples), 2)) for each in formal if each.same_tree is not None]
    hits = {name: sum(round((getattr(each, name) or 0.0) * of) for each, of in sampled) for name in AGREEMENTS}
    return _out_of(sum(of for _, of in sampled), hits)


def _joint(joint: JointRecord, *, contradictory: int) -> Mapping[str, Pair]:
    """An answer without claims has nothing to hold together, and is not counted."""
    decided = joint.verdict in (JointVerdict.CONSISTENT, JointVerdict.CONFLICT)
    conflict = joint.verdict == JointVerdict.CONFLICT
    disagrees = conflict and not contradictory
    vanishes = _vanishes(joint) if disagrees else None
    return {
        "decided": (int(decided), 1),
        "conflict": (int(conflict), int(decided)),
        "disagrees": (int(disagrees), int(decided)),
        "artifact": (int(vanishes or False), int(vanishes is not None)),
    }


def _vanishes(joint: JointRecord) -> bool | None:
    """Return whether there is no conflict without bridging axioms, or None where that is not known."""
    if all(bridge.formula is None for bridge in joint.bridges):
        return False
    if joint.without_bridges in (JointVerdict.CONSISTENT, JointVerdict.CONFLICT):
        return joint.without_bridges == JointVerdict.CONSISTENT
    return None


def context_rates(context: ContextRecord) -> Rates:
    """Return what one context adds to the rates of `Contexts`."""
    stated = [premise for premise in context.premises if premise.source in _STATED]
    read = [premise for premise in stated if premise.formula is not None]
    hits = {
        "read": len(read),
        "clean": sum(not premise.alerts for premise in read),
        "refined": sum(premise.refined > 0 for premise in stated),
    }
    known = context.status in ("consistent", "inconsistent")
    inconsistent = (int(context.status == "inconsistent"), int(known))
    return {"contexts": {"inconsistent": inconsistent, **_out_of(len(stated), hits)}}


def program_rates(attempts: Sequence[ClaimAttempt]) -> Rates:
    """Return what the programs of one turn add to the rates of `Programs`."""
    programs = [attempt for attempt in attempts if attempt.program is not None]
    if not programs:
        return {}
    ran = [each for each in programs if each.program is not None and each.program.status != "error"]
    proving = [each for each in ran if each.program is not None and each.program.status == "executed"]
    final, fell_back = attempts[-1], attempts[-1].kind == FALLBACK
    executed = bool(proving) and not fell_back
    hits = {
        "executed": executed,
        "refined": executed and final.program is not None and len(programs) > 1,
        "fell_back": fell_back,
        "empty": final.answer is None,
    }
    written = _out_of(len(programs), {"ran": len(ran), "proving": len(proving)})
    return {"programs": {**written, **{name: (int(hit), 1) for name, hit in hits.items()}}}


def check_counts(check: CheckRecord) -> Mapping[str, Mapping[str, int]]:
    """Return how often claims of the check got each verdict, failed each gate, and raised each kind of alert."""
    formal = formalizations(check)
    return {
        "verdicts": Counter(claim.verdict for claim in check.claims),
        "refused": Counter(each.refused for each in formal if each.refused is not None),
        "claim_alerts": Counter(alert.kind for each in formal for alert in each.alerts),
    }


def spared_counts(checks: Iterable[CheckRecord]) -> Mapping[str, Mapping[str, int]]:
    """Return by purpose how many calls these checks saved, and how many they did not make for a lost answer."""
    checks = tuple(checks)
    saved = sum((Counter(each.saved) for each in checks), Counter[str]())
    return {"saved": saved, "not_asked": sum((Counter(each.not_asked) for each in checks), Counter[str]())}


def context_counts(context: ContextRecord) -> Mapping[str, Mapping[str, int]]:
    """Return how often the context and its premises raised each kind of alert."""
    alerts = (*context.alerts, *(alert for premise in context.premises for alert in premise.alerts))
    return {"alerts": Counter(alert.kind for alert in alerts)}


def formalizations(check: CheckRecord) -> Sequence[FormalizationRecord]:
    return [claim.formalization for claim in check.claims if claim.formalization is not None]
