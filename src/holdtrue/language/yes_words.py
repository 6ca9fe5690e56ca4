"""Recognize a plain yes: every word of the message says yes or is a courtesy.

The words for this are in `yes_words.txt`, in twelve languages. Any other reply is left to a model and a confirmation.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import cache
from importlib.resources import files
from itertools import pairwise
from typing import Literal
from unicodedata import normalize

from holdtrue.language.slot_values.spelled_numbers import LANGUAGES, Languages

Answer = Literal["yes", "courtesy", "more"]

_WORD, _SIGNS = re.compile(r"[^\W\d_]+(?:['-][^\W\d_]+)*"), re.compile(r"[\s.,;:!\u2013\u2014-]*")
_THUMB = re.compile("[\U0001f44d\U0001f44c\u2705\u2714\U0001f4af][\ufe0f\U0001f3fb-\U0001f3ff]*")
_SMILE = re.compile(
    "[\U0001f642\U0001f60a\U0001f600\U0001f603\U0001f604\U0001f389\U0001f64f\U0001f44f][\ufe0f\U0001f3fb-\U0001f3ff]*"
)
_OBJECTS = "it that this the them those these both all everything".split()
_OTHER_WORDS = {"no": frozenset({"pt"})}
"""Words for 'not' that mean something else in some languages: *no* is 'in the' in Portuguese."""
_MOST_WORDS, _LONGEST = 5, 200


def answer_of(message: str, act: Collection[str] = ()) -> Answer:
    """Return whether a message is a plain yes, only a courtesy, or more than that.

    `act` are words for the act in question, which may stand with a yes: 'yes, refund it' for a refund. A message with a
    question, a quoted yes, two dots, or letters that only look like others is not a plain yes.

    >>> answer_of("Yes, please go ahead!"), answer_of("Thanks."), answer_of("Yes, skip it"), answer_of("Yeah, right")
    ('yes', 'courtesy', 'more', 'more')
    """
    found, words = _kinds(message, act)
    if "yes" not in found or found - {"yes", "courtesy", "act"}:
        return "courtesy" if found == {"courtesy"} else "more"
    # Irony uses the words of a yes: 'yeah, right', 'sure, sure'.
    return "more" if any(one == other or (one, other) == ("yeah", "right") for one, other in pairwise(words)) else "yes"


def says_no(message: str) -> bool:
    """Return whether a message is a plain no: every word says no or is a courtesy."""
    found, _ = _kinds(message, ())
    return "not" in found and found <= {"not", "courtesy"}


def is_yes_or_no(text: str) -> bool:
    """Return whether a text is only a yes or a no."""
    return answer_of(text) == "yes" or says_no(text)


def _kinds(message: str, act: Collection[str]) -> tuple[set[str], list[str]]:
    """Return the kinds of all words of a short message, and the words. If a word is unknown, there are no kinds."""
    if len(message := message.strip()) > 2 * _LONGEST:
        return set(), []
    text = _THUMB.sub(" indeed ", _SMILE.sub(" ", normalize("NFC", message)).replace("\u2019", "'").casefold()).strip()
    words = _WORD.findall(text)
    signs = _WORD.split(text)
    if not words or len(text) > _LONGEST or ".." in text or not all(map(_SIGNS.fullmatch, signs)):
        return set(), words
    return _covered(tuple(words), {*act, *_OBJECTS}), words


def _covered(words: tuple[str, ...], act: Collection[str]) -> set[str]:
    """Return the kinds of the phrases that cover all words, or an empty set. Longer phrases are preferred.

    Each place is visited once, from the last word on.
    """
    known, covers = _known(), {len(words): set[str]()}
    for at in reversed(range(len(words))):
        for size in range(min(_MOST_WORDS, len(words) - at), 0, -1):
            kind = known.get(words[at : at + size]) or ("act" if size == 1 and words[at] in act else None)
            if kind is not None and at + size in covers:
                covers[at] = {kind, *covers[at + size]}
                break
    return covers.get(0, set())


def agrees(text: str) -> bool:
    """Return whether a text has a word for yes."""
    return any(_known().get((own,)) == "yes" for own in _WORD.findall(normalize("NFC", text).casefold()))


def denies(text: str, languages: Languages = LANGUAGES) -> bool:
    """Return whether a text, in one of some languages, has a word for 'not' or 'without'."""
    return not _denials(text, languages).isdisjoint(("not", "without"))


def leaves_out(text: str, languages: Languages = LANGUAGES) -> bool:
    """Return whether a text denies only a part: it says 'without' and not 'not'."""
    return "without" in (found := _denials(text, languages)) and "not" not in found


def _denials(text: str, languages: Languages) -> set[str | None]:
    text = normalize("NFC", text).replace("\u2019", "'").casefold()
    # The `no` of a field's name, as in `match_no`, is a number.
    words = [
        own[0]
        for own in _WORD.finditer(text)
        if "_" not in (text[own.start() - 1 : own.start()], text[own.end() : own.end() + 1])
    ]
    others = {word for word, own in _OTHER_WORDS.items() if languages <= own}
    return {"not" if own.endswith("n't") else _known().get((own,)) for own in words if own not in others}


@cache
def _known() -> dict[tuple[str, ...], str]:
    """Return the kind of every known word and phrase, by its words."""
    found: dict[tuple[str, ...], str] = {}
    kind = ""
    for line in files("holdtrue.language").joinpath("yes_words.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            kind = line.strip("[]")
        elif not line.startswith("#"):
            found[tuple(line.split())] = kind
    return found
