"""A `QuerySession` is a conversation about fixed premises. The answers to its queries must be consistent."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import get_args

from holdtrue.budget import Budget
from holdtrue.conversation.arguments import check_kind, check_one_of, check_text, described, value_or_default
from holdtrue.conversation.conversation import Conversation
from holdtrue.conversation.query_state import (
    QueryState,
    Question,
    SavedQueries,
    check_questions,
    identity_of,
    policies_differ,
    premises_of,
)
from holdtrue.conversation.saved_file import choose_again, read_saved
from holdtrue.errors import InputError, SessionError, SettingsError
from holdtrue.kinds.labels.case import Case
from holdtrue.kinds.labels.formalizer import (
    CaseReading,
    Formal,
    Formalizer,
    Formalizing,
    GoldFormalizer,
    LlmFormalizer,
    WrittenFormalizer,
)
from holdtrue.kinds.labels.loop import play_labels
from holdtrue.kinds.labels.method import LabelMethod, find_label_method
from holdtrue.kinds.labels.prompts import Words
from holdtrue.kinds.labels.record import LabelsDetail, LabelsRecord
from holdtrue.kinds.labels.turn import LabelPlayed, LabelTurn, WayOfAsking
from holdtrue.kinds.labels.verdict_words import AskedTurn, Sayings, describe_changes, describe_labels
from holdtrue.language.extract import LlmExtractor, ReadingSettings
from holdtrue.language.retries import check_retries
from holdtrue.ledger.approval import Approve
from holdtrue.ledger.belief_revision import contract, revise
from holdtrue.ledger.beliefs import Belief, BeliefBase, commit
from holdtrue.ledger.entries import Event, Source
from holdtrue.models.chat import ChatModel
from holdtrue.models.sampling import Sampling
from holdtrue.record import EventRecord, Label, TurnRecord, VerdictRecord
from holdtrue.solving.engine import SolverUse, solver_use
from holdtrue.verification.ledger_theory import Theory


class QuerySession(Conversation):
    """A conversation about the premises of one case.

    A premise or a query may have no formula. Labels that fit everything else are then undecided, and the `readings` of
    the turn's record say why. A session does one thing at a time. While one turn runs, also while `approve` is called,
    another raises `SessionBusy`.

    Args:
        case: The premises and their world. The case's queries and labels are never used.
        model: A `ChatModel`, or a name.
        method: A `LabelMethod`, or the name of a preset.
        way_of_asking: `bundle` asks all queries of a turn at once; `one` asks a single query after a summary of
            beliefs.
        formal: `gold` takes formulas from the case, and `llm` has the model write them. Sentences that only describe
            the setting need none.
        words: The names of labels in prompts: ENTAILED, CONTRADICTED and UNKNOWN, or yes, no and unknown.
        sampling: The settings with which the model is asked.
        budget: The time limit of solver questions.
        approve: A function that is asked about every retraction.
        written: The formulas that a model wrote for the whole case (`case_reading.read_case`). They replace `case` and
            `formal`, and their cost counts in the first turn.

    Raises:
        InputError: A setting does not fit.
    """

    answers = "labels"

    def __init__(
        self,
        case: Case,
        *,
        model: ChatModel | str,
        method: LabelMethod | str = "maxsat_repair",
        way_of_asking: WayOfAsking = "bundle",
        formal: Formal = "gold",
        words: Words = "labels",
        sampling: Sampling | None = None,
        budget: Budget | None = None,
        approve: Approve | None = None,
        written: CaseReading | None = None,
    ) -> None:
        check_kind("case", case, Case)
        check_one_of("way_of_asking", way_of_asking, get_args(WayOfAsking))
        check_one_of("formal", formal, get_args(Formal))
        check_one_of("words", words, get_args(Words))
        if approve is not None and not callable(approve):
            raise SettingsError(
                f"approve is a function of a Retraction that gives a Decision, not {described(approve)}"
            )
        if written is not None:
            case, formal = check_kind("written", written, CaseReading).case, "llm"
        elif formal == "llm" and case.instance is None:
            raise SettingsError(
                f"{case.id}: nothing says what its world is made of, so that no sentence of it can be formalized by "
                "itself; have the whole case read: written=await conversation.case_reading.read_case(case, model)"
            )
        self.case = case
        self._written = written
        self.method = (
            find_label_method(method) if isinstance(method, str) else check_kind("method", method, LabelMethod)
        )
        self.way_of_asking: WayOfAsking = way_of_asking
        self.sampling = value_or_default("sampling", sampling, Sampling())
        check_retries(self.method, self.sampling)
        self.budget = value_or_default("budget", budget, Budget())
        self.policies_differ: bool | None = None
        """Whether the revision policies would have ended the last turn with different beliefs.

        All start from the same state. It is None if the method has no such policy, the premises cannot all hold, or the
        budget ended.
        """
        self._words: Words = words
        self._approve = approve
        self._formal: Formal = formal
        self._turns: tuple[AskedTurn, ...] = ()
        self._state: QueryState | None = None
        self._recorded = 0  # the number of the ledger's events that are in records
        super().__init__(model)
        self._formalizer = self._choose_formalizer()

    def _choose_formalizer(self) -> Formalizer:
        if self._written is not None:
            return WrittenFormalizer()
        if self._formal == "llm" and self.case.instance is not None:
            # Questions are read too, since each is about a statement.
            return LlmFormalizer(self.case.instance, LlmExtractor(self.model, ReadingSettings(skip_questions=False)))
        return GoldFormalizer()

    async def turn(self, questions: Sequence[Question]) -> LabelsRecord:
        """Ask these queries in one prompt, check the labels, revise beliefs, and return the record.

        Raises `ModelError` if the model fails, and `SessionBusy` while another call runs. After an error or a
        cancellation the session is as it was before.
        """
        with self._alone("a turn"):
            return await self._turn(questions)

    async def _turn(self, given: Sequence[Question]) -> LabelsRecord:
        started, earlier = time.perf_counter(), self._state
        questions, reading = self._check(given), Formalizing(self._formalizer)
        opened = earlier or await self._open(reading)
        state = opened.with_statements(
            {each.id: await reading.formalize(each.text, each.formula) for each in questions}
        )
        turn = self._as_turn(questions, state)
        with solver_use() as use:
            played = await play_labels(self.method, turn)
        if not self.method.uses_formulas:
            use = SolverUse()  # the method did not use the solver, which only measured the labels
        self.policies_differ = policies_differ(state.ledger, played, self.method.policy, self.budget)
        self._state = state.with_labels(played.labels, played.base)
        unread = 0 if earlier is None else len(earlier.not_read)
        record = self._record(turn, played, reading, unread, use, started)
        self._recorded, self._turns = len(played.base.events), (*self._turns, AskedTurn.of(record))
        return record

    def ask(self, questions: Sequence[Question]) -> LabelsRecord:
        """Play `turn` for code that is not asynchronous. In a running event loop, an error says how to write it."""
        return self._run("ask(questions)", "await session.turn(questions)", lambda: self.turn(questions))

    def check(self, labels: Mapping[str, Label]) -> VerdictRecord:
        """Return the verdict on new labels, by query id, for queries that were asked before.

        No model is asked, and nothing is recorded.
        """
        with self._alone("check", also_closed=True):
            return self._opened().check(labels, self.budget)

    def add(self, question: Question, label: Label) -> tuple[EventRecord, ...]:
        """Add a query with a label that the user gives. No model is asked, and the next record has the events.

        The question needs its formula. Raises `InputError` for a query that was asked before.
        """
        with self._alone("add"):
            return self._add(self._opened().ledger.fork(), question, label)

    def amend(self, id: str, question: Question, label: Label) -> tuple[EventRecord, ...]:
        """Withdraw the belief from a query's answer, and add a new query with the user's label instead."""
        with self._alone("amend"):
            ledger = self._opened().ledger.fork()
            return self._add(ledger, question, label, *self._withdraw(ledger, id))

    def withdraw(self, id: str) -> tuple[EventRecord, ...]:
        """Withdraw the belief that an answer led to, in the user's name.

        Beliefs that it had displaced return if they fit.
        """
        with self._alone("withdraw"):
            state = self._opened()
            ledger = state.ledger.fork()
            events = self._withdraw(ledger, id)
            self._state = state.with_labels({}, ledger)
            return tuple(event.record() for event in events)

    def _opened(self) -> QueryState:
        if self._state is None:
            raise SessionError("nothing was asked yet: the premises are read with the first turn")
        return self._state

    def _withdraw(self, ledger: BeliefBase, id: str) -> tuple[Event[Belief], ...]:
        check_text("id of a query", id)
        return contract(ledger, id, len(self._turns), self.method.policy, self.budget).events

    def _add(
        self, ledger: BeliefBase, question: Question, label: Label, *before: Event[Belief]
    ) -> tuple[EventRecord, ...]:
        (question,), label = self._check([question]), Label(label)
        if question.formula is None:
            raise InputError(f"{question.id}: a label without an answer of the model needs the question's formula")
        belief = commit(question.id, label, question.formula, question.sentence, len(self._turns), source=Source.USER)
        policy = self.method.policy
        revised = revise(ledger, [belief] if belief else [], policy, self.budget, self._approve)
        state = self._opened().with_statements({question.id: question.formula})
        self._state = state.with_labels({question.id: label}, ledger)
        return tuple(event.record() for event in (*before, *revised.events))

    def explain(self, record: LabelsRecord) -> list[str]:
        """Return the verdict on a turn's last labels in sentences, the most important first.

        The last sentences name the labels that the model changed when asked again, and beliefs that gave way or
        returned.
        """
        sayings = Sayings()
        for turn, said in enumerate(self._turns[: record.turn - 1], start=1):
            sayings.note_questions(turn, said)
        sayings.note(record)
        return describe_labels(record.final, sayings) + describe_changes(record)

    @property
    def ledger(self) -> BeliefBase | None:
        """Return the beliefs, under the premises that have a formula, or None before the first turn."""
        return None if self._state is None else self._state.ledger

    @property
    def given_labels(self) -> Mapping[str, Label]:
        """Return the labels that were given to all queries so far."""
        return {} if self._state is None else self._state.given_labels

    @property
    def labels(self) -> dict[str, Label]:
        """Return the current label of each query.

        The current label is UNKNOWN if the belief from the given label was given up.
        """
        return {} if self._state is None else self._state.labels

    def _theory(self) -> Theory:
        return self._opened().theory()

    @property
    def engine(self) -> str:
        """Return in words which solver decides, and why, or '' before the first turn."""
        return "" if self._state is None else self._state.engine

    def _to_save(self) -> SavedQueries:
        if self._written is not None:
            raise SessionError("formulas that a model wrote of the whole case cannot be saved: read the case again")
        state, ledger = self._state, self.ledger
        return SavedQueries(
            case=identity_of(self.case),
            method=self.method.name,
            way_of_asking=self.way_of_asking,
            formal=self._formal,
            words=self._words,
            sampling=self.sampling,
            turns=self._turns,
            rules=ledger.rules.rules if ledger is not None and self._formal == "llm" else {},
            statements={} if state is None else state.statements,
            given=self.given_labels,
            events=() if ledger is None else tuple(event.record() for event in ledger.events),
            recorded=self._recorded,
            policies_differ=self.policies_differ,
        )

    @classmethod
    def load(
        cls,
        path: str | Path,
        case: Case,
        *,
        model: ChatModel | str,
        method: LabelMethod | str | None = None,
        budget: Budget | None = None,
        approve: Approve | None = None,
        allow_changes: bool = False,
    ) -> QuerySession:
        """Return the conversation about this case in a file. It continues as if it had never ended.

        `approve`, and a method that is no preset, must be given again. Raises `SettingsError` if another method is
        given without `allow_changes`. Raises `RecordError` with the place for a damaged or foreign file.
        """
        check_kind("case", case, Case)
        with read_saved(Path(path), cls.answers, SavedQueries) as saved:
            state = saved.restored(case, value_or_default("budget", budget, Budget()))
            chosen: LabelMethod | str = choose_again("method", saved.method, method, find_label_method, allow_changes)
        session = cls(
            case,
            model=model,
            method=chosen,
            way_of_asking=saved.way_of_asking,
            formal=saved.formal,
            words=saved.words,
            sampling=saved.sampling,
            budget=budget,
            approve=approve,
        )
        session._state, session._turns = state, saved.turns
        session._recorded, session.policies_differ = saved.recorded, saved.policies_differ
        return session

    def _check(self, given: object) -> tuple[Question, ...]:
        return check_questions(given, self._state.statements if self._state else (), self.case.variables)

    async def _open(self, reading: Formalizing) -> QueryState:
        """Read the premises. This happens once."""
        told = premises_of(self.case)
        if self._written is not None:
            reading.take(self._written)
        made = {id: await reading.formalize(each.text, each.formula) for id, each in told.items()}
        rules = {id: formula for id, formula in made.items() if formula is not None}
        return QueryState.begin(self.case, rules, self.budget)

    def _as_turn(self, questions: Sequence[Question], state: QueryState) -> LabelTurn:
        formulas = {question.id: state.statements[question.id] for question in questions}
        shown = (
            tuple(belief.sentence for belief in state.ledger.active.values()) if self.way_of_asking == "one" else None
        )
        return LabelTurn(
            model=self.model,
            premises=tuple(premise.text for premise in self.case.premises),
            premise_texts=state.premise_texts,
            queries={question.id: question.text for question in questions},
            statements={question.id: question.sentence for question in questions},
            formulas={id: formula for id, formula in formulas.items() if formula is not None},
            base=state.ledger,
            beliefs=shown,
            witness=state.witness,
            words=self._words,
            number=len(self._turns) + 1,
            sampling=self.sampling,
            budget=self.budget,
            approve=self._approve,
            not_read=state.not_read,
        )

    def _record(
        self, turn: LabelTurn, played: LabelPlayed, reading: Formalizing, unread: int, use: SolverUse, started: float
    ) -> LabelsRecord:
        state, revision, uses = self._opened(), played.revision, self.method.uses_formulas
        labels = state.labels
        return TurnRecord(
            turn=turn.number,
            user_message="\n".join(turn.queries.values()),
            method=self.method.name,
            model=self.model.name,
            variant=self.way_of_asking,
            reader=self._formalizer.name,
            attempts=played.attempts,
            delivered=", ".join(f"{id}: {label}" for id, label in labels.items() if id in played.labels),
            readings=reading.readings,
            unread_before=unread,
            events=tuple(event.record() for event in played.base.events[self._recorded :]),
            holds=tuple(played.base.active),
            extraction=reading.calls if uses else (),
            measuring=() if uses else reading.calls,
            elapsed_s=time.perf_counter() - started,
            solver_calls=use.asked,
            solver_s=use.took_s,
            detail=LabelsDetail(
                asked=turn.queries,
                labels={id: label.value for id, label in labels.items()},
                committed=state.committed,
                entailed=state.entailed(self.budget),
                set_aside=tuple(played.base.set_aside),
                tied=revision.tied if revision else False,
            ),
        )
