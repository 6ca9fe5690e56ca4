"""The input of a method in one turn, which is all that it may look at, and its output."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeVar

from holdtrue.budget import Budget
from holdtrue.kinds.assignment.method import LedgerPart
from holdtrue.kinds.assignment.prompts import Exchange
from holdtrue.language.grounding import mentions
from holdtrue.language.readers import Protocol
from holdtrue.language.reading import Extractor
from holdtrue.ledger.entries import Entry
from holdtrue.ledger.ledger import Ledger
from holdtrue.models.chat import ChatModel
from holdtrue.models.sampling import Sampling
from holdtrue.record import AttemptRecord, CallRecord
from holdtrue.verification.verifier import Verifier
from holdtrue.verification.words import quote
from holdtrue.world.instance import Instance
from holdtrue.world.world import Setting

AnyCommitment = TypeVar("AnyCommitment", bound=Entry)
CHARS_PER_TOKEN = 4  # a rough estimate to limit the length of a prompt


def _as_json(entry: Entry) -> str:
    """Return a commitment as DRIFT-Bench writes it into its prompts."""
    type, args = entry.content
    own = {"id": entry.id, "type": type, "args": args, "nl": entry.sentence, "source_turn": entry.turn}
    return json.dumps(own, ensure_ascii=False, indent=2)


@dataclass(frozen=True, slots=True)
class Turn:
    """The input of a method in one turn.

    `before` is the ledger before this turn, and `ledger` the one that answers are checked against. Under a published
    protocol, every attempt makes a new ledger. `last` has the values of the last delivered answer.
    """

    instance: Setting
    model: ChatModel
    extractor: Extractor
    verifier: Verifier
    protocol: Protocol
    number: int
    message: str
    history: tuple[Exchange, ...]
    before: Ledger
    ledger: Ledger
    nothing_read: bool
    last: Mapping[str, int] | None
    sampling: Sampling
    budget: Budget

    def quoted_ledger(self, tokens: int, part: LedgerPart = "all") -> tuple[str, ...]:
        """Return the ledger before this turn as quoted lines, without the oldest if all need more than `tokens`.

        Under protocol `upstream` the lines are JSON. The `part` is that of a `Method`.
        """
        active, room = self.before.active, tokens * CHARS_PER_TOKEN
        if part == "relevant" and isinstance(self.instance, Instance):
            active = relevant(self.instance, active, self.message)
        shown: list[str] = []
        lines = [*map(_as_json, active.values())] if self.protocol == "upstream" else quote(active, active)
        for line in reversed(lines):
            room -= len(line) + 1
            if room < 0:
                break
            shown.append(line)
        return tuple(reversed(shown))


def relevant(instance: Instance, active: Mapping[str, AnyCommitment], message: str) -> dict[str, AnyCommitment]:
    """Return the commitments that are tied to the entities in a message, by one commitment or a chain of them.

    If a message names no entity, all commitments are relevant.
    """
    about = {id: set(map(str, own.content[1])) & set(instance.entities) for id, own in active.items()}
    known = set(mentions(instance, message).entities)
    if not known:
        return dict(active)
    while more := {name for own in about.values() if own & known for name in own} - known:
        known |= more
    return {id: own for id, own in active.items() if about[id] & known}


@dataclass(frozen=True, slots=True)
class Played:
    """The output of a method in one turn: all attempts, and the delivered answer, or None if it abstains.

    `instead` is the text for the history if nothing is delivered, and `withheld` says why. `values` are those of the
    delivered answer. `nearest` says of a projected answer whether it was proved the nearest. `extraction` are calls
    that read messages for the method, and `measuring` are calls that only measure it.
    """

    attempts: tuple[AttemptRecord, ...]
    delivered: str | None
    values: Mapping[str, int] | None
    ledger: Ledger
    instead: str = ""
    extraction: tuple[CallRecord, ...] = ()
    measuring: tuple[CallRecord, ...] = ()
    projected: bool = False
    nearest: bool | None = None
    withheld: str | None = None
    set_aside: tuple[str, ...] = ()
