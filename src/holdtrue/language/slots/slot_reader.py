"""Read which slots a message settles: by code alone, or with the view of a model, each value with its probability."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from holdtrue.language.reading import Act, Extraction, MessageContext, Reading, SettledSlot
from holdtrue.language.slots.candidates import Candidate, Scored, candidates_in, is_restated, names_two, with_view
from holdtrue.language.slots.clashes import CLASH, CLASHING, rival_of, with_corrections
from holdtrue.language.slots.clear_words import surely_said, with_clear_words
from holdtrue.language.slots.consent_words import is_clear_yes
from holdtrue.language.slots.evidence import only_wonders, weigh
from holdtrue.language.slots.features import Features
from holdtrue.language.slots.free_words import find_freed
from holdtrue.language.slots.id_words import find_ids
from holdtrue.language.slots.limit_words import any_weekday, relation_of
from holdtrue.language.slots.model_view import ask_view
from holdtrue.language.slots.slot_reading import SlotAct, SlotContext, SlotReading, Unread
from holdtrue.language.slots.slot_weights import SlotWeights, shipped_weights
from holdtrue.language.slots.slot_words import words_of
from holdtrue.language.slots.slot_world import SlotWorld
from holdtrue.language.slots.taken_up import take_up
from holdtrue.language.slots.talk import is_in_question, only_asks, sentence_at, sentences, talk_of
from holdtrue.logic.value_sorts import WEEKDAYS, Calendar
from holdtrue.models.chat import ChatModel
from holdtrue.record import SlotRelation
from holdtrue.rules.types import Flag, Name, without_null


class ScoredSlotReader:
    """A `ScoredSlotReader` lists all that a message can settle and keeps what is probable.

    Without a model it reads by code alone. With one it asks it once a message, and the model's view is one more thing
    that speaks for or against a candidate. What is at least as probable as `accepted` of the weights is read.
    """

    def __init__(
        self,
        model: ChatModel | None = None,
        weights: SlotWeights | None = None,
        offer_weights: SlotWeights | None = None,
    ) -> None:
        self.model = model
        self.weights = weights or shipped_weights("rules" if model is None else "model")
        if offer_weights is None:
            # What a yes takes up is read by code alone, whoever reads the yes.
            offer_weights = self.weights if model is None else shipped_weights("rules")
        self.offer_weights = offer_weights

    def _scores(self, world: SlotWorld) -> Callable[[str, SlotContext, Sequence[Candidate]], list[Scored]]:
        def score(text: str, context: SlotContext, found: Sequence[Candidate]) -> list[Scored]:
            scored = self._scored(world, text, context, found, None, self.offer_weights)
            return weigh(world, with_clear_words(world, text, scored, context), context)

        return score

    def _scored(
        self,
        world: SlotWorld,
        text: str,
        context: SlotContext,
        found: Sequence[Candidate],
        view: SlotReading | None,
        weights: SlotWeights,
    ) -> list[Scored]:
        """Return candidates with their probabilities; what only says again what is in doubt is no rival of news."""
        news = [own for own in found if not is_restated(own, context)]
        scored: list[Scored] = []
        again = [own for own in found if is_restated(own, context)]
        again = [own for own in again if own.said == "user" or not names_two(own, found)]
        for among, judged in ((news, news), (found, again)):
            features = Features(world, words_of(world), text, context, among, view) if judged else None
            if features is not None:
                scored += [(weights.sureness(weights.probability(features.of(own))), own) for own in judged]
        return scored

    async def read(self, world: SlotWorld, message: str, known: MessageContext) -> Extraction:
        """Return what a message settles, with the probability of each value. Raises `ModelError`."""
        context = SlotContext.of(known)
        view = None if self.model is None else await ask_view(self.model, world, message, context)
        found = with_view(world, message, candidates_in(world, message, context), context, view)
        scored = self._scored(world, message, context, found, view, self.weights)
        scored = with_clear_words(world, message, scored, context)
        scored = [each for each in weigh(world, scored, context) if not _is_asked(each[1], message, context)]
        takes_up = _takes_up(message, context)
        scored = [each for each in scored if each[1].said == "user" or (takes_up and _is_offered(each[1], context))]
        chosen = with_corrections(choose(scored, self.weights.accepted), scored, message)
        chosen = surely_said(world, chosen, message)
        chosen = find_ids(world, message, chosen)
        chosen = take_up(world, message, context, chosen, self._scores(world), self.weights.accepted)
        chosen = find_freed(world, message, context, chosen)
        read = [_reading(own, probability, message, rival_of(own, scored, message)) for probability, own in chosen]
        if view is None:
            return Extraction(tuple(read))
        unread = [Reading(own.quote, "rejected", None, 0.0, _why(own)) for own in view.unread]
        return Extraction((*read, *unread), view.calls)


def choose(scored: Sequence[Scored], accepted: float) -> list[Scored]:
    """Return the most probable candidates, one for each slot and, but for flags, one for each place in the text."""
    taken: list[Scored] = []
    said = {own.slot.id for probability, own in scored if own.said == "user" and probability >= _SAID_TOO}
    for probability, own in sorted(scored, key=lambda each: -each[0]):
        if probability < accepted:
            break
        # What users may have said themselves stands before what they may have taken up.
        if own.said == "assistant" and own.slot.id in said:
            continue
        if not any(own.slot is each.slot or _share_words(own, each) for _, each in taken):
            taken.append((probability, own))
    return taken


_SAID_TOO = 0.3
"""A value that the user said at least so probably stands before all that the assistant offered."""


def _share_words(one: Candidate, other: Candidate) -> bool:
    if one.span is None or other.span is None or (one.said, one.age) != (other.said, other.age):
        return False
    types = {type(without_null(own.slot.type)) for own in (one, other)}
    # 'Friday evening' can be a day and a choice of morning or evening.
    both = types == {Calendar, Name} and any(_is_part_of_day(own) for own in (one, other))
    return Flag not in types and not both and one.span.overlaps(other.span)


def _is_part_of_day(own: Candidate) -> bool:
    return own.slot.choices is not None and str(own.value).capitalize() not in WEEKDAYS


_ACTS: Mapping[SlotAct, Act] = {"set": "states", "free": "frees", "drop": "withdraws"}


def _takes_up(message: str, context: SlotContext) -> bool:
    """Return whether a message takes up an offer: who only asks 'is she any good?' takes up nothing."""
    told = " ".join(each for each in sentences(message) if not only_asks(each))
    return talk_of(told, context.assistant).yes or is_clear_yes(told, asked=True)


def _is_offered(own: Candidate, context: SlotContext) -> bool:
    """Return whether a candidate is of the last offer, and no limit: 'it takes up to ten' offers no ten."""
    if own.age > 0:
        return False
    return own.span is None or relation_of(context.assistant or "", own.span, own.slot.type) == "is"


def _is_asked(own: Candidate, message: str, context: SlotContext) -> bool:
    """Return whether a message only asks about another value of a slot that has one: that changes nothing."""
    if own.said != "user" or own.span is None:
        return False
    if own.slot.id not in context.held:
        return only_wonders(message, own.span.end)
    return is_in_question(message, own.span.end) and only_asks(sentence_at(message, own.span.start, own.span.end) + "?")


def _reading(own: Candidate, probability: float, message: str, rival: Candidate | None) -> Reading:
    quote = own.span.text if own.span is not None else ""
    grounding = "offer" if own.said == "assistant" else own.grounding
    relation: SlotRelation = "is"
    if own.act == "set" and own.said == "user" and own.span is not None:
        relation = relation_of(message, own.span, own.slot.type)
    value = own.value
    if relation == "not" and isinstance(without_null(own.slot.type), Calendar) and own.span is not None:
        value = any_weekday(message, own.span) or value
    slot, act = SettledSlot(own.slot.id, value, relation), _ACTS[own.act]
    reason = None
    if rival is not None and rival.span is not None and relation == "is":
        probability, reason = min(probability, CLASHING), f"{CLASH} {rival.span.text!r}"
    return Reading(
        quote, "accepted", None, probability, reason, act=act, slot=slot, source=own.said, grounding=grounding
    )


def _why(own: Unread) -> str:
    return f"for {own.slot or 'any slot'}: {own.why}"
