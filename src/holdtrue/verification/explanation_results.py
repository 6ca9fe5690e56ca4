"""What a ledger comes to, explained: a person can act on it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from holdtrue.ledger.entries import Entry
from holdtrue.logic.formula import Variable
from holdtrue.logic.sorts import EnumSort
from holdtrue.record import AnswerStatus, Satisfiability, TurnOutcome, VerdictRecord, turn_outcome
from holdtrue.solving.result import Id, PossibleValues, WitnessCount
from holdtrue.verification.logged_ids import LoggedIds

Value = str | int
"""A value as people write it: a label of an enumeration, else a number."""

Proof = Literal["smallest", "minimal", "core"]
"""What was proved of a conflict: no fewer commitments clash, each of them is needed for it, or neither."""


@dataclass(frozen=True, slots=True)
class Conflict:
    """Commitments that cannot all be kept; `counted` says in words what counting alone makes impossible about them."""

    ids: tuple[Id, ...]
    proved: Proof
    counted: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Correction:
    """Without `take_back` the others can all be kept, and with any one of these they cannot.

    `minimum`: proved that taking back fewer does not suffice.
    """

    take_back: tuple[Id, ...]
    minimum: bool


@dataclass(frozen=True, slots=True)
class Change:
    """A value that an answer has to change; `before` is None where it gave none."""

    entity: str
    attribute: str
    label: str
    before: Value | None
    after: Value


@dataclass(frozen=True, slots=True)
class Suggestion:
    """An answer, in the domain's shape, that keeps everything, after the correction where one is needed.

    `nearest`: it was sought near the answer that was given, and `changes` are what it changes there (`fewest`: proved
    to be as few as possible). Else it is the first answer of all.
    """

    answer: Mapping[str, Any]
    nearest: bool
    changes: tuple[Change, ...] = ()
    fewest: bool = True


@dataclass(frozen=True, slots=True)
class Remaining:
    """What the ledger leaves an entity's attribute."""

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
            "values": [as_written(self.variable, value) for value in possible.values],
            "open": [[as_written(self.variable, end) for end in part] for part in possible.open],
            "settled": possible.settled,
            "reason": possible.reason,
        }


@dataclass(frozen=True, slots=True)
class Explained:
    """A ledger explained. `commitments` are all that hold, by id; `ids` are what a log calls them, where there is one.

    `setting_impossible`: nothing could be kept whatever was agreed, and `counted` says where counting shows why.
    `conflicts` has the smallest one first; `every_conflict`: there are no others (None: not asked), else
    `conflicts_reason` tells why the search ended. `verdict` is on the answer, where there is one. `remaining` and
    `answers` (how many different ones are left) are known of a ledger that can be kept only; `reason` says why
    something is unknown. `engine` says which solver it was, and why. `sentences` tell the rest, most important first.
    """

    ledger: Satisfiability
    commitments: Mapping[Id, Entry]
    ids: LoggedIds | None
    verdict: VerdictRecord | None
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
        """What the turn came to; without an answer, what follows from the ledger alone."""
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
                {"constraints": self._told(one.ids), "proved": one.proved, "counted": list(one.counted)}
                for one in self.conflicts
            ],
            "every_conflict": self.every_conflict,
            "conflicts_reason": self.conflicts_reason,
            "correction": correction and {"take_back": self._told(correction.take_back), "minimum": correction.minimum},
            "answer": self.verdict and self._answer(self.verdict),
            "suggestion": self.suggestion and _suggested(self.suggestion),
            "remaining": [own.to_json() for own in self.remaining],
            "answers_left": count and {"count": count.count, "exact": count.exact, "reason": count.reason},
        }

    @property
    def told(self) -> Mapping[Id, str] | None:
        """How sentences name the commitments; None where by their own ids."""
        return self.ids.told if self.ids else None

    def _told(self, ids: Iterable[Id]) -> list[dict[str, Any]]:
        """The commitments with what they say, and when that was said."""
        return [self._one(id) for id in ids]

    def _one(self, id: Id) -> dict[str, Any]:
        name, *others = self.ids.all[id] if self.ids else (id,)
        said = self.commitments[id]
        told = {"id": name, "sentence": said.sentence, "turn": said.turn}
        return {**told, "also": others} if others else told

    def _answer(self, verdict: VerdictRecord) -> dict[str, Any]:
        return {
            "status": verdict.answer.value,
            "violated": self._told(verdict.violated),
            "blame": self._told(verdict.blame),
            "background": list(verdict.background),
            "missing": list(verdict.missing),
            "reason": verdict.reason,
        }


def as_written(variable: Variable, value: int) -> Value:
    """The value as people write it."""
    return variable.sort.show(value) if isinstance(variable.sort, EnumSort) else value


def _suggested(suggestion: Suggestion) -> dict[str, Any]:
    return {
        "answer": dict(suggestion.answer),
        "nearest": suggestion.nearest,
        "changes": [
            {"entity": own.entity, "attribute": own.attribute, "from": own.before, "to": own.after}
            for own in suggestion.changes
        ],
        "fewest": suggestion.fewest,
    }
