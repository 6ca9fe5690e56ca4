"""Ask a model for the predicates and functions of a whole text, before any sentence of it is formalized."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from holdtrue.kinds.claims.prompts.left_out import left_out
from holdtrue.kinds.claims.prompts.logic_text import example_json, list_schema, vocabulary_text
from holdtrue.kinds.claims.prompts.stated_limits import with_stated_limits
from holdtrue.kinds.claims.prompts.vocabulary_examples import EXAMPLES
from holdtrue.kinds.claims.prompts.vocabulary_reply import MOST, MOST_ARGUMENTS, read_words, words_json
from holdtrue.language.asking import Asking
from holdtrue.language.values import read_values
from holdtrue.logic.fol.alert import Alert
from holdtrue.logic.fol.naming import FUNCTION_PATTERN, THING_PATTERN
from holdtrue.logic.fol.vocabulary import Entity, Function, Predicate, Vocabulary, merge
from holdtrue.models.chat import assistant, system, user
from holdtrue.world.schema import object_schema

_SYSTEM = (
    "You choose the words in which a text is written as logic. Return only JSON.\n"
    "functions: only where things have amounts, dates, times, an order, or one other thing that belongs to them. of: "
    "the sorts of x, y and z; is: a unit as in the text (kg, EUR, day, mg/kg), date, time, moment, number, whole (a "
    "count or a place), or a sort of things. Mostly there are none.\n"
    "predicates: everything else that is said of things, with variables: x alone for a quality or a kind (x is a "
    "dancer), x and y for a relation (x teaches y). One for each quality, kind and relation, in the words of the text, "
    "without not. of: the sorts of the variables, thing for any. Use the same one wherever the text says the same. "
    "Join nothing by and, or, if."
)
_MEANING = "^(x|it) [A-Za-z0-9 ',/$%-]+$"
_SORT_PATTERN = "^[a-z][a-z_]*$"
_RESULT_PATTERN = "^(whole )?[A-Za-z%][A-Za-z]*(/[A-Za-z]+)?$"
_TOKENS = 1600


async def propose_vocabulary(
    asking: Asking,
    context: str,
    question: str = "",
    entities: Sequence[Entity] = (),
    known: Vocabulary | None = None,
    *,
    stated: str | None = None,
) -> tuple[Vocabulary, tuple[Alert, ...]]:
    """Ask for the vocabulary of context and question: the given entities, and the predicates and functions about them.

    With a `known` vocabulary, only what it lacks is added. Closed sorts and ranges are those that the text `stated`
    says, which is the context unless it is given: what a claim or a question says limits nothing. Returns the
    vocabulary, and alerts about names that look alike or are left out. Raises `ModelError`.
    """
    earlier = known or Vocabulary()
    before, alerts = merge(earlier, entities)
    messages = [system(_SYSTEM)]
    for text, words in EXAMPLES:
        things = Vocabulary(words.entities)
        messages += [user(_asked(text, things)), assistant(example_json(words_json(words)))]
    text = " ".join(f"{context} {question}".split())
    messages.append(user(_asked(text, before)))
    reply = await asking.ask("vocabulary", messages, _schema(before), max_tokens=_TOKENS)
    read = read_words(reply, before, text)
    vocabulary, more = merge(before, (), read.words.predicates, read.words.functions)
    lost = _lost(vocabulary, read.words, text)
    closed, opened = _still_closed(earlier, before, text)
    limits = " ".join((context if stated is None else stated).split())
    return with_stated_limits(vocabulary, limits, closed), (*alerts, *read.alerts, *more, *lost, *opened)


def _lost(vocabulary: Vocabulary, words: Vocabulary, text: str) -> list[Alert]:
    """Return alerts for words that were read and could not join the vocabulary."""
    names = {own.name for own in vocabulary.predicates} | {own.name for own in vocabulary.functions}
    read: tuple[Predicate | Function, ...] = (*words.predicates, *words.functions)
    return [
        left_out(own.name, "another name looks like it", text, own.meaning) for own in read if own.name not in names
    ]


def _still_closed(earlier: Vocabulary, before: Vocabulary, text: str) -> tuple[list[str], list[Alert]]:
    """Return the sorts that stay closed, and alerts for those that a new name opens: there are more than was said."""
    kept, alerts = [], []
    for sort in earlier.closed:
        new = [own.name for own in before.entities if own.sort == sort and own not in earlier.entities]
        if new:
            message = f"{', '.join(new)}: the named {sort}s were said to be all, and here is one more"
            alerts.append(Alert("name_clash", message, text))
        else:
            kept.append(sort)
    return kept, alerts


def _asked(text: str, vocabulary: Vocabulary) -> str:
    known_things = vocabulary_text(vocabulary) or "none"
    known = "\nName only what these words cannot say." if vocabulary.predicates or vocabulary.functions else ""
    stated = dict.fromkeys(own.formula for own in read_values(text).values if own.role == "value")
    values = f"\nValues: {', '.join(stated)}" if stated else ""
    return f"Things:\n{known_things}{known}{values}\nText: {text}"


def _schema(vocabulary: Vocabulary) -> Mapping[str, Any]:
    sort = {"type": "string", "pattern": _SORT_PATTERN}
    function = {
        "meaning": {"type": "string", "maxLength": 100},
        "name": {"type": "string", "pattern": FUNCTION_PATTERN},
        "of": list_schema(sort, MOST_ARGUMENTS["functions"]),
        "is": {"type": "string", "pattern": _RESULT_PATTERN},
    }
    predicate = {
        "meaning": {"type": "string", "pattern": _MEANING},
        "name": {"type": "string", "pattern": THING_PATTERN},
        "of": list_schema(sort, MOST_ARGUMENTS["predicates"]),
    }
    # Small models like to answer with empty lists.
    fewest = 0 if vocabulary.predicates or vocabulary.functions else 1
    return object_schema(
        {
            "functions": list_schema(object_schema(function), MOST),
            "predicates": list_schema(object_schema(predicate), MOST, fewest),
        }
    )
