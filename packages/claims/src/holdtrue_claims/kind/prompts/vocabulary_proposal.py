"""Ask a model for the predicates and functions of a whole text, before any sentence of it is formalized."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from holdtrue.language.asking import Asking
from holdtrue.models.chat import user
from holdtrue.world.schema import object_schema
from holdtrue_claims.fol.alert import Alert
from holdtrue_claims.fol.naming import CAPITALS, LETTERS
from holdtrue_claims.fol.vocabulary import ANY, Entity, Function, Predicate, Vocabulary, merge
from holdtrue_claims.kind.prompts.content_words import content_words
from holdtrue_claims.kind.prompts.logic_text import example_json, list_schema, taught, vocabulary_text
from holdtrue_claims.kind.prompts.offered import left_out
from holdtrue_claims.kind.prompts.vocabulary_reply import MOST, MOST_ARGUMENTS, read_words, words_json
from holdtrue_claims.values.text_values import read_values

_SYSTEM = (
    "You choose the words in which a text is written as logic. Return only JSON.\n"
    "functions: only where things have amounts, dates, times, an order, or one other thing that belongs to them. In "
    "brackets: the sorts of x, y and z; then a unit as in the text (kg, EUR, day, mg/kg), date, time, moment, number, "
    "whole (a count or a place), or a sort of things. Mostly there are none.\n"
    "predicates: everything else that is said of things, with variables: x alone for a quality or a kind (x is a "
    "dancer), x and y for a relation (x teaches y). One for each quality, kind and relation, in the words of the text, "
    "without not and without numbers. In brackets: the sorts of the variables, thing for any. Use the same one "
    "wherever the text says the same. Join nothing by and, or, if."
)
EXAMPLES: tuple[tuple[str, Vocabulary], ...] = (
    (
        "On a bench, there are three sitters: an old man, a young girl and a nurse. The nurse sits to the right of the "
        "old man. The young girl is tired.",
        Vocabulary(
            (Entity("OldMan", "sitter"), Entity("YoungGirl", "sitter"), Entity("Nurse", "sitter")),
            (Predicate("Tired", (ANY,), "x is tired"),),
            (
                Function(
                    "place",
                    ("sitter",),
                    meaning="place of x from the left, 1 is the leftmost and 3 the rightmost",
                    result="whole",
                ),
            ),
        ),
    ),
    (
        "A parcel up to 5 kg costs €6.90. Fragile parcels must be picked up by a courier. Parcel A was sent on 3 May "
        "2025 and weighs 800 g. It rained.",
        Vocabulary(
            (Entity("ParcelA", "parcel"),),
            (
                Predicate("Fragile", ("parcel",), "x is fragile"),
                Predicate("PicksUp", ("courier", "parcel"), "x picks up y"),
                Predicate("Rained", (), "it rained"),
            ),
            (
                Function("weight", ("parcel",), meaning="weight of x", result="kg"),
                Function("price", ("parcel",), meaning="price of x", result="EUR"),
                Function("sent", ("parcel",), meaning="the date on which x was sent", result="date"),
            ),
        ),
    ),
    (
        "If someone is a musician or dances, then they practise daily. Everyone who works at the opera is a "
        "musician or sings well and reads music. Mia works at the opera. Mia does not teach Tom. If a French opera is "
        "long, Mia sings it to Tom. Carmen is a French opera.",
        Vocabulary(
            (Entity("Mia", "person"), Entity("Tom", "person"), Entity("Carmen", "work")),
            (
                Predicate("Musician", (ANY,), "x is a musician"),
                Predicate("Dances", (ANY,), "x dances"),
                Predicate("PractisesDaily", (ANY,), "x practises daily"),
                Predicate("WorksAtOpera", (ANY,), "x works at the opera"),
                Predicate("SingsWell", (ANY,), "x sings well"),
                Predicate("ReadsMusic", (ANY,), "x reads music"),
                Predicate("Teaches", (ANY, ANY), "x teaches y"),
                Predicate("FrenchOpera", (ANY,), "x is a French opera"),
                Predicate("Long", (ANY,), "x is long"),
                Predicate("SingsTo", (ANY, ANY, ANY), "x sings y to z"),
            ),
        ),
    ),
)
"""Texts with the words that are chosen for them, which show a model how."""
_SORT = "[a-z][a-z_]{0,30}"
_MEANING = f"[{LETTERS}0-9 ',/$%-]{{1,80}}"
_RESULT = "(whole )?[A-Za-z%][A-Za-z]{0,20}(/[A-Za-z]{1,20})?"


def _line(begin: str, name: str, kind: str, end: str = "") -> str:
    """Return the pattern of a line that proposes a word: what it means, its name, and its sorts in brackets."""
    sorts = rf"\(({_SORT}(, {_SORT}){{0,{MOST_ARGUMENTS[kind] - 1}}})?\)"
    return f"^{begin}{_MEANING}: {name}{sorts}{end}$"


_FUNCTION = _line(f"[{LETTERS}]", f"[a-zß-öø-ÿ][{LETTERS}]{{1,40}}", "functions", f" {_RESULT}")
# A name begins with a letter: small models go on for ever with numbers that they take for qualities.
_PREDICATE = _line("(x|it) ", f"[{CAPITALS}][{LETTERS}0-9]{{1,40}}", "predicates")
_TOKENS = 1600


async def propose_vocabulary(
    asking: Asking, context: str, question: str = "", entities: Sequence[Entity] = (), known: Vocabulary | None = None
) -> tuple[Vocabulary, tuple[Alert, ...]]:
    """Ask for the vocabulary of context and question: the given entities, and the predicates and functions about them.

    With a `known` vocabulary, only what it lacks is added. No sort is closed by it, and no function has a range: that
    the named things are all, and from where to where places go, formulas of sentences say. Returns the vocabulary, and
    alerts about names that look alike or are left out. Raises `ModelError`.
    """
    earlier = known or Vocabulary()
    before, alerts = merge(earlier, entities)
    text = " ".join(f"{context} {question}".split())
    trials = ((_asked(said, Vocabulary(own.entities)), example_json(words_json(own))) for said, own in EXAMPLES)
    messages = [*taught(_SYSTEM, trials), user(_asked(text, before))]
    reply = await asking.ask("vocabulary", messages, _schema(before, text), max_tokens=_TOKENS, frame=len(messages) - 1)
    words, unread = read_words(reply, before, text)
    vocabulary, more = merge(before, (), words.predicates, words.functions)
    names = {own.name for own in vocabulary.applied}
    unlike = [own for own in words.applied if own.name not in names]
    lost = [left_out(own.name, "another name looks like it", text, own.meaning) for own in unlike]
    for sort in earlier.closed:  # which a new name opens: there are more than was said
        if new := [own.name for own in before.entities if own.sort == sort and own not in earlier.entities]:
            message = f"{', '.join(new)}: the named {sort}s were said to be all, and here is one more"
            lost.append(Alert("name_clash", message, text))
    return vocabulary, (*alerts, *unread, *more, *lost)


def _asked(text: str, vocabulary: Vocabulary) -> str:
    known_things = vocabulary_text(vocabulary) or "none"
    known = "\nName only what these words cannot say." if vocabulary.predicates or vocabulary.functions else ""
    stated = dict.fromkeys(own.formula for own in read_values(text).values if own.role == "value")
    values = f"\nValues: {', '.join(stated)}" if stated else ""
    return f"Things:\n{known_things}{known}{values}\nText: {text}"


def _schema(vocabulary: Vocabulary, text: str) -> Mapping[str, Any]:
    # Each word says something of the text, so there are no more than words in it; without an end, small models go on.
    most = max(1, min(MOST, len(content_words(text))))
    # Small models like to answer with empty lists.
    fewest = 0 if vocabulary.predicates or vocabulary.functions else 1
    return object_schema(
        {
            "functions": list_schema({"type": "string", "pattern": _FUNCTION}, most),
            "predicates": list_schema({"type": "string", "pattern": _PREDICATE}, most, fewest),
        }
    )
