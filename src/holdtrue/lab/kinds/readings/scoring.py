"""Score readings against gold, message by message.

What counts as right, wrong, joint and sound is what the project's scorer of these dialogues counts (`score_sgd.py`,
beside the shared data); `tests/lab/suites/reading` holds the two against each other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from holdtrue.lab.kinds.readings.entry import Judged, ReadingScore
from holdtrue.lab.kinds.readings.problem import DialogueTurn, GoldEvent
from holdtrue.lab.kinds.readings.record import ReadingDetail, TakenEvent


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
