"""The file format of a `ClaimSession`, and the checks of a loaded file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, cast

from holdtrue.budget import Budget
from holdtrue.conversation.saved_file import check_turns, same_world, written_logic
from holdtrue.errors import InputError, RecordError, SettingsError
from holdtrue.ledger.entries import EventKind, Source, Statement, Statements
from holdtrue.ledger.restore import restore_entries
from holdtrue.models.sampling import Sampling
from holdtrue.record import EventRecord
from holdtrue_claims.claim_record import PremiseRecord
from holdtrue_claims.fol import syntax as fol
from holdtrue_claims.fol.alert import Alert, AlertKind
from holdtrue_claims.fol.notation import read_fol, write_fol
from holdtrue_claims.fol.vocabulary import Entity, Vocabulary
from holdtrue_claims.kind.gold_logic import GoldLogic
from holdtrue_claims.kind.premises import Premise, Premises, grounded


@dataclass(frozen=True, slots=True)
class SavedPremises:
    """`SavedPremises` are the saved premises of a session. Formulas are not saved, because sentences and vocabulary
    determine them.
    """

    vocabulary: Vocabulary
    records: tuple[PremiseRecord, ...]
    statements: Mapping[str, PremiseRecord]
    options: Mapping[str, str]
    alerts: tuple[Alert, ...]

    @classmethod
    def of(cls, premises: Premises) -> SavedPremises:
        records = tuple(each.record() for each in premises.entries)
        statements = {name: each.record() for name, each in premises.statements.items()}
        for each in (*records, *statements.values()):
            _premise(each)  # refuses a premise that could not be loaded again
        return cls(premises.vocabulary, records, statements, premises.options, premises.alerts)

    def restored(self, ledger: Statements, budget: Budget) -> Premises:
        """Return the premises.

        Raises `RecordError` for a premise that no ledger entry has, and for one without a meaning in the vocabulary.
        """
        for number, each in enumerate(self.records):
            if each.id not in ledger.known or ledger.known[each.id].sentence != each.text:
                raise RecordError(f"premises.records.{number}: nobody said {each.id!r:.60} in these words")
        for number, function in enumerate(self.vocabulary.functions):
            low, high = function.low, function.high
            if low is not None and high is not None and low > high:
                raise RecordError(f"premises.vocabulary.functions.{number}: no value is from {low} to {high}")
        empty = Premises(self.vocabulary, (), budget, options=self.options, alerts=self.alerts)
        entries = tuple(map(_premise, self.records))
        statements = {name: _premise(each) for name, each in self.statements.items()}
        try:
            said = {name: _grounded(each, empty) for name, each in statements.items()}
            premises = replace(empty, entries=tuple(_grounded(each, empty) for each in entries), statements=said)
        except InputError as error:
            raise RecordError(f"premises: {error}") from error
        return premises


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedClaims:
    """`SavedClaims` is the saved state of a `ClaimSession`, with sentences of logic in the notation of `fol.notation`.

    `method`, `formalizers` and `judge` are names only. `events` has all statements, those of the context included.
    `premises` is None before the first test. `recorded` counts the events that records of turns already list.
    """

    method: str
    sampling: Sampling
    measure: bool
    formalizers: tuple[str, ...]
    gold: Any
    entities: tuple[Entity, ...] | None
    history: tuple[tuple[str, str], ...]
    events: tuple[EventRecord, ...]
    premises: SavedPremises | None
    recorded: int
    judge: str | None = None

    def restored(self, gold: GoldLogic | None, formalizers: int, budget: Budget) -> tuple[Statements, Premises | None]:
        """Return the ledger and the premises.

        Raises `RecordError` with the place of a fault. Raises `SettingsError` if formalizers or gold logic are missing.
        """
        if self.gold is not None and gold is None:
            raise SettingsError("the session has gold logic: give it again, as gold=...")
        same_world("gold logic", self.gold, gold)
        if len(self.formalizers) != formalizers:
            named = ", ".join(self.formalizers) or "none"
            raise SettingsError(f"the session's formalizers are {named}: give as many again, as formalizers=[...]")
        ledger = restore_entries(Statements(), self.events, _statement)
        check_turns(self.events, self.recorded, len(self.history))
        return ledger, None if self.premises is None else self.premises.restored(ledger, budget)


def _statement(ledger: Statements, event: EventRecord) -> Statement:
    source = Source(event.source)
    named = {Source.USER: f"U{event.turn}.", Source.ASSISTANT: f"T{event.turn}."}.get(
        source, f"P{len(ledger.known) + 1}"
    )
    if event.kind != EventKind.ADDED or not event.id.startswith(named):
        raise RecordError(f"this is nothing that the {source.value} could say in turn {event.turn}")
    return Statement(event.id, event.sentence, event.turn, source, event.confidence)


@written_logic.register
def _(value: fol.Sentence, place: str) -> str:
    text = write_fol(value)
    _sentence(place, text)
    return text


def _sentence(place: str, written: str) -> fol.Sentence:
    """Read a sentence in the notation of the file. Raises `RecordError` for any other text."""
    found = read_fol(written).sentence
    if found is None or write_fol(found) != written:
        raise RecordError(f"{place}: {written!r:.60} is not written as sentences are here")
    return found


def _premise(saved: PremiseRecord) -> Premise:
    sentence = None if saved.formula is None else _sentence(f"premises: {saved.id}", saved.formula)
    alerts = tuple(Alert(cast(AlertKind, each.kind), each.message, each.text, each.position) for each in saved.alerts)
    return Premise(
        saved.id, saved.text, saved.source, sentence, refined=saved.refined, alerts=alerts, confirmed=saved.confirmed
    )


def _grounded(premise: Premise, premises: Premises) -> Premise:
    """Return the premise with its formula and its saved alerts."""
    return replace(grounded(premise, premises), alerts=premise.alerts)
