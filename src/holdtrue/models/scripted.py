"""A model that answers from a script, for tests, examples and trials without a real model."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from holdtrue.errors import ModelRefused, RecordError, SettingsError
from holdtrue.models.chat import Reply, Request
from holdtrue.record import ReplyKind, Usage


@dataclass(frozen=True, slots=True)
class ScriptedReply:
    """One reply. With `match`, it answers every request whose last user message contains this text."""

    text: str
    match: str | None = None
    kind: ReplyKind = ReplyKind.ANSWER
    note: str | None = None


class ScriptModel:
    """A model that replies in order, or by a function of the request. Replies with `match` are tried first.

    Token counts are numbers of words. Raises `ModelRefused` at the end of the script, and `SettingsError` for an entry
    that is not a reply.
    """

    def __init__(
        self,
        replies: Sequence[str | ScriptedReply] | Callable[[Request], str | ScriptedReply],
        *,
        name: str = "script",
    ) -> None:
        self.name = name
        self._function = replies if callable(replies) else None
        if isinstance(replies, str) or not (callable(replies) or isinstance(replies, Sequence)):
            raise SettingsError(f"a script is a list of replies, or a function that gives one, not {replies!r:.60}")
        entries = () if callable(replies) else replies
        scripted = [_scripted(entry, f"reply {number}") for number, entry in enumerate(entries, start=1)]
        self._matched = [entry for entry in scripted if entry.match is not None]
        self._left = [entry for entry in scripted if entry.match is None]
        self._used = 0

    async def complete(self, request: Request) -> Reply:
        said = _scripted(self._function(request)) if self._function else self._next(request)
        asked = sum(len(message.content.split()) for message in request.messages)
        return Reply(said.text, Usage(1, asked, len(said.text.split())), said.kind, said.note)

    async def aclose(self) -> None:
        """Do nothing."""

    def _next(self, request: Request) -> ScriptedReply:
        said = next((m.content for m in reversed(request.messages) if m.role == "user"), "")
        for entry in self._matched:
            if entry.match is not None and entry.match in said:
                return entry
        if self._used == len(self._left):
            raise ModelRefused(f"{self.name}: the script has no reply left ({self._used} used) for {said[-80:]!r}")
        self._used += 1
        return self._left[self._used - 1]


def _scripted(entry: str | ScriptedReply, place: str = "the function's reply") -> ScriptedReply:
    scripted = entry if isinstance(entry, ScriptedReply) else ScriptedReply(entry)
    if not isinstance(scripted.text, str):
        raise SettingsError(f"{place} must be a text or a ScriptedReply(text), not {entry!r:.60}")
    return scripted


def load_script(path: Path) -> ScriptModel:
    """Load the script in a file: a JSON list of entries, or one entry a line.

    An entry is a text, or an object with `text` and optionally `match` and `kind` (`answer`, `cut`, `refused`,
    `filtered` or `tool_call`). Raises `RecordError` with the file and the entry.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise RecordError(f"{path}: the script cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise RecordError(f"{path}: the script is no UTF-8: {error.reason} at byte {error.start}") from error
    entries = [_entry(path, number, value) for number, value in enumerate(_values(path, text), 1)]
    return ScriptModel(entries, name=f"script/{path.name}")


def _values(path: Path, text: str) -> list[object]:
    try:
        if text.lstrip().startswith("["):
            values: list[object] = json.loads(text)
            return values
        return [json.loads(line) for line in text.splitlines() if line.strip()]
    except (ValueError, RecursionError) as error:
        raise RecordError(f"{path}: the script is neither a JSON list nor one JSON value a line: {error}") from error


def _entry(path: Path, number: int, value: object) -> ScriptedReply:
    if isinstance(value, str):
        return ScriptedReply(value)
    if isinstance(value, dict) and isinstance(value.get("text"), str) and isinstance(value.get("match"), str | None):
        kind = value.get("kind", ReplyKind.ANSWER)
        if kind not in frozenset(ReplyKind):
            raise RecordError(f"{path}: entry {number}: there is no kind {kind!r:.40}, only {', '.join(ReplyKind)}")
        return ScriptedReply(value["text"], value.get("match"), ReplyKind(kind))
    raise RecordError(f'{path}: entry {number} is neither a text nor {{"text": ..., "match": ...}}')
