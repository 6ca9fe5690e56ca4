"""Find the things that a text names: the first step of its formalization (VERGE, section 3.1)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any
from unicodedata import combining, normalize

from holdtrue.language.asking import Asking
from holdtrue.language.replies import reply_object
from holdtrue.models.chat import user
from holdtrue.world.answer_shape import object_schema
from holdtrue_claims.fol.alert import Alert
from holdtrue_claims.fol.naming import LONGEST, THING_PATTERN, name_words, stem, stems, thing_identifier
from holdtrue_claims.fol.vocabulary import ANY, Entity, Vocabulary
from holdtrue_claims.kind.prompts.content_words import word_stem
from holdtrue_claims.kind.prompts.logic_text import example_json, list_schema, taught
from holdtrue_claims.kind.prompts.offered import left_out
from holdtrue_claims.values.number_words import read_number, read_ordinal

MOST = 60
"""The largest number of entities of one text."""
_TOKENS = 1200
_SIGNS = re.compile(r"[\W_]+")
_ROMAN, _FIGURES = re.compile(r"[IVX]{2,}"), {"I": 1, "V": 5, "X": 10}
_JOINT = re.compile(r"(?<=[^\W\d_A-Z])(?=[A-Z\d])")
_MARKED = re.compile(r"\b\w*[A-Z\d_\u00c0-\u00de]\w*")
"""A word that may be a name by its form: with a capital, a digit, or like names in code."""
_WITHIN = re.compile(r"(?<=[\w,;:] )[A-Z\u00c0-\u00de][\w'\u2019]*")
_FIRST_PERSON, _SPEAKER = re.compile(r"\b(?:I|[Mm]e|[Mm]y|[Mm]ine)\b"), "user"
_SYSTEM = (
    "You list the single things that a text speaks about by name or as one of a given list: persons, places, works, "
    "companies, or the red boat and the old boat of a race. Each gets a name in one word, as in RedBoat, and a sort in "
    "one small word, the same one for all things of a kind. Kinds of things (dancers, people), qualities and actions "
    "are not listed. Whoever says I or my is User. Return only JSON."
)
_EXAMPLES: tuple[tuple[str, Mapping[str, str]], ...] = (
    (
        "In a race there were four boats: a red boat, an old boat, the Swan and the Gull. The red boat came in before "
        "the Swan. The old boat won.",
        {"RedBoat": "boat", "OldBoat": "boat", "Swan": "boat", "Gull": "boat"},
    ),
    (
        "If someone is a musician, then they practise daily. Everyone who works at the opera is a musician or a "
        "dancer. Mia works at the opera. Mia teaches Tom Berg to sing Carmen.",
        {"Mia": "person", "TomBerg": "person", "Carmen": "opera"},
    ),
)
_THING = {"name": {"type": "string", "pattern": THING_PATTERN}, "sort": {"type": "string", "pattern": "^[a-z]+$"}}
_SCHEMA = object_schema({"things": list_schema(object_schema(_THING), MOST)})


async def extract_entities(
    asking: Asking, context: str, question: str = ""
) -> tuple[tuple[Entity, ...], tuple[Alert, ...]]:
    """Ask a model for the things named by context and question, each with a sort. Raises `ModelError`.

    A thing whose words are not in the text is dropped as invented. All others are kept, because a superfluous name
    costs less than a missing one.
    """
    listed = ((said, [{"name": name, "sort": sort} for name, sort in own.items()]) for said, own in _EXAMPLES)
    frame = taught(_SYSTEM, ((f"Text: {said}", example_json({"things": things})) for said, things in listed))
    text = " ".join(f"{context} {question}".split())
    asked = [*frame, user(f"Text: {text}")]
    reply = await asking.ask("entities", asked, _SCHEMA, max_tokens=_TOKENS, frame=len(frame))
    return read_entities(reply, text)


def read_entities(reply: str, text: str) -> tuple[tuple[Entity, ...], tuple[Alert, ...]]:
    """Return the entities of a reply whose words the text contains, each once, with alerts. Never raises."""
    things = reply_object(reply, "things").get("things")
    words = set(map(_as_said, name_words(text)))
    words |= {_SPEAKER} if _FIRST_PERSON.search(text) else set()
    told = {*words, *map(word_stem, words)}
    inflected = {word_stem(_as_said(_SIGNS.sub("", word))) for word in _WITHIN.findall(text)}
    squashed = _SIGNS.sub("", text.casefold())
    found: dict[str, tuple[Entity, str]] = {}
    alerts: list[Alert] = []
    for thing in things if isinstance(things, list) else ():
        entity, written = _entity(thing)
        if entity is None:
            if written:
                alerts.append(left_out(written[:LONGEST], "it can be no name of a thing", text))
            continue
        numbered = any(map(str.isdigit, entity.name)) and _is_within(_SIGNS.sub("", entity.name.casefold()), squashed)
        own = [_as_said(word) for word in name_words(_JOINT.sub(" ", entity.name))]
        # One of several words may be inflected: BookBox is the box with the books. An inflected single word is a kind
        # of things, unless it has a capital within a sentence: on Sundays, the Bergs.
        stemmed = [word_stem(word) for word in own]
        known = told if len(own) > 1 else inflected
        if not (numbered or words.issuperset(own) or known.issuperset(stemmed)):
            continue
        first = found.setdefault(stem(entity.name), (entity, written))
        if _plain(first[1]) != _plain(written):
            alerts.append(left_out(written, f"it looks like {first[0].name}", text))
    kept = [entity for entity, _ in found.values()]
    alerts += [left_out(own.name, f"there are more than {MOST} things", text) for own in kept[MOST:]]
    return tuple(kept[:MOST]), tuple(alerts)


def _is_within(name: str, text: str) -> bool:
    """Return whether a text contains a name, and no further digit beside it: leg1 is not in leg12."""
    return re.search(rf"(?<!\d){re.escape(name)}(?!\d)", text) is not None


def _as_said(word: str) -> str:
    """Return a word in lower case without accents, or its number: the second leg, leg 2 and leg II are the same."""
    if _ROMAN.fullmatch(word):
        places = [_FIGURES[figure] for figure in word]
        return str(sum(-own if own < next_ else own for own, next_ in zip(places, [*places[1:], 0], strict=True)))
    number = read_ordinal(word, 0) or read_number(word, 0)
    if number is not None and number.end == len(word) and number.value is not None:
        return str(number.value)
    return "".join(sign for sign in normalize("NFD", word.casefold()) if not combining(sign))


def _plain(written: str) -> str:
    return "".join(written.casefold().split())


def _entity(thing: Any) -> tuple[Entity | None, str]:
    """Return a thing of a reply, or None without a usable name, and the name as written."""
    named = thing if isinstance(thing, Mapping) else {"name": thing}
    name, sort = named.get("name"), named.get("sort")
    if not isinstance(name, str) or not (own := thing_identifier(name)):
        return None, name.strip() if isinstance(name, str) else ""
    words = [word.lower() for word in name_words(sort)] if isinstance(sort, str) else []
    return Entity(own, "_".join(words) or ANY), name


def new_names(vocabulary: Vocabulary, text: str, earlier: str) -> tuple[str, ...]:
    """Return the words of a text that may be names, and are neither in the vocabulary nor in the earlier text."""
    said = [
        *(own.name for own in vocabulary.entities),
        *(part for own in vocabulary.applied for part in (own.name, own.meaning)),
    ]
    known = stems(" ".join((*said, earlier)))
    found = {word for word in _MARKED.findall(text) if not stems(word) <= known}
    return tuple(sorted(found))
