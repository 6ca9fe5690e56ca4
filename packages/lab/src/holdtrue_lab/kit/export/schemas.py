"""This module makes the JSON Schemas of the files that holdtrue writes, from the types that read them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from holdtrue.conversation.query_session import QuerySession
from holdtrue.conversation.query_state import SavedQueries
from holdtrue.conversation.saved_assignments import SavedAssignments
from holdtrue.conversation.saved_file import KIND, VERSION
from holdtrue.conversation.search_session import SavedSearch, SearchSession
from holdtrue.conversation.session import Session
from holdtrue.errors import SettingsError
from holdtrue_claims.conversation.claim_session import ClaimSession
from holdtrue_claims.conversation.saved_claims import SavedClaims
from holdtrue_lab.kit.entry import FailureEntry
from holdtrue_lab.kit.registry import KINDS
from holdtrue_lab.kit.settings import JOURNAL_FILE, SETTINGS_FILE, RunSettings

SAVED: Mapping[str, type[Any]] = {
    Session.answers: SavedAssignments,
    QuerySession.answers: SavedQueries,
    SearchSession.answers: SavedSearch,
    ClaimSession.answers: SavedClaims,
}
DIALECT = "https://json-schema.org/draft/2020-12/schema"


def schema_names() -> tuple[str, ...]:
    """Return the names of all schemas."""
    return tuple(_schemas())


def schema_of(name: str) -> dict[str, Any]:
    """Return the JSON Schema with this name, which is of a file or of a line. Raises `SettingsError` if unknown."""
    from pydantic import TypeAdapter

    known = _schemas()
    if name not in known:
        raise SettingsError(f"no schema {name!r:.60}; there are {', '.join(known)}")
    title, find = known[name]
    adapter: TypeAdapter[Any] = TypeAdapter(find())
    found: dict[str, Any] = {"$schema": DIALECT, **adapter.json_schema(), "title": title}
    for answers in SAVED:
        if name == _session(answers):
            found["properties"] = {**_head(answers), **found["properties"]}
            found["required"] = [*_head(answers), *found.get("required", ())]
    return found


def _session(answers: str) -> str:
    return f"session.{answers.replace(' ', '-')}"


def _head(answers: str) -> dict[str, Any]:
    return {
        "kind": {"const": KIND},
        "version": {"const": VERSION},
        "face": {"type": "string", "description": "The class that wrote it."},
        "answers": {"const": answers},
    }


def _schemas() -> Mapping[str, tuple[str, Callable[[], Any]]]:
    """Return, by the name of each schema, a description and a function that returns its type."""
    found: dict[str, tuple[str, Callable[[], Any]]] = {
        "settings": (f"{SETTINGS_FILE} of a run", lambda: RunSettings),
        "journal.failure": (f"a line of {JOURNAL_FILE}: a conversation that failed", lambda: FailureEntry),
    }
    for kind in KINDS.names():
        found[f"journal.{kind}"] = (f"a line of {JOURNAL_FILE}: a turn about {kind}", _entry(kind))
    for answers, state in SAVED.items():
        found[_session(answers)] = (f"a saved session about {answers}", _state(state))
    return found


def _state(state: type[Any]) -> Callable[[], Any]:
    return lambda: state


def _entry(kind: str) -> Callable[[], Any]:
    return lambda: KINDS.find(kind).entry
