"""A conversation in a file: all that its next turn depends on, but for the model, the method and the domain.

The file is one JSON object for people to read. It is written whole or not at all, and read with suspicion: every
field is checked, every constraint against the domain, and every event against the events before it.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from holdtrue.errors import DomainError, InfrastructureError, RecordError
from holdtrue.files import write_whole
from holdtrue.kinds.assignment.prompts import Exchange
from holdtrue.language.readers import Protocol
from holdtrue.ledger.commitment import Commitment
from holdtrue.ledger.entries import Event
from holdtrue.ledger.ledger import Ledger
from holdtrue.ledger.restore import restore
from holdtrue.models.sampling import Sampling
from holdtrue.wire import first_fault, plain_fields
from holdtrue.world.domain import Domain
from holdtrue.world.instance import Instance
from holdtrue.world.registry import find_domain
from holdtrue.world.world import Setting

KIND = "holdtrue session"
VERSION = 3
_NOTHING = object()
_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedSession:
    """The content of the file.

    `context` is the setting as it was given. `method` and `extractor` are names only. `last` holds the values of the
    last delivered answer, by variable. `recorded`: so many events are in the records of turns already.
    `unread` counts the sentences of all messages that were not read.
    """

    kind: str = KIND
    version: int = VERSION
    domain: str
    entities: tuple[str, ...]
    context: Mapping[str, Any]
    method: str
    extractor: str
    protocol: Protocol
    sampling: Sampling
    history: tuple[Exchange, ...]
    events: tuple[Event[Commitment], ...]
    last: Mapping[str, int] | None
    recorded: int
    unread: int


def write_saved(path: Path, saved: SavedSession) -> None:
    """Write the file, or leave what is there as it is.

    Raises `RecordError` for a context that JSON cannot hold, `InfrastructureError` where the disk refuses.
    """
    try:
        write_whole(path, _encode(saved))
    except OSError as error:
        raise InfrastructureError(f"{path}: the session cannot be saved: {error.strerror}") from error


def read_saved(path: Path, domain: Domain | Setting | str) -> tuple[SavedSession, Instance, Ledger]:
    """The session in the file, the instance of this domain that it is about, and its ledger.

    Raises `RecordError` with the file's name and the place in it that does not fit.
    """
    try:
        saved = _decode(path.read_text(encoding="utf-8"))
        instance = _bind(saved, find_domain(domain) if isinstance(domain, str) else domain)
        ledger = restore(instance, saved.events)
        _check(saved, ledger)
    except (OSError, UnicodeDecodeError) as error:
        raise RecordError(f"{path}: the session cannot be read: {error}") from error
    except RecordError as error:
        raise RecordError(f"{path}: {error}") from error
    return saved, instance, ledger


def _encode(saved: SavedSession) -> str:
    _check_plain("context", saved.context)
    text = json.dumps(saved, default=plain_fields, ensure_ascii=False, indent=1)
    # A lone surrogate, which UTF-8 cannot hold, can only stand inside a JSON text: there it is escaped.
    return _SURROGATE.sub(lambda found: f"\\u{ord(found.group()):04x}", text) + "\n"


def _check_plain(place: str, value: object) -> None:
    """Refuse what JSON would write down as something else."""
    match value:
        case None | bool() | int() | str():
            return
        case float() if math.isfinite(value):
            return
        case list() | tuple():
            for position, item in enumerate(value):
                _check_plain(f"{place}.{position}", item)
        case Mapping() if all(isinstance(key, str) for key in value):
            for key, item in value.items():
                _check_plain(f"{place}.{key}", item)
        case _:
            raise RecordError(f"{place}: {value!r:.60} cannot be written as JSON")


def _decode(text: str) -> SavedSession:
    from pydantic import TypeAdapter, ValidationError

    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise RecordError(f"not JSON: {error}") from error
    if not isinstance(data, dict) or data.get("kind") != KIND:
        raise RecordError("this is no saved session")
    if data.get("version") != VERSION:
        raise RecordError(f"version: {data.get('version')!r:.40}; this version of holdtrue reads {VERSION}")
    try:
        saved = TypeAdapter(SavedSession).validate_python(data)
    except ValidationError as error:
        raise RecordError(first_fault(error)) from None
    # What was read must be all that is written: no unknown keys, no number that was a text.
    if (place := _difference(data, json.loads(_encode(saved)))) is not None:
        raise RecordError(f"{_place(place)}: this is not what a saved session holds")
    return saved


def _difference(given: object, kept: object) -> tuple[str | int, ...] | None:
    """The first place in which two JSON values differ."""
    if isinstance(given, dict) and isinstance(kept, dict):
        keys = [*given, *(key for key in kept if key not in given)]
        pairs = [(key, given.get(key, _NOTHING), kept.get(key, _NOTHING)) for key in keys]
    elif isinstance(given, list) and isinstance(kept, list) and len(given) == len(kept):
        pairs = [(number, one, other) for number, (one, other) in enumerate(zip(given, kept, strict=True))]
    else:
        return None if type(given) is type(kept) and given == kept else ()
    for key, one, other in pairs:
        inner = _difference(one, other)
        if inner is not None:
            return (key, *inner)
    return None


def _place(place: Sequence[str | int]) -> str:
    return ".".join(map(str, place)) or "the file"


def _bind(saved: SavedSession, declared: Domain | Setting) -> Instance:
    if not isinstance(declared, Domain | Instance):
        raise RecordError("domain: a saved session is about an instance of a domain, and this is another world")
    name = declared.domain.name if isinstance(declared, Instance) else declared.name
    if name != saved.domain:
        raise RecordError(f"domain: the session is about {saved.domain!r}, not {name!r}")
    if isinstance(declared, Domain):
        try:
            return declared.instance(saved.entities, saved.context)
        except DomainError as error:
            raise RecordError(f"entities, context: {error}") from error
    if declared.entities != saved.entities or _json(declared.given) != _json(saved.context):
        raise RecordError("entities, context: the session is about another instance of the domain")
    return declared


def _json(value: object) -> str:
    return json.dumps(value, default=repr, sort_keys=True)


def _check(saved: SavedSession, ledger: Ledger) -> None:
    """The fields that depend on one another."""
    unknown = [name for name in saved.last or () if name not in ledger.instance.variables]
    if unknown:
        raise RecordError(f"last: there is no variable {unknown[0]!r}")
    if not 0 <= saved.recorded <= len(saved.events):
        raise RecordError(f"recorded: {saved.recorded} of {len(saved.events)} events")
    if saved.unread < 0:
        raise RecordError(f"unread: {saved.unread} sentences")
    if saved.events and saved.events[-1].turn > len(saved.history):
        raise RecordError(f"history: {len(saved.history)} turns, and events of turn {saved.events[-1].turn}")
