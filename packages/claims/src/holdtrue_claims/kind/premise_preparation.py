"""Formalize the sentences of a context (VERGE, sections 3.1 and 3.3, algorithm 1, lines 2 to 4), and later sentences.

The entities are found first, then a vocabulary is fixed, then each sentence becomes a formula. If the formulas cannot
all hold, other formulas for the clashing sentences are requested. Later statements of users, and claims of correct
answers, also become premises. New names extend the vocabulary.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from holdtrue.budget import Budget
from holdtrue.language.asking import Asking
from holdtrue.ledger.entries import EventKind, Source, Statements
from holdtrue.solving.result import Satisfiable
from holdtrue_claims.claim_record import ClaimVerdict, JointVerdict, Route
from holdtrue_claims.fol.alert import Alert
from holdtrue_claims.fol.naming import name_words, near, stem
from holdtrue_claims.fol.notation import read_fol
from holdtrue_claims.fol.syntax import Sentence
from holdtrue_claims.fol.vocabulary import Entity
from holdtrue_claims.kind.context import InconsistentContext
from holdtrue_claims.kind.formula_gates import Reader
from holdtrue_claims.kind.gold_logic import STATEMENT, GoldLogic, truth_letters
from holdtrue_claims.kind.premises import EARLIER, Premise, Premises, grounded
from holdtrue_claims.kind.prompts.decomposition import Claim
from holdtrue_claims.kind.prompts.entities import extract_entities, new_names
from holdtrue_claims.kind.prompts.vocabulary_proposal import propose_vocabulary
from holdtrue_claims.kind.settings import FormalSettings

if TYPE_CHECKING:
    from holdtrue_claims.kind.answering import ClaimPlayed


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

    If the options are true, false and unknown, the question is which of them applies to `statement`. Otherwise the
    options are statements themselves.
    If `entities` are given, the model is not asked for them; if `gold` is given, it is asked nothing. Raises
    `ModelError`.
    """
    options = options or {}
    statements = _statements(options, statement)
    named = {f"P{place}": text for place, text in enumerate(sentences, start=1)}
    if gold is not None:
        pinned = replace(gold.vocabulary, stated=gold.vocabulary.stated or settings.assume)
        empty = Premises(pinned, (), budget, options=options)
        said = {
            name: grounded(Premise(name, text, "statement", gold.statements.get(name)), empty)
            for name, text in statements.items()
        }
        golden = {id: (text, gold.premises.get(id)) for id, text in named.items()}
        return stated(replace(empty, statements=said), golden)
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
    """Return the premises for another question, with its statements in place of earlier ones, and its new names.

    No model is asked if the question has no statements. Raises `ModelError`.
    """
    statements = _statements(options, statement)
    if statements:
        premises = await widen(asking, settings, premises, statements.values())
    return await _stating(asking, settings, replace(premises, options=options), statements)


async def extend(
    asking: Asking, settings: FormalSettings, premises: Premises, stated: Mapping[str, str], source: str
) -> Premises:
    """Formalize more sentences, given by id, and return the premises with these sentences and their new names.

    Raises `ModelError`.
    """
    if not stated:
        return premises
    return await _formalize(asking, settings, await widen(asking, settings, premises, stated.values()), stated, source)


def stated(
    premises: Premises, sentences: Mapping[str, tuple[str, Sentence | None]], source: str = "context"
) -> Premises:
    """Return the premises with more sentences, given by id as text and formula, without asking a model."""
    new = tuple(
        grounded(Premise(id, text, source, said, confirmed=True), premises) for id, (text, said) in sentences.items()
    )
    return replace(premises, entries=(*premises.entries, *new))


def _statements(options: Mapping[str, str], statement: str | None) -> Mapping[str, str]:
    """Return the statements of a question by name. Truth values without a `statement` to judge state nothing."""
    if statement is not None:
        return {STATEMENT: statement}
    return {} if truth_letters(options) else options


async def _stating(
    asking: Asking, settings: FormalSettings, premises: Premises, statements: Mapping[str, str]
) -> Premises:
    """Return the premises with the formulas of the question's statements."""
    said = {}
    for name, text in statements.items():
        sentence, alerts = await Reader([asking], premises, settings, text).read_once("statement")
        said[name] = grounded(Premise(name, text, "statement", sentence, alerts=alerts), premises)
    return replace(premises, statements=said)


async def _formalize(
    asking: Asking, settings: FormalSettings, premises: Premises, texts: Mapping[str, str], source: str
) -> Premises:
    """Formalize these sentences, and return the premises with them.

    If the formulas of a context cannot all hold, other formulas for the clashing sentences are requested. A user's
    statement keeps its first formula, so that a clash is reported to the user.
    """
    made = []
    for id, text in texts.items():
        sentence, alerts = await Reader([asking], premises, settings, text).read_once()
        made.append(grounded(Premise(id, text, source, sentence, alerts=alerts), premises))
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
    """Request other formulas for clashing premises, one at a time, until all can hold; return the premises."""
    for id in clash:
        place = next(place for place, premise in enumerate(premises.entries) if premise.id == id)
        old = premises.entries[place]
        if old.sentence is None:
            continue
        others = [premises.texts[other] for other in clash if other != id]
        beside = "together with what these sentences say " if others else ""
        why = f"{beside}it can never be true{': ' if others else ''}{' '.join(others)}"
        new = await Reader([asking], premises, settings, old.text).read_anew("refine", old.sentence, why, number)
        if new is None:
            continue
        tried = replace(old, sentence=new.sentence, alerts=new.alerts, refined=old.refined + 1, confirmed=False)
        tried = grounded(tried, premises)
        premises = replace(premises, entries=(*premises.entries[:place], tried, *premises.entries[place + 1 :]))
        if not isinstance(premises.context.status, InconsistentContext):
            break
    return premises


async def tell_premises(
    asking: Asking, settings: FormalSettings, premises: Premises, ledger: Statements, turn: int
) -> Premises:
    """Return the premises with the user's new statements in `ledger`, and without the withdrawn ones.

    Statements of the user outrank accepted claims. A claim that clashes with them is set aside, the latest first, and
    `ledger` gets an event for it. Raises `ModelError`.
    """
    held = ledger.active
    premises = premises.without([premise.id for premise in premises.entries if premise.id not in held])
    claims = [premise for premise in premises.entries if premise.source == EARLIER]
    new = {id: sentence for id, sentence in ledger.sentences(Source.USER).items() if id not in premises.texts}
    if not new:
        return premises
    # Extend the premises without the claims first, so that claims do not influence the user's formulas.
    wider = await extend(asking, settings, premises.without([claim.id for claim in claims]), new, "user")
    return _with_claims(wider, claims, ledger, turn)


def commit_claims(ledger: Statements, premises: Premises, played: ClaimPlayed, turn: int) -> Premises:
    """Return the premises with the claims of an answer that a solver found entailed or possible, and its new names.

    Later claims have to be consistent with them, but nothing is proved from them. An answer that contradicts the
    premises or itself adds nothing. The score does not matter, because a new claim is possible at best.
    """
    check = played.attempts[-1].check
    if check is None or check.change or check.joint.verdict != JointVerdict.CONSISTENT:
        return premises
    sentences: dict[str, tuple[str, Sentence | None]] = {}
    for claim in check.claims:
        counts = claim.route == Route.HARD and claim.verdict in (ClaimVerdict.ENTAILED, ClaimVerdict.POSSIBLE)
        formula = claim.formalization.formula if counts and claim.formalization is not None else None
        if formula is not None and (said := read_fol(formula).sentence):
            id = f"T{turn}.{claim.id}"
            sentences[id] = (claim.text, said)
            ledger.add(id, claim.text, turn, Source.ASSISTANT)
    return stated(played.premises or premises, sentences, EARLIER)


def _with_claims(premises: Premises, claims: Iterable[Premise], ledger: Statements, turn: int) -> Premises:
    """Return the premises with as many claims as can hold with them, the earlier ones first."""
    claims = tuple(grounded(claim, premises) for claim in claims)
    everything = replace(premises, entries=(*premises.entries, *claims))
    if not premises.consistent or isinstance(everything.with_earlier.status, Satisfiable):
        return everything
    for claim in claims:
        tried = replace(premises, entries=(*premises.entries, claim))
        status = tried.with_earlier.status
        if isinstance(status, InconsistentContext):
            because = tuple(id for id in status.premises if id != claim.id)
            ledger.end(EventKind.SET_ASIDE, claim.id, turn, because)
        else:
            premises = tried
    return premises


async def widen(asking: Asking, settings: FormalSettings, premises: Premises, texts: Iterable[str]) -> Premises:
    """Return the premises with a vocabulary that includes the things, predicates and functions of these texts.

    Formulas may use only the names of the vocabulary. Known names keep their meaning, and formulas stay the same.
    Raises `ModelError`.
    """
    return await _widened(asking, settings, premises, " ".join(map(_ended, texts)), always=True)


async def widen_for_claims(
    asking: Asking, settings: FormalSettings, premises: Premises, claims: Sequence[Claim], *, unread: bool = False
) -> Premises:
    """Return the premises with a vocabulary that includes the things named only by the claims of an answer.

    The model is asked only if a word of the claims may be a new name, or if the claims are `unread`. Unread claims have
    no formula yet, perhaps because a predicate is missing. The `premises` are unchanged if no word may be a name, if
    the model finds nothing new, or if they are inconsistent. Raises `ModelError`.
    """
    text = " ".join(_ended(claim.text) for claim in claims)
    # The text whose names are known already.
    said = (*premises.texts.values(), *(own.text for own in premises.statements.values()), *premises.options.values())
    known = " ".join(map(_ended, said))
    if not premises.consistent or not (unread or new_names(premises.vocabulary, text, known)):
        return premises
    return await _widened(asking, settings, premises, text, always=unread)


async def _widened(
    asking: Asking, settings: FormalSettings, premises: Premises, text: str, *, always: bool
) -> Premises:
    """Request the new things of a text. If there are any or `always` is true, also request the words about them.

    A premise without a formula that contains a word of a new thing or of its sort is formalized again.
    """
    found, alerts = await extract_entities(asking, text)
    known = premises.vocabulary.entities
    things = [thing for thing in found if not any(near(thing.name, own.name) for own in known)]
    premises = replace(premises, alerts=(*premises.alerts, *alerts)) if alerts else premises
    if not (things or always):
        return premises
    vocabulary, alerts = await propose_vocabulary(asking, text, entities=things, known=premises.vocabulary)
    wider = replace(premises, vocabulary=vocabulary, alerts=(*premises.alerts, *alerts))
    new = {stem(word.casefold()) for thing in things for word in (*name_words(thing.name), thing.sort)}
    entries = []
    for premise in premises.entries:
        words = (stem(word.casefold()) for word in name_words(premise.text))
        if premise.sentence is None and not new.isdisjoint(words):
            sentence, alerts = await Reader([asking], wider, settings, premise.text).read_once()
            premise = Premise(premise.id, premise.text, premise.source, sentence, alerts=alerts)
        # Statements about all things include the new things, so every formula is made again.
        entries.append(grounded(premise, wider))
    statements = {name: grounded(premise, wider) for name, premise in premises.statements.items()}
    return replace(wider, entries=tuple(entries), statements=statements)


def _ended(text: str) -> str:
    """Return a sentence with a full stop, so that joined sentences stay separate."""
    return text if text.endswith((".", "!", "?")) else f"{text}."
