"""Which option follows: from the premises as they were formalized, or from an answer's verified claims alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from holdtrue.claim_record import ClaimVerdict
from holdtrue.kinds.claims.context import Context
from holdtrue.kinds.claims.gold import STATEMENT, truth_letters
from holdtrue.kinds.claims.premises import Premises
from holdtrue.kinds.claims.proof import verify_claim
from holdtrue.logic.formula import Formula
from holdtrue.record import Label

_LABELS: Mapping[ClaimVerdict, Label] = {
    ClaimVerdict.ENTAILED: Label.ENTAILED,
    ClaimVerdict.CONTRADICTORY: Label.CONTRADICTED,
    ClaimVerdict.POSSIBLE: Label.UNKNOWN,
}


def proved_option(premises: Premises) -> str | None:
    """The option that the premises prove: that a statement follows, its opposite, or that neither does.

    Where options are statements, the only one that follows, or else the only one that is not refuted. None where the
    premises do not say, where they cannot all hold, where a statement could not be read, and for "neither" also where
    a premise could not be. Claims of earlier answers prove nothing: they may be no more than possible.
    """
    premises = premises.without(premise.id for premise in premises.told if premise.source == "claim")
    formulas = _statements(premises)
    if formulas is None:
        return None
    # What a premise would say that could not be read, nobody knows: it may settle what the others leave open.
    whole = all(premise.formula is not None for premise in premises.told)
    return _option(premises, premises.context_with(formulas.values()), formulas, whole=whole)


def supported_option(premises: Premises, claims: Sequence[Formula]) -> str | None:
    """The option that these claims prove without the premises; that neither follows is no proof of anything."""
    formulas = _statements(premises)
    if formulas is None or not claims:
        return None
    told = {f"C{place}": claim for place, claim in enumerate(claims)}
    variables = premises.context_with((*claims, *formulas.values())).variables
    # Claims never are the whole of what can be known.
    return _option(premises, Context(told, variables, premises.budget, premises.laws), formulas, whole=False)


def _statements(premises: Premises) -> Mapping[str, Formula] | None:
    """What each statement says; None where one could not be read, or there is none."""
    formulas = {name: statement.formula for name, statement in premises.statements.items()}
    read = {name: formula for name, formula in formulas.items() if formula is not None}
    return read if read and len(read) == len(formulas) else None


def _option(premises: Premises, context: Context, formulas: Mapping[str, Formula], *, whole: bool) -> str | None:
    verdicts = {name: verify_claim(context, formula).verdict for name, formula in formulas.items()}
    if STATEMENT in verdicts:
        label = _LABELS.get(verdicts[STATEMENT])
        if label is None or (label is Label.UNKNOWN and not whole):
            return None
        return truth_letters(premises.options).get(label)
    entailed = [letter for letter, verdict in verdicts.items() if verdict is ClaimVerdict.ENTAILED]
    if entailed or not set(verdicts.values()) <= {ClaimVerdict.CONTRADICTORY, ClaimVerdict.POSSIBLE}:
        return entailed[0] if len(entailed) == 1 else None
    open_ = [letter for letter, verdict in verdicts.items() if verdict is ClaimVerdict.POSSIBLE]
    # An option that has no other beside it is left open, not left over.
    return open_[0] if len(open_) == 1 < len(verdicts) else None
