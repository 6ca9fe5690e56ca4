"""This module proves which option an item's gold logic entails, and collects the vocabulary of sentences.

It also makes sentences about places.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations

from holdtrue.budget import Budget
from holdtrue.logic.formula import Formula
from holdtrue.record import Label
from holdtrue.solving.engine import Engine
from holdtrue.solving.explain.classification import label_of
from holdtrue_claims.fol.conventions import CONVENTIONS
from holdtrue_claims.fol.meaning import state
from holdtrue_claims.fol.signature import signature
from holdtrue_claims.fol.syntax import And, Apply, Compare, Constant, Number, Or, Plus, Sentence, Term
from holdtrue_claims.fol.vocabulary import ANY, Entity, Predicate, Vocabulary
from holdtrue_claims.kind.gold_logic import STATEMENT, truth_letters
from holdtrue_claims.solving.sentence_route import counted_sentences
from holdtrue_lab.kinds.claims.item import Item

PROOF = Budget(timeout_s=30.0)
"""The budget for each option. Without it, a proof about unboundedly many things might not end."""


def proved_option(item: Item, budget: Budget = PROOF) -> str | None:
    """Return the letter of the option that follows from the item's gold logic; None if none or several follow.

    Raises `FormulaError` for gold logic without a meaning.
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
    """Return the letter of the single option that is entailed by the engine; None if none or several are."""
    labels = {id: label_of(engine, premises, claim, budget) for id, claim in claims.items()}
    if STATEMENT in labels:
        found = labels[STATEMENT]
        return None if not isinstance(found, Label) else truth_letters(item.options).get(found)
    fitting = [letter for letter, label in labels.items() if label is Label.ENTAILED]
    return fitting[0] if len(fitting) == 1 else None


def vocabulary_of(sentences: Sequence[Sentence], meaning: Callable[[str, int], str]) -> Vocabulary:
    """Return the things and predicates of the sentences; `meaning` returns the meaning of a name with its arity.

    Data sets distinguish things by name, so all conventions about things count as stated.
    """
    found = signature(sentences)
    return Vocabulary(
        tuple(map(Entity, found.constants)),
        tuple(Predicate(name, (ANY,) * arity, meaning(name, arity)) for name, arity in found.predicates.items()),
        stated=CONVENTIONS,
    )


def place_of(function: str, thing: str) -> Apply:
    return Apply(function, (Constant(thing),))


def all_apart(places: Iterable[Term]) -> Sentence:
    """Return the sentence that no two of the places are the same."""
    pairs = tuple(Compare("!=", one, other) for one, other in combinations(places, 2))
    return pairs[0] if len(pairs) == 1 else And(pairs)


def all_within(places: Iterable[Term], last: int) -> Sentence:
    """Return the sentence that the places are from 1 to `last`."""
    ends = ((Compare(">=", place, Number(1)), Compare("<=", place, Number(last))) for place in places)
    return And(tuple(end for both in ends for end in both))


def is_more(one: Term, other: Term, by: int) -> Sentence:
    """Return the sentence that the first number is the other one plus `by`."""
    return Compare("=", one, Plus(((1, other), (1, Number(by)))))


def is_further(one: Term, other: Term, by: int, sign: int = 1) -> Sentence:
    """Return the sentence that the first place is greater than the other by `by`, or less if `sign` is -1."""
    return Compare("=", Plus(((sign, one), (-sign, other))), Number(by))


def is_distant(one: Term, other: Term, by: int) -> Sentence:
    """Return the sentence that the two places differ by `by` in either direction; it needs no absolute value."""
    return Or((is_further(one, other, by), is_further(one, other, by, sign=-1)))
