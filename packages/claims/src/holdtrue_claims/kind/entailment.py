"""Prove whether a context entails a claim, which clauses of it have to go, and which option of a question follows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from holdtrue.budget import Budget
from holdtrue.logic.formula import Formula
from holdtrue.record import Label
from holdtrue.solving.engine import Soft
from holdtrue.solving.explain.classification import QUERY, classify
from holdtrue.solving.explain.mus import smallest_mus
from holdtrue.solving.result import (
    Core,
    Entailed,
    Id,
    Independent,
    Mcs,
    MinimumMcs,
    Mus,
    Refuted,
    Satisfiable,
    Unknown,
    Witness,
)
from holdtrue_claims.claim_record import ClaimVerdict, ClauseRecord
from holdtrue_claims.fol.conventions import IN_WORDS
from holdtrue_claims.fol.english import say
from holdtrue_claims.fol.meaning import Stated, sentence_of
from holdtrue_claims.fol.written_out import clauses
from holdtrue_claims.kind.context import CANNOT_HOLD, Context, InconsistentContext, correct
from holdtrue_claims.kind.gold_logic import STATEMENT, truth_letters
from holdtrue_claims.kind.premises import Premises


@dataclass(frozen=True, slots=True)
class ClaimFinding:
    """A `ClaimFinding` is the verdict on a claim with its evidence.

    Attributes:
        verdict: Whether the context entails the claim, contradicts it or leaves it open.
        premises: The ids of the premises that entail or contradict the claim, or that clash. They are empty if the
            laws alone suffice.
        minimal: Every one of `premises` is proved necessary.
        holds: Values that satisfy the context and the claim, if there are any.
        fails: Values that satisfy the context and the claim's negation, if there are any.
        reason: Why nothing was proved, or, in addition to a proof, why the premises were not shown to be possible.
        assumptions: For the verdict `ASSUMED`, the unstated assumptions of the proof, as sentences.
        assuming: For the verdict `ASSUMED`, the verdict under these assumptions: entailed or contradictory.
    """

    verdict: ClaimVerdict
    premises: tuple[Id, ...] = ()
    minimal: bool = True
    holds: Witness | None = None
    fails: Witness | None = None
    reason: str | None = None
    assumptions: tuple[str, ...] = ()
    assuming: ClaimVerdict | None = None


NOTHING_ELSE = "There is nothing beside what the sentences name."
"""The assumption under which a finite situation stands for all situations."""


def verify_claim(context: Context, claim: Formula) -> ClaimFinding:
    """Decide whether the context entails the claim, contradicts it or leaves it open.

    The finding names as few premises as prove the verdict, and `minimal` says whether all are proved necessary. One
    budget covers the proof and the search for its fewest premises. A second one covers the check for unstated
    conventions. If it is unknown whether the premises can all hold, each step has its own budget. Raises `FormulaError`
    for a name that the vocabulary does not have.
    """
    found = _decided(context, claim)
    if found.verdict not in (ClaimVerdict.ENTAILED, ClaimVerdict.CONTRADICTORY):
        return found
    impossible = claim.negation if found.verdict is ClaimVerdict.ENTAILED else claim
    deadline = context.budget.start()
    proof = {QUERY: impossible, **{id: context.premises[id] for id in found.premises}}
    assumed = context.conventions_of(proof, context.budget.until(deadline))
    if not assumed:
        return found
    # The smallest proof may use a convention although a larger proof needs none.
    other = context.core_without_conventions({QUERY: impossible}, context.budget.until(deadline))
    if other is not None:
        ids = tuple(id for id in other.ids if id != QUERY)
        return replace(found, premises=ids, minimal=isinstance(other, Mus))
    in_words = tuple(IN_WORDS[own] for own in assumed)
    return replace(found, verdict=ClaimVerdict.ASSUMED, assuming=found.verdict, assumptions=in_words)


def _decided(context: Context, claim: Formula) -> ClaimFinding:
    status = context.status
    if isinstance(status, InconsistentContext):
        return ClaimFinding(ClaimVerdict.INCONSISTENT_CONTEXT, status.premises, status.minimal, reason=status.reason)
    if isinstance(status, Unknown):
        return _unwitnessed(context, claim, status)
    deadline = context.budget.start()
    found = classify(context.engine, context.premises, claim, context.budget, witness=status.witness)
    match found:
        case Independent(holds, fails):
            return ClaimFinding(ClaimVerdict.POSSIBLE, holds=holds, fails=fails)
        case Entailed():
            premises, minimal = _needed(context, context.premises, claim.negation, context.budget.until(deadline))
            return ClaimFinding(ClaimVerdict.ENTAILED, premises, minimal, holds=status.witness)
        case Refuted():
            premises, minimal = _needed(context, context.premises, claim, context.budget.until(deadline))
            return ClaimFinding(ClaimVerdict.CONTRADICTORY, premises, minimal, fails=status.witness)
    # `Inconsistent` is impossible, because there is a witness.
    unknown = ClaimFinding(ClaimVerdict.UNKNOWN, reason=found.reason if isinstance(found, Unknown) else None)
    return _assumed(context, claim, context.budget.until(deadline)) or unknown


def _unwitnessed(context: Context, claim: Formula, status: Unknown) -> ClaimFinding:
    """Decide a claim although it is unknown whether the premises can all hold.

    Their consequences follow anyway, and the finding names the missing proof. If a claim and its negation are both
    impossible, the premises are inconsistent.
    """
    unshown = f"whether the premises can all hold was not shown: {status.reason}"
    deadline = context.budget.start()
    ruled_out: list[tuple[Formula, ClaimVerdict, Soft]] = []  # each with the premises of its proof
    shown: list[Witness] = []
    for impossible, verdict, part in (
        (claim.negation, ClaimVerdict.ENTAILED, 2),
        (claim, ClaimVerdict.CONTRADICTORY, 1),
    ):
        found = context.engine.check({**context.premises, QUERY: impossible}, context.budget.until(deadline, part))
        if isinstance(found, Satisfiable):
            shown.append(found.witness)
        elif isinstance(found, Core):
            ruled_out.append((impossible, verdict, {id: context.premises[id] for id in found.ids if id != QUERY}))
    if len(ruled_out) == 2:
        return ClaimFinding(ClaimVerdict.INCONSISTENT_CONTEXT, tuple(context.premises), False, reason=CANNOT_HOLD)
    if len(shown) == 2:
        return ClaimFinding(ClaimVerdict.POSSIBLE, fails=shown[0], holds=shown[1])
    if ruled_out:
        formula, proved, core = ruled_out[0]
        premises, minimal = _needed(context, core, formula, context.budget)
        return ClaimFinding(proved, premises, minimal, reason=None if shown else unshown)
    return _assumed(context, claim, context.budget) or ClaimFinding(ClaimVerdict.UNKNOWN, reason=status.reason)


def _assumed(context: Context, claim: Formula, budget: Budget) -> ClaimFinding | None:
    """Return the verdict under the assumption that only the named things exist, or None if that is open too."""
    found = classify(context.assuming, context.premises, claim, budget)
    if not isinstance(found, Entailed | Refuted):
        return None
    assuming = ClaimVerdict.ENTAILED if isinstance(found, Entailed) else ClaimVerdict.CONTRADICTORY
    impossible = claim.negation if isinstance(found, Entailed) else claim
    core = context.assuming.check({**context.premises, QUERY: impossible}, budget)
    ids = tuple(id for id in core.ids if id != QUERY) if isinstance(core, Core) else tuple(context.premises)
    return ClaimFinding(ClaimVerdict.ASSUMED, ids, minimal=False, assuming=assuming, assumptions=(NOTHING_ELSE,))


def _needed(context: Context, premises: Soft, impossible: Formula, budget: Budget) -> tuple[tuple[Id, ...], bool]:
    """Return as few of the premises as possible that exclude a formula, and whether all are proved necessary."""
    found = smallest_mus(context.engine, {**premises, QUERY: impossible}, budget)
    if not isinstance(found, Mus | Core):  # all premises together are proved to exclude it
        return tuple(premises), False
    return tuple(id for id in found.ids if id != QUERY), isinstance(found, Mus)


_LABELS: Mapping[ClaimVerdict, Label] = {
    ClaimVerdict.ENTAILED: Label.ENTAILED,
    ClaimVerdict.CONTRADICTORY: Label.CONTRADICTED,
    ClaimVerdict.POSSIBLE: Label.UNKNOWN,
}


def proved_option(premises: Premises, claims: Sequence[Formula] | None = None) -> str | None:
    """Return the letter of the option that the premises prove, or that `claims` prove without the premises, if any.

    If the options are truth values, the option says whether the statement follows, its negation follows, or neither
    does. If the options are statements, it is the only one that follows, or else the only one that is not refuted.
    Inconsistent premises, or a statement without a formula, prove nothing. Claims never prove that neither follows.
    Premises prove it only if each of them has a formula.
    """
    formulas = {name: said.formula for name, said in premises.statements.items() if said.formula is not None}
    if not formulas or len(formulas) < len(premises.statements) or (claims is not None and not claims):
        return None
    context = premises.context
    if claims is not None:
        named = {f"C{place}": claim for place, claim in enumerate(claims)}
        context = Context(named, premises.vocabulary, premises.budget)
    verdicts = {name: verify_claim(context, formula).verdict for name, formula in formulas.items()}
    if STATEMENT in verdicts:
        label = _LABELS.get(verdicts[STATEMENT])
        # Claims never contain all that is known.
        if label is None or (label is Label.UNKNOWN and (claims is not None or premises.unread)):
            return None
        return truth_letters(premises.options).get(label)
    entailed = [letter for letter, verdict in verdicts.items() if verdict is ClaimVerdict.ENTAILED]
    if entailed or not set(verdicts.values()) <= {ClaimVerdict.CONTRADICTORY, ClaimVerdict.POSSIBLE}:
        return entailed[0] if len(entailed) == 1 else None
    open_ = [letter for letter, verdict in verdicts.items() if verdict is ClaimVerdict.POSSIBLE]
    # If there is only one option, exclusion proves nothing.
    return open_[0] if len(open_) == 1 < len(verdicts) else None


def correct_clauses(context: Context, claim: Formula, verdict: ClaimVerdict) -> ClauseRecord | None:
    """Return which clauses of a claim with this verdict have to go, and which can stay.

    The remaining clauses of a contradictory claim can hold with the premises; those of a possible claim follow from the
    premises. The result is None for other verdicts, for a claim of one clause, and if the time ran out.
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
        # The clauses that do not follow are the only minimal choice.
        verdicts = {id: verify_claim(context, part).verdict for id, part in parts.items()}
        decided = set(verdicts.values()) <= {ClaimVerdict.ENTAILED, ClaimVerdict.POSSIBLE}
        dropped = {id for id, own in verdicts.items() if decided and own is ClaimVerdict.POSSIBLE}
        minimum = True
    if not dropped:
        return None
    said = {id: say(part.sentence, context.vocabulary) for id, part in parts.items()}
    return ClauseRecord(
        drop=tuple(said[id] for id in parts if id in dropped),
        keep=tuple(said[id] for id in parts if id not in dropped),
        minimum=minimum,
    )
