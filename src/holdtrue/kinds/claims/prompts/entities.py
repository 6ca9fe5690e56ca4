"""The things that a text names: the first step of its formalization (VERGE, section 3.1)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from holdtrue.kinds.claims.prompts.left_out import left_out
from holdtrue.kinds.claims.prompts.logic_text import example_json, list_schema
from holdtrue.kinds.claims.prompts.name_detection import NOT_THERE, Naming
from holdtrue.language.asking import Asking
from holdtrue.language.replies import reply_object
from holdtrue.logic.fol.alert import Alert
from holdtrue.logic.fol.naming import LONGEST, THING_PATTERN, name_words, stem, thing_identifier
from holdtrue.logic.fol.vocabulary import ANY, Entity
from holdtrue.models.chat import assistant, system, user
from holdtrue.world.schema import object_schema

MOST = 60
"""Entities of one text."""
_TOKENS = 1200
_SYSTEM = (
    "You list the single things that a text speaks about by name or as one of a given list: persons, places, works, "
    "companies, or the red boat and the old boat of a race. Each gets a name in one word, as in RedBoat, and a sort in "
    "one small word, the same one for all things of a kind. Kinds of things (dancers, people), qualities and actions "
    "are not listed. Return only JSON."
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
    asking: Asking, context: str, question: str = "", earlier: str = ""
) -> tuple[tuple[Entity, ...], tuple[Alert, ...]]:
    """Ask a model for the things that context and question name, each with a sort. Raises `ModelError`.

    A thing without a word in the text is left out, because the model made it up; so is what the text only speaks of as
    a kind, and of that an alert tells. `earlier` is text that was said
    before; the model does not see it, but a word that names a kind there is no thing here either.
    """
    messages = [system(_SYSTEM)]
    for text, things in _EXAMPLES:
        listed = [{"name": name, "sort": sort} for name, sort in things.items()]
        messages += [user(f"Text: {text}"), assistant(example_json({"things": listed}))]
    text = " ".join(f"{context} {question}".split())
    frame = len(messages)
    messages.append(user(f"Text: {text}"))
    reply = await asking.ask("entities", messages, _SCHEMA, max_tokens=_TOKENS, frame=frame)
    return read_entities(reply, text, earlier)


def read_entities(reply: str, text: str, earlier: str = "") -> tuple[tuple[Entity, ...], tuple[Alert, ...]]:
    """Return the entities of a reply that the text names (`name_detection`), each once, with alerts. Never raises."""
    things = reply_object(reply, "things").get("things")
    naming = Naming(text, earlier)
    found: dict[str, tuple[Entity, str]] = {}
    alerts: list[Alert] = []
    for thing in things if isinstance(things, list) else ():
        entity, written = _entity(thing)
        if entity is None:
            if written:
                alerts.append(left_out(written[:LONGEST], "it can be no name of a thing", text))
            continue
        if why := naming.no_name(entity):
            # A name that the model made up costs no sentence of the text.
            alerts += [left_out(entity.name, why, text)] if why != NOT_THERE else []
            continue
        first = found.setdefault(stem(entity.name), (entity, written))
        if _plain(first[1]) != _plain(written):
            alerts.append(left_out(written, f"it looks like {first[0].name}", text))
    kept = [entity for entity, _ in found.values()]
    alerts += [left_out(own.name, f"there are more than {MOST} things", text) for own in kept[MOST:]]
    return tuple(kept[:MOST]), tuple(alerts)


def _plain(written: str) -> str:
    return "".join(written.casefold().split())


def _entity(thing: Any) -> tuple[Entity | None, str]:
    """Return a thing of a reply, None where it has no usable name, and how its name was written."""
    named = thing if isinstance(thing, Mapping) else {"name": thing}
    name, sort = named.get("name"), named.get("sort")
    if not isinstance(name, str) or not (own := thing_identifier(name)):
        return None, name.strip() if isinstance(name, str) else ""
    words = [word.lower() for word in name_words(sort)] if isinstance(sort, str) else []
    return Entity(own, "_".join(words) or ANY), name
