"""How much of what an answer claims is read from good and bad replies; `pytest -s` prints the figures."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence

import pytest

from holdtrue.language.asking import Asking
from holdtrue.models.scripted import ScriptModel
from holdtrue_claims.kind.prompts.decomposition import decompose
from tests.claims.kind.prompts.decomposed_answers import ANSWERS, DecomposedAnswer


def replies(sample: DecomposedAnswer, kind: str) -> list[Sequence[str]]:
    """What a model of this kind may reply, as lists of claims."""
    places = range(len(sample.claims))
    kinds: dict[str, list[Sequence[str]]] = {
        "faithful": [sample.claims],
        "wordy": [sample.wordy],
        "noisy": [(*sample.claims, invented) for invented in sample.invented],
        "lossy": [[claim for other, claim in enumerate(sample.claims) if other != place] for place in places[:-1]],
        "without its end": [sample.claims[:-1]] if len(sample.claims) > 1 else [],
        "unreadable": [()],
    }
    return kinds[kind]


async def read(sample: DecomposedAnswer, claims: Sequence[str]) -> list[str]:
    reply = json.dumps({"claims": [{"text": text, "type": "logical"} for text in claims]})
    found = await decompose(
        Asking(ScriptModel([reply])), sample.answer, sample.context, sample.question, sample.options
    )
    return [claim.text for claim in found.claims]


def keys(texts: Iterable[str]) -> list[str]:
    """Texts by their words; 'must be' and 'cannot be' are other words, and are told apart here by no one else."""
    plain = (re.sub(r"\W+", " ", text.casefold()).strip() for text in texts)
    return [re.sub(r"\bcannot be\b", "is not", text).replace("must be", "is") for text in plain]


async def measure(kind: str) -> tuple[float, float, int]:
    """Precision, recall, and the number of replies; a claim that is there twice is right once."""
    right = found = gold = count = 0
    for sample in ANSWERS.values():
        for claims in replies(sample, kind):
            texts = keys(await read(sample, claims))
            wanted = set(keys(sample.claims))
            right += len(wanted & set(texts))
            found, gold, count = found + len(texts), gold + len(wanted), count + 1
    return right / found, right / gold, count


# The least that has to be reached. What a reply says in other words becomes a claim in the answer's, too.
# Of what a reply leaves out the whole clause becomes a claim, if it stands alone.
@pytest.mark.parametrize(
    ("kind", "precision", "recall"),
    [
        ("faithful", 1.0, 1.0),
        ("wordy", 0.91, 0.97),
        ("noisy", 0.96, 1.0),
        ("lossy", 0.9, 0.85),
        ("without its end", 0.92, 0.9),
        ("unreadable", 0.85, 0.59),
    ],
)
async def test_precision_and_recall(kind: str, precision: float, recall: float) -> None:
    exact, whole, count = await measure(kind)
    print(f"\n{kind:16} precision {exact:.3f}  recall {whole:.3f}  ({count} replies)", end="")
    assert exact >= precision and whole >= recall


@pytest.mark.parametrize("name", ANSWERS)
async def test_a_faithful_reply_is_taken_as_it_is(name: str) -> None:
    assert await read(ANSWERS[name], ANSWERS[name].claims) == list(ANSWERS[name].claims)
