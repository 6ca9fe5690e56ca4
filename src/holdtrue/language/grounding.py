"""Find the parts of an instance that a sentence mentions: entities, attributes, values and numbers.

A reader that may only use mentioned things cannot invent any. For small models this helps more than any prompt.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from holdtrue.language.english_patterns import NUMBER_WORDS, english, masked, rows, words
from holdtrue.language.names import Named, cached_per_instance, names_of
from holdtrue.logic.sorts import EnumSort
from holdtrue.world.instance import Instance

_ALIKE = rows("grounding.alike")


@lru_cache(maxsize=256)
def _synonyms(label: str) -> re.Pattern[str] | None:
    alike = next((own for own in _ALIKE if re.fullmatch(own, label)), None)
    return None if alike is None else re.compile(rf"\b(?:{alike})\b", re.IGNORECASE)


# These words are often not numbers ("first the demo", "one after the other").
_LOOSE = frozenset({"one", "first", "second", "single", "couple", "pair"})
_NUMBER = re.compile(rf"\b(?:(\d{{1,15}})(?:st|nd|rd|th)?|({'|'.join(NUMBER_WORDS)}))\b", re.IGNORECASE)
# 'Two different slots' and 'the two sides' count named things.
_COUNTS_NAMES = re.compile(r" (?:separate|different|distinct)\b| (?:\w+ )?sides?\b", re.IGNORECASE)
_ARTICLE = english("grounding.article")
_PLAIN_WORD = re.compile(r"[a-z][a-z']*")
_NOUN = re.compile(r" ([a-z]+)\b(?: ([a-z]+)\b)?")
_GROUPS = frozenset({"pair", "couple"})
_MANY_HAVE = frozenset("hand hands thing things way ways".split())
_UNITS = frozenset("slot seat chair place hour day week minute unit block period spot".split())
_FUNCTION_WORDS = frozenset(words("grounding.function_words"))
_NOBODY = re.compile(r"\bno[- ]one\b|\bone of\b", re.IGNORECASE)
_LAST = re.compile(r"\b(?:the|very|its) (?:very )?(?:last|final)\b", re.IGNORECASE)
_RANGE = english("grounding.range")
_SUFFIXES = ("ations", "ation", "ments", "ment", "ings", "ing", "ers", "er", "ed", "es", "s", "e")
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Mentions:
    """`Mentions` are the things that a sentence names, in order of appearance and without repetition.

    `values` are pairs (attribute, label). `numbers` are certain, and `loose` ones ("first", "one") may not be numbers.
    If `last` is true, the sentence has words for a last place. If `range` is true, it may give a range of numbers.
    `text` is the sentence, case-folded.
    """

    entities: tuple[str, ...]
    attributes: tuple[str, ...] = ()
    values: tuple[tuple[str, str], ...] = ()
    numbers: tuple[int, ...] = ()
    loose: tuple[int, ...] = ()
    last: bool = False
    range: bool = False
    text: str = ""


_VERBS = frozenset({"may", "will", "can", "might", "must"})
_BEFORE_A_NAME = english("grounding.before_a_name")
_BEHIND_A_VERB = masked("grounding.behind_a_verb")


@cached_per_instance
def mentions(instance: Instance, sentence: str) -> Mentions:
    """Return the things of the instance that the sentence names.

    Names are found in any case, with possessive and plural endings. A word of the same stem counts as a name that does
    not occur itself: "deployment" for Deploy. The word must fit no other name.
    """
    return _mentions(instance, sentence, by_stem=True)


@cached_per_instance
def exact_mentions(instance: Instance, sentence: str) -> Mentions:
    """Return the things of the instance that the sentence names in full, without guesses by parts or stems."""
    return _mentions(instance, sentence, by_stem=False)


def _mentions(instance: Instance, sentence: str, *, by_stem: bool) -> Mentions:
    names = names_of(instance)
    named_here = names.find(sentence, words_too=by_stem)
    rest = sentence.replace("\u2019", "'")
    for one in named_here:
        if one.name not in names.attributes and not one.name.isdecimal():
            rest = rest[: one.start] + " " * (one.end - one.start) + rest[one.end :]
    found = [one for one in named_here if not _is_verb(sentence, one)]
    places = {one.name: one.start for one in reversed(found)}

    def named(among: Sequence[str]) -> list[str]:
        own = {name: places[name] for name in among if name in places}
        for name, place in _find(rest, [name for name in among if name not in own]) if by_stem else ():
            own.setdefault(name, place)
        return sorted(own, key=lambda name: own[name])

    enumerations = {name: a.sort for name, a in instance.attributes.items() if isinstance(a.sort, EnumSort)}
    by_label = {a.label: name for name, a in instance.attributes.items()}
    labels = named(names.attributes)
    if by_stem and not labels:
        synonyms = ((label, _synonyms(label.casefold())) for label in names.attributes)
        labels = [label for label, pattern in synonyms if pattern is not None and pattern.search(rest)]
    # The digits of a name are a part of it and not a number.
    sure, loose = _numbers(_NOBODY.sub(" ", rest), own_stems(instance))
    return Mentions(
        entities=tuple(named(names.entities)),
        attributes=tuple(by_label[label] for label in labels),
        values=tuple(
            (of, label) for label in named(names.values) for of, s in enumerations.items() if label in s.labels
        ),
        numbers=sure,
        loose=loose,
        last=bool(_LAST.search(rest)),
        range=bool(_RANGE.search(rest)),
        text=sentence.replace("\u2019", "'").casefold(),
    )


def _is_verb(sentence: str, one: Named) -> bool:
    """Return whether a name is only a verb: 'the two months may not be alike', with the month May."""
    written = sentence[one.start : one.end]
    if written not in _VERBS or one.name.islower() or _BEFORE_A_NAME.search(sentence, 0, one.start):
        return False
    return _BEHIND_A_VERB.match(sentence, one.end) is not None


def _find(text: str, names: Sequence[str]) -> Iterator[tuple[str, int]]:
    """Yield the names that occur in the plural, or by a word of the same stem, each with its place."""
    seen: set[str] = set()
    for name in sorted(names, key=len, reverse=True):
        pattern = re.compile(rf"(?<!\w){re.escape(name)}e?s(?!\w)", re.IGNORECASE)
        if found := pattern.search(text):
            seen.add(name)
            yield name, found.start()
            text = pattern.sub(lambda match: " " * len(match.group()), text)
    yield from _find_by_stem(text, [name for name in names if name not in seen])


def _find_by_stem(text: str, names: Iterable[str]) -> Iterator[tuple[str, int]]:
    stems: dict[str, list[str]] = {}
    for name in names:
        for word in _WORD.findall(name):
            stems.setdefault(stem(word), []).append(name)
    for match in _WORD.finditer(text):
        fitting = stems.get(stem(match.group()), [])
        ordinary = match.group() in _FUNCTION_WORDS  # 'and' is no Anders
        if len(fitting) == 1 and len(stem(match.group())) >= 3 and not ordinary:
            yield fitting[0], match.start()


@lru_cache(maxsize=4096)
def stem(word: str) -> str:
    """Return the word without its ending. This is crude, but shows that 'deploying' is about Deploy."""
    word = word.casefold()
    for suffix in _SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= 3:
            root = word[: -len(suffix)]
            return root[:-1] if len(root) > 3 and root[-1] == root[-2] else root
    return word


def places(sentence: str, names: Iterable[str]) -> list[Named]:
    """Return every place at which one of the names occurs in full, in order.

    A name in small letters does not count if the same name occurs with its capital: 'testing it' beside 'Testing'.
    """
    longest_first = sorted(names, key=len, reverse=True)
    by_fold = {name.casefold(): name for name in longest_first}
    either = "|".join(re.escape(name) for name in longest_first)
    found = re.finditer(rf"(?<!\w)({either})(?!\w)", sentence, re.IGNORECASE)
    named = [Named(by_fold[match.group(1).casefold()], *match.span(1)) for match in found]
    exact = {one.name for one in named if sentence[one.start : one.end] == one.name}
    return [one for one in named if one.name not in exact or not is_small(sentence[one.start : one.end], one.name)]


def is_small(written: str, name: str) -> bool:
    """Return whether a name with a capital is written without any."""
    return written.islower() and not name.islower()


@cached_per_instance
def own_stems(instance: Instance) -> frozenset[str]:
    """Return the stems of the words with which the domain describes its constraints."""
    said = [attribute.label for attribute in instance.attributes.values()]
    for kind in instance.types.values():
        said += [kind.sentence, kind.definition, *kind.wordings, *(example.sentence for example in kind.examples)]
        said += [cue.pattern for cue in kind.cues]
    return frozenset(stem(word) for word in _PLAIN_WORD.findall(" ".join(said).casefold()))


@lru_cache(maxsize=1)
def everyday_stems() -> frozenset[str]:
    """Return the stems of words that belong to no domain."""
    return frozenset(stem(word) for word in (*words("everyday.grammar"), *words("everyday.arranging")))


def _counts_other_things(text: str, match: re.Match[str], own: frozenset[str]) -> bool:
    """Return whether a number word counts things that the domain does not count: 'one camera', 'two hands'."""
    found = _NOUN.match(text, match.end())
    if found is None:
        return False
    first, second = found[1], found[2] or ""
    # 'Two empty slots' count slots.
    counted = {first, second, second.removesuffix("s")} & _UNITS or stem(first) in own
    return not counted and (first in _MANY_HAVE or stem(first) not in everyday_stems())


def _numbers(text: str, own: frozenset[str]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    sure: dict[int, None] = {}
    loose: dict[int, None] = {}
    for match in _NUMBER.finditer(text):
        digits, word = match.groups()
        if digits:
            sure[int(digits)] = None
        elif _counts_other_things(text, match, own) or _COUNTS_NAMES.match(text, match.end()):
            continue
        elif word.casefold() in _GROUPS and not re.match(r" of\b", text[match.end() :]):
            continue  # 'they come as a pair'
        elif word.casefold() in _LOOSE:
            loose[NUMBER_WORDS[word.casefold()]] = None
        else:
            sure[NUMBER_WORDS[word.casefold()]] = None
    if _ARTICLE.search(text):
        loose[1] = None
    return tuple(sure), tuple(number for number in loose if number not in sure)
