"""The weights by which a reading is chosen from all that a sentence can have stated: fitted, data of the package.

Each constraint that a sentence can have stated gives features of its own: words, and words in a row, with a letter for
each name, and the words before, between and behind two names, in the order of the arguments. Their weights are those of
a conditional logit over the constraints, one table for each domain (McFadden, 'Conditional Logit Analysis of
Qualitative Choice Behavior', 1974). Whether a sentence commits at all is said by words that no domain has: 'maybe',
'if', 'Bob thinks'; one table has them.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import pairwise
from typing import TYPE_CHECKING

from holdtrue.errors import InputError
from holdtrue.language.direction import has_direction
from holdtrue.language.english_patterns import masked
from holdtrue.language.grounding import stem
from holdtrue.language.masked_text import mask, without_reasons
from holdtrue.language.qualifying_words import IDLE
from holdtrue.world.domain import AttributeName
from holdtrue.world.instance import Constraint, Instance

if TYPE_CHECKING:
    from holdtrue.world.domain import Domain


LONGEST = 60
"""Words of a sentence beyond these are not looked at."""

_WORD = re.compile(r"[A-Z]|[a-z]+(?:'[a-z]+)?|'s\b|[<>=]")
_SAID = re.compile(r"[A-Z]|[a-z]+(?:'[a-z]+)?|[?,:;]")
_MASKED = re.compile("[EXVWNMC]")
_ALIKE = {"E": "E", "X": "E", "V": "V", "W": "V", "N": "N", "M": "N", "C": "C"}
_DENIAL = masked("phrasing.denial")
_LESS = masked("phrasing.less")
_MORE = masked("phrasing.more")


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


PATH = "reading_weights.json"
BIAS = "bias"
"""The name of the constant among the weights of a logistic regression."""
_FURTHEST = 30.0
_MOST = 1.5  # a limit above 1 accepts nothing, as one may want
_FIGURES = ("rejected", "agreed", "settled", "accepted")
# What each table of a choice is called in the file.
_CHOICE = {"by_words": "words alone", "alone": "likelihood alone", "with_view": "with a view"}

Table = Mapping[str, float]
"""Weights by the names of features."""


@dataclass(frozen=True)
class ChoiceWeights:
    """Conditional logits over the constraints that a sentence can have stated.

    Attributes:
        by_words: The weights where no model was asked; None where words alone settle nothing.
        alone: The weights where the constraints were only scored.
        with_view: The weights where the model was also asked what the sentence states.
    """

    by_words: Table | None
    alone: Table
    with_view: Table


@dataclass(frozen=True)
class ReadingWeights:
    """`ReadingWeights` say how a sentence is read, and how surely: fitted for one model.

    Attributes:
        choice: How a constraint is chosen in a domain whose phrasings nobody learned.
        phrased: How one is chosen in a domain of which `phrasings` has a table; None where there is none.
        phrasings: What words say for a constraint (`phrasing_features`), by the fingerprint of a domain: another
            domain may have the same name, and mean something else by the same words.
        commitment_words: What words say for a commitment (`commitment_features`), in every domain.
        committed: A logistic regression of whether a sentence commits to the constraint, with its constant as `bias`.
        rejected: A constraint that is less probably agreed is rejected, and no doubt of it is told.
        agreed: A constraint that is less probably agreed is not accepted, however surely it was chosen.
        settled: A constraint at least so probable is asked no further about.
        accepted: A reading at least so probable is accepted, and a less probable one is doubtful.
        provenance: The data that they were fitted on, and the model that scored them.
    """

    choice: ChoiceWeights
    phrased: ChoiceWeights | None
    phrasings: Mapping[str, Table]
    commitment_words: Table
    committed: Table
    rejected: float
    agreed: float
    settled: float
    accepted: float
    provenance: str

    def choice_in(self, domain: Domain) -> tuple[ChoiceWeights, Table]:
        """Return how a constraint is chosen in a domain, and what its words say, which is nothing where none knows."""
        known = self.phrasings.get(domain.fingerprint)
        return (self.phrased, known) if known and self.phrased is not None else (self.choice, {})

    def agreement(self, features: Mapping[str, float]) -> float:
        """Return the probability that a sentence with these features commits to the constraint."""
        return agreement(self.committed, features)

    def to_json(self) -> dict[str, object]:
        """Return the weights as the package keeps them."""
        return {
            "provenance": self.provenance,
            **{name: getattr(self, name) for name in _FIGURES},
            "choice": _choice_to_json(self.choice),
            **({"choice with phrasings": _choice_to_json(self.phrased)} if self.phrased else {}),
            "committed": dict(self.committed),
            "commitment words": dict(self.commitment_words),
            "phrasings": {domain: dict(table) for domain, table in self.phrasings.items()},
        }


def agreement(committed: Mapping[str, float], features: Mapping[str, float]) -> float:
    """Return the probability that a sentence commits, by the weights of a logistic regression with their `BIAS`."""
    odds = sum(value * committed.get(name, 0.0) for name, value in features.items()) + committed[BIAS]
    return 1 / (1 + math.exp(-max(-_FURTHEST, min(_FURTHEST, odds))))


def _choice_to_json(choice: ChoiceWeights) -> dict[str, dict[str, float]]:
    tables = {own: getattr(choice, name) for name, own in _CHOICE.items()}
    return {own: dict(table) for own, table in tables.items() if table is not None}


def _read_choice(found: Mapping[str, Mapping[str, float]]) -> ChoiceWeights:
    by_words = _table(found[_CHOICE["by_words"]]) if _CHOICE["by_words"] in found else None
    return ChoiceWeights(by_words, _table(found[_CHOICE["alone"]]), _table(found[_CHOICE["with_view"]]))


def _table(found: Mapping[str, float]) -> dict[str, float]:
    return {str(key): _finite(value) for key, value in found.items()}


def _finite(value: float) -> float:
    if not math.isfinite(number := float(value)):
        raise ValueError(f"{value} is no weight")
    return number


def _share(value: float) -> float:
    if not 0 <= (number := float(value)) <= _MOST:
        raise ValueError(f"{value} is no probability")
    return number


def read_reading_weights(text: str) -> ReadingWeights:
    """Return weights that `to_json` gave, as JSON. Raises `InputError` for a text that has none."""
    try:
        found = json.loads(text)
        made = ReadingWeights(
            _read_choice(found["choice"]),
            _read_choice(found["choice with phrasings"]) if "choice with phrasings" in found else None,
            {str(domain): _table(table) for domain, table in found["phrasings"].items()},
            _table(found["commitment words"]),
            _table(found["committed"]),
            **{name: _share(found[name]) for name in _FIGURES},
            provenance=str(found["provenance"]),
        )
    except (AttributeError, KeyError, OverflowError, TypeError, ValueError) as error:
        raise InputError(f"these are no weights of sentences: {error!r:.100}") from error
    if BIAS not in made.committed:
        raise InputError(f"these are no weights of sentences: committed has no {BIAS!r}")
    return made


def choose(weights: Mapping[str, float], candidates: Sequence[Mapping[str, float]]) -> tuple[int, float]:
    """Return the place of the most probable of the candidates, given by their features, and its probability."""
    odds = [sum(value * weights.get(name, 0.0) for name, value in own.items()) for own in candidates]
    highest = max(odds)
    parts = [math.exp(one - highest) for one in odds]
    best = odds.index(highest)
    return best, parts[best] / sum(parts)


@cache
def shipped_reading_weights() -> ReadingWeights:
    """Return the weights that come with the package."""
    return read_reading_weights(files("holdtrue.language").joinpath(PATH).read_text(encoding="utf-8"))
