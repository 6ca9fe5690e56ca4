"""A second prover of options, by SAT with grounded quantifiers."""

from __future__ import annotations

from bench.programs.grounding import variables_of
from holdtrue.solving.route import make_engine
from holdtrue_claims.solving.sentence_grounding import ground
from holdtrue_lab.kinds.claims.item import Item
from holdtrue_lab.suites.verge.gold_logic import PROOF, entailed_option
from tests.claims.fol.named_things import ranges_of, things_of
from tests.claims.fol.vocabulary_laws import laws


def grounded_option(item: Item) -> str | None:
    """Return the option as `proved_option` does, by SAT over the named things and two more.

    It is a second opinion rather than a proof. Raises `FormulaError` for formulas that cannot be grounded, such as a
    function without stated bounds.
    """
    if item.gold is None or not item.gold.statements:
        return None
    vocabulary = item.gold.vocabulary
    premises, claims = (
        {id: ground(sentence, things_of(vocabulary), ranges_of(vocabulary)) for id, sentence in said.items()}
        for said in (item.gold.premises, item.gold.statements)
    )
    always = laws(vocabulary)
    engine = make_engine(variables_of([*premises.values(), *claims.values(), *always]), always, prefer="sat")
    return entailed_option(item, engine, premises, claims, PROOF)
