"""Tell in numbers what speaks for a candidate: the form of its value, the words around it, the talk, a model's view.

Features know nothing of any app: they compare words with the names and descriptions of slots, so that weights which
were fitted on some services say something of others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from holdtrue.language.slots.candidates import Candidate
from holdtrue.language.slots.slot_reading import SlotContext, SlotReading
from holdtrue.language.slots.slot_words import TITLED, SlotWords, direction, name_class, stems
from holdtrue.language.slots.slot_world import Slot, SlotWorld
from holdtrue.language.slots.spans import Span
from holdtrue.language.slots.surroundings import Surroundings
from holdtrue.language.slots.talk import is_asked_about, last_question, talk_of
from holdtrue.language.slots.talk_features import LEADS, TalkFeatures
from holdtrue.language.slots.value_grounding import plain
from holdtrue.logic.value_sorts import Calendar
from holdtrue.rules.types import Flag, Name, Number, without_null

_COURTESY = frozenset(
    "please thanks thank you yes no sure ok okay i want it to the in at for on just make be from would like that will "
    "with bitte danke ja nein ich will in am um im por favor gracias si no quiero en a las el la".split()
)
_STARTS = frozenset(("from", "leav", "depart", "out"))
_GOES = frozenset(("to", "toward", "until", "till", "for", "into"))
_ASKED = 0.2
"""A slot is asked for where so much of its weight is in the question."""


class Features:
    """The features of all candidates of one message; `view` is what a model read in it, where one was asked."""

    def __init__(
        self,
        world: SlotWorld,
        words: SlotWords,
        message: str,
        context: SlotContext,
        candidates: Sequence[Candidate],
        view: SlotReading | None = None,
    ) -> None:
        self._words, self._context, self._view = words, context, view
        self._around = Surroundings(words, message, context, candidates)
        self._talk = talk_of(message, context.assistant)
        self._shortish = len(message.split()) <= 6
        said, asked = stems(message), stems(last_question(context.assistant))
        self._asked = {id: words.likeness(id, asked) if asked else 0.0 for id in world.slots}
        self._groups = {group: words.group_likeness(group, said) for group in words.groups}
        self._open = Counter((own.group, form_of(own)) for own in world.slots.values() if own.id not in context.held)
        self._asked_in: dict[str, float] = {}
        for slot in world.slots.values():
            self._asked_in[slot.group] = max(self._asked_in.get(slot.group, 0.0), self._asked[slot.id])
        self._most_asked = sorted(self._asked.values(), reverse=True)[:2]
        self._offers = plain(context.assistant or "")
        self._before = TalkFeatures(world, words, message, context, candidates, self._around)
        self._held = {id: plain(str(value)) for id, value in context.held.items()}

    def of(self, own: Candidate) -> dict[str, float]:
        """Return the features of one candidate, by name; what is not there is 0."""
        source, form = own.said[:1], form_of(own.slot)
        found: dict[str, float] = {"bias": 1.0, f"{source}:{form}": 1.0, "free": own.act == "free"}
        found |= self._of_slot(own, source)
        if own.span is not None:
            found |= self._of_span(own, own.span, source, form)
        if own.said == "assistant":
            found |= self._of_offer(own, form)
        if self._view is not None:
            found |= self._of_view(own, source, form, self._view)
        return {name: float(value) for name, value in found.items() if value}

    def _rival_asked(self, slot: Slot) -> float:
        """Return how much another slot is asked for, the one that is asked for most."""
        most = self._most_asked
        return most[0] if self._asked[slot.id] < most[0] else most[1] if len(most) > 1 else 0.0

    def _of_slot(self, own: Candidate, source: str) -> dict[str, float]:
        slot, asked, rival = own.slot, self._asked[own.slot.id], self._rival_asked(own.slot)
        latest = self._context.groups[0] if self._context.groups else None
        group = self._groups[slot.group]
        best = max((value for name, value in self._groups.items() if name != slot.group), default=0.0)
        held = slot.id in self._held
        return {
            f"{source}:asked": asked,
            f"{source}:asked more": asked - rival if asked > 0 else 0.0,
            f"{source}:asked most": asked > _ASKED and asked >= rival,
            f"{source}:another asked": rival if asked < rival else 0.0,
            f"{source}:group latest": slot.group == latest,
            f"{source}:group other": latest is not None and slot.group != latest,
            f"{source}:group seen": slot.group in self._context.groups[1:],
            f"{source}:group said": group,
            f"{source}:group said more": group - best,
            f"{source}:held": held,
            f"{source}:held and no": held and self._talk.no,
            f"{source}:needed": bool(slot.needed_by),
            f"{source}:writes": slot.writes,
            f"{source}:searched": slot.searched,
            f"{source}:a result": slot.writes and not slot.searched,
            f"{source}:alone of its form": self._open[slot.group, form_of(slot)] == 1 and not held,
            f"{source}:single group": len(self._groups) == 1,
        }

    def _of_span(self, own: Candidate, span: Span, source: str, form: str) -> dict[str, float]:
        slot, text = own.slot, self._around.text(own)
        near, rival = self._around.likeness(own, span), self._around.rival(own, span)
        only = self._around.is_only(own)
        words = [word for word in plain(text).split() if word not in _COURTESY]
        mine = [word for word in plain(span.text).split() if word not in _COURTESY]
        share = min(1.0, len(mine) / max(1, len(words)))
        whole, asked = share > 0.99, self._asked[slot.id] > _ASKED and self._asked[slot.id] >= self._most_asked[0]
        latest = slot.group in self._context.groups[:1]
        in_group = latest and self._asked[slot.id] > _ASKED / 2 and self._asked[slot.id] >= self._asked_in[slot.group]
        siblings = {held for id, held in self._held.items() if id != slot.id and id.startswith(f"{slot.group}.")}
        found: dict[str, float] = {
            f"{source}:asked in group": in_group,
            f"{source}:asked in group and whole": in_group and whole,
            f"{source}:asked in group, only one": in_group and only,
            f"{source}:asked and whole": asked and whole,
            f"{source}:asked and only one": asked and only,
            f"{source}:asked, form {form}": asked,
            f"{source}:only one": only,
            f"{source}:only one, near": only * near,
            f"{source}:near": near,
            f"{source}:near more": near - rival,
            f"{source}:near most": near > 0.15 and near >= rival,
            f"{source}:rival near": rival if near < rival else 0.0,
            f"{source}:share": share,
            f"{source}:whole": whole,
            f"{source}:{form}:held by a sibling": plain(str(own.value)) in siblings,
            f"{source}:{form}:in a question": is_asked_about(text, span.end),
            f"{source}:{form}, writes": slot.writes,
            f"{source}:{form}, one": plain(span.text).split()[-1:] == ["one"],
            f"{source}:{form}:spelling": own.grounding == "spelling",
            f"{source}:{form}:{span.kind}": 1.0,
            f"{source}:ambiguous": own.others > 0,
            f"{source}:{form}:offered before": source == "u" and self._was_offered(own),
            f"{source}:first of its form": self._around.is_first(own, span),
        }
        before = self._around.before(own, span)
        found |= _of_direction(before, direction(slot))
        found |= self._before.of_talk(own, form, before)
        if form == "name":
            return found | self._of_name(own, span, source, before)
        return found | self._before.of_number(own, span) if form == "number" else found

    def _of_name(self, own: Candidate, span: Span, source: str, before: Sequence[str]) -> dict[str, float]:
        slot, kind, value = own.slot, name_class(own.slot), plain(str(own.value))
        inside = self._around.is_inside(own, span)
        first = self._around.is_first_name(own, span) and not inside
        lead = before[-1] if before and before[-1] in LEADS else "-"
        own_words = set(stems(str(own.value)))
        return {
            f"{source}:inside another": inside,
            f"{source}:words": len(value.split()) / 4,
            f"{source}:one word": len(value.split()) == 1,
            f"{source}:slot's own words": self._words.likeness(slot.id, own_words),
            f"{source}:group's own words": self._words.group_likeness(slot.group, own_words),
            f"{source}:{kind}": 1.0,
            f"{source}:titled, {kind}": TITLED.match(span.text) is not None,
            f"{source}:{kind} behind {lead}": 1.0,
            f"{source}:{span.kind} behind {lead}": 1.0,
            f"{source}:held elsewhere": value in self._held.values(),
            f"{source}:first word": span.start == 0,
            f"{source}:first name": first,
            f"{source}:first name, {kind}": first,
            f"{source}:digits": any(mark.isdigit() for mark in value),
            f"{source}:{kind}, needed to write": slot.writes and bool(slot.needed_by),
        }

    def _of_offer(self, own: Candidate, form: str) -> dict[str, float]:
        talk, slot, accepts = self._talk, own.slot, self._talk.accepts
        held, points = slot.id in self._held, talk.points and not talk.no
        asked = self._asked[slot.id] > _ASKED and accepts
        result = slot.writes and not slot.searched and bool(slot.needed_by) and not held and (accepts or points)
        first = own.span is not None and self._around.is_first(own, own.span)
        near = self._around.likeness(own, own.span) if own.span is not None else 0.0
        rival = self._around.rival(own, own.span) if own.span is not None else 0.0
        thing = form == "name" and slot.writes and bool(slot.needed_by) and name_class(slot) != "place"
        return {
            "offer accepted": accepts,
            "offer refused": talk.no,
            f"offer accepted {form}": accepts,
            "offer and that": points,
            "offer and confirm": talk.confirms and accepts,
            "offer, user asks": talk.asks and not talk.yes,
            "offer needed": bool(slot.needed_by) and not held and accepts,
            "offer held": held,
            "offer held, accepted": held and accepts,
            f"offer age {own.age}": 1.0,
            f"offer age {own.age}, accepted": accepts,
            f"offer age {own.age}, {form}, and that": points,
            f"offer {form}, held": held,
            f"offer {form}, asked": asked,
            f"offer {form}, asked, short": asked and self._shortish,
            "offer thing, needed to write, accepted": thing and not held and (accepts or talk.points),
            "offer short": talk.short and accepts,
            "offer of a result": result,
            f"offer of a result, {form}": result,
            f"offer of a result, age {own.age}": result,
            "offer of a result, first": result and first,
            f"offer of a result, first, {form}": result and first,
            f"offer of a result, first, {form}, latest": result and first and self._around.is_latest(own),
            "offer and confirm, near": near if talk.confirms and accepts else 0.0,
            "offer and confirm, near most": talk.confirms and accepts and near > 0.15 and near >= rival,
            f"offer and confirm, {form}": talk.confirms and accepts,
        }

    def _was_offered(self, own: Candidate) -> bool:
        """Return whether the assistant's last message names what the user says."""
        said = plain(str(own.value))
        return bool(said) and f" {said} " in f" {self._offers} "

    def _of_view(self, own: Candidate, source: str, form: str, view: SlotReading) -> dict[str, float]:
        mine = [each for each in view.events if each.slot == own.slot.id and each.act == own.act]
        value = plain(str(own.value))
        same = any(plain(str(each.value)) == value for each in mine)
        elsewhere = any(plain(str(each.value)) == value for each in view.events if each.slot != own.slot.id)
        part = any(value and value in plain(str(each.value)) for each in mine)
        return {
            f"{source}:view same": same,
            f"{source}:view same {form}": same,
            f"{source}:view other value": bool(mine) and not same,
            f"{source}:view part": part and not same,
            f"{source}:view elsewhere": elsewhere and not same,
            f"{source}:view silent": not view.events,
            f"{source}:view silent here": bool(view.events) and not mine and not elsewhere,
        }


def _of_direction(before: Sequence[str], way: int) -> dict[str, float]:
    """Return whether words like 'from' and 'to' lead to a slot that something starts from, or goes to."""
    lead = before[-1] if before else ""
    starts, goes = lead in _STARTS or before[-2:-1] == ["from"], lead in _GOES
    return {
        "from to from": starts and way > 0,
        "to to to": goes and way < 0,
        "from to to": starts and way < 0,
        "to to from": goes and way > 0,
    }


def form_of(slot: Slot) -> str:
    """Return what the values of a slot are like: date, time, number, flag, choice or name."""
    match without_null(slot.type):
        case Calendar(kind):
            return kind
        case Flag():
            return "flag"
        case Number():
            return "number"
        case Name(_, values) if values is not None:
            return "choice"
    return "name"
