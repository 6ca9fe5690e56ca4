"""Ask a model for the predicates and functions of a whole text, before any sentence of it is formalized."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from holdtrue.kinds.claims.prompts.content_words import word_set
from holdtrue.kinds.claims.prompts.logic_text import example_json, list_schema, vocabulary_text
from holdtrue.kinds.claims.prompts.negated_predicates import only_positive
from holdtrue.kinds.claims.prompts.vocabulary_examples import EXAMPLES
from holdtrue.language.asking import Asking
from holdtrue.language.replies import reply_object
from holdtrue.logic.fol.alert import Alert
from holdtrue.logic.fol.naming import (
    FUNCTION_PATTERN,
    THING_PATTERN,
    function_identifier,
    name_words,
    near,
    stem,
    thing_identifier,
)
from holdtrue.logic.fol.vocabulary import ANY, Entity, Function, Predicate, Vocabulary, merge
from holdtrue.models.chat import assistant, system, user
from holdtrue.world.schema import object_schema

MOST = 20
"""Predicates of one text."""
_SYSTEM = (
    "You choose the words in which a text is written as logic. Return only JSON.\n"
    "functions: only where things are put in an order or have amounts: a number that each thing has, with its least "
    "and greatest value, and what the least one means. distinct: no two things share a number. Mostly there are none.\n"
    "predicates: everything else that is said of things, with variables: x alone for a quality or a kind (x is a "
    "dancer), x and y for a relation (x teaches y). One for each quality, kind and relation, in the words of the text, "
    "without not. Use the same one wherever the text says the same. Join nothing by and, or, if."
)
_MEANING = "^(x|it) [A-Za-z0-9 ',/$%-]+$"
_LITTLE = word_set("x y z i is it the a an are")
_ORDER = word_set(
    "left right leftmost rightmost above below before after first second third fourth fifth last",
    "older newer younger oldest newest cheaper cheapest expensive",
)
_NUMBER = {"type": "integer", "minimum": -1000, "maximum": 1_000_000}
_VARIABLE = re.compile(r"\b[xyz]\b")
_HIGHEST = 10**9


async def propose_vocabulary(
    asking: Asking,
    context: str,
    question: str = "",
    entities: Sequence[Entity] = (),
    known: Vocabulary | None = None,
) -> tuple[Vocabulary, tuple[Alert, ...]]:
    """Ask for the vocabulary of context and question: the given entities, and the predicates and functions about them.

    With a `known` vocabulary, only what it lacks is added. Returns the vocabulary, and alerts about names that look
    alike. Raises `ModelError`.
    """
    before, alerts = merge(known or Vocabulary(), entities)
    messages = [system(_SYSTEM)]
    for text, given, functions, predicates in EXAMPLES:
        shown = words_json(functions, predicates)
        messages += [user(_asked(text, given)), assistant(example_json(shown))]
    messages.append(user(_asked(" ".join(f"{context} {question}".split()), before)))
    reply = await asking.ask("vocabulary", messages, _schema(before), max_tokens=40 * MOST)
    words = read_words(reply, before)
    vocabulary, more = merge(before, (), words.predicates, words.functions)
    return vocabulary, (*alerts, *more)


def words_json(functions: Iterable[Function], predicates: Mapping[str, str]) -> dict[str, Any]:
    """A reply that proposes these functions of one thing, and predicates (name -> meaning)."""
    numbers = [
        {
            "meaning": function.meaning,
            "name": function.name,
            "of": function.sorts[0],
            "low": function.low,
            "high": function.high,
            "distinct": function.distinct,
        }
        for function in functions
    ]
    said = [{"meaning": meaning, "name": name} for name, meaning in predicates.items()]
    return {"functions": numbers, "predicates": said}


def read_words(reply: str, vocabulary: Vocabulary) -> Vocabulary:
    """Return the predicates and functions in a reply; one without a usable name is left out. Never raises."""
    found = reply_object(reply, "predicates", "functions")
    functions = [own for own in (_function(item, vocabulary) for item in _items(found, "functions")) if own is not None]
    proposed = [_predicate(item) for item in _items(found, "predicates")]
    needed = [own for own in proposed if own is not None and not _needless(own, vocabulary, functions)]
    return Vocabulary((), only_positive(needed, vocabulary.predicates)[:MOST], tuple(functions))


def _needless(predicate: Predicate, vocabulary: Vocabulary, functions: Sequence[Function]) -> bool:
    """Return whether the predicate only says which thing something is, or says of an order what a function says."""
    said = _stems(predicate.meaning) - _LITTLE
    if functions and said & _ORDER:
        return True
    return any(_says_which(said, thing) for thing in vocabulary.entities)


def _says_which(said: set[str], thing: Entity) -> bool:
    """Return whether the words are the thing's whole name or just its sort: `x is a test` is more than `smoke_test`."""
    sort = _stems(thing.sort)
    name = _stems(thing.name)
    return said <= name | sort and (name - sort <= said or said <= sort)


def _stems(text: str) -> set[str]:
    return {stem(word.casefold()) for word in name_words(text)}


def _asked(text: str, vocabulary: Vocabulary) -> str:
    known_things = vocabulary_text(vocabulary) or "none"
    known = "\nName only what these words cannot say." if vocabulary.predicates or vocabulary.functions else ""
    return f"Things:\n{known_things}{known}\nText: {text}"


def _schema(vocabulary: Vocabulary) -> Mapping[str, Any]:
    meaning = {"type": "string", "pattern": _MEANING}
    function = {
        "meaning": {"type": "string", "maxLength": 100},
        "name": {"type": "string", "pattern": FUNCTION_PATTERN},
        "of": {"type": "string", "enum": _sorts(vocabulary)},
        "low": _NUMBER,
        "high": _NUMBER,
        "distinct": {"type": "boolean"},
    }
    # Small models like to answer with empty lists.
    fewest = 0 if vocabulary.predicates or vocabulary.functions else 1
    predicate = {"meaning": meaning, "name": {"type": "string", "pattern": THING_PATTERN}}
    functions, predicates = list_schema(object_schema(function), 2), list_schema(object_schema(predicate), MOST, fewest)
    return object_schema({"functions": functions, "predicates": predicates})


def _sorts(vocabulary: Vocabulary) -> list[str]:
    return list(dict.fromkeys([entity.sort for entity in vocabulary.entities] or [ANY]))


def _items(found: Mapping[str, Any], key: str) -> list[Mapping[str, Any]]:
    items = found.get(key)
    return [item for item in items if isinstance(item, Mapping)] if isinstance(items, list) else []


def _predicate(item: Mapping[str, Any]) -> Predicate | None:
    """Its arguments are the variables in its meaning: small models count them wrongly, and name them right."""
    name, meaning = item.get("name"), item.get("meaning")
    if not isinstance(name, str) or not isinstance(meaning, str) or not (own := thing_identifier(name)):
        return None
    if own.isdigit():
        return None
    variables = sorted(set(_VARIABLE.findall(meaning)))
    # A meaning with gaps is closed up: x and z are x and y.
    for number, variable in enumerate(variables):
        meaning = re.sub(rf"\b{variable}\b", "xyz"[number], meaning)
    return Predicate(own, (ANY,) * len(variables), " ".join(meaning.split()))


def _function(item: Mapping[str, Any], vocabulary: Vocabulary) -> Function | None:
    name, sort, low, high = (item.get(key) for key in ("name", "of", "low", "high"))
    if not isinstance(name, str) or not (own := function_identifier(name)):
        return None
    if not isinstance(low, int) or not isinstance(high, int) or max(abs(low), abs(high)) > _HIGHEST:
        return None
    # A sort that nothing has, yet: things that come later may have it.
    sort = next((own for own in _sorts(vocabulary) if isinstance(sort, str) and near(own, sort)), ANY)
    low, high = min(low, high), max(low, high)
    # More things than values would make distinct values impossible from the start.
    distinct = item.get("distinct") is True and len(vocabulary.of_sort(sort)) <= high - low + 1
    meaning = item.get("meaning")
    line = " ".join(meaning.split()) if isinstance(meaning, str) else ""
    return Function(own, (sort,), low, high, distinct, line)
