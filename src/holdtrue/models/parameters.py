"""Decide which parameters of a request are sent: all except those that the server rejected.

Reasoning models accept only their default temperature, and some no seed. Their token limit has another name. Many
servers know no JSON schema. A rejected parameter is left out and the request sent again. If the second request is
answered, the parameter is left out from then on. Temperatures and schemas are remembered one by one, so that a request
does not depend on earlier ones.
"""

from __future__ import annotations

import hashlib
import json
import re
from typing import Any

from holdtrue.models.chat import Request, well_formed_json
from holdtrue.models.retry_policy import Fault

_NEWER_LIMIT = "max_completion_tokens"
_TOO_LONG = re.compile(r"context[ _]?(?:length|window|size)|too long|too many tokens", re.IGNORECASE)
_NOT_TAKEN = re.compile(
    r"un(?:supported|recogni[sz]ed|known|expected)|not (?:be )?(?:supported|permitted|allowed|recogni[sz]ed)|extra|"
    r"deprecated|does not support|do not support",
    re.IGNORECASE,
)
_WORDS = {
    "temperature": re.compile(r"\btemperature\b", re.IGNORECASE),
    "top_p": re.compile(r"\btop_p\b", re.IGNORECASE),
    "thinking": re.compile(r"\bthinking\b|budget_tokens", re.IGNORECASE),
    "seed": re.compile(r"\bseed\b", re.IGNORECASE),
    "schema": re.compile(r"response_format|json_?schema|structured[ _-]output|guided", re.IGNORECASE),
}
_NOTES = {
    "temperature": "sent without temperature: the model takes only its default",
    "top_p": "sent without top_p: the model does not take it",
    "thinking": "sent without a budget for thinking: the model does not take it",
    "seed": "sent without a seed: the server takes none",
    "schema": "sent without the schema: the server does not take it",
}
"""The note for each parameter that was left out. The other name of the limit needs no note."""


class Parameters:
    """The parameters that one model of one server accepts.

    Changes are named `seed`, `limit`, `temperature=0.0`, `schema=<hash>`.
    """

    def __init__(self, model: str) -> None:
        self._model = model
        self._learned: set[str] = set()

    def changes(self, request: Request) -> frozenset[str]:
        """Return the known changes of this request."""
        return frozenset(self._learned & set(_changes(request).values()))

    def learn(self, changes: frozenset[str]) -> list[str]:
        """Remember changes with which a request was answered. Return the parameters that are new among them."""
        new = changes - self._learned
        known = {change.partition("=")[0] for change in self._learned}
        self._learned |= new
        return sorted({change.partition("=")[0] for change in new} - known - {"limit"})

    def body(self, request: Request, changes: frozenset[str]) -> dict[str, Any]:
        """Return the JSON to send. All its texts can be encoded as UTF-8."""
        possible = _changes(request)
        parameters: dict[str, Any] = {
            "model": self._model,
            "messages": [message.to_json() for message in request.messages],
        }
        if possible["temperature"] not in changes:
            parameters["temperature"] = request.temperature
        if "seed" not in changes:
            parameters["seed"] = request.seed + request.sample
        if request.top_p is not None and possible["top_p"] not in changes:
            parameters["top_p"] = request.top_p
        thinking = None if "thinking" in changes else request.thinking_tokens
        if thinking is not None:
            parameters["thinking"] = {"type": "enabled", "budget_tokens": thinking}
        parameters[_NEWER_LIMIT if "limit" in changes else "max_tokens"] = request.max_tokens + (thinking or 0)
        if request.schema is not None and possible["schema"] not in changes:
            schema = {"name": "reply", "schema": dict(request.schema), "strict": True}
            parameters["response_format"] = {"type": "json_schema", "json_schema": schema}
        parameters |= request.extra_body or {}
        parameters = {name: value for name, value in parameters.items() if value is not None}
        cleaned: dict[str, Any] = well_formed_json(parameters)
        return cleaned


def change_for(request: Request, changes: frozenset[str], fault: Fault) -> frozenset[str]:
    """Return the changes to try after the server rejected the request, or none if nothing is left to change.

    The parameter that the server names is left out, or the schema if it names none.
    """
    text = fault.words
    possible = _changes(request)
    if fault.code == "context_length_exceeded" or (_TOO_LONG.search(text) and not fault.parameter):
        return frozenset()
    named = [name for name in _WORDS if name == fault.parameter.rpartition(".")[2] and name in possible]
    if not named and fault.parameter.partition(".")[0] == "response_format" and "schema" in possible:
        named = ["schema"]
    if _names_limit(fault):
        named.append("limit")
    if not named:
        named = [name for name, words in _WORDS.items() if name in possible and words.search(text)]
    found = {possible[name] for name in named} - changes
    if not found and "schema" in possible:
        found = {possible["schema"]} - changes
    return frozenset(found)


def notes_on(changes: frozenset[str]) -> list[str]:
    """Return the notes about the changes of a call for its record."""
    return [_NOTES[name] for name in sorted(change.partition("=")[0] for change in changes) if name in _NOTES]


def _names_limit(fault: Fault) -> bool:
    """Return whether the server wants the token limit by its newer name."""
    if _NEWER_LIMIT in fault.words:
        return True
    names = fault.parameter == "max_tokens" or (not fault.parameter and "max_tokens" in fault.words)
    return names and _NOT_TAKEN.search(fault.words) is not None


def _changes(request: Request) -> dict[str, str]:
    """Return the possible changes of this request by parameter."""
    possible = {"temperature": f"temperature={float(request.temperature)}", "seed": "seed", "limit": "limit"}
    if request.top_p is not None:
        possible["top_p"] = f"top_p={float(request.top_p)}"
    if request.thinking_tokens is not None:
        possible["thinking"] = "thinking"
    if request.schema is not None:
        written = json.dumps(request.schema, sort_keys=True).encode()
        possible["schema"] = f"schema={hashlib.sha256(written).hexdigest()}"
    return possible
