"""This module records beliefs: the statements, or negations of statements, to which answers have committed a dialogue.

Beliefs hold under rules, which are the premises of the dialogue. A statement has two labels: the one of the last answer
about it, and the one that rules and beliefs entail.
"""

from __future__ import annotations

from collections.abc import Container, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from holdtrue.budget import Budget
from holdtrue.errors import InputError
from holdtrue.ledger.entries import Entries, Event, Source
from holdtrue.logic.formula import NEGATED, Compare, Formula, Not, Variable
from holdtrue.record import Label
from holdtrue.solving.engine import Engine, EngineFactory, Soft
from holdtrue.solving.explain.classification import label_of
from holdtrue.solving.explain.mus import smallest_mus
from holdtrue.solving.result import BackgroundConflict, Core, Id, Inconsistent, Mus, Unknown, Witness
from holdtrue.solving.route import make_engine


class Rules:
    """A `Rules` has named rules (`P1`, `P2`, ...) over `variables`, and `laws` without names.

    `engine` has rules and laws in its background, so that only beliefs can give way in its corrections. A second engine
    with only the laws explains conflicts, since an explanation also names rules. `make` makes both when needed.
    """

    def __init__(
        self,
        variables: Sequence[Variable],
        laws: Sequence[Formula],
        rules: Mapping[Id, Formula],
        make: EngineFactory = make_engine,
    ) -> None:
        self.rules = dict(rules)
        self.variables = tuple(variables)
        self._laws = tuple(laws)
        self._make = make

    @cached_property
    def engine(self) -> Engine:
        return self._make(self.variables, (*self._laws, *self.rules.values()))

    @cached_property
    def _explaining(self) -> Engine:
        return self._make(self.variables, self._laws)

    def conflict(self, beliefs: Soft, budget: Budget) -> Mus | Core | Unknown | None:
        """Return a smallest set of rules and beliefs that is inconsistent, or None if all are consistent.

        The result is a `Core` if the budget ended before a proof that each member is needed. A core without ids means
        that the laws alone are inconsistent.
        """
        found = smallest_mus(self._explaining, {**self.rules, **beliefs}, budget)
        if isinstance(found, BackgroundConflict):
            return Core(())
        return found if isinstance(found, Mus | Core | Unknown) else None


DENIAL = "Not the case: "
"""The words before a sentence that negate it."""
LARGEST_TABLE = 64
"""Statements about a variable with at most this many values are compared by the values that they allow."""


@dataclass(frozen=True, slots=True)
class Belief:
    """A `Belief` is the statement, or its negation, to which the answer to one query commits.

    `id` is the query's id, and `label` is ENTAILED or CONTRADICTED. `formula` is the query's statement, or for
    CONTRADICTED its negation, and `sentence` states it in words. `turn` is the turn of the last answer with this
    content, and `confidence`, in 0..1, is the answer's confidence.
    """

    id: str
    label: Label
    formula: Formula
    sentence: str
    turn: int
    confidence: float = 1.0
    source: Source = Source.ASSISTANT

    @property
    def content(self) -> tuple[str, tuple[str, ...]]:
        """Return the label, and the query that it answers."""
        return self.label.value, (self.id,)


def commit(
    id: str,
    label: Label,
    statement: Formula,
    text: str,
    turn: int,
    confidence: float = 1.0,
    source: Source = Source.ASSISTANT,
) -> Belief | None:
    """Return the belief for a label of a statement, or None for UNKNOWN, which commits to nothing."""
    formula = commitment(statement, label)
    if formula is None:
        return None
    sentence = text if label is Label.ENTAILED else f"{DENIAL}{text}"
    return Belief(id, label, formula, sentence, turn, confidence, source)


def commitment(statement: Formula, label: str | None) -> Formula | None:
    """Return the formula to which a `Label` of a statement commits, or None for UNKNOWN and other values."""
    match label:
        case Label.ENTAILED:
            return statement
        case Label.CONTRADICTED:
            return statement.negation
    return None


class BeliefBase(Entries[Belief]):
    """A `BeliefBase` has the beliefs of one dialogue under its rules.

    The base only records events, and `belief_revision` decides which beliefs enter and give way. If `witness` is not
    None, it satisfies the rules and all active beliefs. The event of a restated belief names the active belief with the
    same content.
    """

    def __init__(self, rules: Rules, events: Iterable[Event[Belief]] = ()) -> None:
        self.rules = rules
        self.witness: Witness | None = None
        self._says: dict[str, Hashable] = {}
        self._same: dict[str, str] = {}
        super().__init__(events)

    @property
    def active(self) -> Mapping[str, Belief]:
        """Return the active beliefs by id, ordered by the turn of their last statement and then as given."""
        return self._oldest_first(self._active)

    @property
    def soft(self) -> Mapping[str, Formula]:
        """Return the formulas of the active beliefs by id, in the same order."""
        return {id: belief.formula for id, belief in self.active.items()}

    @property
    def set_aside(self) -> Mapping[str, Belief]:
        """Return the beliefs that revision gave up and that have not come back, in the same order."""
        return self._oldest_first(self._set_aside)

    def reason_for(self, id: str) -> tuple[str, ...]:
        """Return the ids of the rules and beliefs that this belief clashed with when it was set aside."""
        return self._set_aside[id]

    def find(self, formula: Formula) -> Belief | None:
        """Return the active belief with this content, or None; of several, the one stated last."""
        said = statement(formula)
        return next((self._active[id] for id in reversed(list(self.active)) if self._says[id] == said), None)

    def find_by(self, id: str) -> Belief:
        """Return the active belief of this query's answer, or the one that it restated. Raises `InputError`."""
        named = self._same.get(id, id)
        if named not in self._active:
            raise InputError(f"nothing is believed by {id!r}; active: {', '.join(self._active) or 'none'}")
        return self._active[named]

    def holds(self, id: str) -> bool:
        """Return whether the content of this query's answer is active, by this answer or another one."""
        named = self._same.get(id, id)
        # Another answer may have stated the content again since.
        return named in self._active or (named in self._set_aside and self.find(self._known[named].formula) is not None)

    def _enter(self, entry: Belief) -> None:
        self._says[entry.id] = statement(entry.formula)
        if self.witness is not None and not entry.formula.holds(self.witness):
            self.witness = None

    def _oldest_first(self, ids: Container[str]) -> dict[str, Belief]:
        beliefs = [belief for belief in self._known.values() if belief.id in ids]
        return {belief.id: belief for belief in sorted(beliefs, key=lambda belief: belief.turn)}

    def _restate(self, event: Event[Belief]) -> None:
        """Give a restated belief the greater confidence and the turn of the new answer."""
        again, id = event.entry, event.because[0]
        same = self._active[id]
        merged = replace(same, turn=again.turn, confidence=max(same.confidence, again.confidence))
        self._active[id] = self._known[id] = merged
        self._same[again.id] = id


def statement(formula: Formula) -> Hashable:
    """Return a key of a formula; formulas with equal keys are equivalent.

    The key of a formula about one variable is the list of its allowed values. All other formulas are compared up to
    double negation and negated comparisons.
    """
    variables = formula.variables
    if len(variables) == 1:
        (variable,) = variables
        size = variable.sort.size
        if size is not None and size <= LARGEST_TABLE:
            name = variable.name
            return name, tuple(value for value in variable.sort.values if formula.holds({name: value}))
    while isinstance(formula, Not) and isinstance(formula.operand, Not):
        formula = formula.operand.operand
    if isinstance(formula, Not) and isinstance(formula.operand, Compare):
        inner = formula.operand
        return Compare(NEGATED[inner.op], inner.left, inner.right)
    return formula


def committed_label(base: BeliefBase, formula: Formula) -> Label:
    """Return the label of the last active belief about exactly this statement, or UNKNOWN if there is none."""
    said = ((base.find(formula), Label.ENTAILED), (base.find(formula.negation), Label.CONTRADICTED))
    labels = {belief.id: label for belief, label in said if belief is not None}
    return next((labels[id] for id in reversed(list(base.active)) if id in labels), Label.UNKNOWN)


def entailed_label(base: BeliefBase, formula: Formula, budget: Budget) -> Label | Inconsistent | Unknown:
    """Return the label that rules and active beliefs entail for a statement.

    `Label.UNKNOWN` means a proof that they leave the statement open, and `result.Unknown` that the budget ended.
    `Inconsistent` means that they are inconsistent, and would entail anything.
    """
    return label_of(base.rules.engine, base.soft, formula, budget, witness=base.witness)
