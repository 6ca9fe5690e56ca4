"""A `QueryState` holds how the premises of a case were read, and what was asked, answered and believed since.

A turn takes `Question`s, which are checked here.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from holdtrue.budget import Budget
from holdtrue.conversation.arguments import check_kind, check_text, described
from holdtrue.errors import InputError
from holdtrue.kinds.labels.case import Case, Premise
from holdtrue.kinds.labels.turn import LabelPlayed
from holdtrue.kinds.labels.verdict import NotRead, verify_labels
from holdtrue.ledger.belief_revision import revise
from holdtrue.ledger.beliefs import BeliefBase, Rules, commitment, committed_label, entailed_label
from holdtrue.ledger.entries import Source, Statement
from holdtrue.ledger.policies import SCREENED
from holdtrue.logic.formula import Formula, Variable, expect_formula
from holdtrue.logic.variable_names import check_about
from holdtrue.record import AnswerStatus, Label, VerdictRecord
from holdtrue.solving.result import Satisfiable, Witness
from holdtrue.solving.route import reason_for
from holdtrue.verification.ledger_theory import Theory


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryState:
    """A conversation about a case is in this state; every turn and every change puts another one in its place.

    Attributes:
        case: The premises and their world.
        ledger: The beliefs, under those of the premises that have a formula.
        witness: Values that satisfy the premises, or None if there are none or the budget ended.
        statements: The formula of every query so far, or None where it was not read.
        given_labels: The labels as they were answered, by query.
    """

    case: Case
    ledger: BeliefBase
    witness: Witness | None
    statements: Mapping[str, Formula | None] = field(default_factory=dict)
    given_labels: Mapping[str, Label] = field(default_factory=dict)

    @classmethod
    def begin(cls, case: Case, rules: Mapping[str, Formula], budget: Budget) -> QueryState:
        """Return the state in which the premises were read as these rules, and no query was asked."""
        made = Rules(case.variables, case.laws, rules, case.make_engine)
        found = made.engine.decide({}, budget)
        witness = found.witness if isinstance(found, Satisfiable) else None
        return cls(case=case, ledger=BeliefBase(made), witness=witness)

    def with_statements(self, statements: Mapping[str, Formula | None]) -> QueryState:
        return replace(self, statements={**self.statements, **statements})

    def with_labels(self, labels: Mapping[str, Label], ledger: BeliefBase) -> QueryState:
        """Return the state after these labels were given, with the beliefs after them."""
        return replace(self, ledger=ledger, given_labels={**self.given_labels, **labels})

    @property
    def premise_texts(self) -> dict[str, str]:
        """Return the sentences of the premises that have a formula, by their names."""
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
        """Return the label of each query now, which is UNKNOWN if what its label commits to is believed no more."""
        # What was never proposed as a belief (there is no formula, or the premises are impossible) is not withdrawn.
        gone = {id for id in self.ledger.known if not self.ledger.holds(id)}
        return {id: Label.UNKNOWN if id in gone else label for id, label in self.given_labels.items()}

    @property
    def committed(self) -> dict[str, str]:
        """Return the label that the last belief about it gives each query that has a formula."""
        return {id: committed_label(self.ledger, formula).value for id, formula in self._settled().items()}

    def entailed(self, budget: Budget) -> dict[str, str]:
        """Return the labels that follow from premises and beliefs, for the queries of which that was found out."""
        found = {id: entailed_label(self.ledger, formula, budget) for id, formula in self._settled().items()}
        return {id: label.value for id, label in found.items() if isinstance(label, Label)}

    def _settled(self) -> dict[str, Formula]:
        """Return what queries state, if the premises can hold: else all and nothing would follow."""
        read = {id: formula for id, formula in self.statements.items() if formula is not None}
        return {} if self.witness is None else read

    def check(self, labels: Mapping[str, Label], budget: Budget) -> VerdictRecord:
        """Return the verdict on labels that replace those of queries so far."""
        for id in labels:
            if id not in self.statements:
                raise InputError(f"no query {id!r:.60} was asked; there are {', '.join(self.statements)}")
        stated = {id: self.statements[id] for id in labels}
        meant = {id: commitment(each, labels[id]) for id, each in stated.items() if each is not None}
        believed = {id: each.formula for id, each in self.ledger.active.items() if id not in labels}
        new = {id: formula for id, formula in meant.items() if formula is not None}
        return verify_labels(self.ledger.rules, believed, new, budget, not_read=self.not_read)

    def theory(self) -> Theory:
        """Return the premises and what is believed, as formulas."""
        premises = {id: Statement(id, text, 0, Source.CONTEXT) for id, text in self.premise_texts.items()}
        formulas = {**self.ledger.rules.rules, **self.ledger.soft}
        return Theory(self.case.variables, self.case.laws, formulas, {**premises, **self.ledger.active})


def premises_of(case: Case) -> dict[str, Premise]:
    """Return the premises that say more than the setting, by name."""
    return {f"P{place}": each for place, each in enumerate(case.premises, start=1) if not each.setting}


def policies_differ(before: BeliefBase, played: LabelPlayed, policy: str, budget: Budget) -> bool | None:
    """Return whether the screened policies would have ended a turn with different beliefs, from those before it.

    Returns None if `policy` is none of these, the premises cannot all hold, or the budget ended.
    """
    if policy not in SCREENED or played.revision is None:
        return None
    # Labels that are undecided for what was not read may be compared all the same: beliefs are what was read.
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
    """A `Question` has a `text`, as it is asked, and is about a `statement`, which is a sentence.

    `formula` says the same as the statement, if somebody knows it. If `statement` is None, it is the text itself.
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
        """Return in a sentence what is asked about."""
        return self.statement or self.text


def check_questions(given: object, known: Container[str], variables: Sequence[Variable]) -> tuple[Question, ...]:
    """Return the questions of a turn, whose formulas are over `variables` and whose ids are not `known`.

    Raises `InputError`, and `SettingsError` for what is no `Question`.
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
