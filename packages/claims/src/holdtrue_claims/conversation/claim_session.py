"""A `ClaimSession` holds a conversation about a context, splits every answer into claims, and tests each claim.

It is the counterpart of `Session` for free text: `turn` returns a `ClaimsRecord`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from holdtrue.budget import Budget
from holdtrue.conversation.arguments import (
    check_kind,
    check_model,
    check_text,
    check_texts,
    described,
    value_or_default,
)
from holdtrue.conversation.conversation import Conversation
from holdtrue.conversation.saved_file import choose_again, read_saved
from holdtrue.errors import InputError, SessionError, SettingsError
from holdtrue.language.asking import Asking
from holdtrue.language.retries import check_retries
from holdtrue.language.sentences import split_sentences
from holdtrue.ledger.entries import Event, EventKind, Source, Statement, Statements
from holdtrue.models.chat import ChatModel
from holdtrue.models.model_registry import open_model
from holdtrue.models.sampling import Sampling
from holdtrue.record import CallRecord, EventRecord, ReadingRecord, TurnRecord
from holdtrue.solving.engine import SolverUse, solver_use
from holdtrue.solving.route import reason_for
from holdtrue.verification.ledger_theory import Theory
from holdtrue_claims.conversation.saved_claims import SavedClaims, SavedPremises
from holdtrue_claims.fol.vocabulary import Entity
from holdtrue_claims.kind.answering import ClaimPlayed, ClaimTurn
from holdtrue_claims.kind.calibration import Calibrations, packaged_calibrations
from holdtrue_claims.kind.gold_logic import GoldLogic
from holdtrue_claims.kind.loop import play_claims
from holdtrue_claims.kind.method import ClaimMethod, find_claim_method
from holdtrue_claims.kind.premise_preparation import ask_about, commit_claims, prepare, tell_premises
from holdtrue_claims.kind.premises import Premises
from holdtrue_claims.kind.prompts.questions import Answer, read_answer
from holdtrue_claims.kind.prompts.statements import MessageReading, read_message
from holdtrue_claims.kind.record import ClaimsDetail, ClaimsRecord
from holdtrue_claims.kind.verdict_words import Sayings, describe_context, describe_no_answer, list_claims
from holdtrue_claims.solving.sentence_route import SentenceSignature


@dataclass(frozen=True, slots=True)
class ClaimMessage:
    """A `ClaimMessage` is a user message with answer options by letter.

    If the options are true, false and unknown, the question is which of them applies to `statement`.

    `stated` are the sentences that the message asserts; None means that code reads them from the text.
    """

    text: str
    options: Mapping[str, str] = field(default_factory=dict)
    statement: str | None = None
    stated: Sequence[str] | None = None

    def __post_init__(self) -> None:
        check_text("message", self.text)
        options: object = self.options
        if not isinstance(options, Mapping) or not all(
            isinstance(text, str) for option in options.items() for text in option
        ):
            raise InputError(
                f"the options are texts by their letters, such as {{'A': '...'}}, not {self.options!r:.60}"
            )
        if self.statement is not None:
            check_text("statement", self.statement)
        if isinstance(self.stated, str):
            raise InputError(f"stated is a list of sentences: stated=[{self.stated!r:.60}]")
        for sentence in self.stated or ():
            check_text("stated sentence", sentence)

    def read(self, stated: Mapping[str, str]) -> MessageReading:
        """Return the sentences that the message states, and the ids of earlier sentences that it takes back.

        `stated` are the earlier sentences by id. If the message has options and its `stated` is None, it states
        nothing.
        """
        if self.stated is not None:
            return MessageReading(tuple(self.stated))
        return MessageReading(()) if self.options else read_message(self.text, stated)


NOT_SAID = "it takes back what was not said"


class ClaimSession(Conversation):
    """A `ClaimSession` is one conversation about one context.

    Sentences of the context are P1, P2 and so on. Statements of the user in turn 2 are U2.1, U2.2. Claims of a correct
    answer in turn 1 are T1.C1 and so on; a later answer that contradicts them has drifted.

    `context` is a text or its sentences, and `method` a `ClaimMethod` or the name of a preset. `formalizers` are more
    models that write formulas; they take turns with `model`. `judge` is the model that judges claims; by default it is
    the one that the method names, or else `model`. `gold` has formulas that people wrote for the context, and
    `entities` are the entities of the context. If they are given, no model is asked for them. If `measure` is true, the
    last answers of methods without a check are checked too. `budget` limits each question to the solver. `calibrations`
    say how often judges are right; None selects those that come with holdtrue.

    A session does one thing at a time: a turn or change during another one raises `SessionBusy`. Raises `SettingsError`
    for settings that do not fit.
    """

    answers = "free text"

    def __init__(
        self,
        context: str | Sequence[str],
        *,
        model: ChatModel | str,
        method: ClaimMethod | str = "verge_proved",
        sampling: Sampling | None = None,
        budget: Budget | None = None,
        formalizers: Sequence[ChatModel | str] = (),
        judge: ChatModel | str | None = None,
        gold: GoldLogic | None = None,
        entities: Sequence[Entity] | None = None,
        measure: bool = True,
        calibrations: Calibrations | None = None,
    ) -> None:
        self.method = (
            find_claim_method(method) if isinstance(method, str) else check_kind("method", method, ClaimMethod)
        )
        if isinstance(formalizers, str) or not isinstance(formalizers, Sequence):
            raise SettingsError(f"formalizers are a list of models, not {described(formalizers)}")
        given = tuple(each if isinstance(each, str) else check_model(each, "a formalizer") for each in formalizers)
        judge = self.method.check.judge if judge is None else judge
        if not isinstance(judge, str | None):
            check_model(judge, "the judge")
        self.sampling = value_or_default("sampling", sampling, Sampling(max_tokens=1024))
        check_retries(self.method, self.sampling)
        self.budget = value_or_default("budget", budget, Budget())
        self.measure = measure
        self.calibrations = (
            packaged_calibrations() if calibrations is None else check_kind("calibrations", calibrations, Calibrations)
        )
        self.sentences = tuple(
            split_sentences(context) if isinstance(context, str) else check_texts("context", context)
        )
        if gold is not None:
            check_kind("gold", gold, GoldLogic)
        for entity in entities or ():
            check_kind("each of the entities", entity, Entity)
        self.history: list[tuple[str, str]] = []
        self.ledger = Statements()
        for place, sentence in enumerate(self.sentences, start=1):
            self.ledger.add(f"P{place}", sentence, 0, Source.CONTEXT)
        self._gold = gold
        self._entities = entities
        self._premises: Premises | None = None
        self._recorded = len(self.ledger.events)  # how many of the events are in records already
        super().__init__(model)
        self._own = [open_model(each) for each in given if isinstance(each, str)]
        opened = iter(self._own)
        self.formalizers = tuple(next(opened) if isinstance(each, str) else each for each in given)
        if isinstance(judge, str):
            known = next((each for each in (self.model, *self.formalizers) if each.name == judge), None)
            self._own += [] if known else [open_model(judge)]
            judge = known or self._own[-1]
        self.judge = judge

    async def turn(
        self,
        message: str,
        options: Mapping[str, str] | None = None,
        *,
        statement: str | None = None,
        stated: Sequence[str] | None = None,
    ) -> ClaimsRecord:
        """Answer a message, check the claims of the answer, mend it as the method says, and return the record.

        `options` are texts by letter. If they are true, false and unknown, the question is which of them applies to
        `statement`. `stated` are the statements of the user. By default these are the sentences of the message without
        questions, requests and withdrawals; a message with options states nothing. Raises `ModelError` if the model
        fails, and `SessionBusy` during another turn. After an error or a cancelled turn the session is unchanged.
        """
        if self.method.answerer == "given":
            raise InputError(f"{self.method.name} checks answers that exist: see check(answer)")
        return await self._play(
            self.method, ClaimMessage(check_text("message", message), options or {}, statement, stated)
        )

    async def acheck(
        self,
        answer: str,
        message: str = "",
        options: Mapping[str, str] | None = None,
        *,
        statement: str | None = None,
        stated: Sequence[str] | None = None,
        option: str | None = None,
    ) -> ClaimsRecord:
        """Play a turn with an existing answer; models are called only to check the claims of this answer.

        `option` is the letter that the answer gives; if it is None, it is read from the answer.
        """
        method, options = self.method, options or {}
        if method.answerer != "given":
            method = replace(method, name="given", strategy="once", answerer="given")
        given = read_answer(check_text("answer", answer), options, statement, option)
        return await self._play(method, ClaimMessage(message, options, statement, stated), given)

    def ask(
        self,
        message: str,
        options: Mapping[str, str] | None = None,
        *,
        statement: str | None = None,
        stated: Sequence[str] | None = None,
    ) -> ClaimsRecord:
        """Run `turn` in synchronous code. In a running event loop an error names the call to use instead."""
        return self._run(
            "ask(message)",
            "await session.turn(message)",
            lambda: self.turn(message, options, statement=statement, stated=stated),
        )

    def check(
        self,
        answer: str,
        message: str = "",
        options: Mapping[str, str] | None = None,
        *,
        statement: str | None = None,
        stated: Sequence[str] | None = None,
        option: str | None = None,
    ) -> ClaimsRecord:
        """Run `acheck` in synchronous code. In a running event loop an error names the call to use instead."""
        return self._run(
            "check(answer)",
            "await session.acheck(answer)",
            lambda: self.acheck(answer, message, options, statement=statement, stated=stated, option=option),
        )

    def add(self, sentence: str) -> tuple[EventRecord, ...]:
        """Add a statement of the user. The next turn reads it, and the record of that turn lists it."""
        with self._alone("add"):
            return self._change(lambda ledger: [self._state(ledger, sentence)])

    def amend(self, id: str, sentence: str) -> tuple[EventRecord, ...]:
        """Replace a statement by another sentence, which gets a new id and is read with the next turn.

        Raises `InputError` if no active statement has the id.
        """
        with self._alone("amend"):
            return self._change(
                lambda ledger: [self._end(ledger, EventKind.AMENDED, id), self._state(ledger, sentence)], id
            )

    def withdraw(self, id: str) -> tuple[EventRecord, ...]:
        """Withdraw the statement with this id, of any source. The record of the next turn lists the change.

        Raises `InputError` if no active statement has the id.
        """
        with self._alone("withdraw"):
            return self._change(lambda ledger: [self._end(ledger, EventKind.WITHDRAWN, id)], id)

    def _change(self, change: Callable[[Statements], list[Event[Statement]]], *gone: str) -> tuple[EventRecord, ...]:
        """Apply a change to the ledger completely or not at all, and drop the premises with ids in `gone`."""
        ledger = self.ledger.fork()
        events = change(ledger)
        premises = None if self._premises is None else self._premises.without(gone)
        self.ledger, self._premises = ledger, premises
        return tuple(event.record() for event in events)

    def _state(self, ledger: Statements, sentence: str) -> Event[Statement]:
        if not check_text("sentence", sentence).strip():
            raise InputError("a sentence that is stated cannot be empty")
        turn = len(self.history)
        place = 1 + sum(id.startswith(f"U{turn}.") for id in ledger.known)
        return ledger.add(f"U{turn}.{place}", sentence, turn, Source.USER)

    def _end(self, ledger: Statements, kind: EventKind, id: str) -> Event[Statement]:
        if check_text("id of what was said", id) not in ledger.active:
            raise InputError(f"nothing that holds has the id {id!r}; there are {', '.join(ledger.active)}")
        return ledger.end(kind, id, len(self.history))

    def explain(self, record: ClaimsRecord) -> list[str]:
        """Return sentences about the delivered answer of a turn, most important first."""
        context, check = record.detail.context, record.final.check
        sayings = Sayings(context, check)
        lines = describe_no_answer(record.final)
        lines += [] if context is None else describe_context(context, sayings)
        return lines if check is None else lines + list_claims(check, sayings)

    def _to_save(self) -> SavedClaims:
        return SavedClaims(
            method=self.method.name,
            sampling=self.sampling,
            measure=self.measure,
            formalizers=tuple(each.name for each in self.formalizers),
            judge=None if self.judge is None else self.judge.name,
            gold=self._gold,
            entities=None if self._entities is None else tuple(self._entities),
            history=tuple(self.history),
            events=tuple(event.record() for event in self.ledger.events),
            premises=None if self._premises is None else SavedPremises.of(self._premises),
            recorded=self._recorded,
        )

    @classmethod
    def load(
        cls,
        path: str | Path,
        *,
        model: ChatModel | str,
        method: ClaimMethod | str | None = None,
        budget: Budget | None = None,
        formalizers: Sequence[ChatModel | str] = (),
        judge: ChatModel | str | None = None,
        gold: GoldLogic | None = None,
        calibrations: Calibrations | None = None,
        allow_changes: bool = False,
    ) -> ClaimSession:
        """Return the conversation that a file holds. It continues where it was saved.

        `formalizers`, `judge`, `gold`, `calibrations` and a method without a preset have to be passed again. A method
        other than the saved one raises `SettingsError`, unless `allow_changes` is true. Raises `RecordError` with the
        place for a damaged or foreign file.
        """
        with read_saved(Path(path), cls.answers, SavedClaims) as saved:
            ledger, premises = saved.restored(gold, len(formalizers), value_or_default("budget", budget, Budget()))
            chosen: ClaimMethod | str = choose_again("method", saved.method, method, find_claim_method, allow_changes)
        session = cls(
            [each.sentence for each in ledger.known.values() if each.source is Source.CONTEXT],
            model=model,
            method=chosen,
            sampling=saved.sampling,
            budget=budget,
            formalizers=formalizers,
            judge=judge,
            gold=gold,
            entities=saved.entities,
            measure=saved.measure,
            calibrations=calibrations,
        )
        if saved.judge is not None and session.judge is None:
            raise SettingsError(f"claims are judged by {saved.judge} in this session: give it again, as judge=...")
        session.ledger, session.history = ledger, list(saved.history)
        session._premises, session._recorded = premises, saved.recorded
        return session

    def _theory(self) -> Theory:
        if self._premises is None:
            raise SessionError("nothing was read yet: the context is read with the first turn whose answer is tested")
        premises = self._premises
        entries = {id: entry for id, entry in self.ledger.active.items() if id in premises.formulas}
        formulas = {id: premises.formulas[id] for id in entries}
        return Theory((), (), formulas, entries, signature=SentenceSignature(premises.vocabulary))

    @property
    def engine(self) -> str:
        """Return which solver decides about claims, and why; "" before the first test."""
        return reason_for(self._premises.context.engine) if self._premises is not None else ""

    async def _release(self) -> None:
        for model in self._own:
            await model.aclose()
        await super()._release()

    async def _play(self, method: ClaimMethod, message_: ClaimMessage, answer: Answer | None = None) -> ClaimsRecord:
        with self._alone("a turn"):
            return await self._play_alone(method, message_, answer)

    async def _play_alone(self, method: ClaimMethod, message_: ClaimMessage, answer: Answer | None) -> ClaimsRecord:
        started, number, ledger = time.perf_counter(), len(self.history) + 1, self.ledger.fork()
        said = message_.read(ledger.sentences(Source.USER))
        for id in said.takes_back:
            ledger.end(EventKind.WITHDRAWN, id, number)
        for place, sentence in enumerate(said.states, start=1):
            ledger.add(f"U{number}.{place}", sentence, number, Source.USER)
        asking, premises = self._asking(self.model), None
        # If a user has an existing answer checked, it is checked even if the session measures nothing.
        measure = self.measure or (answer is not None and self.method.answerer != "given")
        with solver_use() as reading:
            if method.verifies or measure:
                premises = await self._tell(asking, method, message_, ledger)
        preparing = asking.take_calls()
        turn = ClaimTurn(
            asking=asking,
            context=tuple(ledger.sentences(Source.CONTEXT, Source.USER).values()),
            question=message_.text,
            options=message_.options,
            premises=premises,
            statement=message_.statement,
            history=tuple(self.history),
            taken_back=ledger.taken_back,
            given_answer=answer,
            measure=measure,
            formalizers=(asking, *map(self._asking, self.formalizers)) if self.formalizers else (),
            judge=None if self.judge is None else self._asking(self.judge),
            budget=self.budget,
            calibrations=self.calibrations,
        )
        with solver_use() as use:
            played = await play_claims(method, turn)
        if method.verifies:
            use.add(reading)
        elif not method.solves:
            use = SolverUse()  # the solver was used only to measure
        later = self._premises if premises is None else commit_claims(ledger, premises, played, number)
        record = self._record(method, message_, said, played, premises, preparing, ledger, use, started)
        self.ledger, self._premises, self._recorded = ledger, later, len(ledger.events)
        self.history = [*self.history, (message_.text, played.delivered)]
        return record

    async def _tell(self, asking: Asking, method: ClaimMethod, message_: ClaimMessage, ledger: Statements) -> Premises:
        """Return the premises of this turn: those of the context, prepared once, and the later statements."""
        formal, held = method.check.formal, self._premises
        if held is None:
            held = await prepare(
                asking,
                formal,
                self.sentences,
                budget=self.budget,
                question=message_.text,
                options=message_.options,
                statement=message_.statement,
                entities=self._entities,
                gold=self._gold,
            )
        else:
            held = await ask_about(asking, formal, held, message_.options, message_.statement)
        return await tell_premises(asking, formal, held, ledger, len(self.history) + 1)

    def _asking(self, model: ChatModel) -> Asking:
        return Asking(model, self.sampling)

    def _record(
        self,
        method: ClaimMethod,
        message_: ClaimMessage,
        reading: MessageReading,
        played: ClaimPlayed,
        premises: Premises | None,
        preparing: tuple[CallRecord, ...],
        ledger: Statements,
        use: SolverUse,
        started: float,
    ) -> ClaimsRecord:
        formal = "gold" if self._gold is not None else "llm" if self._entities is None else "gold_entities"
        unsaid = [ReadingRecord(each, "rejected", reason=NOT_SAID, act="withdraws") for each in reading.unknown]
        return TurnRecord(
            turn=len(self.history) + 1,
            user_message=message_.text,
            method=method.name,
            model=self.model.name,
            variant="fol",
            reader="+".join([formal, *(model.name for model in self.formalizers)]),
            attempts=played.attempts,
            delivered=played.delivered,
            readings=tuple(unsaid),
            events=tuple(event.record() for event in ledger.events[self._recorded :]),
            holds=tuple(ledger.active),
            extraction=preparing if method.verifies else (),
            measuring=(*(() if method.verifies else preparing), *played.measuring),
            elapsed_s=time.perf_counter() - started,
            solver_calls=use.asked,
            solver_s=use.took_s,
            detail=ClaimsDetail(None if premises is None else (played.premises or premises).record),
        )
