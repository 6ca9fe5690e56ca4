"""The words around the candidates of one message: how like each slot they are, and what stands directly before."""

from __future__ import annotations

import re
from collections.abc import Sequence

from holdtrue.language.slots.candidates import Candidate
from holdtrue.language.slots.slot_reading import SlotContext
from holdtrue.language.slots.slot_words import SlotWords, stems
from holdtrue.language.slots.spans import Span

_BEFORE, _AFTER = 4, 3
_LEADING = frozenset("from until till for to on at".split())
_END = re.compile(r"[.!?]")
_Place = tuple[str, int, int, int]
"""The place of a span: who said it, how long ago, and where it begins and ends."""


class Surroundings:
    """The `Surroundings` of all candidates; each is looked at once, however many slots a span could fill."""

    def __init__(self, words: SlotWords, message: str, context: SlotContext, candidates: Sequence[Candidate]) -> None:
        self._words, self._message, self._context = words, message, context
        self._near: dict[_Place, tuple[list[str], list[str]]] = {}
        self._likeness: dict[tuple[str, _Place], float] = {}
        self._slots: dict[_Place, list[str]] = {}
        self._names: dict[tuple[str, int, str], list[Span]] = {}
        self._spans: dict[tuple[str, int, str], set[tuple[int, int]]] = {}
        self._ages: dict[str, int] = {}
        for own in candidates:
            if own.span is not None:
                self._slots.setdefault(_place(own, own.span), []).append(own.slot.id)
                self._spans.setdefault((own.said, own.age, own.slot.id), set()).add((own.span.start, own.span.end))
                if own.said == "assistant":
                    self._ages[own.slot.id] = min(own.age, self._ages.get(own.slot.id, own.age))
                if own.span.kind == "name":
                    self._names.setdefault((own.said, own.age, own.slot.id), []).append(own.span)

    def text(self, own: Candidate) -> str:
        """Return the text in which a candidate stands."""
        if own.said == "user":
            return self._message
        return (self._context.assistant or "") if own.age == 0 else self._context.earlier[own.age - 1]

    def before(self, own: Candidate, span: Span) -> list[str]:
        """Return the stems of the words before a span, the last one nearest."""
        return self._around(own, span)[0]

    def likeness(self, own: Candidate, span: Span) -> float:
        """Return how like its slot the words around a span are, in 0..1."""
        return self._like(own.slot.id, own, span)

    def rival(self, own: Candidate, span: Span) -> float:
        """Return how like another slot they are: the one among those that the span could fill that they fit best."""
        others = self._slots[_place(own, span)]
        return max((self._like(id, own, span) for id in others if id != own.slot.id), default=0.0)

    def is_only(self, own: Candidate) -> bool:
        """Return whether nothing else in the text could fill the slot."""
        return len(self._spans[own.said, own.age, own.slot.id]) == 1

    def is_first(self, own: Candidate, span: Span) -> bool:
        """Return whether nothing that could fill the slot begins before a span, and none there is longer."""
        spans = self._spans[own.said, own.age, own.slot.id]
        return (span.start, -span.end) == min((start, -end) for start, end in spans)

    def is_latest(self, own: Candidate) -> bool:
        """Return whether no later message of the assistant could fill the slot."""
        return own.age == self._ages.get(own.slot.id, own.age)

    def is_inside(self, own: Candidate, span: Span) -> bool:
        """Return whether a span is a part of a longer name that could fill the slot."""
        names = self._names.get((own.said, own.age, own.slot.id), ())
        return any(each != span and each.start <= span.start and span.end <= each.end for each in names)

    def is_first_name(self, own: Candidate, span: Span) -> bool:
        """Return whether no name before a span could fill the slot."""
        names = self._names.get((own.said, own.age, own.slot.id), ())
        return all(span.start <= each.start for each in names)

    def _like(self, slot: str, own: Candidate, span: Span) -> float:
        key = (slot, _place(own, span))
        if key not in self._likeness:
            before, after = self._around(own, span)
            self._likeness[key] = self._words.likeness(slot, [*before, *after])
        return self._likeness[key]

    def _around(self, own: Candidate, span: Span) -> tuple[list[str], list[str]]:
        place = _place(own, span)
        if place not in self._near:
            text = self.text(own)
            before = stems(_END.split(text[: span.start])[-1])[-_BEFORE:]
            after = stems(_END.split(text[span.end :])[0])[:_AFTER]
            if span.kind != "name":
                # 'for two people', 'until the 8th': the words of the span itself say what it is for.
                lead = (span.text.split() or [""])[0].casefold()
                before, after = [*before, *([lead] if lead in _LEADING else [])], [*after, *stems(span.text)]
            self._near[place] = (before, after)
        return self._near[place]


def _place(own: Candidate, span: Span) -> _Place:
    return own.said, own.age, span.start, span.end
