"""Tell in numbers what the talk before says for a candidate, and what a number among its words counts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import SequenceMatcher

from holdtrue.language.slots.candidates import Candidate
from holdtrue.language.slots.number_sense import counted, is_money, sense_of
from holdtrue.language.slots.slot_reading import SlotContext
from holdtrue.language.slots.slot_words import SlotWords, stems
from holdtrue.language.slots.slot_world import SlotWorld
from holdtrue.language.slots.spans import Span
from holdtrue.language.slots.surroundings import Surroundings
from holdtrue.language.slots.talk import talk_of
from holdtrue.language.slots.value_grounding import plain
from holdtrue.rules.types import Number, without_null

LEADS = frozenset("in at to from near around for of by with is call nam about see on and the a".split())
"""Small words that lead to a value."""
_LIKE = 0.6
_SHORT = 6
_CORRECTS = re.compile(
    r"\b(?:make (?:it|that)|instead|rather|actually|sorry|no wait|oops|mean|meant|change|better|scratch that|"
    r"correction)\b",
    re.IGNORECASE,
)
"""Words that put another value in the place of one that was said."""


class TalkFeatures:
    """The `TalkFeatures` of all candidates of one message."""

    def __init__(
        self,
        world: SlotWorld,
        words: SlotWords,
        message: str,
        context: SlotContext,
        candidates: Sequence[Candidate],
        around: Surroundings,
    ) -> None:
        self._words, self._around = words, around
        talk = talk_of(message, context.assistant)
        self._accepts, self._question = talk.accepts, "?" in (context.assistant or "")
        self._whole_yes = self._question and talk.accepts and len(message.split()) <= _SHORT
        self._corrects = _CORRECTS.search(message) is not None
        self._numbers = [own.id for own in world.slots.values() if isinstance(without_null(own.type), Number)]
        self._sums = sum(is_money(world.slots[id]) for id in self._numbers)
        self._counts = len(self._numbers) - self._sums
        self._named = {id: words.likeness(id, stems(message)) for id in world.slots}
        self._held = {id: plain(str(value)) for id, value in context.held.items()}
        self._offered: dict[tuple[str, str], float] = {}
        for own in candidates:
            if own.said == "assistant" and own.age == 0 and own.span is not None:
                key = (own.slot.id, plain(str(own.value)))
                self._offered[key] = max(self._offered.get(key, 0.0), around.likeness(own, own.span))

    def of_number(self, own: Candidate, span: Span) -> dict[str, float]:
        """Return whether a number counts what its slot does: money, or things of its name."""
        text, slot, source = self._around.text(own), own.slot, own.said[:1]
        sense, kind = sense_of(text, span), "money" if is_money(slot) else "count"
        thing = counted(text, span)
        mine = self._words.likeness(slot.id, [thing]) if thing else 0.0
        other = max((self._words.likeness(id, [thing]) for id in self._numbers if id != slot.id), default=0.0)
        return {
            f"{source}:{sense} for {kind}": 1.0,
            f"{source}:counts its things": mine,
            f"{source}:counts things of another": thing != "" and other > mine,
            f"{source}:one count": kind == "count" and self._counts == 1,
            f"{source}:{sense}, one {kind}": (self._counts if kind == "count" else self._sums) == 1,
        }

    def of_talk(self, own: Candidate, form: str, before: Sequence[str]) -> dict[str, float]:
        """Return what the talk before says for a value: who offered it for which slot, and what it corrects."""
        held, source = self._held.get(own.slot.id), own.said[:1]
        value = plain(str(own.value))
        offered = self._offered.get((own.slot.id, value))
        lead = before[-1] if before and before[-1] in LEADS else "-"
        corrects = source == "u" and self._corrects
        return {
            f"{source}:{form} behind {lead}": form != "name",
            f"{source}:offered near": offered or 0.0 if source == "u" else 0.0,
            f"{source}:offered near most": source == "u"
            and offered is not None
            and offered >= max((near for (_, each), near in self._offered.items() if each == value), default=0.0),
            f"{source}:{form}, held, corrects": held is not None and corrects,
            f"{source}:{form}, new, corrects": held is None and corrects,
            f"{source}:like held": held is not None and form == "name" and _are_like(held, value),
            f"{source}:{form}, question, whole yes": source == "a" and self._whole_yes,
            f"{source}:{form}, question, yes": source == "a" and self._accepts and self._question,
            f"{source}:named": self._named.get(own.slot.id, 0.0) if source == "a" else 0.0,
        }


def _are_like(one: str, other: str) -> bool:
    """Return whether two names are alike but not the same, as a corrected address is."""
    return one != other and SequenceMatcher(None, one, other, autojunk=False).ratio() >= _LIKE
