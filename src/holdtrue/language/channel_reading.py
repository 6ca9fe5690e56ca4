"""Read a sentence that states one constraint by how likely each constraint makes it, with a calibrated doubt."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

from holdtrue.language.agreement import score_agreement
from holdtrue.language.direction import first_argument, has_direction
from holdtrue.language.likelihood import score_sentence
from holdtrue.language.reading import Reading
from holdtrue.language.reading_weights import ReadingWeights, choose
from holdtrue.language.relating_words import tells_something
from holdtrue.language.residual_content import Leftover, tell_left, words_not_carried
from holdtrue.language.scale_cues import first_on_scale
from holdtrue.models.chat import ChatModel
from holdtrue.record import CallRecord
from holdtrue.world.instance import Constraint, Instance

View = Callable[[], Awaitable[tuple[Constraint, ...]]]
"""What the model says that the sentence states, once it is asked that."""


async def read_by_likelihood(
    model: ChatModel,
    instance: Instance,
    sentence: str,
    among: Sequence[Constraint],
    view: View,
    calls: list[CallRecord],
    weights: ReadingWeights,
) -> Reading | None:
    """Return the most probable of the constraints with its probability; None where the model cannot score them.

    The view is asked for only where the scores settle nothing, and whether the sentence commits to the constraint only
    where its words, or the lack of any for a relation, leave that open.
    """
    left = [words_not_carried(instance, sentence, made) for made in among]
    chosen = await _choose(model, instance, sentence, among, left, view, calls, weights)
    if chosen is None:
        return None
    best, probability = chosen
    made = instance.canonical(among[best])
    counted = _counted(left[best])
    agreed = weights.agreed_plainly
    if is_open_to_doubt(instance, sentence, among, counted):
        odds = await score_agreement(model, instance, sentence, made, calls)
        if odds is None:
            return None
        agreed = weights.agreement(agreement_features(odds, counted))
    return _weighed(instance, sentence, made, probability, agreed, counted, weights)


def weighed_words(instance: Instance, sentence: str, made: Constraint) -> list[Leftover]:
    """Return the words of the sentence that count for whether it commits to the constraint."""
    return _counted(words_not_carried(instance, sentence, made))


def _counted(left: Sequence[Leftover]) -> list[Leftover]:
    # A sentence is likely by a constraint only if that explains its words.
    return [one for one in left if one.kind != "unexplained"]


def is_open_to_doubt(
    instance: Instance, sentence: str, among: Sequence[Constraint], counted: Sequence[Leftover]
) -> bool:
    """Return whether it is asked if the sentence commits: words leave that open, or nothing says that it states one."""
    return bool(counted) or len(among) == 1 or not tells_something(instance, sentence)


async def _choose(
    model: ChatModel,
    instance: Instance,
    sentence: str,
    among: Sequence[Constraint],
    left: Sequence[Sequence[Leftover]],
    view: View,
    calls: list[CallRecord],
    weights: ReadingWeights,
) -> tuple[int, float] | None:
    """Return the place of the constraint that the sentence says, if it says one of them, and its probability."""
    if len(among) == 1:
        return 0, 1.0
    scores = await score_sentence(model, instance, sentence, among, calls)
    if scores is None:
        return None
    found = [choice_features(instance, sentence, *each) for each in zip(among, scores, left, strict=True)]
    best, probability = choose(weights.alone, found)
    if probability < weights.settled:
        viewed = await view()
        seen = [float(instance.canonical(made) in viewed) for made in among]
        both = [{**own, "view": value} for own, value in zip(found, seen, strict=True)]
        best, probability = choose(weights.with_view, both)
    return best, probability


def _weighed(
    instance: Instance,
    sentence: str,
    made: Constraint,
    choice: float,
    agreed: float,
    counted: Sequence[Leftover],
    weights: ReadingWeights,
) -> Reading:
    """Return the reading of a chosen constraint with the probability that it is what the sentence commits to."""
    probability, held = choice * agreed, any(one.holds_back for one in counted)
    if probability >= weights.accepted:
        return Reading(sentence, "accepted", made, probability, weighed=True)
    why = f'{tell_left(counted)}, which "{instance.sentence(made)}" does not say' if counted else ""
    if agreed < weights.rejected:
        why = why or f'it does not say for certain that "{instance.sentence(made)}"'
        return Reading(sentence, "rejected", None, 0.0, why, weighed=True, held_back=held)
    if not why or choice < agreed:
        why = "another reading is nearly as likely"
    return Reading(sentence, "doubtful", made, probability, why, weighed=True, held_back=held)


def agreement_features(odds: float, left: Sequence[Leftover]) -> dict[str, float]:
    """Return what speaks for and against a commitment: the model's log-odds, and the kinds of the words left out."""
    opening = [one for one in left if one.holds_back]
    return {
        "odds": odds,
        "surely open": float(any(one.certain for one in opening)),
        "perhaps open": float(any(not one.certain for one in opening)),
        "open words": float(len(opening)),
        "denial": float(any(one.kind == "negation" and not one.certain for one in left)),
        "sure denial": float(any(one.kind == "negation" and one.certain for one in left)),
        "limit": float(any(one.kind == "comparison" for one in left)),
        "name": float(any(one.kind == "name" for one in left)),
    }


def choice_features(
    instance: Instance, sentence: str, made: Constraint, score: float, left: Sequence[Leftover]
) -> dict[str, float]:
    """Return what speaks for one of the constraints: its likelihood, the cues of a side, and no words left out."""
    return {
        "likelihood": score,
        "cue": _cue(instance, sentence, made),
        "words left": float(sum(1 + one.certain for one in left)),
    }


def _cue(instance: Instance, sentence: str, constraint: Constraint) -> float:
    """Return 1 where words of the sentence give the relation this direction or number, -1 the other one, else 0."""
    kind = instance.types[constraint.type]
    if not has_direction(kind):
        # 'Must not overlap' says the number of free slots, and so which type is meant.
        text = sentence.casefold()
        return float(any(words in text and number in constraint.args for words, number in kind.number_words))
    one, other = str(constraint.args[0]), str(constraint.args[1])
    first = first_on_scale(instance, sentence, constraint) or first_argument(kind, sentence, (one, other))
    return 0.0 if first is None else 1.0 if first == one else -1.0
