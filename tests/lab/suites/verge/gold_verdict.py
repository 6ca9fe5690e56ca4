"""A solver's verdict on each option or statement of an item, from its gold logic, as claims are verified."""

from __future__ import annotations

from collections.abc import Mapping

from holdtrue.logic.formula import Formula
from holdtrue_claims.claim_record import ClaimVerdict
from holdtrue_claims.fol.meaning import state
from holdtrue_claims.kind.context import Context
from holdtrue_claims.kind.entailment import verify_claim
from holdtrue_claims.kind.gold_logic import STATEMENT
from holdtrue_claims.solving.sentence_grounding import ground
from holdtrue_lab.kinds.claims.item import Item
from holdtrue_lab.suites.verge.gold_logic import PROOF
from tests.claims.fol.named_things import ranges_of, things_of
from tests.claims.fol.vocabulary_laws import laws

TRUTHS = {"True": "entailed", "False": "contradictory", "Uncertain": "possible", "Unknown": "possible"}


def grounded(item: Item) -> tuple[Mapping[str, Formula], Mapping[str, Formula], tuple[Formula, ...]]:
    """Return the premises and statements of the gold logic grounded over its things, with the laws of its functions."""
    gold = item.gold
    assert gold is not None
    things, ranges = things_of(gold.vocabulary), ranges_of(gold.vocabulary)
    premises = {id: ground(sentence, things, ranges) for id, sentence in gold.premises.items()}
    claims = {id: ground(sentence, things, ranges) for id, sentence in gold.statements.items()}
    return premises, claims, laws(gold.vocabulary)


def verdicts(item: Item) -> Mapping[str, ClaimVerdict]:
    """Return the verdict on every statement of the gold logic."""
    gold = item.gold
    assert gold is not None
    premises = {id: state(sentence, gold.vocabulary) for id, sentence in gold.premises.items()}
    context = Context(premises, gold.vocabulary, PROOF)
    return {id: verify_claim(context, state(said, gold.vocabulary)).verdict for id, said in gold.statements.items()}


def gives_the_answer(item: Item) -> bool:
    """Return whether the verdicts make the gold option right, and every other one false."""
    found = dict(verdicts(item))
    if STATEMENT in found:
        return found == {STATEMENT: TRUTHS[item.options[item.answer]]}
    right = found.pop(item.answer) is ClaimVerdict.ENTAILED
    return right and set(found.values()) <= {ClaimVerdict.CONTRADICTORY}
