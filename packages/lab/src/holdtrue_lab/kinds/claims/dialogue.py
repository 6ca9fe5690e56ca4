"""A scripted dialogue, in words and as logic, with each *drift*: an answer that contradicts earlier statements.

Ids are those of records (`holdtrue_claims.claim_record`): premises P1, statements of the user U2.1, claims C1. Claims
of turn 2 are called T2.C1 from the next turn on. An answer with a drift is not accepted, so its claims do not count
later.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from holdtrue.errors import RecordError
from holdtrue.fields import expect, field, texts
from holdtrue_claims.fol.notation import read_fol
from holdtrue_claims.fol.syntax import Sentence
from holdtrue_claims.fol.vocabulary import Vocabulary
from holdtrue_lab.kinds.claims.item import objects, read_vocabulary


@dataclass(frozen=True, slots=True)
class Statement:
    """One sentence, and its formula in the dialogue's vocabulary."""

    text: str
    sentence: Sentence


@dataclass(frozen=True, slots=True)
class Drift:
    """A drift: `claims` of one answer that cannot all hold together with the earlier statements `against`.

    The conflict is minimal: without any one of the claims or statements, the others can hold.
    """

    claims: tuple[str, ...]
    against: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DialogueTurn:
    """A user's message and its answer.

    Attributes:
        stated: The statements of the user, in order.
        claims: The statements of the answer, by id.
        near: Claims that only seem to contradict an earlier statement.
        omitted: Parts of the answer that `claims` leave out.
        sentences: Sentences of the answer in its own words, which a reader may also take for claims.
    """

    user: str
    assistant: str
    stated: tuple[Statement, ...]
    claims: Mapping[str, Statement]
    drifts: tuple[Drift, ...] = ()
    near: tuple[str, ...] = ()
    omitted: tuple[str, ...] = ()
    sentences: tuple[Statement, ...] = ()


@dataclass(frozen=True, slots=True)
class Dialogue:
    """A conversation. `context` has the rules that hold for all of it, and `topic` groups dialogues in reports."""

    id: str
    topic: str
    vocabulary: Vocabulary
    context: tuple[Statement, ...]
    turns: tuple[DialogueTurn, ...]


def read_dialogue(value: object, where: str) -> Dialogue:
    """Return the dialogue of a JSON object. Raises `RecordError`, whose message begins with the place."""
    record = expect(value, dict, where)
    turns = field(record, "turns", list, where)
    return Dialogue(
        field(record, "id", str, where),
        field(record, "topic", str, where),
        read_vocabulary(field(record, "vocabulary", dict, where), f"{where}.vocabulary"),
        _statements(record, "context", where),
        tuple(_turn(turn, f"{where}.turns[{place}]") for place, turn in enumerate(turns)),
    )


def _turn(value: object, where: str) -> DialogueTurn:
    record = expect(value, dict, where)
    claims = _statements(record, "claims", where)
    turn = DialogueTurn(
        field(record, "user", str, where),
        field(record, "assistant", str, where),
        _statements(record, "stated", where),
        {f"C{place}": claim for place, claim in enumerate(claims, start=1)},
        tuple(
            Drift(texts(each, "claims", at), texts(each, "against", at))
            for each, at in objects(record, "drifts", where)
        ),
        texts(record, "near", where) if "near" in record else (),
        texts(record, "omitted", where) if "omitted" in record else (),
        _statements(record, "sentences", where) if "sentences" in record else (),
    )
    for id in (*turn.near, *(id for drift in turn.drifts for id in drift.claims)):
        if id not in turn.claims:
            raise RecordError(f"{where}: there is no claim {id!r:.60}")
    return turn


def _statements(record: Mapping[str, Any], name: str, where: str) -> tuple[Statement, ...]:
    """Return the statements in a list of pairs, each of a sentence and its formula."""
    found = []
    for place, pair in enumerate(field(record, name, list, where)):
        at = f"{where}.{name}[{place}]"
        both = [expect(part, str, at) for part in expect(pair, list, at)]
        read = read_fol(both[1]) if len(both) == 2 else None
        if read is None or read.sentence is None or read.alerts:
            raise RecordError(f"{at}: a sentence and its formula are needed")
        found.append(Statement(both[0], read.sentence))
    return tuple(found)
