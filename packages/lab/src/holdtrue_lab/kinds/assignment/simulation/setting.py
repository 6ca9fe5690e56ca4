"""Rebuild an instance from what a chat says about it, for simulated models: the inverse of `Instance.setup_lines`.

Only the built-in domains can be rebuilt, and only entities without a comma in their names.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from holdtrue.errors import DomainError
from holdtrue.world.instance import Instance
from holdtrue.world.jsonscan import objects
from holdtrue.world.logic_grid import DEFAULT_CATEGORIES
from holdtrue.world.registry import BUILTIN

# Larger settings are not rebuilt, so that a hostile prompt cannot exhaust time or memory.
_MOST_NAMES = 40
_NUMBER = r"([0-9]{1,2})"
_TABLE = re.compile(r"Table: (round|rectangular)")
_SEATS = re.compile(rf"Seats: 1 to {_NUMBER}\b.*")
_SLOTS = re.compile(rf"Time slots: 1 to {_NUMBER}")
_DURATIONS = re.compile(rf"Durations: 1 to {_NUMBER} slots")
_CATEGORY = re.compile(r"Category ([^:]{1,80}): (.+)")
_HINT = re.compile(r'\{"solution": \{"[^"\n]{1,80}": (?P<value>.+)')
_NAMES = re.compile(r"^Domain: (?P<domain>.+)\n(?:.*\n){0,3}?Entities: (?P<entities>.+)$", re.MULTILINE)
_SMALL_NUMBER = re.compile(r"\b[0-9]{1,2}\b")


def read_setting(text: str) -> Instance | None:
    """Return the instance that the first complete setup in `text` describes, or None if there is none."""
    lines = text.splitlines()
    for place, (first, second) in enumerate(pairwise(lines)):
        if first.startswith("Domain: ") and second.startswith("Entities: "):
            entities = second.removeprefix("Entities: ").split(", ")
            context = _read_context(lines[place + 2 : place + 2 + _MOST_NAMES])
            made = _make(first.removeprefix("Domain: "), entities, context)
            if made is not None:
                return made
    return None


def guess_setting(prompt: str, messages: Sequence[str], answers: Sequence[str]) -> Instance | None:
    """Guess the instance where no prompt states it, which is so under protocol `upstream` from the second turn on.

    The domain follows from the prompt's hint at the shape of an answer, and the entities from the fullest earlier
    answer.
    """
    names = max((_named(answer) for answer in answers), key=len, default=[])
    hint = _HINT.search(prompt)
    if not names or hint is None:
        return None
    shape = hint["value"]
    if shape.startswith("<seat>"):
        return _usual("seating", names, messages)
    if '"start": <start>' in shape:
        return _usual("scheduling", names, messages)
    if all(f'"{category}": "<{category}>"' in shape for category in DEFAULT_CATEGORIES):
        return _usual("logic_grid", names, messages)
    return None


def name_setting(prompt: str, messages: Sequence[str]) -> Instance | None:
    """Guess the instance where a prompt names only domain and entities (extraction under protocol `upstream`)."""
    found = _NAMES.search(prompt)
    return _usual(found["domain"], found["entities"].split(", "), messages) if found else None


def _usual(domain: str, entities: Sequence[str], messages: Sequence[str]) -> Instance | None:
    """The instance with the usual setting, stretched to what the user has mentioned."""
    context: dict[str, Any] = {}
    if domain == "seating" and any("of the table" in message for message in messages):
        context["table_shape"] = "rectangular"
    if domain == "scheduling":
        mentioned = [int(number) for text in messages for number in _SMALL_NUMBER.findall(text)]
        context["num_slots"] = max([6, len(entities) + 1, *mentioned])
    return _make(domain, entities, context)


def _read_context(lines: Sequence[str]) -> dict[str, Any]:
    context: dict[str, Any] = {}
    categories: dict[str, list[str]] = {}
    for line in lines:
        if found := _TABLE.fullmatch(line):
            context["table_shape"] = found[1]
        elif found := _SEATS.fullmatch(line):
            context["num_entities"] = int(found[1])
        elif found := _SLOTS.fullmatch(line):
            context["num_slots"] = int(found[1])
        elif found := _DURATIONS.fullmatch(line):
            context["max_duration"] = int(found[1])
        elif found := _CATEGORY.fullmatch(line):
            categories[found[1]] = found[2].split(", ")
        else:
            break
    return {**context, "categories": categories} if categories else context


def _make(domain: str, entities: Sequence[str], context: Mapping[str, Any]) -> Instance | None:
    declared = BUILTIN.get(domain)
    if declared is None or len(entities) > _MOST_NAMES:
        return None
    if any(len(values) > _MOST_NAMES for values in context.get("categories", {}).values()):
        return None
    try:
        return declared.instance(entities, context)
    except DomainError:
        return None


def _named(answer: str) -> list[str]:
    """The entities of the last JSON answer in a text, in its order."""
    found = objects(answer)
    last = found[-1] if found else None
    solution = last.get("solution", last) if isinstance(last, dict) else None
    return [str(key) for key in solution] if isinstance(solution, dict) else []
