"""A `Session` is a conversation about an assignment of values, checked against everything that was agreed."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from holdtrue.budget import Budget
from holdtrue.conversation.arguments import (
    check_ask_back,
    check_domain,
    check_extractor,
    check_kind,
    check_reader,
    check_text,
    value_or_default,
)
from holdtrue.conversation.conversation import Conversation
from holdtrue.conversation.intake import active_commitments, ask_who_joins, let_join, take_in
from holdtrue.conversation.saved_assignments import SavedAssignments
from holdtrue.conversation.saved_file import read_saved
from holdtrue.errors import SessionError, SettingsError
from holdtrue.kinds.assignment.loop import ask_first, play
from holdtrue.kinds.assignment.method import Method, find_method
from holdtrue.kinds.assignment.prompts import Exchange
from holdtrue.kinds.assignment.record import AssignmentDetail, AssignmentRecord
from holdtrue.kinds.assignment.turn import Played, Turn
from holdtrue.language.asking_back import Answered, AskBack, Question, ask_about, still_open
from holdtrue.language.readers import PROTOCOLS, Protocol, make_extractor
from holdtrue.language.reading import Extraction, Extractor, MessageContext, Reading, read_message
from holdtrue.language.retries import check_retries
from holdtrue.language.sentences import split_sentences
from holdtrue.ledger.entries import Event
from holdtrue.ledger.ledger import Commitment, Ledger, Proposal
from holdtrue.ledger.revision import amend, propose, withdraw
from holdtrue.models.chat import ChatModel
from holdtrue.models.model_registry import open_model
from holdtrue.models.sampling import Sampling
from holdtrue.options import one_of
from holdtrue.record import EventRecord, TurnRecord, VerdictRecord
from holdtrue.solving.engine import SolverUse, solver_use
from holdtrue.solving.route import counted_engine, reason_for
from holdtrue.verification.coverage import coverage_of
from holdtrue.verification.explanation import explain_ledger
from holdtrue.verification.explanation_results import Explained
from holdtrue.verification.ledger_theory import Theory
from holdtrue.verification.verifier import Verifier
from holdtrue.verification.words import describe, describe_earlier, quote
from holdtrue.world.domain import Context, Domain
from holdtrue.world.instance import Instance
from holdtrue.world.registry import find_domain
from holdtrue.world.world import Setting


@dataclass(frozen=True, slots=True)
class _MessageTaken:
    """A message that was read and taken into a ledger.

    `open` are earlier questions that stay open, `asked` are new ones.
    """

    extraction: Extraction
    ledger: Ledger
    taking_in: SolverUse
    open: tuple[Question, ...] = ()
    asked: tuple[Question, ...] = ()


class Session(Conversation):
    """A conversation about an instance of a domain. Users add, change and withdraw commitments in words or by calls.

    A session does one thing at a time. While one call runs, another turn or change raises `SessionBusy`.

    Args:
        domain: A `Domain`, an `Instance` or another `Setting`, or a name (`seating`, `module:NAME`).
        entities: The entities of the problem, for a `Domain`.
        context: The setting of the problem, for a `Domain`.
        model: A `ChatModel`, or a name (`local/...`, `openai/...`).
        method: A `Method`, or the name of a preset.
        extractor: An `Extractor`, or `llm` (a model reads messages) or `templates` (only the domain's wording is read).
        reader: The model, or its name, that reads messages for the extractor `llm`; by default `model`.
        protocol: `stated` tells the model the setting in every turn; `upstream` and `appendix` are published forms.
        sampling: The settings with which the model is asked.
        budget: The time limit of all solver questions about one answer.
        ask_back: Whether a doubtful reading becomes a question to the user. Otherwise it is kept, and gives way to
            certain ones. With `beside` or True, the turn is answered too. With `alone`, the turn delivers only its
            question, and no model is asked. This needs protocol `stated`.

    Raises:
        InputError: A setting does not fit.
    """

    answers = "assignments"

    def __init__(
        self,
        domain: Domain | Setting | str,
        entities: Sequence[str] = (),
        context: Context | None = None,
        *,
        model: ChatModel | str,
        method: Method | str = "drift_repair_project",
        extractor: Extractor | str = "llm",
        reader: ChatModel | str | None = None,
        protocol: Protocol = "stated",
        sampling: Sampling | None = None,
        budget: Budget | None = None,
        ask_back: AskBack | bool = False,
    ) -> None:
        declared = find_domain(domain) if isinstance(domain, str) else check_domain(domain)
        self.instance: Setting = declared.instance(entities, context) if isinstance(declared, Domain) else declared
        self.method = check_kind("method", find_method(method) if isinstance(method, str) else method, Method)
        self.protocol: Protocol = one_of("protocol", protocol, PROTOCOLS)
        self.ask_back = check_ask_back(ask_back)
        if self.ask_back and protocol != "stated":
            raise SettingsError("ask_back needs protocol 'stated': the published one reads every attempt anew")
        self.questions: tuple[Question, ...] = ()
        self._strangers: tuple[str, ...] = ()  # names that the user was asked about
        self._again: tuple[str, ...] = ()  # sentences to be read again with the next message
        self.sampling = value_or_default("sampling", sampling, Sampling())
        check_retries(self.method, self.sampling)
        self.budget = value_or_default("budget", budget, Budget())
        self.ledger = Ledger(self.instance)
        self.history: list[Exchange] = []
        self._engine = counted_engine(list(self.instance.variables.values()), self.instance.background)
        self.verifier = Verifier(self.instance, self._engine, self.budget)
        self._last: Mapping[str, int] | None = None
        self._recorded = 0  # the number of the ledger's events that are in records
        given = extractor if isinstance(extractor, str) else check_extractor(extractor)
        if isinstance(given, str) and not isinstance(self.instance, Instance):
            raise SettingsError(f"extractor {given!r} reads about instances of domains; give one for this world")
        named = None if reader is None else check_reader(reader, given)
        # The models come last, so that wrong settings are found before a large file is loaded.
        super().__init__(model)
        self.reader = self.model if named is None else open_model(named) if isinstance(named, str) else named
        self._reader_name = named if named is None or isinstance(named, str) else named.name
        self._owns_reader = isinstance(named, str)
        self._unread = 0  # the number of unread sentences so far
        self.extractor = make_extractor(given, self.reader, protocol) if isinstance(given, str) else given

    async def turn(self, message: str) -> AssignmentRecord:
        """Play one turn: read the message, answer it, check and mend the answer, and return the record.

        Raises `ModelError` if the model fails, and `SessionBusy` while another call runs. After an error or a
        cancellation the session is as it was before.
        """
        with self._alone("a turn"):
            return await self._turn(check_text("message", message))

    async def _turn(self, message: str) -> AssignmentRecord:
        started, number = time.perf_counter(), len(self.history) + 1
        if self.protocol == "stated":
            taken = await self._take_message(message, number)
        else:
            taken = _MessageTaken(Extraction(()), self.ledger.fork(), SolverUse())
        with solver_use() as use:
            turn = self._as_turn(message, number, taken.ledger, taken.extraction)
            if taken.asked and self.ask_back == "alone":
                played = ask_first(turn, "\n".join(one.text(self.instance) for one in taken.asked))
            else:
                played = await play(self.method, turn)
        if self.method.uses_readings:
            use.add(taken.taking_in)
        record = self._record(message, number, taken.extraction, played, use, started)
        questions = (*taken.open, *taken.asked)
        record = replace(record, questions=tuple(one.record(self.instance) for one in questions))
        set_aside = tuple(quote(played.ledger.active, played.set_aside))
        said = Exchange(message, played.delivered or played.instead, played.projected, set_aside)
        self.ledger, self._recorded = played.ledger, len(played.ledger.events)
        self.history = [*self.history, said]
        self._last = played.values or self._last
        self.questions = questions
        self._unread += len(coverage_of(record).unread)
        return record

    async def _take_message(self, message: str, number: int) -> _MessageTaken:
        """Read a message into a fork of the ledger. Names that the user has confirmed join first as entities."""
        answered, extraction = Answered.of(self.questions, message, number), Extraction(())
        with solver_use() as admitting:
            kept_out = [reading for one in answered.joining for reading in self._admit(one)]
        self._unread = max(0, self._unread - sum(len(split_sentences(text)) for text in self._again))
        text, self._again = " ".join((*self._again, answered.rest)), ()
        ledger = self.ledger.fork()
        if text.strip():
            context = MessageContext(number, active_commitments(ledger))
            extraction = await read_message(self.extractor, self.instance, text, context)
        with solver_use() as taking_in:
            confirmed = take_in(ledger, self._engine, answered.confirmed, number, self.budget)
            known = [one.constraint for one in ledger.active.values()]
            read = extraction.readings
            asked, read = ask_about(self.instance, read, known, number) if self.ask_back else ((), read)
            readings = take_in(ledger, self._engine, read, number, self.budget)
            joining = (
                ask_who_joins(self.instance, ledger, self.verifier, readings, self._strangers, number, len(asked) + 1)
                if self.ask_back
                else ()
            )
        # If a question is about a new name in a sentence, no second question asks the user to rephrase the sentence.
        named = " ".join(one.reading.sentence for one in joining)
        asked = tuple(one for one in asked if not (one.asks_to_rephrase and one.reading.sentence in named))
        taking_in.add(admitting)
        self._strangers = (*self._strangers, *(one.joins for one in joining if one.joins is not None))
        all_read = (*kept_out, *confirmed, *readings, *(one.reading for one in asked))
        left = still_open(answered.open, readings)
        return _MessageTaken(replace(extraction, readings=all_read), ledger, taking_in, left, (*asked, *joining))

    def _admit(self, question: Question) -> tuple[Reading, ...]:
        """Let a new entity join after the user's yes.

        If that fails, return the sentence as rejected, with the reason.
        """
        try:
            self._let_in(str(question.joins))
        except SettingsError as error:
            return (replace(question.reading, reason=str(error)),)
        return ()

    def ask(self, message: str) -> AssignmentRecord:
        """Play `turn` for code that is not asynchronous. In a running event loop, an error says how to write it."""
        return self._run("ask(message)", "await session.turn(message)", lambda: self.turn(message))

    def check(self, answer: str) -> VerdictRecord:
        """Return the verdict on an answer that is given as text. No model is asked, and nothing is recorded."""
        with self._alone("check", also_closed=True):
            return self.verifier.verify(self.ledger, self.instance.read_answer(check_text("answer", answer)))

    def add(self, type: str, *args: str | int) -> tuple[EventRecord, ...]:
        """Add a constraint as a commitment of the user. The next turn's record has the events."""
        with self._alone("add"):
            proposal = Proposal(self.instance.constraint(type, args))
            return self._change(lambda ledger, *rest: propose(ledger, self._engine, [proposal], *rest))

    def amend(self, id: str, type: str, *args: str | int) -> tuple[EventRecord, ...]:
        """Replace a commitment by another constraint. Readings that were set aside return if they fit."""
        with self._alone("amend"):
            check_text("id of a commitment", id)
            proposal = Proposal(self.instance.constraint(type, args))
            return self._change(lambda ledger, *rest: amend(ledger, self._engine, id, proposal, *rest))

    def withdraw(self, id: str) -> tuple[EventRecord, ...]:
        """Withdraw a commitment. Readings that were set aside because of it return if they fit."""
        with self._alone("withdraw"):
            check_text("id of a commitment", id)
            return self._change(lambda ledger, *rest: withdraw(ledger, self._engine, id, *rest))

    def add_entity(self, name: str) -> None:
        """Add an entity. Ledger, history and counts stay, and the next turn has values for it.

        Sentences of open questions about it are read again with the next message. The domain decides whether and how
        entities may join (`Domain.joining`). Raises `SettingsError` if the world cannot take another one.
        """
        with self._alone("add_entity"):
            if self.protocol != "stated":
                raise SettingsError("add_entity needs protocol 'stated': the published one tells the setting only once")
            self._let_in(check_text("name of an entity", name).strip())

    def _let_in(self, name: str) -> None:
        joined = let_join(self.instance, self.ledger, self.verifier, name)
        self.instance, self.ledger = joined.instance, joined.ledger
        self._engine, self.verifier = joined.engine, joined.verifier
        about = [one for one in self.questions if (one.joins or "").casefold() == name.casefold()]
        self.questions = tuple(one for one in self.questions if one not in about)
        self._again = tuple(dict.fromkeys((*self._again, *(one.reading.sentence for one in about))))

    def answer(self, id: str, yes: bool) -> tuple[EventRecord, ...]:
        """Answer an open question for the user. A yes commits to the reading in question, a no to nothing.

        A yes to a new entity works like `add_entity`: the sentence is read again with the next message. Raises
        `SettingsError` if no such question is open, and the errors of `add_entity`.
        """
        with self._alone("answer"):
            question = next((one for one in self.questions if one.id == check_text("id of a question", id)), None)
            if question is None:
                names = ", ".join(one.id for one in self.questions)
                raise SettingsError(f"no question {id!r} is open" + (f"; open are {names}" if names else ""))
            if yes and question.asks_to_rephrase:
                raise SettingsError(f"question {id!r} asks for other words: say with the next message what shall hold")
            if yes and question.joins is not None:
                self._let_in(question.joins)
            before, ledger = len(self.ledger.events), self.ledger.fork()
            if yes and question.joins is None:
                take_in(ledger, self._engine, [question.confirmed()], len(self.history), self.budget)
            self.ledger = ledger
            self.questions = tuple(one for one in self.questions if one.id != question.id)
            return tuple(event.record() for event in ledger.events[before:])

    def _change(
        self, change: Callable[[Ledger, int, Budget], tuple[Event[Commitment], ...]]
    ) -> tuple[EventRecord, ...]:
        """Change the ledger completely or, after an error, not at all."""
        ledger = self.ledger.fork()
        events = change(ledger, len(self.history), self.budget)
        self.ledger = ledger
        return tuple(event.record() for event in events)

    @property
    def engine(self) -> str:
        """Return in words which solver decides for this conversation, and why."""
        return reason_for(self._engine)

    def explain(self, record: AssignmentRecord) -> list[str]:
        """Return a turn's final verdict and its unread sentences in words, the most important first.

        The last sentence names the commitments that an earlier, undelivered answer of the model broke.
        """
        agreed = self.ledger.known
        lines = describe(record.final.verdict, agreed, coverage=coverage_of(record))
        return lines + describe_earlier(record.attempts, agreed, projected=record.detail.projected)

    def explain_ledger(self, *, every_conflict: bool = False) -> Explained:
        """Explain the commitments: whether all can be kept, why not, how to mend that, and which values they settle."""
        with self._alone("explain_ledger", also_closed=True):
            return explain_ledger(self.verifier, self.ledger, every_conflict=every_conflict)

    async def _release(self) -> None:
        if self._owns_reader:
            await self.reader.aclose()
        await super()._release()

    def _theory(self) -> Theory:
        return Theory.of(self.ledger)

    def _to_save(self) -> SavedAssignments:
        instance = self.instance
        if not isinstance(instance, Instance):
            raise SessionError("only a session about an instance of a domain can be saved: a file names its domain")
        return SavedAssignments(
            domain=instance.domain.name,
            entities=instance.entities,
            context=instance.given_context,
            method=self.method.name,
            extractor=self.extractor.name,
            reader=self._reader_name,
            protocol=self.protocol,
            sampling=self.sampling,
            history=tuple(self.history),
            events=tuple(self.ledger.events),
            last=self._last,
            recorded=self._recorded,
            unread=self._unread,
            ask_back=self.ask_back,
            questions=self.questions,
            strangers=self._strangers,
            again=self._again,
        )

    @classmethod
    def load(
        cls,
        path: str | Path,
        domain: Domain | Setting | str,
        *,
        model: ChatModel | str,
        method: Method | str | None = None,
        extractor: Extractor | str | None = None,
        reader: ChatModel | str | None = None,
        budget: Budget | None = None,
        allow_changes: bool = False,
    ) -> Session:
        """Return the session in a file. It continues as if it had never ended.

        The file names its method, extractor and reader. If such a name is no preset, the object must be given again.
        Raises `SettingsError` if another one is given without `allow_changes`. Raises `RecordError` with the place for
        a damaged or foreign file.
        """
        declared = find_domain(domain) if isinstance(domain, str) else domain
        with read_saved(Path(path), cls.answers, SavedAssignments) as saved:
            instance, ledger = saved.restored(declared)
            chosen, reads, read_by = saved.choose(method, extractor, reader, allow_changes)
        session = cls(
            instance,
            model=model,
            method=chosen,
            extractor=reads,
            reader=read_by,
            protocol=saved.protocol,
            sampling=saved.sampling,
            budget=budget,
            ask_back=saved.ask_back,
        )
        session.ledger, session.history = ledger, list(saved.history)
        session.questions, session._strangers, session._again = saved.questions, saved.strangers, saved.again
        session._last, session._recorded, session._unread = saved.last, saved.recorded, saved.unread
        return session

    def _as_turn(self, message: str, number: int, ledger: Ledger, extraction: Extraction) -> Turn:
        return Turn(
            instance=self.instance,
            model=self.model,
            extractor=self.extractor,
            verifier=self.verifier,
            protocol=self.protocol,
            number=number,
            message=message,
            history=tuple(self.history),
            # Commitments that the message withdraws are no longer shown as agreed.
            before=self.ledger.without(ledger.events[len(self.ledger.events) :]),
            ledger=ledger,
            nothing_read=extraction.nothing_read,
            last=self._last,
            sampling=self.sampling,
            budget=self.budget,
        )

    def _record(
        self, message: str, number: int, extraction: Extraction, played: Played, use: SolverUse, started: float
    ) -> AssignmentRecord:
        uses = self.method.uses_readings
        return TurnRecord(
            turn=number,
            user_message=message,
            method=self.method.name,
            model=self.model.name,
            variant=self.protocol,
            reader="+".join(filter(None, (self.extractor.name, self._reader_name))),
            attempts=played.attempts,
            delivered=played.delivered,
            readings=tuple(reading.record() for reading in extraction.readings),
            unread_before=self._unread,
            events=tuple(event.record() for event in played.ledger.events[self._recorded :]),
            holds=tuple(played.ledger.active),
            extraction=(*(extraction.calls if uses else ()), *played.extraction),
            measuring=(*(() if uses else extraction.calls), *played.measuring),
            withheld=played.withheld,
            elapsed_s=time.perf_counter() - started,
            solver_calls=use.asked,
            solver_s=use.took_s,
            detail=AssignmentDetail(played.projected, played.nearest, played.set_aside),
        )
