"""Score readings against gold, message by message, of dialogues and of messages that are items by themselves.

What of dialogues counts as right, wrong, joint and sound is what the project's scorer of these counts (`score_sgd.py`,
beside the shared data); `tests/lab/suites/reading` holds the two against each other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from holdtrue.lab.kinds.readings.entry import ItemScore, Judged, ReadingDetail, ReadingScore, TakenEvent
from holdtrue.lab.kinds.readings.problem import DialogueTurn, GoldEvent, MessageItem
from holdtrue.lab.kinds.readings.teller import say_constraint
from holdtrue.record import ReadingRecord
from holdtrue.world.instance import Constraint


def score_reading(
    turn: DialogueTurn, held: Mapping[str, GoldEvent], detail: ReadingDetail, seen: bool | None
) -> ReadingScore:
    """Return the score of what one message was read as; `held` is what holds after it by gold."""
    gold = {own.slot: own for own in turn.gold}
    right, wrong, judged = Counter[str](), Counter[str](), list[Judged]()
    found = Counter[str]()
    for event in detail.events:
        own = gold.get(event.slot)
        if own is not None and own.soft:
            continue
        is_right = own is not None and _is_right(event, own)
        (right if is_right else wrong)[event.kind] += 1
        judged.append(Judged(event.confidence, is_right))
        if own is not None and is_right:
            found[own.source] += 1
    hard = [own for own in gold.values() if not own.soft]
    correct, sound = _ledger(held, detail.ledger)
    return ReadingScore(
        correct=correct,
        sound=sound,
        right=dict(right),
        wrong=dict(wrong),
        gold=dict(Counter(own.kind for own in hard)),
        found=dict(found),
        sources=dict(Counter(own.source for own in hard)),
        judged=tuple(judged),
        seen=seen,
    )


def _is_right(event: TakenEvent, own: GoldEvent) -> bool:
    return event.kind == own.kind and (event.kind in ("waive", "withdraw") or own.admits(event.value))


def _ledger(held: Mapping[str, GoldEvent], ledger: Mapping[str, object]) -> tuple[bool, bool]:
    """Return whether a ledger is what gold holds, and whether nothing in it is wrong; soft slots are left out."""
    slots = {slot for slot in {*held, *ledger} if not (slot in held and held[slot].soft)}
    good = {slot for slot in slots if slot in held and slot in ledger and held[slot].admits(ledger[slot])}
    return good == slots, not any(slot in ledger and slot not in good for slot in slots)


STATED = "stated"
"""The name under which right, wrong and gold constraints are counted: gold does not say which ones amend something."""


def score_item(item: MessageItem, readings: Sequence[ReadingRecord]) -> ReadingScore:
    """Return the score of the readings of a message; a constraint that was read several times counts once.

    What the message takes back is counted and not judged, because gold says only what it commits to.
    """
    accepted, doubtful = _constraints(item, readings, "accepted"), _constraints(item, readings, "doubtful")
    doubtful = {made: confidence for made, confidence in doubtful.items() if made not in accepted}
    gold = set(item.gold)
    right = len(gold & accepted.keys())
    judged = (Judged(confidence, made in gold) for made, confidence in (accepted | doubtful).items())
    missed = (made for made in item.gold if made not in accepted and made not in doubtful)
    return ReadingScore(
        correct=accepted.keys() == gold,
        sound=right == len(accepted),
        right={STATED: right},
        wrong={STATED: len(accepted) - right},
        gold={STATED: len(gold)},
        found={},
        sources={},
        judged=tuple(judged),
        seen=None,
        item=ItemScore(
            kind=item.kind,
            style=item.style,
            family=item.family,
            with_doubtful=accepted.keys() | doubtful.keys() == gold,
            doubtful=len(doubtful),
            doubtful_right=len(gold & doubtful.keys()),
            rejected=sum(own.status == "rejected" for own in readings),
            taken_back=sum(own.status == "accepted" and own.act == "withdraws" for own in readings),
            missed=tuple(say_constraint(made.type, made.args) for made in missed),
        ),
    )


def _constraints(item: MessageItem, readings: Sequence[ReadingRecord], status: str) -> dict[Constraint, float]:
    """Return the constraints that the message was read to commit to, with the confidence of the surest reading."""
    found: dict[Constraint, float] = {}
    for own in readings:
        if own.status == status and own.act != "withdraws" and own.type is not None:
            made = item.instance.canonical(Constraint(own.type, own.args))
            found[made] = max(own.confidence, found.get(made, 0.0))
    return found
