"""The results of explaining a ledger, as plain values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from holdtrue.ledger.entries import Entry
from holdtrue.logic.formula import Variable
from holdtrue.record import AnswerStatus, Satisfiability, TurnOutcome, VerdictRecord, turn_outcome
from holdtrue.solving.result import Core, Id, Mus, PossibleValues, SmallestMus, WitnessCount
from holdtrue.verification.logged_turn import LoggedIds
from holdtrue.wire import plain_fields
from holdtrue.world.answer import show_value

Value = str | int
"""A value in its readable form: a label of an enumeration, or a number."""

Proof = Literal["smallest", "minimal", "core"]
"""The proved property of a conflict: no conflict is smaller, or it needs all its commitments, or neither (`core`)."""


def proof_of(core: Mus | Core) -> Proof:
    """Return how much is proved about a conflict, by its type."""
    if isinstance(core, SmallestMus):
        return "smallest"
    return "minimal" if isinstance(core, Mus) else "core"


@dataclass(frozen=True, slots=True)
class Conflict:
    """Commitments that cannot all be kept. `counted` has the reasons in words, if counting alone shows them."""

    ids: tuple[Id, ...]
    proved: Proof
    counted: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Correction:
    """Commitments to `take_back` so that the others can be kept. `minimum` says whether it is proved to be smallest."""

    take_back: tuple[Id, ...]
    minimum: bool


@dataclass(frozen=True, slots=True)
class Change:
    """A value that an answer must change. `before` is None if the answer has no value."""

    entity: str
    attribute: str
    label: str
    before: Value | None
    after: Value


@dataclass(frozen=True, slots=True)
class Suggestion:
    """An answer, in the domain's shape, that keeps all commitments that are not taken back.

    If `nearest` is true, this answer is near the given one, and `changes` are the differences. `fewest` says whether it
    is proved that fewer changes do not suffice. If `nearest` is false, it is the lexicographically first one.
    """

    answer: Mapping[str, Any]
    nearest: bool
    changes: tuple[Change, ...] = ()
    fewest: bool = True


@dataclass(frozen=True, slots=True)
class Remaining:
    """The values that the ledger leaves possible for an attribute of an entity."""

    entity: str
    attribute: str
    label: str
    variable: Variable
    possible: PossibleValues

    def to_json(self) -> dict[str, Any]:
        possible = self.possible
        return {
            "entity": self.entity,
            "attribute": self.attribute,
            "values": [show_value(self.variable, value) for value in possible.values],
            "open": [
                [None if end is None else show_value(self.variable, end) for end in part] for part in possible.open
            ],
            "settled": possible.settled,
            "reason": possible.reason,
        }


@dataclass(frozen=True, slots=True)
class Explained:
    """An explained ledger.

    Attributes:
        ledger: Whether all commitments can be kept.
        commitments: The active commitments by id.
        ids: Their ids in a log, if they come from one.
        verdict: The verdict on the answer, if there is one.
        reason: Why something is unknown.
        setting_impossible: Whether the setting is impossible without any commitment.
        counted: The reasons why the setting is impossible, in words, if counting alone shows them.
        conflicts: Sets of commitments that cannot all be kept, a smallest one first.
        every_conflict: Whether these are all conflicts; None if that was not asked.
        conflicts_reason: Why the search for conflicts ended before all were found.
        correction: Commitments to take back so that the others can be kept.
        suggestion: An answer that keeps all commitments that are not taken back.
        remaining: The values that are still possible, for a ledger that can be kept.
        answers: The number of valid answers, for a ledger that can be kept.
        engine: Which solver was used, and why.
        sentences: All of this in words, the most important first.
    """

    ledger: Satisfiability
    commitments: Mapping[Id, Entry]
    ids: LoggedIds | None = None
    verdict: VerdictRecord | None = None
    reason: str | None = None
    setting_impossible: bool = False
    counted: tuple[str, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    every_conflict: bool | None = None
    conflicts_reason: str | None = None
    correction: Correction | None = None
    suggestion: Suggestion | None = None
    remaining: tuple[Remaining, ...] = ()
    answers: WitnessCount | None = None
    engine: str = ""
    sentences: tuple[str, ...] = ()

    @property
    def outcome(self) -> TurnOutcome:
        """Return the outcome of the turn. Without an answer, it follows from the ledger alone."""
        if self.verdict is not None:
            return self.verdict.outcome
        return turn_outcome(self.ledger, AnswerStatus.RESPECTING)

    def to_json(self) -> dict[str, Any]:
        correction, count = self.correction, self.answers
        return {
            "ledger": self.ledger.value,
            "outcome": self.outcome.value,
            "reason": self.reason,
            "setting_impossible": self.setting_impossible,
            "counted": list(self.counted),
            "conflicts": [
                {"constraints": self._list(one.ids), "proved": one.proved, "counted": list(one.counted)}
                for one in self.conflicts
            ],
            "every_conflict": self.every_conflict,
            "conflicts_reason": self.conflicts_reason,
            "correction": correction and {"take_back": self._list(correction.take_back), "minimum": correction.minimum},
            "answer": self.verdict and self._answer(self.verdict),
            "suggestion": self.suggestion and _suggested(self.suggestion),
            "remaining": [own.to_json() for own in self.remaining],
            "answers_left": count and plain_fields(count),
        }

    @property
    def names(self) -> Mapping[Id, str] | None:
        """Return the names of the commitments in sentences, or None if these are their ids."""
        return self.ids.full_names if self.ids else None

    def _list(self, ids: Iterable[Id]) -> list[dict[str, Any]]:
        """Return the commitments with their sentences and turns."""
        return [self._one(id) for id in ids]

    def _one(self, id: Id) -> dict[str, Any]:
        name, *others = self.ids.all[id] if self.ids else (id,)
        said = self.commitments[id]
        fields = {"id": name, "sentence": said.sentence, "turn": said.turn}
        return {**fields, "also": others} if others else fields

    def _answer(self, verdict: VerdictRecord) -> dict[str, Any]:
        return {
            "status": verdict.answer.value,
            "violated": self._list(verdict.violated),
            "blame": self._list(verdict.blame),
            "background": list(verdict.background),
            "missing": list(verdict.missing),
            "reason": verdict.reason,
        }


def _suggested(suggestion: Suggestion) -> dict[str, Any]:
    return {
        **plain_fields(suggestion),
        "answer": dict(suggestion.answer),
        "changes": [
            {"entity": own.entity, "attribute": own.attribute, "from": own.before, "to": own.after}
            for own in suggestion.changes
        ],
    }
