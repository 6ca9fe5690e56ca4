"""Split a listing of several calls into parts that may each describe one certain call.

A *mark* is a place in the text with a value of this call. A *rival* is a place with another call's value for the same
argument. In every form of listing the marks of one call stand together. An *item* is a sentence or a line.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise

from holdtrue.guard.conversation.listing_marks import Mark
from holdtrue.language.requests.written_moments import is_short_name
from holdtrue.language.slot_values.spelled_numbers import and_words, folded_words, number_places

_ITEM_END = re.compile(r"(?:(?<=[^\d\s][.!?])|(?<=(?:\d|[:h-])\d\d[.!?]))\s+|\n\s*|;\s")
"""The separator of two items. A day with a dot, as in `8. Dezember`, ends no item."""
_COMMA = re.compile(r",\s|\s\|\s")
_BLANK = re.compile(r"\n\s*\n\s*")
_FIELD = re.compile(r"\s*[^\W\d][\w .-]{0,40}:\s")
_SIGNS = tuple("/|+=-\u2013\u2014>,")
Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Part:
    """A `Part` may describe the call.

    `own` is the span of its text, `items` that of the whole items, and `shared` are spans that apply to every call.
    """

    own: Span
    items: Span
    shared: tuple[Span, ...] = ()


def item_ends(text: str) -> list[Span]:
    """Return the spans between the items of a text. The dot of `Tues.` or `22 rms. /` ends no item."""
    found = []
    for own in _ITEM_END.finditer(text):
        word = text[: own.start()].rsplit(None, 1)[-1:]
        is_short = bool(word) and word[0].endswith(".") and is_short_name(word[0].rstrip("."))
        is_sign = text[own.start() - 1 : own.start()] == "." and text[own.end() : own.end() + 1] in _SIGNS
        if "\n" in own[0] or not (is_short or is_sign):
            found.append(own.span())
    return found


def parts_of(text: str, marks: Sequence[Mark]) -> Iterator[Part]:
    """Yield the parts of a text that may describe the call.

    A part has no rival, and has a mark of each *contested* kind: a kind that has rivals somewhere. The text before the
    first part and after the last one applies to every call.
    """
    rivals = {own.kind for own in marks if not own.is_own}
    if not rivals:
        yield Part((0, len(text)), (0, len(text)))
        return
    layout = _Layout(text, [own for own in marks if own.kind in rivals])
    head, tail = layout.head(), layout.tail()
    contested = rivals & {own.kind for own in marks if own.is_own}
    # A paraphrased choice may be in the part, unless the part has another choice literally.
    others = [own for own in layout.marks if own.kind not in contested and own.is_choice]
    listed = [own for own in marks if own.is_own and head <= own.start < tail]
    for start, end in dict.fromkeys(layout.regions(contested)):
        items = (layout.last_end(start), layout.next_start(end))
        is_empty = bool(listed) and not any(start <= own.start < end for own in listed)
        if is_empty or any(items[0] <= own.start < items[1] for own in others):
            continue
        yield Part((start, end), items, ((0, min(head, start)), (max(tail, end), len(text))))


class _Layout:
    """The layout of a text: the marks and rivals of contested kinds, and the ends of its items."""

    def __init__(self, text: str, marks: Sequence[Mark]) -> None:
        self.text, self.marks = text, marks
        self.ends = item_ends(text)
        self.blanks = [own.span() for own in _BLANK.finditer(text)]
        between = [
            [(start, end) for (_, start), (end, _) in pairwise(self.ends) if one.end <= start and end <= two.start]
            for one, two in pairwise(marks)
        ]
        self._has_headings = any(self._is_heading(*own) for each in between for own in each)
        self._goes_on = max((sum(not self._is_heading(*own) for own in each) for each in between), default=0)

    def last_end(self, place: int) -> int:
        """Return the start of the item at a place."""
        return max((end for _, end in self.ends if end <= place), default=0)

    def next_start(self, place: int) -> int:
        """Return the end of the item at a place."""
        return min((start for start, _ in self.ends if start >= place), default=len(self.text))

    def head(self) -> int:
        """Return the end of the text before all items. Fields just before the first mark belong to its item."""
        first = self.last_end(self.marks[0].start)
        while first and _FIELD.match(self.text, first):
            before = self.last_end(first - 1)
            if not _FIELD.match(self.text, before) or self.text[before:first].rstrip().endswith(":"):
                break
            first = before
        while first and self._has_headings and self._is_heading(self.last_end(first - 1), first):
            first = self.last_end(first - 1)
        return first

    def _is_heading(self, start: int, end: int) -> bool:
        return self.text[start:end].rstrip().endswith(":")

    def tail(self) -> int:
        """Return the start of the text after all items: after a blank line, or after the last item with its fields."""
        last = self.marks[-1].end
        blank = min((end for start, end in self.blanks if start >= last), default=0)
        behind = [end for start, end in self.ends if start >= last and not _FIELD.match(self.text, end)]
        # The last call may have as many items without marks as the others have.
        return blank or min(behind[self._goes_on :], default=len(self.text))

    def regions(self, contested: set[str]) -> Iterator[Span]:
        """Yield the spans of the parts."""
        if not contested:
            for place in range(len(self.marks) + 1):
                yield self._gap(self.marks[:place], self.marks[place:])
            return
        runs = [list(own) for _, own in groupby(self.marks, key=lambda own: own.is_own)]
        for place, run in enumerate(runs):
            if not run[0].is_own or not contested <= {own.kind for own in run}:
                continue
            before = [own for each in runs[:place] for own in each]
            behind = [own for each in runs[place + 1 :] for own in each]
            yield from self._items(run, before, behind, contested)
            run = _trimmed(run)
            if self._may_be_one(run, before, behind, contested):
                yield self._region(run[0].start, run[-1].end, before, behind)

    def _items(
        self, run: Sequence[Mark], before: Sequence[Mark], behind: Sequence[Mark], contested: set[str]
    ) -> Iterator[Span]:
        """Yield the items that have a mark of each contested kind and no rival."""
        for start in dict.fromkeys(self.last_end(own.start) for own in run):
            end = self.next_start(max(start, max(own.start for own in run if self.last_end(own.start) == start)))
            own = {mark.kind for mark in run if start <= mark.start < end}
            if contested <= own and not any(start < mark.end and mark.start < end for mark in (*before, *behind)):
                yield start, end

    def _gap(self, before: Sequence[Mark], behind: Sequence[Mark]) -> Span:
        """Return the span between two rivals, for a call without marks of their kinds."""
        low, high = before[-1].end if before else 0, behind[0].start if behind else len(self.text)
        start = min((end for at, end in self.ends if before and at >= low and end <= high), default=low)
        return start, max((at for at, _ in self.ends if behind and start <= at <= high), default=high)

    def _region(self, start: int, end: int, before: Sequence[Mark], behind: Sequence[Mark]) -> Span:
        """Return the span of the part around a run of marks.

        It ends at a blank line or at the item of a rival. Inside of a sentence, it ends at a comma, a bar or an *and*.
        """
        low, high = before[-1].end if before else 0, behind[0].start if behind else len(self.text)
        lows = [own for at, own in self.blanks if low <= at and own <= start]
        highs = [at for at, own in self.blanks if end <= at and own <= high]
        commas = [own.span() for own in _COMMA.finditer(self.text)]
        ands = [own[:2] for own in folded_words(self.text) if own[2] in and_words()]
        if before:
            lows = lows or self._item_with_heading(low, start)
            lows = lows or [own for at, own in ands if low <= at and own <= start]
            lows = lows or [own for at, own in commas if low <= at and own <= start][:1]
        items = [(at, own) for at, own in self.ends if end <= at and own <= high]
        while behind and len(items) > 1 and self._is_heading(items[-2][1], items[-1][0]):
            items.pop()  # This item is the heading of the next one.
        for places in (items, ands, commas) if behind else ():
            highs = highs or [at for at, own in places if end <= at and own <= high][-1:]
        return (lows or [low])[-1], (highs or [high])[0]

    def _item_with_heading(self, low: int, start: int) -> list[int]:
        """Return the start of the item at a place with its headings, in a list, or [] if a rival is in them."""
        first = self.last_end(start)
        while first and self._is_heading(self.last_end(first - 1), first) and self.last_end(first - 1) >= low:
            first = self.last_end(first - 1)
        return [first] if first > low else []

    def _may_be_one(
        self, run: Sequence[Mark], before: Sequence[Mark], behind: Sequence[Mark], contested: set[str]
    ) -> bool:
        """Return whether a run of marks between rivals can belong to one call.

        The run could also be the end of one call and the start of the next. Then both sides would lack marks, so one
        side has to have equally many of each kind. A single kind other than ids separates no calls, unless each has
        numbers: 'on Friday, or Saturday' is one call.
        """
        low, high = self.last_end(run[0].start), self.next_start(run[0].end)
        if run[-1].end <= high and not any(own.end > low and own.start < high for own in (*before, *behind)):
            return True
        if contested == {run[0].kind} and run[0].kind != "id":
            marks = (*before, *run, *behind)
            numbers = (own for own in number_places(self.text) if not any(at.start <= own < at.end for at in marks))
            return sum(1 for _ in numbers) > len(before) + len(behind)
        sides = [[sum(own.kind == kind for own in side) for kind in contested] for side in (before, behind)]
        return any(len(set(own)) <= 1 for own in sides)


def _trimmed(run: Sequence[Mark]) -> list[Mark]:
    """Return a run without the marks at its ends whose kind recurs in it. Those belong to other calls."""
    own = list(run)
    for end in (0, -1):
        while Counter(mark.kind for mark in own)[own[end].kind] > 1:
            own.pop(end)
    return own
