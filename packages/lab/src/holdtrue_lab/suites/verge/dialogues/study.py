"""This module plays scripted dialogues with planted drifts, and counts the found drifts and the false alarms.

A *drift* is an answer that contradicts earlier statements; an *alarm* is a contradiction that the check reports.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, fields
from pathlib import Path

from holdtrue.budget import Budget
from holdtrue.models.chat import ChatModel
from holdtrue.record import AnswerStatus, Satisfiability
from holdtrue_claims.claim_record import ClaimVerdict
from holdtrue_claims.conversation.claim_session import ClaimSession
from holdtrue_claims.kind.gold_logic import GoldLogic
from holdtrue_claims.kind.method import ClaimMethod
from holdtrue_claims.kind.record import ClaimsRecord
from holdtrue_claims.kind.settings import CheckSettings
from holdtrue_lab.kinds.claims.dialogue import Dialogue, DialogueTurn, read_dialogue
from holdtrue_lab.kinds.claims.settings import ClaimSettings, Formal
from holdtrue_lab.kit.json_file import read_json

_GIVEN = ClaimMethod("given", answerer="given")
Watch = Callable[[Dialogue, int, ClaimsRecord], None]


async def play_dialogue(
    dialogue: Dialogue,
    model: ChatModel,
    *,
    formal: Formal = "llm",
    given: bool = True,
    check: CheckSettings | None = None,
    budget: Budget | None = None,
    watch: Watch | None = None,
) -> tuple[ClaimsRecord, ...]:
    """Check the scripted answers of a dialogue, and return the records of its turns; `watch` is called with each.

    `formal` is the known part of the logic: nothing, the things, or the vocabulary with the context's formulas. The
    model always formalizes the messages of user and assistant. If `given` is true, the user's statements are given one
    by one; otherwise the model reads them from the message. Without `check`, the conventions of data sets count as
    stated. Raises `ModelError`.
    """
    context = {f"P{place}": statement for place, statement in enumerate(dialogue.context, start=1)}
    premises = {id: statement.sentence for id, statement in context.items()}
    session = ClaimSession(
        [statement.text for statement in context.values()],
        model=model,
        method=ClaimMethod("given", answerer="given", check=check) if check else ClaimSettings().over(_GIVEN),
        budget=budget,
        gold=GoldLogic(dialogue.vocabulary, premises, {}) if formal == "gold" else None,
        entities=dialogue.vocabulary.entities if formal == "gold_entities" else None,
    )
    records: list[ClaimsRecord] = []
    async with aclosing(session):
        for number, turn in enumerate(dialogue.turns, start=1):
            stated = [statement.text for statement in turn.stated] if given else None
            records.append(await session.acheck(turn.assistant, turn.user, stated=stated))
            if watch is not None:
                watch(dialogue, number, records[-1])
    return tuple(records)


def load_dialogues(folder: Path | None = None) -> tuple[Dialogue, ...]:
    """Return the dialogues in a folder's JSON files, sorted by file name; without a folder, return this package's.

    Raises `RecordError`.
    """
    files = sorted((folder or Path(__file__).parent).glob("*.json"))
    return tuple(read_dialogue(read_json(file), file.name) for file in files)


_CONFLICT = "conflict"
_DECIDED = frozenset({AnswerStatus.VIOLATING, AnswerStatus.RESPECTING})


@dataclass(frozen=True, slots=True)
class DriftScore:
    """A `DriftScore` counts turns and drifts.

    A turn with a drift is `planted`, and any other turn is `clean`. A planted turn is `found`, `missed` or undecided
    (`planted_open`). A clean turn may be undecided (`clean_open`) or a false alarm (`false_alarms`). `near` counts the
    clean turns with a claim that only resembles a drift, and `near_alarms` the false alarms among these.

    `drifts` counts all drifts of planted turns. An alarm names the statements that the answer contradicts. `named`
    counts the drifts with an alarm that names exactly the planted statements. `located` counts those with an alarm that
    names the right turns and speakers.
    """

    turns: int = 0
    planted: int = 0
    found: int = 0
    missed: int = 0
    planted_open: int = 0
    clean: int = 0
    false_alarms: int = 0
    clean_open: int = 0
    near: int = 0
    near_alarms: int = 0
    drifts: int = 0
    named: int = 0
    located: int = 0

    def __add__(self, other: DriftScore) -> DriftScore:
        return DriftScore(*(getattr(self, each.name) + getattr(other, each.name) for each in fields(self)))


def measure_dialogues(dialogues: Iterable[Dialogue], records: Mapping[str, Sequence[ClaimsRecord]]) -> DriftScore:
    """Return the counts over all dialogues; `records` has the records of the played turns by the dialogue's id."""
    pairs = (
        (turn, record) for each in dialogues for turn, record in zip(each.turns, records.get(each.id, ()), strict=False)
    )
    return sum((measure_turn(turn, record) for turn, record in pairs), DriftScore())


def measure_turn(turn: DialogueTurn, record: ClaimsRecord) -> DriftScore:
    """Return the counts of one turn, whose scripted answer was checked."""
    verdict = record.final.verdict
    decided = verdict.basis is Satisfiability.SAT and verdict.answer in _DECIDED
    alarm = decided and verdict.answer is AnswerStatus.VIOLATING
    if not turn.drifts:
        near = bool(turn.near)
        return DriftScore(
            turns=1, clean=1, false_alarms=alarm, clean_open=not decided, near=near, near_alarms=near and alarm
        )
    clashes = conflicts(record) if alarm else ()
    against = [frozenset(drift.against) for drift in turn.drifts]
    return DriftScore(
        turns=1,
        planted=1,
        found=alarm,
        missed=decided and not alarm,
        planted_open=not decided,
        drifts=len(against),
        named=sum(each in clashes for each in against),
        located=sum(_sources(each) in map(_sources, clashes) for each in against),
    )


def conflicts(record: ClaimsRecord) -> tuple[frozenset[str], ...]:
    """Return the contradicted statements of each alarm; an alarm is about one claim, or about all claims together."""
    check = record.final.check
    if check is None:
        return ()
    found = [claim.premises for claim in check.claims if claim.verdict == ClaimVerdict.CONTRADICTORY]
    if check.joint.verdict == _CONFLICT:
        own = {claim.id for claim in check.claims} | {bridge.id for bridge in check.joint.bridges}
        found.append(tuple(id for id in check.joint.conflict if id not in own))
    return tuple(map(frozenset, found))


def _sources(ids: Iterable[str]) -> frozenset[str]:
    """Return the speakers and turns of statements, without rules of the context: U1 for U1.2, and T3 for T3.C1."""
    return frozenset(id.partition(".")[0] for id in ids if not id.startswith("P"))
