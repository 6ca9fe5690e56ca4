"""Beliefs: what answers have committed a dialogue to, as an append-only list of events."""

from __future__ import annotations

from collections.abc import Container, Hashable, Iterable, Mapping
from dataclasses import dataclass, replace

from holdtrue.errors import InputError
from holdtrue.ledger.entries import Entries, Event, Source
from holdtrue.ledger.rules import Rules
from holdtrue.logic.formula import NEGATED, Compare, Formula, Not
from holdtrue.record import Label
from holdtrue.solving.result import Witness

DENIAL = "Not the case: "
"""Before a sentence: it is false."""
LARGEST_TABLE = 64
"""Statements about one variable of up to so many values are compared by the values that they allow."""


@dataclass(frozen=True, slots=True)
class Belief:
    """What the answer to one query commits to: `formula` is its statement, or the negation of that.

    `id` is the query's, `label` ENTAILED or CONTRADICTED, `sentence` says the formula in words. `turn` is the one in
    which it was said last, `confidence` (0..1) the answer's own.
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
        """The label, and the query that it answers."""
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
    """What a label commits to; None for UNKNOWN, which commits to nothing."""
    formula = commitment(statement, label)
    if formula is None:
        return None
    sentence = text if label is Label.ENTAILED else f"{DENIAL}{text}"
    return Belief(id, label, formula, sentence, turn, confidence, source)


def commitment(statement: Formula, label: str | None) -> Formula | None:
    """The formula that a `Label` of a statement commits to; None for UNKNOWN, and for what is no label."""
    match label:
        case Label.ENTAILED:
            return statement
        case Label.CONTRADICTED:
            return statement.negation
    return None


class BeliefBase(Entries[Belief]):
    """The beliefs of one dialogue under its rules.

    The base only keeps the books: what may enter, and what gives way, is decided in `belief_revision`. `witness` keeps
    rules and active beliefs wherever it is not None: then the theory is known to be possible. Where a belief is
    restated, its event names the active one that says the same.
    """

    def __init__(self, rules: Rules, events: Iterable[Event[Belief]] = ()) -> None:
        self.rules = rules
        self.witness: Witness | None = None
        self._says: dict[str, Hashable] = {}
        self._same: dict[str, str] = {}
        super().__init__(events)

    @property
    def active(self) -> Mapping[str, Belief]:
        """What is believed now, the one that was said longest ago first; of one turn, as they were given."""
        return self._oldest_first(self._active)

    @property
    def soft(self) -> Mapping[str, Formula]:
        """The formulas of what is believed now, by id, in the same order."""
        return {id: belief.formula for id, belief in self.active.items()}

    @property
    def set_aside(self) -> Mapping[str, Belief]:
        """What revision gave up and nothing has brought back, in the same order."""
        return self._oldest_first(self._set_aside)

    def reason_for(self, id: str) -> tuple[str, ...]:
        """The rules and beliefs because of which this belief is set aside."""
        return self._set_aside[id]

    def find(self, formula: Formula) -> Belief | None:
        """The active belief that says this, or None; of several the one that was said last."""
        said = statement(formula)
        return next((self._active[id] for id in reversed(list(self.active)) if self._says[id] == said), None)

    def find_by(self, id: str) -> Belief:
        """The active belief with this id, or that this query's answer said again; raises `InputError` without one."""
        named = self._same.get(id, id)
        if named not in self._active:
            raise InputError(f"nothing is believed by {id!r}; active: {', '.join(self._active) or 'none'}")
        return self._active[named]

    def holds(self, id: str) -> bool:
        """Whether what this query's answer says is believed now, by whichever answer."""
        named = self._same.get(id, id)
        # What was given up may have been said again since, by another answer.
        return named in self._active or (named in self._set_aside and self.find(self._known[named].formula) is not None)

    def _enter(self, entry: Belief) -> None:
        self._says[entry.id] = statement(entry.formula)
        if self.witness is not None and not entry.formula.holds(self.witness):
            self.witness = None

    def _oldest_first(self, ids: Container[str]) -> dict[str, Belief]:
        beliefs = [belief for belief in self._known.values() if belief.id in ids]
        return {belief.id: belief for belief in sorted(beliefs, key=lambda belief: belief.turn)}

    def _restate(self, event: Event[Belief]) -> None:
        """One belief, with the surer of both confidences, that counts as said now."""
        again, id = event.entry, event.because[0]
        same = self._active[id]
        merged = replace(same, turn=again.turn, confidence=max(same.confidence, again.confidence))
        self._active[id] = self._known[id] = merged
        self._same[again.id] = id


def statement(formula: Formula) -> Hashable:
    """Equal for formulas that say the same, as far as that is seen without a solver.

    About one variable: where they allow the same values. Else: up to double negation, and a negated comparison.
    """
    variables = formula.variables
    if len(variables) == 1:
        (variable,) = variables
        low, high = variable.sort.low, variable.sort.high
        if high - low < LARGEST_TABLE:
            name = variable.name
            return name, tuple(value for value in range(low, high + 1) if formula.holds({name: value}))
    while isinstance(formula, Not) and isinstance(formula.operand, Not):
        formula = formula.operand.operand
    if isinstance(formula, Not) and isinstance(formula.operand, Compare):
        inner = formula.operand
        return Compare(NEGATED[inner.op], inner.left, inner.right)
    return formula
