"""Find which clauses of one claim have to go (VERGE, section 3.4): a correction inside the claim's own formula."""

from __future__ import annotations

from collections.abc import Mapping

from holdtrue.claim_record import ClaimVerdict, ClauseRecord
from holdtrue.kinds.claims.context import Context, correct
from holdtrue.kinds.claims.entailment import verify_claim
from holdtrue.logic.fol.conjuncts import clauses
from holdtrue.logic.fol.english import say
from holdtrue.logic.fol.stated import Stated, sentence_of
from holdtrue.logic.formula import Formula
from holdtrue.solving.result import Mcs, MinimumMcs


def correct_clauses(context: Context, claim: Formula, verdict: ClaimVerdict) -> ClauseRecord | None:
    """Return which clauses of a claim with this verdict have to go, and which can stay.

    Of a contradictory claim those that stay can hold with the premises; of one that is possible they follow from them.
    The result is None for other verdicts, for a claim of a single clause, and where something was not decided in time.
    """
    if verdict not in (ClaimVerdict.CONTRADICTORY, ClaimVerdict.POSSIBLE):
        return None
    parts = {f"{place}": Stated(each) for place, each in enumerate(clauses(sentence_of(claim)), start=1)}
    if len(parts) < 2:
        return None
    if verdict is ClaimVerdict.CONTRADICTORY:
        engine = context.make(context.vocabulary, tuple(context.premises.values()))
        found = correct(engine, parts, {}, context.budget, minimum=True)
        dropped = set(found.set_aside) if isinstance(found, Mcs | MinimumMcs) else set()
        minimum = isinstance(found, MinimumMcs)
    else:
        dropped, minimum = _not_entailed(context, parts), True
    if not dropped:
        return None
    said = {id: say(part.sentence, context.vocabulary) for id, part in parts.items()}
    return ClauseRecord(
        drop=tuple(said[id] for id in parts if id in dropped),
        keep=tuple(said[id] for id in parts if id not in dropped),
        minimum=minimum,
    )


def _not_entailed(context: Context, parts: Mapping[str, Formula]) -> set[str]:
    """Return the clauses that do not follow, which is the only minimal choice; none where one is undecided."""
    verdicts = {id: verify_claim(context, part).verdict for id, part in parts.items()}
    if not set(verdicts.values()) <= {ClaimVerdict.ENTAILED, ClaimVerdict.POSSIBLE}:
        return set()
    return {id for id, verdict in verdicts.items() if verdict is ClaimVerdict.POSSIBLE}
