"""Formalize the sentences of a context (VERGE, sections 3.1 and 3.3, algorithm 1, lines 2 to 4).

First the entities are found, then a vocabulary is pinned, then each sentence becomes a formula. If the formulas cannot
all hold, those that clash are asked for again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from holdtrue.budget import Budget
from holdtrue.kinds.claims.context import InconsistentContext
from holdtrue.kinds.claims.formula_gates import as_premise, read_anew, read_once
from holdtrue.kinds.claims.gold_logic import STATEMENT, GoldLogic, truth_letters
from holdtrue.kinds.claims.premises import Premise, Premises, grounded
from holdtrue.kinds.claims.prompts.entities import extract_entities
from holdtrue.kinds.claims.prompts.vocabulary_proposal import propose_vocabulary
from holdtrue.kinds.claims.settings import FormalSettings
from holdtrue.kinds.claims.vocabulary_extension import widen
from holdtrue.language.asking import Asking
from holdtrue.logic.fol.alert import Alert
from holdtrue.logic.fol.syntax import Sentence
from holdtrue.logic.fol.vocabulary import Entity


async def prepare(
    asking: Asking,
    settings: FormalSettings,
    sentences: Sequence[str],
    *,
    budget: Budget,
    question: str = "",
    options: Mapping[str, str] | None = None,
    statement: str | None = None,
    entities: Sequence[Entity] | None = None,
    gold: GoldLogic | None = None,
) -> Premises:
    """Return the premises P1, P2, ... of a context, and the formulas of the question's statements.

    If the options are true, false and unknown, `statement` is what they are about; otherwise the options are statements
    themselves. `entities` replace asking a model for them, and `gold` replaces all that a model would be asked. Raises
    `ModelError`.
    """
    options = options or {}
    statements = _statements(options, statement)
    named = {f"P{place}": text for place, text in enumerate(sentences, start=1)}
    if gold is not None:
        return _golden(gold, named, statements, options, settings, budget)
    context = " ".join(sentences)
    asked = " ".join(part for part in (statement or question, *({} if statement else options).values()) if part)
    lost: tuple[Alert, ...] = ()
    if entities is None:
        entities, lost = await extract_entities(asking, context, asked)
    vocabulary, alerts = await propose_vocabulary(asking, context, asked, entities)
    vocabulary = replace(vocabulary, stated=settings.assume)
    empty = Premises(vocabulary, (), budget, options=options, alerts=(*lost, *alerts))
    premises = await _formalize(asking, settings, empty, named, "context")
    return await _stating(asking, settings, premises, statements)


async def ask_about(
    asking: Asking,
    settings: FormalSettings,
    premises: Premises,
    options: Mapping[str, str],
    statement: str | None = None,
) -> Premises:
    """Return the premises for another question, with its statements in place of the last one's, and their new names.

    No model is asked if the question has no statements. Raises `ModelError`.
    """
    statements = _statements(options, statement)
    if statements:
        premises = await widen(asking, settings, premises, statements.values())
    return await _stating(asking, settings, replace(premises, options=options), statements)


async def extend(
    asking: Asking, settings: FormalSettings, premises: Premises, stated: Mapping[str, str], source: str
) -> Premises:
    """Formalize more sentences, given by id, and return the premises with them and with their new names.

    Raises `ModelError`.
    """
    if not stated:
        return premises
    return await _formalize(asking, settings, await widen(asking, settings, premises, stated.values()), stated, source)


def stated(
    premises: Premises, sentences: Mapping[str, tuple[str, Sentence | None]], source: str = "context"
) -> Premises:
    """Return the premises with more sentences, given by id as text and formula, so that no model is asked."""
    new = tuple(
        grounded(Premise(id, text, source, said, confirmed=True), premises) for id, (text, said) in sentences.items()
    )
    return replace(premises, entries=(*premises.entries, *new))


def _statements(options: Mapping[str, str], statement: str | None) -> Mapping[str, str]:
    """Return the statements of a question by name; truth values without a `statement` to be about state nothing."""
    if statement is not None:
        return {STATEMENT: statement}
    return {} if truth_letters(options) else options


async def _stating(
    asking: Asking, settings: FormalSettings, premises: Premises, statements: Mapping[str, str]
) -> Premises:
    """Return the premises with the formulas of the question's statements."""
    said = {}
    for name, text in statements.items():
        read = await read_once(asking, settings, premises, text, "statement")
        said[name] = grounded(as_premise(name, text, "statement", read), premises)
    return replace(premises, statements=said)


async def _formalize(
    asking: Asking, settings: FormalSettings, premises: Premises, texts: Mapping[str, str], source: str
) -> Premises:
    """Formalize these sentences, and return the premises with them.

    If the formulas of a context cannot all hold, those that clash are asked for again. A user's statement keeps its
    first formula, so that the user hears of a clash instead of having it explained away.
    """
    made = []
    for id, text in texts.items():
        read = await read_once(asking, settings, premises, text, "formalize")
        made.append(grounded(as_premise(id, text, source, read), premises))
    found = replace(premises, entries=(*premises.entries, *made))
    for number in range(settings.refinements if source == "context" else 0):
        status = found.context.status
        if not isinstance(status, InconsistentContext):
            break
        found = await _refined(asking, settings, found, [id for id in status.premises if id in texts], number)
    return found


async def _refined(
    asking: Asking, settings: FormalSettings, premises: Premises, clash: Sequence[str], number: int
) -> Premises:
    """Ask for other formulas of clashing premises, one at a time, until all can hold; return the premises."""
    for id in clash:
        place = next(place for place, premise in enumerate(premises.entries) if premise.id == id)
        old = premises.entries[place]
        if old.sentence is None:
            continue
        others = [premises.texts[other] for other in clash if other != id]
        beside = "together with what these sentences say " if others else ""
        why = f"{beside}it can never be true{': ' if others else ''}{' '.join(others)}"
        new = await read_anew(asking, settings, premises, old.text, "refine", old.sentence, why, number)
        if new is None:
            continue
        tried = grounded(replace(as_premise(id, old.text, old.source, new), refined=old.refined + 1), premises)
        premises = replace(premises, entries=(*premises.entries[:place], tried, *premises.entries[place + 1 :]))
        if not isinstance(premises.context.status, InconsistentContext):
            break
    return premises


def _golden(
    gold: GoldLogic,
    named: Mapping[str, str],
    statements: Mapping[str, str],
    options: Mapping[str, str],
    settings: FormalSettings,
    budget: Budget,
) -> Premises:
    vocabulary = replace(gold.vocabulary, stated=gold.vocabulary.stated or settings.assume)
    empty = Premises(vocabulary, (), budget, options=options)
    said = {
        name: grounded(Premise(name, text, "statement", gold.statements.get(name)), empty)
        for name, text in statements.items()
    }
    premises = replace(empty, statements=said)
    return stated(premises, {id: (text, gold.premises.get(id)) for id, text in named.items()})
