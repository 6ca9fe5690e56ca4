"""Decide whether a text speaks of a given constraint, by its names and by the words in which the domain says it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from holdtrue.language.direction import first_argument, has_direction
from holdtrue.language.english_patterns import NUMBER_WORDS, words
from holdtrue.language.grounding import Mentions, exact_mentions, stem
from holdtrue.language.names import names_of
from holdtrue.world.domain import AttributeName, ValueOf
from holdtrue.world.instance import Constraint, Instance

_WORD = re.compile(r"\w+")
_DUTY = re.compile(r"\s+(?:must|has to|have to|needs? to|should|shall|will)\s+", re.IGNORECASE)
_IRREGULAR = {"be": "is", "have": "has", "do": "does", "go": "goes"}
_CONTRACTED = ((re.compile(r"\bcan(?:'t|not)\b"), "can not"), (re.compile(r"\bwon't\b"), "will not"))
_NEGATIONS = frozenset({"not", "never", "no", "nobody", "none", "nothing", "neither", "nor", "without"})
# Words that do not tell which constraint is meant: 'put Ann on day 3' is worded like 'Ann works on day 3'.
_LIGHT = frozenset(words("wording.light"))


def names(instance: Instance, constraint: Constraint, mentions: Mentions) -> bool:
    """Return whether the constraint has everything that was named: entities, values, attributes and numbers.

    Numbers count where they were certainly meant as numbers. 'Day 2' is not '2 days'.
    """
    attributes = _attributes_of(instance, constraint)
    args = {*constraint.args, *attributes}
    return (
        args.issuperset(mentions.entities)
        and args.issuperset(label for _, label in mentions.values)
        and (not attributes or args.issuperset(mentions.attributes))
        and args.issuperset(mentions.numbers)
        and _counts_alike(instance, constraint, mentions.text)
    )


def fits(instance: Instance, constraint: Constraint, text: str) -> bool:
    """Return whether the text may speak of the constraint: it names nothing else, and does not turn it around."""
    if not names(instance, constraint, exact_mentions(instance, text)):
        return False
    kind = instance.types[constraint.type]
    if not has_direction(kind):
        return True
    one, other = str(constraint.args[0]), str(constraint.args[1])
    return first_argument(kind, text, (one, other)) in (one, None)


def says(instance: Instance, constraint: Constraint, text: str) -> bool:
    """Return whether all meaning words of the text are words in which this domain says the constraint.

    A text that denies is not worded like a sentence that does not, nor the other way round, and in a relation the
    names stand in the order of the wording.
    """
    kind = instance.types[constraint.type]
    words = meaning_words(instance, text)
    directed = has_direction(kind) and set(constraint.args[:2]) <= set(exact_mentions(instance, text).entities)
    # A wording may leave out the attribute that it is about: 'Ann is in the hall' says what her room is.
    of_attributes = " ".join(instance.attributes[name].label for name in _attributes_of(instance, constraint))
    for wording in (kind.sentence, *kind.wordings):
        said = wording.format(*constraint.args)
        same_order = not directed or _order(instance, constraint, said) == _order(instance, constraint, text)
        known = meaning_words(instance, f"{said} {of_attributes}")
        if words <= known and same_order and not (known - words) & _NEGATIONS:
            return True
    return False


def _attributes_of(instance: Instance, constraint: Constraint) -> list[str]:
    """The attributes that the constraint is said of, whether an argument names them or its type does."""
    return [
        argument.attribute_in(constraint.args) if isinstance(argument, ValueOf) else str(arg)
        for arg, argument in zip(constraint.args, instance.types[constraint.type].arguments, strict=True)
        if isinstance(argument, AttributeName | ValueOf)
    ]


def denies(instance: Instance, text: str) -> bool:
    """Return whether the text says that something is not so."""
    return bool(meaning_words(instance, text) & _NEGATIONS)


def meaning_words(instance: Instance, text: str) -> frozenset[str]:
    """The stems of a text's words, without names, numbers, and words that mean nothing by themselves."""
    text = _bare(instance, text).casefold().replace("\u2019", "'")
    for contracted, whole in _CONTRACTED:
        text = contracted.sub(whole, text)
    return frozenset(
        word if word in _NEGATIONS else stem(word)
        for word in _words(text.replace("n't", " not"))
        if word not in _LIGHT and word not in NUMBER_WORDS and not word.isdecimal()
    )


def _bare(instance: Instance, text: str) -> str:
    """The text without what it names."""
    names = names_of(instance)
    for one in reversed(names.find(text, words_too=False)):
        if one.name not in names.attributes:
            text = f"{text[: one.start]} {text[one.end :]}"
    return text


def spellings(text: str) -> Iterator[str]:
    """Yield the text, and the other ways in which domains say a duty in it: 'Ann must work', 'Ann works'."""
    yield text
    if not (duty := _DUTY.search(text)):
        return
    who, (verb, space, rest) = text[: duty.start()], text[duty.end() :].partition(" ")
    yield f"{who} must {verb}{space}{rest}"
    yield f"{who} {_third_person(verb)}{space}{rest}"
    yield f"{who} {'are' if verb.casefold() == 'be' else verb}{space}{rest}"


def _third_person(verb: str) -> str:
    if verb.casefold() in _IRREGULAR:
        return _IRREGULAR[verb.casefold()]
    if re.search(r"(?:s|x|z|ch|sh)$", verb):
        return f"{verb}es"
    return f"{verb[:-1]}ies" if re.search(r"[^aeiou]y$", verb) else f"{verb}s"


def _counts_alike(instance: Instance, constraint: Constraint, text: str) -> bool:
    """Return whether no number of the text stands on another side of its word than it is taught: 'day 2', '2 days'."""
    pairs = _numbered(_bare(instance, text))
    if not pairs:
        return True
    kind = instance.types[constraint.type]
    args = [arg if isinstance(arg, int) else "" for arg in constraint.args]  # the digits of a name count nothing
    said = [_numbered(wording.format(*args)) for wording in (kind.sentence, *kind.wordings)]
    return any(not any(pair[::-1] in known and pair not in known for pair in pairs) for known in said)


def _numbered(text: str) -> set[tuple[str, str]]:
    """Numbers with the words right before and behind them, as pairs in that order."""
    words = [stem(word) for word in _words(text)]
    return {(one, other) for one, other in pairwise(words) if one.isdecimal() != other.isdecimal()}


def _words(text: str) -> list[str]:
    return _WORD.findall(text.casefold())


def _order(instance: Instance, constraint: Constraint, text: str) -> list[str]:
    """The first two arguments as they follow one another in the text."""
    return [name for name in exact_mentions(instance, text).entities if name in constraint.args[:2]]
