"""The round trip of a formula: translate it back to words and compare them with its sentence (VERGE, section 3.3)."""

from __future__ import annotations

import re
from collections import Counter

from holdtrue.language.asking import Asking
from holdtrue.language.replies import reply_object
from holdtrue.models.chat import user
from holdtrue.world.answer_shape import object_schema
from holdtrue.world.lenient_json import strip_thinking
from holdtrue_claims.fol.vocabulary import Vocabulary
from holdtrue_claims.kind.prompts.content_words import value_word, word_set, word_stem
from holdtrue_claims.kind.prompts.formalization import examples_for
from holdtrue_claims.kind.prompts.logic_text import example_json, headed, taught, vocabulary_text
from holdtrue_claims.values.text_values import read_values

_SYSTEM = (
    "You say a formula of first-order logic as one English sentence, in the words of the vocabulary's meanings. Say "
    "all that it says and nothing else. forall x: everyone, all, if someone. exists x: some. xor: either ... or ..., "
    "but not both. Return only JSON."
)
_SHOWN = 5
"""The number of examples of each kind: reading a formula is easier than writing one."""
_SCHEMA = object_schema({"sentence": {"type": "string"}})


async def back_translate(asking: Asking, vocabulary: Vocabulary, formula: str) -> str:
    """Ask the model for the meaning of a formula, and return its sentence. Raises `ModelError`."""
    trials = (
        (f"{heading}Formula: {written}", example_json({"sentence": text}))
        for own, pairs in examples_for(vocabulary)
        for heading, (text, written) in headed(vocabulary_text(own), pairs[:_SHOWN])
    )
    asked = user(f"A new vocabulary:\n{vocabulary_text(vocabulary)}\n\nFormula: {formula}")
    messages = [*taught(_SYSTEM, trials), asked]
    reply = await asking.ask("retell", messages, _SCHEMA, max_tokens=160, frame=len(messages) - 1)
    sentence = reply_object(reply, "sentence").get("sentence")
    return " ".join((sentence if isinstance(sentence, str) else strip_thinking(reply)).split())


def similarity(one: str, other: str) -> float:
    """Return the share of common words of two sentences, in 0..1 (the Dice coefficient of their stems).

    The order of words does not matter. Function words and `all` do not count; `or` and `some` do. If one sentence has a
    negation and the other has none, the share is halved.
    """
    # Common values are compared in one spelling.
    written, alike = {value_word(own.value): own.text for own in read_values(other).values}, one
    for own in reversed(read_values(one).values):
        alike = f"{alike[: own.start]}{written.get(value_word(own.value), own.text)}{alike[own.end :]}"
    mine, yours = _words(alike), _words(other)
    total = sum(mine.values()) + sum(yours.values())
    shared = 2 * sum((mine & yours).values()) / total if total else 1.0
    fewer, more = sorted((_negations(one), _negations(other)))
    return shared * (1 + fewer) / (1 + more)


_JOINT = re.compile(r"(?<=[a-z])(?=[A-Z])")
"""The joint of two words in a name: a translation may write Parcel C as ParcelC."""
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_NEGATIVE = re.compile(
    r"\b(?:not|no(?!\. ?\d)|never|none|nobody|nothing|neither|nor|without|cannot|no-one)\b|n['’]t\b", re.IGNORECASE
)
_UNSAID = word_set(
    "a an the this that these those it its he she they them him her his their theirs who whom whose which what",
    "there be is are was were been being am do does did has have had will would shall should can could may might",
    "must of in on at to from by for with as than then if when whenever while so and but also too both only just",
    "all every each any everyone everybody everything anyone anybody anything someone somebody something one ones",
    "person people thing things case true either not no never none nobody nothing neither nor without cannot",
)
_SAME = {
    **dict.fromkeys(("some", "exists", "exist", "least"), "some"),
    **{
        word: str(number)
        for number, words in enumerate(
            ("one first", "two second", "three third", "four fourth", "five fifth", "six sixth", "seven seventh"), 1
        )
        for word in words.split()
    },
}


def _words(text: str) -> Counter[str]:
    found = (re.sub("['’]s$", "", word.casefold()) for word in _WORD.findall(_JOINT.sub(" ", text)))
    # Words that still have an apostrophe are auxiliary verbs: doesn't, they'll.
    plain = (word for word in found if word.isalnum() and word not in _UNSAID)
    return Counter({word_stem(_SAME.get(word, word)) for word in plain})


def _negations(text: str) -> int:
    return len(_NEGATIVE.findall(text))
