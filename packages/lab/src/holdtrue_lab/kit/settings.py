"""This module keeps a run's settings in its folder. A run resumes only with the same settings."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from holdtrue.errors import JournalError, RecordError, SettingsError
from holdtrue.files import write_whole
from holdtrue.record import SCHEMA_VERSION

SETTINGS_FILE = "settings.json"
JOURNAL_FILE = "journal.jsonl"
CALLS_FILE = "calls.jsonl"

# A conversation depends only on its problem and method. So its result does not depend on the other conversations, on
# their number at a time, or on the token limit. `problems_sha256` identifies the problems, whatever their `source` is.
# Methods in both `own_methods` are compared one by one. The same server may have a new address (`base_url`).
FREE = frozenset({"methods", "own_methods", "limit", "max_connections", "token_limit", "source", "base_url"})


@dataclass(frozen=True, slots=True)
class RunSettings:
    """A `RunSettings` holds all settings of a run. Those in `FREE` cannot change results, and may differ when the run
    is resumed.

    `problems` counts the source's problems before `limit`, and `problems_sha256` hashes their content. Reports
    distinguish rows by `protocol` (how the run was played) and `extractor` (the reader of messages). `own_methods` has
    the settings of all methods, except presets, that this folder was ever used for. `token_limit` is the largest number
    of tokens to pay for, or None for no limit. `play` holds the settings of the kind of answer. `seed`, `temperature`
    and the like are the settings of `Sampling`.
    """

    suite: str
    source: str
    problems: int
    problems_sha256: str
    model: str
    base_url: str | None
    protocol: str
    extractor: str
    seed: int
    temperature: float
    max_tokens: int
    structured: bool
    methods: tuple[str, ...]
    own_methods: Mapping[str, Mapping[str, Any]]
    limit: int | None
    max_connections: int
    token_limit: int | None
    holdtrue: str
    schema: int = SCHEMA_VERSION
    play: Mapping[str, Any] = field(default_factory=dict)
    top_p: float | None = None
    thinking_tokens: int | None = None
    extra_body: Mapping[str, Any] | None = None


def read_settings(folder: Path) -> dict[str, Any] | None:
    """Return the settings in a run's folder, or None if there are none. Raises `RecordError`."""
    path = folder / SETTINGS_FILE
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise RecordError(f"{path}: cannot be read: {error}") from error
    if not isinstance(found, dict):
        raise RecordError(f"{path}: is not a JSON object")
    return found


def _as_json(settings: RunSettings) -> dict[str, Any]:
    """Return the settings as they are written. Older folders have no further fields of requests."""
    found: dict[str, Any] = json.loads(json.dumps(asdict(settings)))
    return {name: own for name, own in found.items() if name != "extra_body" or own is not None}


def keep_settings(folder: Path, settings: RunSettings) -> None:
    """Write the settings into a folder, or check that the settings there agree with them.

    Settings in `FREE` are updated. Raises `SettingsError`, which lists all other settings that differ.
    """
    now = _as_json(settings)
    was = read_settings(folder)
    if was == now:
        return
    if was is not None:
        _refuse_changes(folder, was, now)
        now["own_methods"] = {**was.get("own_methods", {}), **now["own_methods"]}
    path = folder / SETTINGS_FILE
    try:
        write_whole(path, json.dumps(now, indent=2) + "\n")
    except OSError as error:
        raise JournalError(f"{path} cannot be written: {error.strerror}") from error


def addresses(folder: Path, settings: RunSettings) -> tuple[str | None, str | None]:
    """Return the server's address in the folder's settings and in `settings`. Without a run both are the same.

    The function writes nothing. It raises the same errors as `keep_settings`.
    """
    was, now = read_settings(folder), _as_json(settings)
    if was is None:
        return settings.base_url, settings.base_url
    _refuse_changes(folder, was, now)
    return was.get("base_url"), settings.base_url


def _refuse_changes(folder: Path, was: Mapping[str, Any], now: Mapping[str, Any]) -> None:
    changed = [key for key in (*now, *(set(was) - set(now))) if key not in FREE and was.get(key) != now.get(key)]
    if "problems_sha256" in changed and was.get("source") != now["source"]:
        changed.insert(0, "source")  # a path tells the user more than two hashes
    lines: list[str] = []
    for key in changed:
        old, new = ({key: was.get(key)}, {key: now.get(key)}) if key != "play" else (was.get(key) or {}, now[key])
        lines += [
            f"  {name}: was {json.dumps(old.get(name))}, now {json.dumps(new.get(name))}"
            for name in dict.fromkeys((*new, *old))
            if old.get(name) != new.get(name)
        ]
    own = was.get("own_methods", {})
    for name, settings in now["own_methods"].items():
        lines += [
            f"  {name}.{key}: was {json.dumps(own[name].get(key))}, now {json.dumps(value)}"
            for key, value in settings.items()
            if name in own and own[name].get(key) != value
        ]
    if lines:
        raise SettingsError(
            f"{folder} holds a run with other settings:\n" + "\n".join(lines) + "\n"
            "Give the old settings to go on with it, or another --out to start anew."
        )
