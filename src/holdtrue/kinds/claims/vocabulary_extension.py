"""Widen the vocabulary of premises by the names that a later text brings: a new message, or the claims of an answer.

Formulas may only use the names of a pinned vocabulary, so a new name has to enter it before a sentence that has it can
be formalized. A model is asked for the new names; known names keep their meaning, and formulas stay as they are.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from holdtrue.kinds.claims.formula_gates import as_premise, read_once
from holdtrue.kinds.claims.premises import Premise, Premises, grounded
from holdtrue.kinds.claims.prompts.decomposition import Claim
from holdtrue.kinds.claims.prompts.entities import extract_entities, new_names
from holdtrue.kinds.claims.prompts.vocabulary_proposal import propose_vocabulary
from holdtrue.kinds.claims.settings import FormalSettings
from holdtrue.language.asking import Asking
from holdtrue.logic.fol.alert import Alert
from holdtrue.logic.fol.naming import name_words, near, stem
from holdtrue.logic.fol.vocabulary import Entity


async def widen(asking: Asking, settings: FormalSettings, premises: Premises, texts: Iterable[str]) -> Premises:
    """Return the premises with a vocabulary that also has the things, predicates and functions of these texts.

    A premise that had no formula, and that shares a word with a new thing, is formalized again. Raises `ModelError`.
    """
    text = " ".join(map(_ended, texts))
    things, alerts = await _new_things(asking, premises, text)
    premises = replace(premises, alerts=(*premises.alerts, *alerts))
    return await _named(asking, settings, premises, text, things)


async def widen_for_claims(
    asking: Asking, settings: FormalSettings, premises: Premises, claims: Sequence[Claim], *, unread: bool = False
) -> Premises:
    """Return the premises with a vocabulary that also has the things which only the claims of an answer name.

    The model is asked only if a word of the claims may be a new name, or if they are `unread`: no formula could be
    written for them, which also want of predicates explains. The same `premises` are returned where no word may, where
    the model finds nothing new, and where the premises are inconsistent. Raises `ModelError`.
    """
    text = " ".join(_ended(claim.text) for claim in claims)
    if not premises.consistent or not (unread or new_names(premises.vocabulary, text, _said(premises))):
        return premises
    things, alerts = await _new_things(asking, premises, text)
    premises = replace(premises, alerts=(*premises.alerts, *alerts)) if alerts else premises
    return await _named(asking, settings, premises, text, things) if things or unread else premises


async def _new_things(asking: Asking, premises: Premises, text: str) -> tuple[list[Entity], tuple[Alert, ...]]:
    """Return the things of a text that are new: no name in the vocabulary looks like theirs; and alerts."""
    found, alerts = await extract_entities(asking, text)
    known = premises.vocabulary.entities
    return [thing for thing in found if not any(near(thing.name, own.name) for own in known)], alerts


async def _named(
    asking: Asking, settings: FormalSettings, premises: Premises, text: str, things: Sequence[Entity]
) -> Premises:
    """Return the premises with a vocabulary that has these things, and the words that the text says about them."""
    vocabulary, alerts = await propose_vocabulary(asking, text, entities=things, known=premises.vocabulary)
    wider = replace(premises, vocabulary=vocabulary, alerts=(*premises.alerts, *alerts))
    entries = [await _read_again(asking, settings, wider, premise, things) for premise in premises.entries]
    # With new things, what is said of all of them says more.
    return replace(
        wider,
        entries=tuple(grounded(premise, wider) for premise in entries),
        statements={name: grounded(premise, wider) for name, premise in premises.statements.items()},
    )


async def _read_again(
    asking: Asking, settings: FormalSettings, premises: Premises, premise: Premise, things: Sequence[Entity]
) -> Premise:
    """Formalize a premise again if it has no formula, and has a word of a new thing or of its sort."""
    if premise.sentence is not None:
        return premise
    new = {stem(word.casefold()) for thing in things for word in (*name_words(thing.name), thing.sort)}
    if new.isdisjoint(stem(word.casefold()) for word in name_words(premise.text)):
        return premise
    read = await read_once(asking, settings, premises, premise.text, "formalize")
    return as_premise(premise.id, premise.text, premise.source, read)


def _said(premises: Premises) -> str:
    """Return all text whose names were asked for before: the premises, the statements, and the options."""
    statements = [premise.text for premise in premises.statements.values()]
    return " ".join(map(_ended, (*premises.texts.values(), *statements, *premises.options.values())))


def _ended(text: str) -> str:
    """A sentence with a full stop: many in a row stay many."""
    return text if text.endswith((".", "!", "?")) else f"{text}."
