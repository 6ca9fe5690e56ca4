"""Ask a model how likely a user's sentence is, given each constraint that it may state: a noisy channel.

A small model that is asked what a sentence means takes over the order of its words. Asked the other way round, how
probable the user's own sentence is as another way to say a constraint, it has to account for every word. This is the
noisy channel of Min, Lewis, Hajishirzi and Zettlemoyer, 'Noisy Channel Language Model Prompting for Few-Shot Text
Classification' (ACL 2022), with the sentence forced by a grammar and the probabilities of its tokens summed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from holdtrue.language.prompts import likelihood_request
from holdtrue.models.chat import ChatModel, call
from holdtrue.record import CallRecord
from holdtrue.world.instance import Constraint, Instance

MOST_SCORED = 12
"""With more constraints than this, a sentence is not scored: each of them costs a call."""

LONGEST_SCORED = 300
"""A sentence of more characters is not scored."""


async def score_sentence(
    model: ChatModel, instance: Instance, sentence: str, among: Sequence[Constraint], calls: list[CallRecord]
) -> list[float] | None:
    """Return log P(sentence | constraint) for each of the constraints (natural logarithms), and add the calls.

    None where the model's backend gives no probabilities, cannot be held to a sentence, or the sentence is too long.
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
