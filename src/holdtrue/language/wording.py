"""Decide whether a text is about a given constraint, by names and by the domain's words."""

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
# Words that do not distinguish constraints: 'put Ann on day 3' is worded like 'Ann works on day 3'.
_LIGHT = frozenset(words("wording.light"))


def names(instance: Instance, constraint: Constraint, mentions: Mentions) -> bool:
    """Return whether the constraint has everything that was named: entities, values, attributes and numbers.

    Only certain numbers count. 'Day 2' is not '2 days'.
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
    """Return whether the text may be about the constraint: it names nothing else and does not reverse the direction."""
    if not names(instance, constraint, exact_mentions(instance, text)):
        return False
    kind = instance.types[constraint.type]
    if not has_direction(kind):
        return True
    one, other = str(constraint.args[0]), str(constraint.args[1])
    return first_argument(kind, text, (one, other)) in (one, None)


def says(instance: Instance, constraint: Constraint, text: str) -> bool:
    """Return whether all meaning words of the text occur in one wording of the constraint.

    Either both deny or neither does. In a relation the names must also have the order of the wording.
    """
    kind = instance.types[constraint.type]
    words = meaning_words(instance, text)
    directed = has_direction(kind) and set(constraint.args[:2]) <= set(exact_mentions(instance, text).entities)
    # A wording may leave out its attribute: 'Ann is in the hall' gives her room.
    of_attributes = " ".join(instance.attributes[name].label for name in _attributes_of(instance, constraint))
    for wording in (kind.sentence, *kind.wordings):
        said = wording.format(*constraint.args)
        same_order = not directed or _order(instance, constraint, said) == _order(instance, constraint, text)
        known = meaning_words(instance, f"{said} {of_attributes}")
        if words <= known and same_order and not (known - words) & _NEGATIONS:
            return True
    return False


def _attributes_of(instance: Instance, constraint: Constraint) -> list[str]:
    return [
        argument.attribute_in(constraint.args) if isinstance(argument, ValueOf) else str(arg)
        for arg, argument in zip(constraint.args, instance.types[constraint.type].arguments, strict=True)
        if isinstance(argument, AttributeName | ValueOf)
    ]


def denies(instance: Instance, text: str) -> bool:
    return bool(meaning_words(instance, text) & _NEGATIONS)


def meaning_words(instance: Instance, text: str) -> frozenset[str]:
    """Return the stems of a text's words, without names, numbers, and words that may stand in any constraint."""
    text = _bare(instance, text).casefold().replace("\u2019", "'")
    for contracted, whole in _CONTRACTED:
        text = contracted.sub(whole, text)
    return frozenset(
        word if word in _NEGATIONS else stem(word)
        for word in _words(text.replace("n't", " not"))
        if word not in _LIGHT and word not in NUMBER_WORDS and not word.isdecimal()
    )


def _bare(instance: Instance, text: str) -> str:
    names = names_of(instance)
    for one in reversed(names.find(text, words_too=False)):
        if one.name not in names.attributes:
            text = f"{text[: one.start]} {text[one.end :]}"
    return text


def spellings(text: str) -> Iterator[str]:
    """Yield the text, then other forms in which domains state a duty: 'Ann must work', 'Ann works'."""
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
    """Return whether no number is on another side of its word than in a wording: 'day 2' is not '2 days'."""
    pairs = _numbered(_bare(instance, text))
    if not pairs:
        return True
    kind = instance.types[constraint.type]
    args = [arg if isinstance(arg, int) else "" for arg in constraint.args]  # digits in a name are no numbers
    said = [_numbered(wording.format(*args)) for wording in (kind.sentence, *kind.wordings)]
    return any(not any(pair[::-1] in known and pair not in known for pair in pairs) for known in said)


def _numbered(text: str) -> set[tuple[str, str]]:
    """Return each number with the word right before or behind it, as pairs in the order of the text."""
    words = [stem(word) for word in _words(text)]
    return {(one, other) for one, other in pairwise(words) if one.isdecimal() != other.isdecimal()}


def _words(text: str) -> list[str]:
    return _WORD.findall(text.casefold())


def _order(instance: Instance, constraint: Constraint, text: str) -> list[str]:
    return [name for name in exact_mentions(instance, text).entities if name in constraint.args[:2]]
