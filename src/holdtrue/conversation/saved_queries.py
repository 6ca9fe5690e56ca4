"""This module declares what the file of a `QuerySession` holds, and checks it against the case."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from holdtrue.budget import Budget
from holdtrue.conversation.query_state import QueryState, premises_of
from holdtrue.conversation.saved_file import check_turns, read_formula, same_world
from holdtrue.errors import RecordError
from holdtrue.kinds.labels.case import Case
from holdtrue.kinds.labels.formalizer import Formal
from holdtrue.kinds.labels.prompts import Words
from holdtrue.kinds.labels.turn import AskedAs
from holdtrue.kinds.labels.verdict_words import AskedTurn
from holdtrue.ledger.beliefs import Belief, BeliefBase, commitment
from holdtrue.ledger.entries import EventKind, Source
from holdtrue.ledger.restore import restore_entries
from holdtrue.models.sampling import Sampling
from holdtrue.record import EventRecord, Label


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedQueries:
    """The state of a `QuerySession`; formulas are in the JSON of `logic.codec`.

    `case` is `world_of` it, `method` a name only. `rules` is what a model read the premises as, by their names; empty
    where formulas are the case's own. `statements` are what all queries say, None where that was not read, and `given`
    the labels that were given to them. `recorded`: so many events are in the records of turns already.
    """

    case: Mapping[str, Any]
    method: str
    asked: AskedAs
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
        """Return the state after the turns, or None if none was played; raises `RecordError` with the place."""
        same_world("case", self.case, world_of(case))
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


def world_of(case: Case) -> dict[str, Any]:
    """Return what tells this case from another one; its own queries are no part of that."""
    return {"id": case.id, "variables": case.variables, "laws": case.laws, "premises": case.premises}
