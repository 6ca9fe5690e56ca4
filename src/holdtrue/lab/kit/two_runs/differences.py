"""List what differs between two runs before anything was answered: their settings, and the prompts that they sent."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zlib import crc32

from holdtrue.lab.kit.settings import CALLS_FILE
from holdtrue.lab.kit.two_runs.matching import Matched
from holdtrue.lab.kit.two_runs.side import Side
from holdtrue.models.call_lines import read_call, scan

# They follow from the others, or from the machine: a run is not another one for them.
_SAYS_NOTHING = frozenset({"max_connections", "token_limit", "methods", "own_methods"})
# What a reader looks for first.
_FIRST = ("model", "holdtrue", "seed", "temperature", "max_tokens", "structured", "protocol", "extractor")


@dataclass(frozen=True, slots=True)
class Difference:
    """A setting with its value in A and in B; None where a run has no such setting."""

    setting: str
    a: Any
    b: Any


@dataclass(frozen=True, slots=True)
class Prompts:
    """The first prompts of the conversations that both runs have begun under one method.

    Of `compared` such prompts `same` are the same word for word. `unknown` could not be compared, because a call log
    is missing or lacks them.
    """

    method: str
    compared: int
    same: int
    unknown: int


def settings_that_differ(one: Mapping[str, Any], other: Mapping[str, Any]) -> tuple[Difference, ...]:
    """Return the settings that differ, the model, the version and the sampling first.

    Those of the kind of answers and of one's own methods are named like `play.ask` and `own_methods.two_tries.repairs`.
    """
    a, b = dict(_flat(one)), dict(_flat(other))
    names = [name for name in dict.fromkeys((*_FIRST, *a, *b)) if name not in _SAYS_NOTHING]
    return tuple(Difference(name, a.get(name), b.get(name)) for name in names if a.get(name) != b.get(name))


def _flat(settings: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for name, value in settings.items():
        if name == "play":
            yield from _spread(name, value)
        elif name == "own_methods":
            for method, its in (value or {}).items():
                yield from _spread(f"{name}.{method}", its)
        else:
            yield name, value


def _spread(name: str, value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, Mapping) and value:
        for key, each in value.items():
            yield from _spread(f"{name}.{key}", each)
    else:
        yield name, value


def compare_prompts(one: Side, other: Side, matched: Matched) -> tuple[Prompts, ...]:
    """Compare, method by method, the first prompts of the conversations that both have begun.

    Where a key is the same, so is its whole request; other prompts are read in the logs of calls.
    """
    places = {method: place for place, method in enumerate(matched.methods)}
    begun = sorted((key for key in matched.turns if key[2] == 1), key=lambda key: places[key[1]])
    pairs = [(key[1], one.turns[key].prompt, other.turns[key].prompt) for key in begun]
    asked = [(method, a, b) for method, a, b in pairs if a is not None and b is not None]
    theirs = [_said(side.folder, {pair[place] for pair in asked}) for place, side in ((1, one), (2, other))]
    found: dict[str, list[bool | None]] = {}
    for method, a, b in asked:
        first, second = theirs[0].get(a), theirs[1].get(b)
        known = None if first is None or second is None else first == second
        found.setdefault(method, []).append(True if a == b else known)
    return tuple(
        Prompts(method, len(same) - same.count(None), same.count(True), same.count(None))
        for method, same in found.items()
    )


def _said(folder: Path, keys: Collection[str | None]) -> dict[str, int]:
    """A checksum of the messages of each of these calls that is in the folder's log."""
    path = folder / CALLS_FILE
    if not keys or not path.is_file():
        return {}
    found: dict[str, int] = {}
    with path.open("rb") as file, path.open("rb") as texts:
        for place in scan(file, path):
            if place.key in keys:
                messages = read_call(texts, place.start, place.length, path).messages
                text = json.dumps([message.to_json() for message in messages])
                found[place.key] = crc32(text.encode())
    return found
