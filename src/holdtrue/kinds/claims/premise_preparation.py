"""From sentences to premises: entities, a pinned vocabulary, a formula for each sentence, and a second look where they
cannot all hold (VERGE, sections 3.1 and 3.3, algorithm 1, lines 2 to 4)."""

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
    """The premises P1, P2, ... of a context, and what the question's statements say.

    `statement` is what is true, false or unknown, where the options say just that; else the options are statements.
    `entities` are taken as they are, instead of asking for them; `gold` stands in for all that a model would be asked.
    Raises `ModelError`.
    """
    options = options or {}
    statements = _statements(options, statement)
    named = {f"P{place}": text for place, text in enumerate(sentences, start=1)}
    if gold is not None:
        return _golden(gold, named, statements, options, settings, budget)
    context = " ".join(sentences)
    asked = " ".join(part for part in (statement or question, *({} if statement else options).values()) if part)
    if entities is None:
        entities = await extract_entities(asking, context, asked)
    vocabulary, alerts = await propose_vocabulary(asking, context, asked, entities)
    empty = Premises(vocabulary, (), budget, settings.fresh, options=options, alerts=alerts)
    premises = await _told(asking, settings, empty, named, "context")
    return await _stating(asking, settings, premises, statements)


async def ask_about(
    asking: Asking,
    settings: FormalSettings,
    premises: Premises,
    options: Mapping[str, str],
    statement: str | None = None,
) -> Premises:
    """The premises for another question: its statements in place of the last one's, with the names that they bring.

    Nothing is asked where there are no statements. Raises `ModelError`.
    """
    statements = _statements(options, statement)
    if statements:
        premises = await widen(asking, settings, premises, statements.values())
    return await _stating(asking, settings, replace(premises, options=options), statements)


async def extend(
    asking: Asking, settings: FormalSettings, premises: Premises, stated: Mapping[str, str], source: str
) -> Premises:
    """The premises, and these (id -> sentence) beside them, with the names that they bring. Raises `ModelError`."""
    if not stated:
        return premises
    return await _told(asking, settings, await widen(asking, settings, premises, stated.values()), stated, source)


def stated(premises: Premises, sentences: Mapping[str, tuple[str, Sentence]], source: str) -> Premises:
    """The premises with these beside them, (id -> text and sentence), whose logic is known already."""
    new = tuple(grounded(Premise(id, text, source, said), premises) for id, (text, said) in sentences.items())
    return replace(premises, told=(*premises.told, *new))


def _statements(options: Mapping[str, str], statement: str | None) -> Mapping[str, str]:
    """What the question is about, by name. Truth values state nothing where nobody says of what they are."""
    if statement is not None:
        return {STATEMENT: statement}
    return {} if truth_letters(options) else options


async def _stating(
    asking: Asking, settings: FormalSettings, premises: Premises, statements: Mapping[str, str]
) -> Premises:
    """The premises with what the question's statements say."""
    said = {}
    for name, text in statements.items():
        read = await read_once(asking, settings, premises, text, "statement")
        said[name] = grounded(as_premise(name, text, "statement", read), premises)
    return replace(premises, statements=said)


async def _told(
    asking: Asking, settings: FormalSettings, premises: Premises, texts: Mapping[str, str], source: str
) -> Premises:
    """The premises with these sentences formalized. Those of a context, which can hold, are looked at again where as
    formulas they cannot; what a user says stays as it was read, so that a clash with it is told and never bent away.
    """
    made = []
    for id, text in texts.items():
        read = await read_once(asking, settings, premises, text, "formalize")
        made.append(grounded(as_premise(id, text, source, read), premises))
    found = replace(premises, told=(*premises.told, *made))
    for number in range(settings.refinements if source == "context" else 0):
        status = found.context.status
        if not isinstance(status, InconsistentContext):
            break
        found = await _refined(asking, settings, found, [id for id in status.premises if id in texts], number)
    return found


async def _refined(
    asking: Asking, settings: FormalSettings, premises: Premises, clash: Sequence[str], number: int
) -> Premises:
    """The premises with other formulas for some of these, one at a time until all can hold."""
    for id in clash:
        place = next(place for place, premise in enumerate(premises.told) if premise.id == id)
        old = premises.told[place]
        if old.sentence is None:
            continue
        others = [premises.texts[other] for other in clash if other != id]
        beside = "together with what these sentences say " if others else ""
        why = f"{beside}it can never be true{': ' if others else ''}{' '.join(others)}"
        new = await read_anew(asking, settings, premises, old.text, "refine", old.sentence, why, number)
        if new is None:
            continue
        tried = grounded(replace(as_premise(id, old.text, old.source, new), refined=old.refined + 1), premises)
        premises = replace(premises, told=(*premises.told[:place], tried, *premises.told[place + 1 :]))
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
    empty = Premises(gold.vocabulary, (), budget, settings.fresh, options=options)
    told = tuple(grounded(Premise(id, text, sentence=gold.premises.get(id)), empty) for id, text in named.items())
    said = {
        name: grounded(Premise(name, text, "statement", gold.statements.get(name)), empty)
        for name, text in statements.items()
    }
    return replace(empty, told=told, statements=said)
