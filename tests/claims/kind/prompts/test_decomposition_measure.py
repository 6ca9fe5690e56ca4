"""Measure how many claims of an answer are read from good and bad replies."""

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
    """Return the replies of one kind of model, each as a list of claims."""
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
    """Return texts without punctuation and capitals, with 'must be' as 'is' and 'cannot be' as 'is not'."""
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


# These are the least accepted figures. If a claim has other words than its clause, the clause becomes a claim, too. A
# clause that the reply leaves out becomes a claim, if it is a sentence of its own.
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
