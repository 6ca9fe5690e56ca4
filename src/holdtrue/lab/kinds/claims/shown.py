"""The questions that the HTML page shows with all their answers: those on which methods differ most."""

from __future__ import annotations

from dataclasses import dataclass

from holdtrue.lab.kinds.claims.conversation import ShownQuestion, show_question
from holdtrue.lab.kinds.claims.entry import ClaimEntry
from holdtrue.lab.kinds.claims.report import ClaimReport
from holdtrue.lab.kit.shown import Side, find_conversations, find_sides


@dataclass(frozen=True, slots=True)
class ClaimTalk:
    """One question as one side answered it."""

    side: Side
    question: ShownQuestion


@dataclass(frozen=True, slots=True)
class ShownItem:
    """One item with the answers of all sides, which are models with methods.

    `told` are the lines of the context, and `messages` holds the one question. `options` are letters with their texts,
    and `gold` is the right letter; where nothing was scored, the options are the last lines of `told` instead.
    """

    id: str
    name: str
    domain: str
    told: tuple[str, ...]
    messages: tuple[str, ...]
    options: tuple[tuple[str, str], ...]
    gold: str | None
    conversations: tuple[ClaimTalk, ...]


def show_items(report: ClaimReport, number: int) -> list[ShownItem]:
    """Return at most `number` items, those on which methods differ most; changed forms are not among them."""
    sides = list(find_sides(report).values())
    found = find_conversations(report, number, ClaimEntry)
    return [_show(f"p{place}", conversations, sides) for place, conversations in enumerate(found, start=1)]


def _show(id: str, conversations: dict[Side, list[ClaimEntry]], sides: list[Side]) -> ShownItem:
    entries = [entry for side in sides for entry in conversations.get(side, ())]
    first = entries[0]
    score = next((entry.score for entry in entries if entry.score is not None), None)
    options = tuple(score.options.items()) if score is not None else ()
    # The question and the options, one line each, end what was told.
    end = len(first.told) - len(options) - 1 if options else len(first.told)
    return ShownItem(
        id=id,
        name=first.problem,
        domain=first.domain,
        told=first.told[: max(0, end)],
        messages=(first.record.user_message,),
        options=options,
        gold=score.gold if score is not None else None,
        conversations=tuple(
            # Where an item was answered again, the last answer is the one that counts.
            ClaimTalk(side, show_question(conversations[side][-1]))
            for side in sides
            if side in conversations
        ),
    )
