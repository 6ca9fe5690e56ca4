"""Load the fitted weights that choose a reading among all constraints that a sentence may state.

Each constraint gives the sentence features: words and runs of words, with a letter for each name. Further features are
the words around two names, in the order of the arguments. The weights are those of a conditional logit over the
constraints, one table for each domain. See McFadden, 'Conditional Logit Analysis of Qualitative Choice Behavior', 1974.

Words of no domain, such as 'maybe', 'if' and 'Bob thinks', decide whether a sentence commits at all. One table serves
all domains for this.
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
from holdtrue.language.masked_text import LETTER, mask, without_reasons
from holdtrue.language.qualifying_words import IDLE
from holdtrue.world.domain import AttributeName
from holdtrue.world.instance import Constraint, Instance

if TYPE_CHECKING:
    from holdtrue.world.domain import Domain


LONGEST = 60
"""Only this many words of a sentence are used."""

_WORD = re.compile(r"[A-Z]|[a-z]+(?:'[a-z]+)?|'s\b|[<>=]")
_SAID = re.compile(r"[A-Z]|[a-z]+(?:'[a-z]+)?|[?,:;]")
_ALIKE = {"E": "E", "X": "E", "V": "V", "W": "V", "N": "N", "M": "N"}
_DENIAL = masked("phrasing.denial")
_LESS = masked("phrasing.less")
_MORE = masked("phrasing.more")


def phrasing_score(weights: Mapping[str, float], features: frozenset[str]) -> float:
    """Return the score of the features for one constraint: log-odds up to a constant of the choice."""
    # fsum, because the order of a set differs between processes.
    return math.fsum(weights.get(name, 0.0) for name in features) / math.sqrt(len(features)) if features else 0.0


def phrasing_features(instance: Instance, sentence: str, made: Constraint) -> frozenset[str]:
    """Return the names of the features of a sentence under this constraint."""
    raw = _words(instance, sentence, made)
    words = [word if word.isupper() or "'" in word else stem(word) for word in raw]
    kind, arguments = made.type, instance.types[made.type].arguments
    denied = any(_DENIAL.fullmatch(word) for word in raw)
    found = {kind, f"{kind} {'#denied' if denied else '#plain'}"}
    framed = ["^", *words, "$"]
    found |= {f"{kind} {word}" for word in words}
    found |= {f"{kind} {run}" for run in _runs(framed)}
    # 'Their animals differ' is about the attribute pet without its name.
    named = [str(arg) for of, arg in zip(arguments, made.args, strict=True) if isinstance(of, AttributeName)]
    found |= {f"= {name} {word}" for name in named for word in words if not word.isupper()}
    return frozenset(found | set(_around(kind, raw, words, denied)))


def commitment_features(instance: Instance, sentence: str, made: Constraint) -> frozenset[str]:
    """Return the names of the features for a commitment, which depend on no domain and no type."""
    masked = mask(instance, sentence, [made])
    text = LETTER.sub(lambda match: f" {_ALIKE[match.group()]} ", masked.text)
    framed = ["^", *_SAID.findall(text)[:LONGEST], "$"]
    return frozenset({*framed, *_runs(framed)})


def _runs(words: Sequence[str]) -> Iterator[str]:
    yield from (f"{one} {two}" for one, two in pairwise(words))
    yield from (f"{one} _ {three}" for one, three in zip(words, words[2:], strict=False))


def _words(instance: Instance, sentence: str, made: Constraint) -> list[str]:
    """Return the words in small letters, with A and B for the two entities of a directed relation."""
    masked = mask(instance, sentence, [made])
    ordered = has_direction(instance.types[made.type])
    originals = iter(masked.masked)

    def letter(match: re.Match[str]) -> str:
        original = next(originals, "")
        if match.group() == "E" and ordered:
            return " A " if _is_first(original, str(made.args[0]), str(made.args[1])) else " B "
        return f" {match.group()} "

    # Courtesies and reasons do not matter. The letters for names in them stay, because each letter takes the next
    # original word.
    text = IDLE.sub(lambda found: re.sub("[^A-Z]", " ", found.group()), masked.text.replace("\u2192", " > "))
    return _WORD.findall(LETTER.sub(letter, without_reasons(text)))[:LONGEST]


def _is_first(written: str, first: str, second: str) -> bool:
    """Return whether a written form means the first of two names: 'Team 1's' is not Team 10."""
    plain = re.sub(r"(?:'s|s'|'|es|s)?$", "", written.casefold(), count=1)
    for whole in (written.casefold(), plain):
        if whole in (first.casefold(), second.casefold()):
            return whole == first.casefold()
    stems = {stem(word) for word in re.findall(r"\w+", written)}
    shared = [len(stems & {stem(word) for word in re.findall(r"\w+", name)}) for name in (first, second)]
    return shared[0] > shared[1]


def _around(kind: str, raw: Sequence[str], words: Sequence[str], denied: bool) -> Iterator[str]:
    """Yield the features of the words before, between and behind the first two names."""
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
"""The name of the constant term of a logistic regression."""
_FURTHEST = 30.0
_MOST = 1.5  # a limit above 1 accepts nothing
_FIGURES = ("rejected", "agreed", "settled", "accepted")
# The names of the tables of a choice in the file.
_CHOICE = {"by_words": "words alone", "alone": "likelihood alone", "with_view": "with a view"}

Table = Mapping[str, float]
"""Weights by the names of features."""


@dataclass(frozen=True)
class ChoiceWeights:
    """Weights of conditional logits over the constraints that a sentence may state.

    Attributes:
        by_words: The weights without a model; None if words alone settle nothing.
        alone: The weights if the model only scored the constraints.
        with_view: The weights if the model was also asked for its view of the sentence.
    """

    by_words: Table | None
    alone: Table
    with_view: Table


@dataclass(frozen=True)
class ReadingWeights:
    """`ReadingWeights` define how a sentence is read and how certain that is. They are fitted for one model.

    Attributes:
        choice: The choice of a constraint in a domain without learned phrasings.
        phrased: The choice in a domain with a table in `phrasings`; None if there is none.
        phrasings: The weights of words for a constraint (`phrasing_features`), by the fingerprint of the domain. A
            domain with the same name may use the same words in another meaning.
        commitment_words: The weights of words for a commitment (`commitment_features`), for every domain.
        committed: A logistic regression of whether a sentence commits to the constraint, with `bias` as its constant.
        rejected: Below this probability of a commitment, a constraint is rejected without a question.
        agreed: Below this probability of a commitment, a constraint is not accepted.
        settled: From this probability of a constraint on, the model is not asked further.
        accepted: From this probability on, a reading is accepted; below, it is doubtful.
        provenance: The data of the fit and the model that scored them.
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
        """Return the choice weights of a domain and its table of words, which is empty for an unknown domain."""
        known = self.phrasings.get(domain.fingerprint)
        return (self.phrased, known) if known and self.phrased is not None else (self.choice, {})

    def to_json(self) -> dict[str, object]:
        """Return the weights in the form of the package's file."""
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
    """Return the probability of a commitment, by the weights of a logistic regression with their `BIAS`."""
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
    """Return weights from the JSON of `to_json`. Raises `InputError` for any other text."""
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
    """Return the place of the most probable candidate, given by its features, and its probability."""
    odds = [sum(value * weights.get(name, 0.0) for name, value in own.items()) for own in candidates]
    highest = max(odds)
    parts = [math.exp(one - highest) for one in odds]
    best = odds.index(highest)
    return best, parts[best] / sum(parts)


@cache
def shipped_reading_weights() -> ReadingWeights:
    """Return the weights that come with the package."""
    return read_reading_weights(files("holdtrue.language").joinpath(PATH).read_text(encoding="utf-8"))
