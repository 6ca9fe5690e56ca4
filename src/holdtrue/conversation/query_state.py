"""The state of a `QuerySession`, its form in a file, and the `Question`s that a turn takes."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from holdtrue.budget import Budget
from holdtrue.conversation.arguments import check_kind, check_text, described
from holdtrue.conversation.saved_file import check_turns, read_formula, same_world
from holdtrue.errors import InputError, RecordError
from holdtrue.kinds.labels.case import Case, Premise
from holdtrue.kinds.labels.formalizer import Formal
from holdtrue.kinds.labels.prompts import Words
from holdtrue.kinds.labels.turn import LabelPlayed, WayOfAsking
from holdtrue.kinds.labels.verdict import NotRead, verify_labels
from holdtrue.kinds.labels.verdict_words import AskedTurn
from holdtrue.ledger.belief_revision import revise
from holdtrue.ledger.beliefs import Belief, BeliefBase, Rules, commitment, committed_label, entailed_label
from holdtrue.ledger.entries import EventKind, Source, Statement
from holdtrue.ledger.policies import SCREENED
from holdtrue.ledger.restore import restore_entries
from holdtrue.logic.formula import Formula, Variable, expect_formula
from holdtrue.logic.variable_names import check_about
from holdtrue.models.sampling import Sampling
from holdtrue.record import AnswerStatus, EventRecord, Label, VerdictRecord
from holdtrue.solving.result import Satisfiable, Witness
from holdtrue.solving.route import reason_for
from holdtrue.verification.ledger_theory import Theory


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryState:
    """The premises of a case as they were read, and everything that was asked, answered and believed since.

    Every turn and every change replaces the state by a new one.

    Attributes:
        case: The premises and their world.
        ledger: The beliefs, under the premises that have a formula.
        witness: Values that satisfy the premises, or None if there are none or the budget ended.
        statements: The formula of every query so far, or None if it was not read.
        given_labels: The labels as they were answered, by query.
    """

    case: Case
    ledger: BeliefBase
    witness: Witness | None
    statements: Mapping[str, Formula | None] = field(default_factory=dict)
    given_labels: Mapping[str, Label] = field(default_factory=dict)

    @classmethod
    def begin(cls, case: Case, rules: Mapping[str, Formula], budget: Budget) -> QueryState:
        """Return the state after reading the premises as these rules, before any query."""
        made = Rules(case.variables, case.laws, rules, case.make_engine)
        found = made.engine.decide({}, budget)
        witness = found.witness if isinstance(found, Satisfiable) else None
        return cls(case=case, ledger=BeliefBase(made), witness=witness)

    def with_statements(self, statements: Mapping[str, Formula | None]) -> QueryState:
        return replace(self, statements={**self.statements, **statements})

    def with_labels(self, labels: Mapping[str, Label], ledger: BeliefBase) -> QueryState:
        """Return the state after these labels were given and the beliefs became `ledger`."""
        return replace(self, ledger=ledger, given_labels={**self.given_labels, **labels})

    @property
    def premise_texts(self) -> dict[str, str]:
        """Return the sentences of the premises that have a formula, by name."""
        rules = self.ledger.rules.rules
        return {id: each.text for id, each in premises_of(self.case).items() if id in rules}

    @property
    def not_read(self) -> NotRead:
        """Return the names of the premises and queries that have no formula."""
        rules = self.ledger.rules.rules
        premises = tuple(id for id in premises_of(self.case) if id not in rules)
        return NotRead(premises, tuple(id for id, formula in self.statements.items() if formula is None))

    @property
    def engine(self) -> str:
        """Return in words which solver decides, and why."""
        return reason_for(self.ledger.rules.engine)

    @property
    def labels(self) -> dict[str, Label]:
        """Return the current label of each query.

        The current label is UNKNOWN if the belief from the given label was given up.
        """
        # A label without a formula, or under impossible premises, was never proposed as a belief, so it stays.
        gone = {id for id in self.ledger.known if not self.ledger.holds(id)}
        return {id: Label.UNKNOWN if id in gone else label for id, label in self.given_labels.items()}

    @property
    def committed(self) -> dict[str, str]:
        """Return for each query with a formula the label that the last belief about it gives."""
        return {id: committed_label(self.ledger, formula).value for id, formula in self._settled().items()}

    def entailed(self, budget: Budget) -> dict[str, str]:
        """Return the labels that premises and beliefs prove, for the queries that were decided in time."""
        found = {id: entailed_label(self.ledger, formula, budget) for id, formula in self._settled().items()}
        return {id: label.value for id, label in found.items() if isinstance(label, Label)}

    def _settled(self) -> dict[str, Formula]:
        """Return the known formulas of queries, or none without a witness: impossible premises prove everything."""
        read = {id: formula for id, formula in self.statements.items() if formula is not None}
        return {} if self.witness is None else read

    def check(self, labels: Mapping[str, Label], budget: Budget) -> VerdictRecord:
        """Return the verdict on new labels for queries that were asked, under the beliefs from all other queries."""
        for id in labels:
            if id not in self.statements:
                raise InputError(f"no query {id!r:.60} was asked; there are {', '.join(self.statements)}")
        stated = {id: self.statements[id] for id in labels}
        meant = {id: commitment(each, labels[id]) for id, each in stated.items() if each is not None}
        believed = {id: each.formula for id, each in self.ledger.active.items() if id not in labels}
        new = {id: formula for id, formula in meant.items() if formula is not None}
        return verify_labels(self.ledger.rules, believed, new, budget, not_read=self.not_read)

    def theory(self) -> Theory:
        """Return the premises and beliefs as formulas."""
        premises = {id: Statement(id, text, 0, Source.CONTEXT) for id, text in self.premise_texts.items()}
        formulas = {**self.ledger.rules.rules, **self.ledger.soft}
        return Theory(self.case.variables, self.case.laws, formulas, {**premises, **self.ledger.active})


def premises_of(case: Case) -> dict[str, Premise]:
    """Return the premises that are not marked as setting, by names such as P1, whose numbers count all premises."""
    return {f"P{place}": each for place, each in enumerate(case.premises, start=1) if not each.setting}


def policies_differ(before: BeliefBase, played: LabelPlayed, policy: str, budget: Budget) -> bool | None:
    """Return whether the policies in `SCREENED` lead from `before` to different beliefs with the labels of this turn.

    Returns None if `policy` is not in `SCREENED`, if the premises cannot all hold, or if the budget ended.
    """
    if policy not in SCREENED or played.revision is None:
        return None
    # Labels that are undecided because of unread sentences can be compared too, since beliefs have formulas.
    if played.attempts[-1].verdict.answer not in (AnswerStatus.VIOLATING, AnswerStatus.UNDECIDED):
        return False
    ends = set()
    for each in sorted(SCREENED):
        base = before.fork()
        revised = revise(base, played.new, each, budget)
        if revised.undecided or revised.reason is not None:
            return None
        ends.add(frozenset(base.active))
    return len(ends) > 1


@dataclass(frozen=True, slots=True)
class Question:
    """A query with its wording (`text`), the `statement` that it is about, and the statement's formula if it is known.

    If `statement` is None, the text is the statement.
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

    @property
    def sentence(self) -> str:
        """Return the statement as a sentence."""
        return self.statement or self.text


def check_questions(given: object, known: Container[str], variables: Sequence[Variable]) -> tuple[Question, ...]:
    """Return the questions of a turn. Their formulas must be over `variables`, and their ids must not be `known`.

    Raises `InputError`, and `SettingsError` for an object that is no `Question`.
    """
    if isinstance(given, Question | str) or not isinstance(given, Iterable):
        raise InputError(f"a turn takes a list of queries, [Question(...)], not {described(given)}")
    questions = tuple(check_kind("each query of a turn", question, Question) for question in given)
    ids = [question.id for question in questions]
    if not ids:
        raise InputError("a turn needs a query")
    double = next((id for id in ids if id in known or ids.count(id) > 1), None)
    if double is not None:
        raise InputError(f"the query {double!r} was asked before; give each its own id")
    for question in questions:
        if question.formula is not None:
            check_about(f"the query {question.id!r:.60}", question.formula, variables)
    return questions


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedQueries:
    """The state of a `QuerySession`. Formulas are in the JSON of `logic.codec`.

    `case` comes from `identity_of`, and `method` is a name. `rules` has the formulas that a model read in the premises,
    by name; it is empty if the case has the formulas. `statements` has the formula of every query, or None if it was
    not read. `given` has the labels that were given to queries. `recorded` counts the events that are in records of
    turns.
    """

    case: Mapping[str, Any]
    method: str
    way_of_asking: WayOfAsking
    formal: Formal
    words: Words
    sampling: Sampling
    turns: tuple[AskedTurn, ...]
    rules: Mapping[str, Any]
    statements: Mapping[str, Any]
    given: Mapping[str, Label]
    events: tuple[EventRecord, ...]
    recorded: int
    policies_differ: bool | None

    def restored(self, case: Case, budget: Budget) -> QueryState | None:
        """Return the state after the turns, or None if none was played. Raises `RecordError` with the place."""
        same_world("case", self.case, identity_of(case))
        own = premises_of(case)
        if not self.rules.keys() <= own.keys() or (self.rules and self.formal == "gold"):
            raise RecordError(f"rules: no model read {', '.join(self.rules)}")
        read = {id: read_formula(f"rules.{id}", each, case.variables) for id, each in self.rules.items()}
        known = {id: each.formula for id, each in own.items() if each.formula is not None}
        rules = read if self.formal == "llm" else known
        statements = {
            id: None if each is None else read_formula(f"statements.{id}", each, case.variables)
            for id, each in self.statements.items()
        }
        asked = {id for turn in self.turns for id in turn.asked}
        if statements.keys() != asked | self.given.keys() or (statements and not self.turns):
            raise RecordError("statements: these are not the queries of all turns and the labels that were given")
        for number, turn in enumerate(self.turns):
            if turn.unread < 0 or not turn.labels.items() <= self.given.items():
                raise RecordError(f"turns.{number}: these are not the labels that were given")

        def believed(base: BeliefBase, event: EventRecord) -> Belief:
            statement = statements.get(event.id)
            formula = None if statement is None else commitment(statement, event.type)
            if formula is None or event.type != self.given.get(event.id) or event.id in rules:
                raise RecordError("this is no belief by the label that was given")
            same = base.find(formula)
            if event.kind == EventKind.RESTATED and (same is None or event.because != (same.id,)):
                raise RecordError("no active belief says the same")
            label, source = Label(self.given[event.id]), Source(event.source)
            return Belief(event.id, label, formula, event.sentence, event.turn, event.confidence, source)

        state = QueryState.begin(case, rules, budget)
        restore_entries(state.ledger, self.events, believed, rules)
        check_turns(self.events, self.recorded, len(self.turns))
        return state.with_statements(statements).with_labels(self.given, state.ledger) if self.turns else None


def identity_of(case: Case) -> dict[str, Any]:
    """Return the parts of a case that identify it. Its queries are no part of that."""
    return {"id": case.id, "variables": case.variables, "laws": case.laws, "premises": case.premises}
