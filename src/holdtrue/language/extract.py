"""Read with a language model the constraints that a user's message states, one sentence at a time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from holdtrue.language.asking import ask_whole, most_voted
from holdtrue.language.candidate_constraints import Candidates, candidates, one_of
from holdtrue.language.channel_reading import read_by_likelihood
from holdtrue.language.direction import first_argument, has_direction
from holdtrue.language.grounding import mentions
from holdtrue.language.matching import read_own_wording
from holdtrue.language.message_reader import SentenceReader
from holdtrue.language.prompts import View, reading_request
from holdtrue.language.reading import Reading, ReadingStatus
from holdtrue.language.reading_weights import ReadingWeights, shipped_reading_weights
from holdtrue.language.replies import (
    MOST_CONSTRAINTS,
    ReplyReading,
    free_items,
    grounded_items,
    read_reply,
    reply_schema,
    restated_schema,
    restatements,
)
from holdtrue.language.sentences import is_question
from holdtrue.models.chat import ChatModel, gives_likelihoods
from holdtrue.record import CallRecord
from holdtrue.world.instance import Constraint, Instance

_LONGEST_MEANING = 200
# The share of right readings by the agreement of the views, measured on the project's paraphrases with a 1.5B
# model. Of readings that agreed 176 of 179 were right, of decided ones 12 of 18, of disputed ones 2 of 5. The share
# for a view alone is an estimate.
_CONFIDENCE = {"agreed": 0.98, "decided": 0.67, "alone": 0.9, "disputed": 0.4}


@dataclass(frozen=True, slots=True)
class ReadingSettings:
    """`ReadingSettings` define how a sentence is read. Every field is one step that can be left out.

    Attributes:
        grounded: Whether a reading may use only the things that the sentence mentions.
        views: The ways of asking. A reading is accepted if all of them agree.
        tie_break: A further view, asked only if the first ones differ. The majority then wins.
        direction_check: The second source for the direction of a relation: the `cues` of the sentence, if they are
            clear.
        skip_questions: Whether sentences that only ask are skipped.
        likelihood: Whether fitted weights choose the constraint if the model gives probabilities. The weights count
            words and the likelihood of the sentence under each constraint. A sentence in the domain's wording is then
            read by code and costs no call, because no other constraint makes it likelier.
    """

    grounded: bool = True
    views: tuple[View, ...] = ("plain", "restate")
    tie_break: View | None = "explain"
    direction_check: Literal["none", "cues"] = "cues"
    skip_questions: bool = True
    likelihood: bool = True


class LlmExtractor(SentenceReader):
    """An `LlmExtractor` reads messages with a model, sentence by sentence.

    If the model gives probabilities, a reading has a fitted probability: it is `accepted` above a limit, and else
    `doubtful`. Learned words choose the constraint if they leave no doubt. Otherwise every constraint that the sentence
    may state is scored. `weights` were fitted for the model (`study reading`); by default, those of the package are
    used.

    Without probabilities, a reading is `accepted` if the views agree or a majority decides, and `doubtful` otherwise.
    It is `rejected` if the sentence names something of the instance but states no constraint that the instance can
    have.
    """

    def __init__(
        self,
        model: ChatModel,
        settings: ReadingSettings | None = None,
        weights: ReadingWeights | None = None,
    ) -> None:
        self.model = model
        self.weights = weights or shipped_reading_weights()
        self.settings = settings or ReadingSettings()
        self._likelihood = self.settings.likelihood and self.settings.grounded and gives_likelihoods(model)

    @property
    def name(self) -> str:
        return "llm"

    async def read_sentence(
        self, instance: Instance, sentence: str, calls: list[CallRecord], among: Sequence[Constraint] = ()
    ) -> list[Reading]:
        """Return the constraints that one sentence states. With `among`, return only constraints from that list."""
        if self.settings.skip_questions and is_question(sentence):
            return _unreadable(instance, sentence, "a question states nothing")
        if self._likelihood and not among:
            own = read_own_wording(instance, sentence)
            if all(reading.status == "accepted" for reading in own):
                return own
        found = one_of(among) if among else candidates(instance, sentence)
        if self.settings.grounded and not found.single:
            return _unreadable(instance, sentence, "no constraint can be made from what it names")
        if self._likelihood and not among and (scored := _all_named(instance, sentence, found)):

            async def view() -> tuple[Constraint, ...]:
                return (await self._view(instance, sentence, found, "plain", calls)).stated

            read = await read_by_likelihood(self.model, instance, sentence, scored, view, calls, self.weights)
            if read is not None:
                return [read]
        asked = self.settings.views
        if self.settings.grounded and found.only_one and not among:
            asked = asked[:1]  # nothing is left to differ about
        views = [await self._view(instance, sentence, found, view, calls) for view in asked]
        if len(views) == 1:
            return _readings(sentence, views[0], "agreed" if found.only_one and not among else "alone")
        if all(view.useless for view in views):
            return _readings(sentence, views[0], "disputed")
        if len({(view.stated, view.useless) for view in views}) == 1:
            return _readings(sentence, views[0], "agreed")
        if self.settings.tie_break is not None and not _differ_in_order(instance, views):
            views = [*views, await self._view(instance, sentence, found, self.settings.tie_break, calls)]
            stated, votes = most_voted(view.stated for view in views if not view.useless)
            if stated is not None and votes * 2 > len(views):
                # If a model gives likelihoods, it votes only when these settle nothing, so the result is a guess.
                return _readings(sentence, ReplyReading(stated), "disputed" if self._likelihood else "decided")
        best = next((view for view in views if view.stated), views[0])
        return _readings(sentence, best, "disputed")

    async def _view(
        self, instance: Instance, sentence: str, candidates: Candidates, view: View, calls: list[CallRecord]
    ) -> ReplyReading:
        """Ask the model in one way, and return its reading of the sentence."""
        grounded, several = self.settings.grounded, candidates.several
        meaning = None if view == "plain" else {"type": "string", "maxLength": _LONGEST_MEANING}
        said: Mapping[str, Constraint | None] = {}
        if not grounded:
            schema = reply_schema(free_items(instance), most=MOST_CONSTRAINTS, meaning=meaning)
        elif view == "restate" and not several:
            said = restatements(instance, candidates, next(iter(mentions(instance, sentence).entities), None))
            schema = restated_schema(said)
        else:
            items = grounded_items(candidates.part if several else candidates.single)
            schema = reply_schema(items, most=MOST_CONSTRAINTS if several else 1, meaning=meaning)
        reply = await ask_whole(self.model, reading_request(instance, sentence, schema), calls)
        read = read_reply(instance, reply, candidates if grounded else None, said)
        if self.settings.direction_check == "none":
            return read
        return replace(read, stated=tuple(_turned(instance, sentence, made) for made in read.stated))


def _all_named(instance: Instance, sentence: str, found: Candidates) -> list[Constraint]:
    """Return the constraints that have all entities of the sentence, if it states just one thing.

    A number without a place in any constraint may be a remark: 'Nora sits by Omar, as nine people come'.
    """
    named = set(mentions(instance, sentence).entities)
    made = [Constraint(name, args) for name, lists in found.single.items() for args in lists]
    return [one for one in made if not found.several or named == set(instance.entities_in(one))]


def _differ_in_order(instance: Instance, views: Sequence[ReplyReading]) -> bool:
    """Return whether the views differ only in the order of two entities. A third view would decide no better."""
    distinct = list(dict.fromkeys(view.stated for view in views))
    if len(distinct) != 2 or any(len(stated) != 1 for stated in distinct):
        return False
    (one,), (other,) = distinct
    if one.type != other.type or not has_direction(instance.types[one.type]):
        return False
    return other.args == (one.args[1], one.args[0], *one.args[2:])


def _turned(instance: Instance, sentence: str, constraint: Constraint) -> Constraint:
    """Return a relation with its arguments in the order that the cues of the sentence give."""
    kind = instance.types[constraint.type]
    if not has_direction(kind):
        return constraint
    one, other = str(constraint.args[0]), str(constraint.args[1])
    first = first_argument(kind, sentence, (one, other))
    return replace(constraint, args=(other, one, *constraint.args[2:])) if first == other else constraint


def _unreadable(instance: Instance, sentence: str, reason: str) -> list[Reading]:
    """Return the rejection of an unread sentence, or [] if it names nothing of the instance."""
    named = mentions(instance, sentence)
    if not named.entities:
        if not named.values:
            return []
        reason = f"names none of {', '.join(instance.entities)}"
    return [Reading(sentence, "rejected", confidence=0.0, reason=reason)]


def _readings(sentence: str, view: ReplyReading, how: str) -> list[Reading]:
    if not (view.stated or view.rejected):
        return [Reading(sentence, "rejected", confidence=0.0, reason="read as stating no constraint")]
    status: ReadingStatus = "doubtful" if how == "disputed" else "accepted"
    reason = "readings differ" if how == "disputed" else None
    return [
        *(Reading(sentence, status, constraint, _CONFIDENCE[how], reason) for constraint in view.stated),
        *(Reading(sentence, "rejected", confidence=0.0, reason=r.reason, code=r.code) for r in view.rejected),
    ]
