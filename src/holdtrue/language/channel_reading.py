"""Choose the constraint that a sentence states, by its words or by likelihoods, with a calibrated probability.

A small model that is asked for the meaning of a sentence copies the order of its words. Here it is asked the other way
round: how probable is the user's sentence as another way to say a constraint? The model then has to account for every
word. This is the noisy channel of Min, Lewis, Hajishirzi and Zettlemoyer, 'Noisy Channel Language Model Prompting for
Few-Shot Text Classification' (ACL 2022). A grammar forces the model to write the sentence, and the log probabilities of
its tokens are summed.

A sentence *commits* to a constraint if it demands the constraint, and does not only suppose, report or hope for it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace

from holdtrue.language.direction import first_argument, first_on_scale, has_direction
from holdtrue.language.implied_words import count_strange, tells_something
from holdtrue.language.prompts import likelihood_request
from holdtrue.language.reading import Reading
from holdtrue.language.reading_weights import (
    ReadingWeights,
    agreement,
    choose,
    commitment_features,
    phrasing_features,
    phrasing_score,
)
from holdtrue.language.residual_content import (
    ASIDES,
    DOUBTFUL_AT_MOST,
    REMARKS,
    Leftover,
    tell_left,
    why_left,
    words_not_carried,
)
from holdtrue.models.chat import ChatModel, call
from holdtrue.record import CallRecord
from holdtrue.world.instance import Constraint, Instance

MOST_SCORED = 12
"""The largest number of constraints that are scored, because each of them costs a call."""

LONGEST_SCORED = 300
"""The largest number of characters of a sentence that is scored."""


async def score_sentence(
    model: ChatModel, instance: Instance, sentence: str, among: Sequence[Constraint], calls: list[CallRecord]
) -> list[float] | None:
    """Return log P(sentence | constraint) for each constraint (natural logarithms), and add the calls to `calls`.

    The result is None if the backend gives no probabilities or the sentence is too long. It is also None for a single
    constraint and for more than `MOST_SCORED`.
    """
    if len(sentence) > LONGEST_SCORED or not 1 < len(among) <= MOST_SCORED:
        return None
    scores: list[float] = []
    for constraint in among:
        reply, record = await call(model, likelihood_request(instance, sentence, constraint))
        calls.append(record if reply.logprob is not None else replace(record, note="it gave no probabilities"))
        if reply.logprob is None:
            return None
        scores.append(reply.logprob)
    return scores


WORDS = "words"
"""The name of the feature for a commitment that is computed from all words."""

_MOST_STRANGE = 4
_UNRELATED = 0.9
"""The least probability of a commitment at which a sentence without any relating word is accepted."""

View = Callable[[], Awaitable[tuple[Constraint, ...]]]
"""A function that asks the model for the meaning of the sentence, and returns its answer."""


async def read_by_likelihood(
    model: ChatModel,
    instance: Instance,
    sentence: str,
    among: Sequence[Constraint],
    view: View,
    calls: list[CallRecord],
    weights: ReadingWeights,
) -> Reading | None:
    """Return the reading with the most probable constraint and its probability; None if the model cannot score.

    Words choose the constraint if they leave no doubt. Otherwise the model scores all constraints, and is asked for its
    view only if the scores leave a doubt. The words also give the probability that the sentence commits to the
    constraint.
    """
    left = [words_not_carried(instance, sentence, made) for made in among]
    chosen = await _choose(model, instance, sentence, among, left, view, calls, weights)
    if chosen is None:
        return None
    best, choice = chosen
    made, counted = instance.canonical(among[best]), _counted(left[best])
    signs = commitment_signs(instance, sentence, made, counted, weights.commitment_words, has_choice=len(among) > 1)
    agreed = agreement(weights.committed, signs)
    probability, held = choice * agreed, any(one.holds_back for one in counted)
    # No probability outweighs a denial, an 'if' or a report that the constraint leaves out. Of 165 sentences with such
    # certain words, 35 committed.
    if any(one.kind == "negation" or (one.holds_back and one.certain) for one in counted):
        agreed, probability = min(agreed, DOUBTFUL_AT_MOST), min(probability, DOUBTFUL_AT_MOST)
    # 'Nora loves Omar's cooking' has no word with which the domain relates two entities. Few commitments have none.
    least = weights.agreed if tells_something(instance, sentence) else max(weights.agreed, _UNRELATED)
    if probability >= weights.accepted and agreed >= least:
        return Reading(sentence, "accepted", made, probability, weighed=True)
    why = f'{tell_left(counted)}, which "{instance.sentence(made)}" does not say' if counted else ""
    code = why_left(counted) if counted else None
    unsure = f'it does not say for certain that "{instance.sentence(made)}"'
    if agreed < weights.rejected:
        return Reading(sentence, "rejected", None, 0.0, why or unsure, weighed=True, held_back=held, why=code)
    if choice < agreed:
        why, code = "another reading is nearly as likely", None
    return Reading(sentence, "doubtful", made, probability, why or unsure, weighed=True, held_back=held, why=code)


def weighed_words(instance: Instance, sentence: str, made: Constraint) -> list[Leftover]:
    """Return the words of the sentence that count for or against a commitment to the constraint."""
    return _counted(words_not_carried(instance, sentence, made))


def _counted(left: Sequence[Leftover]) -> list[Leftover]:
    # The likelihood already counts unexplained words.
    return [one for one in left if one.kind != "unexplained"]


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
    """Return the place and the probability of the constraint that the sentence most probably states."""
    if len(among) == 1:
        return 0, 1.0
    choice, phrasings = weights.choice_in(instance.domain)
    found = [choice_features(instance, sentence, *each, phrasings) for each in zip(among, left, strict=True)]
    if choice.by_words is not None:
        best, probability = choose(choice.by_words, found)
        if probability >= weights.settled:
            return best, probability
    scores = await score_sentence(model, instance, sentence, among, calls)
    if scores is None:
        return None
    scored = [{**own, "likelihood": value} for own, value in zip(found, scores, strict=True)]
    best, probability = choose(choice.alone, scored)
    if probability < weights.settled:
        viewed = await view()
        seen = [float(instance.canonical(made) in viewed) for made in among]
        both = [{**own, "view": value} for own, value in zip(scored, seen, strict=True)]
        best, probability = choose(choice.with_view, both)
    return best, probability


def commitment_signs(
    instance: Instance,
    sentence: str,
    made: Constraint,
    left: Sequence[Leftover],
    words: Mapping[str, float],
    *,
    has_choice: bool,
) -> dict[str, float]:
    """Return the features for and against a commitment: all words together, and the kinds of words left out.

    `left` are the words that the constraint leaves out (`weighed_words`). `words` has the weights of words for a
    commitment. `has_choice` says whether the sentence may state another constraint.
    """
    opening = [one for one in left if one.holds_back]
    return {
        WORDS: phrasing_score(words, commitment_features(instance, sentence, made)),
        "words left": float(bool(left)),
        "no choice": float(not has_choice),
        "no relation": float(not tells_something(instance, sentence)),
        "strange words": float(min(_MOST_STRANGE, count_strange(instance, sentence, made))),
        "open words": float(len(opening)),
        "surely open": float(any(one.certain for one in opening)),
        "denial": float(any(one.kind == "negation" and not one.certain for one in left)),
        "sure denial": float(any(one.kind == "negation" and one.certain for one in left)),
        "limit": float(any(one.kind == "comparison" for one in left)),
        "name": float(any(one.kind == "name" for one in left)),
        **{kind: float(any(one.kind == kind for one in left)) for kind in sorted(ASIDES | REMARKS)},
    }


def choice_features(
    instance: Instance, sentence: str, made: Constraint, left: Sequence[Leftover], phrasings: Mapping[str, float]
) -> dict[str, float]:
    """Return the features of one constraint that need no model: phrasings, cues of a direction, and words left out."""
    return {
        "phrasing": phrasing_score(phrasings, phrasing_features(instance, sentence, made)) if phrasings else 0.0,
        "cue": _cue(instance, sentence, made),
        "words left": float(sum(1 + one.certain for one in left)),
    }


def _cue(instance: Instance, sentence: str, constraint: Constraint) -> float:
    """Return 1 if the sentence's words give this direction or number, -1 if they give another, and 0 if none."""
    kind = instance.types[constraint.type]
    if not has_direction(kind):
        # 'Must not overlap' gives the number of free slots, and so the type.
        text = sentence.casefold()
        return float(any(words in text and number in constraint.args for words, number in kind.number_words))
    one, other = str(constraint.args[0]), str(constraint.args[1])
    first = first_on_scale(instance, sentence, constraint) or first_argument(kind, sentence, (one, other))
    return 0.0 if first is None else 1.0 if first == one else -1.0
