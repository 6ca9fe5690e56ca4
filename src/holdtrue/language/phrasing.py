"""Score how the words of a sentence speak for a constraint, by phrasings that were learned from labelled sentences.

A model knows many words for a thing and mistakes who comes first; words that were counted in labelled sentences are the
other way round. Each constraint that a sentence can have stated gives features of its own: words, and words in a row,
with a letter for each name, and the words before, between and behind two names, in the order of the arguments. Their
weights are those of a conditional logit over the constraints, one table for each domain (McFadden, 'Conditional Logit
Analysis of Qualitative Choice Behavior', 1974). Whether a sentence commits at all is said by words that no domain has:
'maybe', 'if', 'Bob thinks'; one table has them.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from holdtrue.language.direction import has_direction
from holdtrue.language.grounding import stem
from holdtrue.language.masked_text import mask
from holdtrue.language.qualifying_words import IDLE
from holdtrue.language.reason_clauses import without_reasons
from holdtrue.world.domain import AttributeName
from holdtrue.world.instance import Constraint, Instance

LONGEST = 60
"""Words of a sentence beyond these are not looked at."""

_WORD = re.compile(r"[A-Z]|[a-z]+(?:'[a-z]+)?|'s\b|[<>=]")
_SAID = re.compile(r"[A-Z]|[a-z]+(?:'[a-z]+)?|[?,:;]")
_MASKED = re.compile("[EXVWNMC]")
_ALIKE = {"E": "E", "X": "E", "V": "V", "W": "V", "N": "N", "M": "N", "C": "C"}
_DENIAL = re.compile(
    r".*n't|non(?:adjacent|adjoining|consecutive|overlapping|simultaneous)?|not|never|no|cannot|neither|nor|without"
    r"|nobody|nowhere|apart|away|avoid\w*|separat\w*|anything|anywhere"
)
_LESS = re.compile(
    r"lower|below|under|beneath|less|fewer|smaller|younger|cheaper|shorter|lighter|earlier|sooner|before|preced\w*"
    r"|first|ahead|prior|early|<"
)
_MORE = re.compile(
    r"higher|above|over|more|bigger|larger|older|greater|taller|longer|heavier|later|after|follow\w*|then|behind|last"
    r"|late|dearer|pricier|>"
)


def phrasing_score(weights: Mapping[str, float], features: frozenset[str]) -> float:
    """Return what features say for one row of a choice, as log-odds but for a constant of the choice."""
    # fsum: what is summed comes in another order in every process.
    return math.fsum(weights.get(name, 0.0) for name in features) / math.sqrt(len(features)) if features else 0.0


def phrasing_features(instance: Instance, sentence: str, made: Constraint) -> frozenset[str]:
    """Return the names of the features that the sentence has by this constraint."""
    raw = _words(instance, sentence, made)
    words = [word if word.isupper() or "'" in word else stem(word) for word in raw]
    kind, arguments = made.type, instance.types[made.type].arguments
    denied = any(_DENIAL.fullmatch(word) for word in raw)
    found = {kind, f"{kind} {'#denied' if denied else '#plain'}"}
    framed = ["^", *words, "$"]
    found |= {f"{kind} {word}" for word in words}
    found |= {f"{kind} {run}" for run in _runs(framed)}
    # 'Their animals differ' is about the pet, which it does not name.
    named = [str(arg) for of, arg in zip(arguments, made.args, strict=True) if isinstance(of, AttributeName)]
    found |= {f"= {name} {word}" for name in named for word in words if not word.isupper()}
    return frozenset(found | set(_around(kind, raw, words, denied)))


def commitment_features(instance: Instance, sentence: str, made: Constraint) -> frozenset[str]:
    """Return the names of the features by which a sentence commits or does not: they are of no domain and no type."""
    masked = mask(instance, sentence, [made])
    text = _MASKED.sub(lambda match: f" {_ALIKE[match.group()]} ", masked.text)
    framed = ["^", *_SAID.findall(text)[:LONGEST], "$"]
    return frozenset({*framed, *_runs(framed)})


def _runs(words: Sequence[str]) -> Iterator[str]:
    """Yield two words in a row, and two with any one between them."""
    yield from (f"{one} {two}" for one, two in pairwise(words))
    yield from (f"{one} _ {three}" for one, three in zip(words, words[2:], strict=False))


def _words(instance: Instance, sentence: str, made: Constraint) -> list[str]:
    """Return the words in small letters, with A and B for the entities of a relation that has a first and a second."""
    masked = mask(instance, sentence, [made])
    ordered = has_direction(instance.types[made.type])
    originals = iter(masked.masked)

    def letter(match: re.Match[str]) -> str:
        original = next(originals, "")
        if match.group() == "E" and ordered:
            return " A " if _is_first(original, str(made.args[0]), str(made.args[1])) else " B "
        return f" {match.group()} "

    # Courtesies and reasons choose nothing; names in them stay, as each letter stands for the next original.
    text = IDLE.sub(lambda found: re.sub("[^A-Z]", " ", found.group()), masked.text.replace("\u2192", " > "))
    return _WORD.findall(_MASKED.sub(letter, without_reasons(text)))[:LONGEST]


def _is_first(written: str, first: str, second: str) -> bool:
    """Return whether what is written means the first of two names: 'Team 1's' is no Team 10, nor 'review' a Demo."""
    plain = re.sub(r"(?:'s|s'|'|es|s)?$", "", written.casefold(), count=1)
    for whole in (written.casefold(), plain):
        if whole in (first.casefold(), second.casefold()):
            return whole == first.casefold()
    stems = {stem(word) for word in re.findall(r"\w+", written)}
    shared = [len(stems & {stem(word) for word in re.findall(r"\w+", name)}) for name in (first, second)]
    return shared[0] > shared[1]


def _around(kind: str, raw: Sequence[str], words: Sequence[str], denied: bool) -> Iterator[str]:
    """Yield the words before, between and behind the first two names."""
    named = [place for place, word in enumerate(words) if word in ("A", "B", "E")]
    if len(named) < 2:
        return
    first, second = named[:2]
    order = words[first] + words[second]
    yield f"{kind} {order}"
    for where, start, end in (("<", 0, first), ("|", first + 1, second), (">", second + 1, len(words))):
        for word in words[start:end]:
            yield f"{kind} {order} {where} {word}"
            if where != ">":
                yield f"{order} {where} {word}"
        signs = "denied " if denied else ""
        for sign, pattern in (("less", _LESS), ("more", _MORE)):
            if any(pattern.fullmatch(word) for word in raw[start:end]):
                yield f"{kind} {order} {where} #{sign}"
                yield f"{order} {where} {signs}#{sign}"
