"""Spell names and values in a message as the instance spells them, before anything is read.

Names may come without accents, with one typing error, or cut short; values are those of `value_spelling`, and limits
those of `strict_limits`.

Accents are certain. All else is a guess, for Marina may be somebody else than Martina: one typing error in a name, and
a nickname that begins exactly one name.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from holdtrue.language.instance_cache import cached_per_instance
from holdtrue.language.names import names_of, without_accents
from holdtrue.language.strict_limits import count_on
from holdtrue.language.text_edits import with_edits
from holdtrue.language.unexplained_words import is_familiar
from holdtrue.language.value_spelling import respell_values
from holdtrue.world.instance import Instance

_TOKEN = re.compile(r"[^\W\d_]+(?:['\u2019-][^\W\d_]{2,})*")
_LEAST_LETTERS = 4
_LEAST_PREFIX = 3
_MOST_TOKENS = 400  # whoever writes more at once gets no respelling, so that long texts stay quick
_PLAIN = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "ð": "d"})


_WITHOUT = re.compile(r"(?<!\w)w/o(?!\w)")


@dataclass(frozen=True, slots=True)
class Respelled:
    """A message with its names as the instance spells them; `guessed` tells for a name the words that may mean it."""

    text: str
    guessed: Mapping[str, str]


def respell(instance: Instance, message: str, *, guess: bool = True) -> Respelled:
    """Return the message with names in the spelling of the instance; words that are names already stay as they are.

    Without `guess` only accents are added. Values are spelled as the instance spells them, limits are counted on, and
    'w/o' is 'without'.
    """
    message = _WITHOUT.sub("without", message)
    message = count_on(instance, respell_values(instance, message))
    names = names_of(instance)
    known = [(one.start, one.end) for one in names.find(message)]
    tokens = [one for one in _TOKEN.finditer(message) if not _inside(one.span(), known)]
    if len(tokens) > _MOST_TOKENS:
        return Respelled(message, {})
    spans: list[tuple[int, int, str]] = []
    guessed: dict[str, str] = {}
    at = 0
    while at < len(tokens):
        found = _name_at(instance, message, tokens, at, guess=guess)
        if found is None:
            at += 1
            continue
        name, last, sure = found
        start, end = tokens[at].start(), tokens[last].end()
        spans.append((start, end, name))
        if not sure:
            guessed[name] = message[start:end]
        at = last + 1
    return Respelled(with_edits(message, spans), guessed)


def _inside(span: tuple[int, int], known: Sequence[tuple[int, int]]) -> bool:
    return any(start < span[1] and span[0] < end for start, end in known)


def _name_at(
    instance: Instance, message: str, tokens: Sequence[re.Match[str]], at: int, *, guess: bool
) -> tuple[str, int, bool] | None:
    """Return the name that begins at a token, the last token of it, and whether that is certain; None for none."""
    flat = _flat_names(instance)
    longest = max((len(words) for words in flat), default=1)
    for length in range(min(longest, len(tokens) - at), 0, -1):
        last = at + length - 1
        words = tuple(_flat(one.group()) for one in tokens[at : last + 1])
        if any(message[a.end() : b.start()].strip() for a, b in pairwise(tokens[at : last + 1])):
            continue
        if (name := flat.get(words)) is not None:
            written = " ".join(message[tokens[at].start() : tokens[last].end()].split())
            # What differs in capitals alone was no name here.
            return (name, last, True) if written.casefold() != name.casefold() else None
        if not guess or all(is_familiar(word) for word in words):
            continue
        said = " ".join(words)
        near = [one for own, one in flat.items() if len(own) == length and _is_slip(said, " ".join(own))]
        if len(near) == 1:
            return near[0], last, False
        if length == 1 and (name := _of_nickname(flat, words[0], tokens[at].group(), message)) is not None:
            return name, last, False
    return None


def _of_nickname(flat: Mapping[tuple[str, ...], str], word: str, written: str, message: str) -> str | None:
    """Return the only name that a nickname begins: 'Olu' for Olumide."""
    if len(word) < _LEAST_PREFIX or not (written[0].isupper() or message.islower()):
        return None
    longer = [name for own, name in flat.items() if own[0].startswith(word) and len(own[0]) - len(word) >= 2]
    return longer[0] if len(longer) == 1 else None


@cached_per_instance
def _flat_names(instance: Instance) -> Mapping[tuple[str, ...], str]:
    """The names of entities and values by their words, flattened; none of those that two names share."""
    names = names_of(instance)
    found: dict[tuple[str, ...], str] = {}
    shared: set[tuple[str, ...]] = set()
    for name in dict.fromkeys((*names.entities, *names.values)):
        words = tuple(_flat(one.group()) for one in _TOKEN.finditer(name))
        if not words or " ".join(words) != _flat(" ".join(name.split())):
            continue  # digits and signs are no spelling
        shared |= {words} if words in found else set()
        found[words] = name
    return {words: name for words, name in found.items() if words not in shared}


def _flat(word: str) -> str:
    """Return a word in small letters without accents."""
    return without_accents(word.casefold()).translate(_PLAIN)


def _is_slip(said: str, name: str) -> bool:
    """Return whether one typing error lies between two words: a letter more, less, other, or two that changed places.

    The first letter is right, and a plural or a name that goes on behind another is no error: 'Anna' is not Ann.
    """
    if len(name) < _LEAST_LETTERS or said[0] != name[0]:
        return False
    if said.startswith(name) or name.startswith(said) or abs(len(said) - len(name)) > 1:
        return False
    start = next((i for i, (a, b) in enumerate(zip(said, name, strict=False)) if a != b), min(len(said), len(name)))
    mine, theirs = said[start:], name[start:]
    swapped = mine[:2] == theirs[1::-1] and mine[2:] == theirs[2:] and len(mine) > 1 and len(theirs) > 1
    return swapped or mine[1:] == theirs[1:] or mine[1:] == theirs or mine == theirs[1:]
