"""Read a sentence that states one constraint by how likely each constraint makes it, with a calibrated doubt."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

from holdtrue.language.direction import first_argument, has_direction
from holdtrue.language.likelihood import score_sentence
from holdtrue.language.reading import Reading
from holdtrue.language.reading_weights import choose, shipped_reading_weights
from holdtrue.language.residual_content import DOUBTFUL_AT_MOST, Leftover, holds_back, tell_left, words_not_carried
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
) -> Reading | None:
    """Return the most probable of the constraints with its probability; None where the model cannot score them.

    The view is asked for only where the scores settle nothing. The words that the constraint leaves out have been
    counted in the reading: what surely means something else is rejected with these words.
    """
    scores = await score_sentence(model, instance, sentence, among, calls)
    if scores is None:
        return None
    left = [words_not_carried(instance, sentence, made) for made in among]
    found = [choice_features(instance, sentence, *each) for each in zip(among, scores, left, strict=True)]
    weights = shipped_reading_weights()
    best, probability = choose(weights.alone, found)
    if probability < weights.settled:
        viewed = await view()
        seen = [float(instance.canonical(made) in viewed) for made in among]
        both = [{**own, "view": value} for own, value in zip(found, seen, strict=True)]
        best, probability = choose(weights.with_view, both)
    return _weighed(instance, sentence, among[best], probability, left[best])


def _weighed(
    instance: Instance, sentence: str, made: Constraint, probability: float, left: Sequence[Leftover]
) -> Reading:
    """Return the reading of a chosen constraint, held to the words that it leaves out.

    Words that nothing explains count nothing here: a sentence is likely by a constraint only if that explains it.
    """
    accepted = shipped_reading_weights().accepted
    counted = [one for one in left if one.kind != "unexplained"]
    made = instance.canonical(made)
    why = f'{tell_left(counted)}, which "{instance.sentence(made)}" does not say' if counted else ""
    if any(one.certain for one in counted):
        return Reading(sentence, "rejected", None, 0.0, why, weighed=True, held_back=holds_back(counted))
    if counted:
        confidence, held = min(probability, DOUBTFUL_AT_MOST), holds_back(counted)
        return Reading(sentence, "doubtful", made, confidence, why, weighed=True, held_back=held)
    if probability < accepted:
        return Reading(sentence, "doubtful", made, probability, "another reading is nearly as likely", weighed=True)
    return Reading(sentence, "accepted", made, probability, weighed=True)


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
    """Return 1 where the sentence's words give the relation this direction, -1 where they give the other, else 0."""
    kind = instance.types[constraint.type]
    if not has_direction(kind):
        return 0.0
    one, other = str(constraint.args[0]), str(constraint.args[1])
    first = first_argument(kind, sentence, (one, other))
    return 0.0 if first is None else 1.0 if first == one else -1.0
