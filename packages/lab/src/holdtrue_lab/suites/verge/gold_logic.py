"""Prove by a solver which option an item's gold logic entails, and collect the vocabulary of gold formulas."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from holdtrue.budget import Budget
from holdtrue.logic.formula import Formula
from holdtrue.record import Label
from holdtrue.solving.engine import Engine
from holdtrue.solving.explain.classification import label_of
from holdtrue_claims.fol.conventions import CONVENTIONS
from holdtrue_claims.fol.meaning import state
from holdtrue_claims.fol.signature import signature
from holdtrue_claims.fol.syntax import Sentence
from holdtrue_claims.fol.vocabulary import ANY, Entity, Predicate, Vocabulary
from holdtrue_claims.kind.gold_logic import STATEMENT, truth_letters
from holdtrue_claims.solving.sentence_route import counted_sentences
from holdtrue_lab.kinds.claims.item import Item

PROOF = Budget(timeout_s=30.0)
"""For each option: a proof about things of any number can go on for ever."""


def proved_option(item: Item, budget: Budget = PROOF) -> str | None:
    """Return the letter of the option that follows from the item's gold logic; None if none does, or several do.

    Raises `FormulaError` for gold logic that has no meaning.
    """
    if item.gold is None or not item.gold.statements:
        return None
    vocabulary = item.gold.vocabulary
    premises, claims = (
        {id: state(sentence, vocabulary) for id, sentence in said.items()}
        for said in (item.gold.premises, item.gold.statements)
    )
    return entailed_option(item, counted_sentences(vocabulary), premises, claims, budget)


def entailed_option(
    item: Item, engine: Engine, premises: Mapping[str, Formula], claims: Mapping[str, Formula], budget: Budget
) -> str | None:
    """Return the letter of the option that an engine finds entailed; None if none is, or several are."""
    labels = {id: label_of(engine, premises, claim, budget) for id, claim in claims.items()}
    if STATEMENT in labels:
        found = labels[STATEMENT]
        return None if not isinstance(found, Label) else truth_letters(item.options).get(found)
    fitting = [letter for letter, label in labels.items() if label is Label.ENTAILED]
    return fitting[0] if len(fitting) == 1 else None


def vocabulary_of(sentences: Sequence[Sentence], meaning: Callable[[str, int], str]) -> Vocabulary:
    """Return the things and predicates of the sentences; `meaning` gives the meaning of a name with its arity.

    A data set tells its things apart by their names, so that all conventions count as stated.
    """
    found = signature(sentences)
    return Vocabulary(
        tuple(map(Entity, found.constants)),
        tuple(Predicate(name, (ANY,) * arity, meaning(name, arity)) for name, arity in found.predicates.items()),
        stated=CONVENTIONS,
    )
