"""A `QuerySession` is one conversation about fixed premises: queries are asked, and the answers have to fit together.

It is to labels what `Session` is to assignments: benchmarks and production call `turn`, and get a `LabelsRecord`.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import get_args

from holdtrue.budget import Budget
from holdtrue.conversation.arguments import check_kind, check_one_of, check_text, described, value_or_default
from holdtrue.conversation.conversation import Conversation
from holdtrue.conversation.saved_file import choose_again, read_saved
from holdtrue.conversation.saved_queries import SavedQueries, premises_of, world_of
from holdtrue.errors import InputError, SessionError, SettingsError
from holdtrue.kinds.labels.case import Case
from holdtrue.kinds.labels.formalizer import Formal, Formalizer, Formalizing, GoldFormalizer, LlmFormalizer
from holdtrue.kinds.labels.loop import play_labels
from holdtrue.kinds.labels.method import LabelMethod, find_label_method
from holdtrue.kinds.labels.prompts import Words
from holdtrue.kinds.labels.record import LabelsDetail, LabelsRecord
from holdtrue.kinds.labels.turn import AskedAs, LabelPlayed, LabelTurn
from holdtrue.kinds.labels.verdict import NotRead, verify_labels
from holdtrue.kinds.labels.verdict_words import AskedTurn, Sayings, describe_changes, describe_labels
from holdtrue.language.extract import LlmExtractor, ReadingSettings
from holdtrue.language.retries import check_retries
from holdtrue.ledger.approval import Approve
from holdtrue.ledger.belief_labels import committed_label, entailed_label
from holdtrue.ledger.belief_revision import contract, revise
from holdtrue.ledger.beliefs import Belief, BeliefBase, commit, commitment
from holdtrue.ledger.entries import Event, Source
from holdtrue.ledger.policies import SCREENED
from holdtrue.ledger.rules import Rules
from holdtrue.ledger.statement_ledger import Statement
from holdtrue.logic.formula import Formula, Variable, expect_formula
from holdtrue.logic.named import check_about
from holdtrue.models.chat import ChatModel
from holdtrue.models.sampling import Sampling
from holdtrue.record import AnswerStatus, CallRecord, EventRecord, Label, ReadingRecord, TurnRecord, VerdictRecord
from holdtrue.solving.counted import CountedEngine
from holdtrue.solving.result import Satisfiable, Witness
from holdtrue.solving.route import make_engine, reason_for
from holdtrue.verification.ledger_theory import Theory


@dataclass(frozen=True, slots=True)
class Question:
    """Something to answer: `text` as it is asked, and the statement that it is about, as a sentence.

    `formula` is what that says, where somebody knows. `statement` is the text itself where it is None.
    """

    id: str
    text: str
    formula: Formula | None = None
    statement: str | None = None

    def __post_init__(self) -> None:
        check_text("id of a query", self.id)
        check_text(f"text of the query {self.id!r:.60}", self.text)
        if self.formula is not None:
            expect_formula(self.formula, f"query {self.id!r}")
        if self.statement is not None:
            check_text(f"statement of the query {self.id!r:.60}", self.statement)


class QuerySession(Conversation):
    """One conversation about the premises of one case.

    If a premise or a query has no formula, labels that fit everything else are undecided, and the `readings` of the
    turn's record say why. A session does one thing at a time: a second turn is refused with `SessionBusy` while one
    runs, also while `approve` is asked.

    Args:
        case: The premises and their world; the case's own queries and labels are never looked at.
        model: A `ChatModel`, or a name.
        method: A `LabelMethod`, or the name of a preset.
        asked: `bundle` asks all queries of a turn at once, and `one` asks a single query behind a summary of beliefs.
        formal: `gold` takes formulas from the case, and `llm` has the model write them; sentences that only tell the
            setting need none.
        words: The names of labels in prompts: ENTAILED, CONTRADICTED and UNKNOWN, or yes, no and unknown.
        sampling: How the model is asked.
        budget: The time limit of solver questions.
        approve: A function that is asked about every retraction.

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
        asked: AskedAs = "bundle",
        formal: Formal = "gold",
        words: Words = "labels",
        sampling: Sampling | None = None,
        budget: Budget | None = None,
        approve: Approve | None = None,
    ) -> None:
        check_kind("case", case, Case)
        check_one_of("asked", asked, get_args(AskedAs))
        check_one_of("formal", formal, get_args(Formal))
        check_one_of("words", words, get_args(Words))
        if approve is not None and not callable(approve):
            raise SettingsError(
                f"approve is a function of a Retraction that gives a Decision, not {described(approve)}"
            )
        if formal == "llm" and case.instance is None:
            raise SettingsError(f"{case.id}: nothing says what its world is made of, so no model can formalize it")
        self.case = case
        self.method = (
            find_label_method(method) if isinstance(method, str) else check_kind("method", method, LabelMethod)
        )
        self.asked: AskedAs = asked
        self.sampling = value_or_default("sampling", sampling, Sampling())
        check_retries(self.method, self.sampling)
        self.budget = value_or_default("budget", budget, Budget())
        self.given_labels: dict[str, Label] = {}
        """The labels as they were answered, by query."""
        self.ledger: BeliefBase | None = None
        self._words: Words = words
        self._approve = approve
        self._formal: Formal = formal
        self._turns: tuple[AskedTurn, ...] = ()
        self._statements: dict[str, Formula | None] = {}
        self._premise_texts: dict[str, str] = {}
        self._not_read = NotRead()
        self._recorded = 0  # how many of the ledger's events are in records already
        self._witness: Witness | None = None
        self.policies_differ: bool | None = None
        """Whether the revision policies would have ended the last turn with different beliefs, from the same state;
        None where the method has no such policy, the premises cannot all hold, or the budget ended."""
        self._engines: tuple[CountedEngine, ...] = ()
        super().__init__(model)
        self._formalizer: Formalizer = (
            # What a question asks about is a statement like any other.
            LlmFormalizer(case.instance, LlmExtractor(self.model, ReadingSettings(skip_questions=False)))
            if formal == "llm" and case.instance is not None
            else GoldFormalizer()
        )

    async def turn(self, questions: Sequence[Question]) -> LabelsRecord:
        """Ask these queries, all in one prompt, check the labels, revise beliefs, and return the record of all that.

        Raises `ModelError` if the model fails, and `SessionBusy` while something else runs. After an error, or if the
        turn is cancelled, the session is as it was before.
        """
        with self._alone("a turn"):
            return await self._turn(questions)

    async def _turn(self, questions: Sequence[Question]) -> LabelsRecord:
        started, number = time.perf_counter(), len(self._turns) + 1
        questions = self._check(questions)
        premises, asked = Formalizing(self._formalizer), Formalizing(self._formalizer)
        base = self.ledger or await self._open(premises)
        formulas: dict[str, Formula | None] = {}
        for question in questions:
            formulas[question.id] = await asked.formalize(question.id, question.text, question.formula)
        earlier = self._not_read
        not_read = NotRead(earlier.premises + premises.unread, earlier.queries + asked.unread)
        before = self._solver_calls
        played = await play_labels(self.method, self._as_turn(number, questions, formulas, base, not_read))
        spent = self._solver_calls - before if self.method.uses_formulas else 0
        self.policies_differ = self._compare_policies(base, played)
        self.ledger, self._not_read = played.base, not_read
        self._statements = {**self._statements, **formulas}
        self.given_labels = {**self.given_labels, **played.labels}
        calls, readings = premises.calls + asked.calls, premises.readings + asked.readings
        record = self._record(questions, played, calls, readings, earlier, spent, started)
        self._recorded, self._turns = len(played.base.events), (*self._turns, AskedTurn.of(record))
        return record

    def ask(self, questions: Sequence[Question]) -> LabelsRecord:
        """`turn` for code that is not asynchronous; in a running event loop an error says what to write instead."""
        return self._run("ask(questions)", "await session.turn(questions)", lambda: self.turn(questions))

    def check(self, labels: Mapping[str, Label]) -> VerdictRecord:
        """Return the verdict on labels that replace those of queries of earlier turns; `labels` are by query id.

        No model is asked, and nothing is recorded.
        """
        with self._alone("check", also_closed=True):
            ledger = self._opened()
            for id in labels:
                if id not in self._statements:
                    raise InputError(f"no query {id!r:.60} was asked; there are {', '.join(self._statements)}")
            stated = {id: self._statements[id] for id in labels}
            meant = {id: commitment(each, labels[id]) for id, each in stated.items() if each is not None}
            believed = {id: each.formula for id, each in ledger.active.items() if id not in labels}
            new = {id: formula for id, formula in meant.items() if formula is not None}
            return verify_labels(ledger.rules, believed, new, self.budget, not_read=self._not_read)

    def add(self, question: Question, label: Label) -> tuple[EventRecord, ...]:
        """Add a query with a label that the user gives; no model is asked, and the next record tells of it.

        The question needs its formula. Raises `InputError` for a query that was asked before.
        """
        with self._alone("add"):
            return self._add(self._opened().fork(), question, label)

    def amend(self, id: str, question: Question, label: Label) -> tuple[EventRecord, ...]:
        """The user withdraws what is believed by a query's answer, and says the label of a new query in its place."""
        with self._alone("amend"):
            ledger = self._opened().fork()
            return self._add(ledger, question, label, *self._withdraw(ledger, id))

    def withdraw(self, id: str) -> tuple[EventRecord, ...]:
        """The user takes back what is believed by an answer; what it had pushed aside comes back where it fits."""
        with self._alone("withdraw"):
            ledger = self._opened().fork()
            return self._keep(ledger, self._withdraw(ledger, id))

    def _opened(self) -> BeliefBase:
        if self.ledger is None:
            raise SessionError("nothing was asked yet: the premises are read with the first turn")
        return self.ledger

    def _withdraw(self, ledger: BeliefBase, id: str) -> tuple[Event[Belief], ...]:
        check_text("id of a query", id)
        return contract(ledger, id, len(self._turns), self.method.policy, self.budget).events

    def _add(
        self, ledger: BeliefBase, question: Question, label: Label, *before: Event[Belief]
    ) -> tuple[EventRecord, ...]:
        (question,), label = self._check([question]), Label(label)
        if question.formula is None:
            raise InputError(f"{question.id}: a label without an answer of the model needs the question's formula")
        said = question.statement or question.text
        belief = commit(question.id, label, question.formula, said, len(self._turns), source=Source.USER)
        policy = self.method.policy
        revised = revise(ledger, [belief] if belief else [], policy, self.budget, self._approve)
        events = self._keep(ledger, (*before, *revised.events))
        self._statements = {**self._statements, question.id: question.formula}
        self.given_labels = {**self.given_labels, question.id: label}
        return events

    def _keep(self, ledger: BeliefBase, events: Sequence[Event[Belief]]) -> tuple[EventRecord, ...]:
        self.ledger = ledger
        return tuple(event.record() for event in events)

    def explain(self, record: LabelsRecord) -> list[str]:
        """What was found about a turn's last labels in sentences, most important first.

        The last ones say which labels the model changed when it was asked again, and what was given up or came back.
        """
        sayings = Sayings()
        for turn, said in enumerate(self._turns[: record.turn - 1], start=1):
            sayings.note_questions(turn, said)
        sayings.note(record)
        return describe_labels(record.final, sayings) + describe_changes(record)

    def _theory(self) -> Theory:
        ledger = self._opened()
        premises = {id: Statement(id, text, 0, Source.CONTEXT) for id, text in self._premise_texts.items()}
        formulas = {**ledger.rules.rules, **ledger.soft}
        return Theory(self.case.variables, self.case.laws, formulas, {**premises, **ledger.active})

    def _explaining_budget(self) -> Budget:
        return self.budget

    @property
    def engine(self) -> str:
        """Which solver decides for this conversation, and why, in words."""
        return reason_for(self._engines[0].engine) if self._engines else ""

    def _to_save(self) -> SavedQueries:
        ledger = self.ledger
        return SavedQueries(
            case=world_of(self.case),
            method=self.method.name,
            asked=self.asked,
            formal=self._formal,
            words=self._words,
            sampling=self.sampling,
            turns=self._turns,
            rules=ledger.rules.rules if ledger is not None and self._formal == "llm" else {},
            statements=self._statements,
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
        """The conversation about this case that a file holds; it goes on as if it had never ended.

        `approve` and a method that is no preset are given again; a method that the file does not name is refused
        (`SettingsError`) unless `allow_changes`. Raises `RecordError` for a damaged or foreign file, naming the place.
        """
        check_kind("case", case, Case)
        with read_saved(Path(path), cls.answers, SavedQueries) as saved:
            base, statements = saved.restored(case)
            chosen: LabelMethod | str = choose_again("method", saved.method, method, find_label_method, allow_changes)
        session = cls(
            case,
            model=model,
            method=chosen,
            asked=saved.asked,
            formal=saved.formal,
            words=saved.words,
            sampling=saved.sampling,
            budget=budget,
            approve=approve,
        )
        session.given_labels, session._statements, session._turns = dict(saved.given), statements, saved.turns
        session._recorded, session.policies_differ = saved.recorded, saved.policies_differ
        if saved.turns:
            session.ledger = session._begin(base.rules.rules, base.events)
            unread = tuple(id for id in premises_of(case) if id not in base.rules.rules)
            session._not_read = NotRead(unread, tuple(id for id, each in statements.items() if each is None))
        return session

    def _check(self, given: object) -> tuple[Question, ...]:
        if isinstance(given, Question | str) or not isinstance(given, Iterable):
            raise InputError(f"a turn takes a list of queries, [Question(...)], not {described(given)}")
        questions = tuple(check_kind("each query of a turn", question, Question) for question in given)
        ids = [question.id for question in questions]
        if not ids:
            raise InputError("a turn needs a query")
        double = next((id for id in ids if id in self._statements or ids.count(id) > 1), None)
        if double is not None:
            raise InputError(f"the query {double!r} was asked before; give each its own id")
        for question in questions:
            if question.formula is not None:
                check_about(f"the query {question.id!r:.60}", question.formula, self.case.variables)
        return questions

    async def _open(self, premises: Formalizing) -> BeliefBase:
        """Formalize the premises, once."""
        case_premises = premises_of(self.case)
        made = {id: await premises.formalize(id, each.text, each.formula) for id, each in case_premises.items()}
        return self._begin({id: formula for id, formula in made.items() if formula is not None})

    def _begin(self, rules: Mapping[str, Formula], events: Iterable[Event[Belief]] = ()) -> BeliefBase:
        """The ledger under these rules."""
        made = Rules(self.case.variables, self.case.laws, rules, self._make_engine)
        found = made.engine.decide({}, self.budget)
        self._witness = found.witness if isinstance(found, Satisfiable) else None
        self._premise_texts = {id: each.text for id, each in premises_of(self.case).items() if id in rules}
        return BeliefBase(made, events)

    def _make_engine(self, variables: Sequence[Variable], background: Iterable[Formula]) -> CountedEngine:
        engine = CountedEngine(make_engine(list(variables), tuple(background)))
        self._engines = (*self._engines, engine)
        return engine

    @property
    def _solver_calls(self) -> int:
        return sum(engine.asked for engine in self._engines)

    def _as_turn(
        self,
        number: int,
        questions: Sequence[Question],
        formulas: Mapping[str, Formula | None],
        base: BeliefBase,
        not_read: NotRead,
    ) -> LabelTurn:
        shown = tuple(belief.sentence for belief in base.active.values()) if self.asked == "one" else None
        return LabelTurn(
            model=self.model,
            premises=tuple(premise.text for premise in self.case.premises),
            premise_texts=self._premise_texts,
            queries={question.id: question.text for question in questions},
            statements={question.id: question.statement or question.text for question in questions},
            formulas={id: formula for id, formula in formulas.items() if formula is not None},
            base=base,
            beliefs=shown,
            witness=self._witness,
            words=self._words,
            number=number,
            sampling=self.sampling,
            budget=self.budget,
            approve=self._approve,
            not_read=not_read,
        )

    def _record(
        self,
        questions: Sequence[Question],
        played: LabelPlayed,
        calls: tuple[CallRecord, ...],
        readings: tuple[ReadingRecord, ...],
        earlier: NotRead,
        solver_calls: int,
        started: float,
    ) -> LabelsRecord:
        revision, uses, labels = played.revision, self.method.uses_formulas, self.labels
        return TurnRecord(
            turn=len(self._turns) + 1,
            user_message="\n".join(question.text for question in questions),
            method=self.method.name,
            model=self.model.name,
            variant=self.asked,
            reader=self._formalizer.name,
            attempts=played.attempts,
            delivered=", ".join(f"{id}: {label}" for id, label in labels.items() if id in played.labels),
            readings=readings,
            unread_before=len(earlier.premises) + len(earlier.queries),
            events=tuple(event.record() for event in played.base.events[self._recorded :]),
            holds=tuple(played.base.active),
            extraction=calls if uses else (),
            measuring=() if uses else calls,
            elapsed_s=time.perf_counter() - started,
            solver_calls=solver_calls,
            detail=LabelsDetail(
                asked={question.id: question.text for question in questions},
                labels={id: label.value for id, label in labels.items()},
                committed=self._committed(),
                entailed=self._entailed(),
                set_aside=tuple(played.base.set_aside),
                tied=revision.tied if revision else False,
            ),
        )

    def _compare_policies(self, before: BeliefBase, played: LabelPlayed) -> bool | None:
        """From the state before the turn, and with its commitments: do the screened policies believe the same?"""
        if self.method.policy not in SCREENED or played.revision is None:
            return None
        # Labels that are undecided for what was not read may be compared all the same: beliefs are what was read.
        if played.attempts[-1].verdict.answer not in (AnswerStatus.VIOLATING, AnswerStatus.UNDECIDED):
            return False
        ends = set()
        for policy in sorted(SCREENED):
            base = before.fork()
            revised = revise(base, played.new, policy, self.budget)
            if revised.undecided or revised.reason is not None:
                return None
            ends.add(frozenset(base.active))
        return len(ends) > 1

    @property
    def labels(self) -> dict[str, Label]:
        """What all queries so far are answered with now: UNKNOWN where what a label commits to is believed no more."""
        base = self.ledger
        if base is None:
            return {}
        # What was never proposed as a belief (there is no formula, or the premises are impossible) is not withdrawn.
        gone = {id for id in base.known if not base.holds(id)}
        return {id: Label.UNKNOWN if id in gone else label for id, label in self.given_labels.items()}

    def _committed(self) -> dict[str, str]:
        """What the last belief about it says of every query so far that has a formula."""
        base = self.ledger
        if base is None or self._witness is None:
            return {}
        return {
            id: committed_label(base, formula).value for id, formula in self._statements.items() if formula is not None
        }

    def _entailed(self) -> dict[str, str]:
        """What follows from premises and beliefs for every query so far, where that was found out."""
        found: dict[str, str] = {}
        for id, formula in self._statements.items():
            if formula is not None and self.ledger is not None and self._witness is not None:
                label = entailed_label(self.ledger, formula, self.budget)
                if isinstance(label, Label):
                    found[id] = label.value
        return found
