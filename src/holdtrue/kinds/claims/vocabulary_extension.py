"""Premises in a wider vocabulary: what is said later brings names of its own."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from holdtrue.kinds.claims.formula_gates import as_premise, read_once
from holdtrue.kinds.claims.premises import Premise, Premises, grounded
from holdtrue.kinds.claims.prompts.decomposition import Claim
from holdtrue.kinds.claims.prompts.entities import extract_entities
from holdtrue.kinds.claims.prompts.name_detection import new_names
from holdtrue.kinds.claims.prompts.vocabulary_proposal import propose_vocabulary
from holdtrue.kinds.claims.settings import FormalSettings
from holdtrue.language.asking import Asking
from holdtrue.logic.fol.naming import name_words, near, stem
from holdtrue.logic.fol.vocabulary import Entity


async def widen(asking: Asking, settings: FormalSettings, premises: Premises, texts: Iterable[str]) -> Premises:
    """The premises in a vocabulary that has the names and words of these texts, too. Raises `ModelError`."""
    text = " ".join(map(_ended, texts))
    things = await _new_things(asking, premises, text, earlier=_said(premises))
    return await _named(asking, settings, premises, text, things)


async def widen_for_claims(
    asking: Asking, settings: FormalSettings, premises: Premises, answer: str, claims: Sequence[Claim]
) -> Premises:
    """The premises with the names that only an answer's claims have; the very same, and nothing asked, where there are
    none, or where the model knows of none. What the premises name was asked about before. Raises `ModelError`.
    """
    if not claims or not premises.consistent:
        return premises
    text, earlier = " ".join(_ended(claim.text) for claim in claims), _said(premises)
    # How the answer itself writes a name may show that it is one.
    named = {name.casefold() for name in new_names(premises.vocabulary, f"{answer} {text}", earlier)}
    if not any(name in text.casefold() for name in named):
        return premises
    things = await _new_things(asking, premises, text, earlier=f"{earlier} {answer}")
    return await _named(asking, settings, premises, text, things) if things else premises


async def _new_things(asking: Asking, premises: Premises, text: str, earlier: str) -> list[Entity]:
    """The things of a text that the vocabulary has not; what is near a known name is that one."""
    found = await extract_entities(asking, text, earlier=earlier)
    known = premises.vocabulary.entities
    return [thing for thing in found if not any(near(thing.name, own.name) for own in known)]


async def _named(
    asking: Asking, settings: FormalSettings, premises: Premises, text: str, things: Sequence[Entity]
) -> Premises:
    """The premises in a vocabulary with these things, and what is said of them."""
    vocabulary, alerts = await propose_vocabulary(asking, text, entities=things, known=premises.vocabulary)
    wider = replace(premises, vocabulary=vocabulary, alerts=(*premises.alerts, *alerts))
    told = [await _read_again(asking, settings, wider, premise, things) for premise in premises.told]
    # With new things, what is said of all of them says more.
    return replace(
        wider,
        told=tuple(grounded(premise, wider) for premise in told),
        statements={name: grounded(premise, wider) for name, premise in premises.statements.items()},
    )


async def _read_again(
    asking: Asking, settings: FormalSettings, premises: Premises, premise: Premise, things: Sequence[Entity]
) -> Premise:
    """The premise, read once more where it could not be said before and has a word of the new things or their sorts."""
    if premise.sentence is not None:
        return premise
    new = {stem(word.casefold()) for thing in things for word in (*name_words(thing.name), thing.sort)}
    if new.isdisjoint(stem(word.casefold()) for word in name_words(premise.text)):
        return premise
    read = await read_once(asking, settings, premises, premise.text, "formalize")
    return as_premise(premise.id, premise.text, premise.source, read)


def _said(premises: Premises) -> str:
    """All that was asked about before: the premises, the statements, and the options."""
    statements = [premise.text for premise in premises.statements.values()]
    return " ".join(map(_ended, (*premises.texts.values(), *statements, *premises.options.values())))


def _ended(text: str) -> str:
    """A sentence with a full stop: many in a row stay many."""
    return text if text.endswith((".", "!", "?")) else f"{text}."
