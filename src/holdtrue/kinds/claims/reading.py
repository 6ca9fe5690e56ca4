"""A told sentence as a formula in the premises' vocabulary."""

from __future__ import annotations

from holdtrue.kinds.claims.consensus import consensus
from holdtrue.kinds.claims.premises import Premise, Premises
from holdtrue.kinds.claims.prompts.formula import Formalization, formalize
from holdtrue.kinds.claims.settings import FormalSettings
from holdtrue.language.asking import Asking


async def read_once(
    asking: Asking, settings: FormalSettings, premises: Premises, text: str, purpose: str
) -> Formalization:
    """One sentence as a formula: the most likely one, or what most of several samples agree on. Raises `ModelError`."""
    count = settings.context_samples
    if count == 1:
        return await formalize(asking, premises.vocabulary, text, notation=settings.notation, purpose=purpose)
    samples = [
        await formalize(
            asking,
            premises.vocabulary,
            text,
            notation=settings.notation,
            temperature=settings.temperature,
            sample=sample,
            purpose=purpose,
        )
        for sample in range(count)
    ]
    sound = [sample.sentence if sample.sound else None for sample in samples]
    agreed = consensus(sound, premises.things, premises.vocabulary.ranges)
    return samples[agreed.clique[0]] if agreed.accepted else Formalization(samples[0].text, None, samples[0].alerts)


def as_premise(id: str, text: str, source: str, read: Formalization) -> Premise:
    """The premise that was read so; without a sentence where that means nothing in the vocabulary."""
    return Premise(id, text, source, read.sentence if read.sound else None, alerts=read.alerts)
