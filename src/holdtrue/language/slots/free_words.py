"""Find what a message frees or takes back by name: 'any mechanic will do', 'forget what I said about the dessert'."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from holdtrue.language.slots.candidates import Candidate, Scored
from holdtrue.language.slots.limit_words import relation_of
from holdtrue.language.slots.number_sense import is_money
from holdtrue.language.slots.slot_reading import SlotAct, SlotContext
from holdtrue.language.slots.slot_words import stem, stems
from holdtrue.language.slots.slot_world import Slot, SlotWorld
from holdtrue.language.slots.spans import Span
from holdtrue.language.slots.talk import is_in_question
from holdtrue.language.slots.value_grounding import plain
from holdtrue.logic.value_sorts import DATE, TIME
from holdtrue.rules.types import Number, without_null

SURE = 0.9
"""The probability of what a message frees by the name of one slot."""
_SUITS = r"(?:is|are|would be|will be|works?|would work|will work|will do|does|do|suits?|goes)\b(?! not|n't)"
_NAMED = r"(?P<named>[a-z][\w-]*(?: [a-z][\w-]*){0,2}?)"
_ENDS = r"(?=[ .,;!]|$)"
_FORGET = (
    r"(?:^|[.,;:!\n] *|\b(?:please|just|actually|so|and|but|ok|okay|oh|then|now|well|hm+|let's|you can) )"
    r"(?:forget|ignore|never ?mind|scrap|scratch|disregard|skip|drop|leave (?:off|out))"
)
"""Who complains that something was forgotten takes nothing back: only who asks for it does."""
_DENIED = re.compile(
    r"(?:\b(?:not|hardly|no|never|without|doubt\w*|unless|if)\b|n['\u2019]?t\b)[^.,;!?]*$", re.IGNORECASE
)
"""Words before a freeing that deny it, or leave it open: 'I don't think any day works'."""
_WORDS: tuple[tuple[SlotAct, str], ...] = (
    ("free", rf"\b(?:any|whichever|whatever)(?: of the)? {_NAMED}(?: on \w+| that day)? {_SUITS}"),
    ("free", rf"\bany(?P<named>time|one|body) {_SUITS}"),
    ("free", rf"(?:n'?t|not) (?:really )?(?:mind|care|matter)(?: about)? (?:which|what|the|whose) {_NAMED}{_ENDS}"),
    (
        "free",
        rf"\b(?:no preference|not (?:bothered|fussed|picky|particular))(?: about| as to| for| on)? "
        rf"(?:which|what|the) {_NAMED}{_ENDS}",
    ),
    (
        "free",
        rf"(?:^|[.,;!?] *|\b(?:and|but|so) )(?:the|my) {_NAMED} (?:(?:really )?(?:does|do)(?:n['\u2019]?t| not) "
        r"(?:really )?matter|is(?:n['\u2019]t| not) (?:that |so )?important|is (?:all the same|irrelevant))\b",
    ),
    ("drop", rf"\b(?:leave|take) (?:the|my|that) {_NAMED} (?:off|out)\b"),
    ("drop", rf"{_FORGET} (?:what I said )?(?:about |on )?(?:the |my )?{_NAMED}{_ENDS}"),
    ("drop", rf"{_FORGET} (?:about )?(?:the |my )?(?P<named>[\w$\u20ac\u00a3.:-]*\w)"),
)
_FREES = tuple((act, re.compile(words, re.IGNORECASE)) for act, words in _WORDS)
_EXCEPTING = frozenset("but except other than apart before after under over until from between not".split())
"""Words behind which a name is not said of all: 'any day but Monday works'."""
_TYPES = {stem("time"): TIME, stem("hour"): TIME, stem("day"): DATE, stem("date"): DATE}
_PRICES = frozenset(stems("price cost budget money"))


def find_freed(world: SlotWorld, message: str, context: SlotContext, chosen: Sequence[Scored]) -> list[Scored]:
    """Return what was chosen, with the slots that a message frees, or takes back, by their names.

    What else was read in the same words gives way, and so does another freeing that names nothing.
    """
    named = list(_named(message))
    taken_back = [span for act, span, _ in named if act == "drop"]
    chosen = [each for each in chosen if not _stands_in(each[1], taken_back)]
    found = [(act, span, slot) for act, span, name in named for slot in _slots(world, context, name, act)]
    if not found:
        return list(chosen)
    slots = {slot.id for _, _, slot in found}
    kept = [
        (probability, own)
        for probability, own in chosen
        if own.act != "free"
        and not (own.slot.id in slots and own.span is None)
        and not _stands_in(own, [span for _, span, _ in found])
    ]
    freed = {slot.id: Candidate(slot, act, None, "user", "none", span) for act, span, slot in reversed(found)}
    # Who frees a slot and then says what it is to be wants just that; what stands before it is taken back.
    later = {own.slot.id for _, own in kept if own.said == "user" and _stands(message, own, freed.get(own.slot.id))}
    kept = [each for each in kept if each[1].slot.id not in freed or each[1].slot.id in later]
    return [*kept, *((SURE, own) for id, own in freed.items() if id not in later)]


def _stands(message: str, own: Candidate, freed: Candidate | None) -> bool:
    """Return whether a value is said behind a freeing, or is a limit or a denial: these stay beside it."""
    if freed is None or own.span is None or freed.span is None:
        return False
    return own.span.start >= freed.span.end or relation_of(message, own.span, own.slot.type) != "is"


def _stands_in(own: Candidate, spans: Sequence[Span]) -> bool:
    return own.said == "user" and own.span is not None and any(span.overlaps(own.span) for span in spans)


def _named(message: str) -> Iterator[tuple[SlotAct, Span, str]]:
    for act, words in _FREES:
        for match in words.finditer(message):
            is_denied = _DENIED.search(message[: match.start()]) is not None
            is_excepted = not _EXCEPTING.isdisjoint(match["named"].casefold().split())
            if is_denied or is_excepted or is_in_question(message, match.end()):
                continue
            yield act, Span(match.start(), match.end(), match[0], "words"), match["named"]


def _slots(world: SlotWorld, context: SlotContext, named: str, act: SlotAct) -> list[Slot]:
    """Return the slots of a name: by their names, else by the only one of such a type, or by the value they have."""
    words = {stem(word) for word in re.findall(r"[a-z]+", named.casefold())}
    latest = [own for own in world.slots.values() if own.group in context.groups[:1]] or list(world.slots.values())
    by_name = [own for own in latest if words & set(stems(own.name))]
    if by_name:
        return by_name
    if act == "drop":
        value = plain(re.sub(r"[$\u20ac\u00a3]", "", named))
        return [own for own in world.slots.values() if value and plain(str(context.held.get(own.id, ""))) == value]
    for word in words:
        typed = [own for own in latest if word in _TYPES and without_null(own.type) == _TYPES[word]]
        if word in _PRICES:
            typed = [own for own in latest if isinstance(without_null(own.type), Number) and is_money(own)]
        if len(typed) == 1:
            return typed
    by_about = [own for own in latest if words & set(stems(own.about))]
    return by_about if len(by_about) == 1 else []
