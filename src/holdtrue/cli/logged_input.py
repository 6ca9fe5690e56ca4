"""Read logged turns from a file or standard input, as one document or line by line."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from holdtrue.errors import InputError, RecordError, SettingsError

if TYPE_CHECKING:
    from holdtrue.conversation.logged_chat import LoggedExchange
    from holdtrue.verification.logged_turn import LoggedTurn
    from holdtrue.world.domain import Domain

_A_CHAT = (
    "{0} is a chat (messages with role and content), and no log of turns; what its users say has to be read first: "
    "holdtrue check --chat {1} --domain DOMAIN --entities NAMES"
)
_A_SESSION = "{0} is a saved session, and no log of turns; go on with its load, and verify an answer with its check"
_FIRST_LINES = 20  # Half of this many first lines must be JSON. Otherwise the file is one broken document.


def logged_turns(file: str, *, lines: bool) -> Iterator[tuple[int, str | dict[str, Any]]]:
    """Yield the turns of a file, each with its line number or its number in a list. Texts are not parsed yet.

    If `lines` is true, the file has one object on each line, as every `.jsonl` file has. Raises `RecordError` if the
    file cannot be read or has no turn. Raises `SettingsError` if it is a chat or a saved session.
    """
    name, place = input_name(file), -1
    with open_input(file) as stream:
        turns = _turns(stream, name, lines=lines or file.endswith(".jsonl"))
        for place, (number, turn) in enumerate(turns):
            if place == 0 and (other := _what_else(turn)):
                raise SettingsError(other.format(name, file))
            yield number, turn
    if place < 0:
        raise RecordError(f"{name}: no logged turn is in it: there is nothing to verify")


def read_chats(file: str, format: str | None) -> dict[str, list[LoggedExchange]]:
    """Return the exchanges of a chat, or of each conversation in a log, by name. `format` names the log's format.

    Raises `RecordError` for a message or a part of the log that is not understood.
    """
    with open_input(file) as stream:
        data = stream.buffer.read() if file.endswith(".eval") else stream.read().encode("utf-8", "surrogateescape")
    return chats_in(data, input_name(file), "chat" if file == "-" else Path(file).stem, format)


def chats_in(data: bytes, source: str, name: str, format: str | None = None) -> dict[str, list[LoggedExchange]]:
    """Return the exchanges of each conversation in a log (see `read_chats`). A chat without an id gets the `name`."""
    from holdtrue.conversation.logged_chat import exchanges_in
    from holdtrue.guard.log_formats.log_reading import conversations_in
    from holdtrue.guard.recording import spoken_in

    found: dict[str, list[LoggedExchange]] = {}
    try:
        for number, own in enumerate(conversations_in(data, source, format), 1):
            if isinstance(own, RecordError):
                raise own
            id = str(own.get("id") or (name if number == 1 else f"{name}-{number}"))
            found[f"{id}-{number}" if id in found else id] = exchanges_in(spoken_in(own, "conversation"))
    except RecordError as error:
        raise RecordError(f"{source}: {error}") from error
    if not found:
        raise RecordError(f"{source}: no conversation is in it: there is nothing to verify")
    return found


def input_name(file: str) -> str:
    """Return the name of the file for error messages."""
    return "standard input" if file == "-" else file


def read_turn(turn: str | dict[str, Any], own: Domain | None) -> LoggedTurn:
    """Read a turn. `own` is the default domain, next to the built-in ones. Raises `RecordError` if it is invalid."""
    from holdtrue.verification.logged_turn import read_logged_turn
    from holdtrue.world.registry import BUILTIN

    return read_logged_turn(_parse(turn), BUILTIN, own)


def open_input(file: str) -> AbstractContextManager[TextIO]:
    """Open a file, or standard input (`-`), as text. Raises `RecordError` if that fails."""
    if file == "-":
        return nullcontext(_standard_input())
    try:
        # Some editors begin a file with a byte order mark.
        return Path(file).open(encoding="utf-8-sig", errors="surrogateescape")
    except OSError as error:
        raise RecordError(f"{file or 'a file without a name'} cannot be read: {error.strerror}") from error


def _standard_input() -> TextIO:
    """Return standard input with the encoding of files, independent of the locale."""
    if sys.stdin is None:
        raise RecordError("standard input is closed")
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(encoding="utf-8-sig", errors="surrogateescape")
    return sys.stdin


def _turns(stream: TextIO, name: str, *, lines: bool) -> Iterator[tuple[int, str | dict[str, Any]]]:
    if lines:
        yield from ((number, line) for number, line in enumerate(stream, 1) if line.strip())
        return
    text = stream.read()
    try:
        whole = json.loads(text)
    except (ValueError, RecursionError) as error:
        # The file is no single document, so it has one object on each line. Texts may contain other line separators.
        written = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
        first = written[:_FIRST_LINES]
        if len(first) > 1 and 2 * sum(_is_json(line) for _, line in first) < len(first):
            raise RecordError(f"{name} is neither one JSON document ({error}) nor one object a line") from error
        yield from written
        return
    yield from enumerate(whole if isinstance(whole, list) else [whole], 1)


def _is_json(line: str) -> bool:
    try:
        _parse(line)
    except RecordError:
        return False
    return True


def _what_else(turn: str | dict[str, Any]) -> str | None:
    """Return the error message for a message, a chat or a saved session, or None for a logged turn."""
    try:
        value = _parse(turn)
    except RecordError:
        return None
    if not isinstance(value, dict):
        return None
    if "kind" in value and "version" in value:
        return _A_SESSION
    if "constraints" in value:
        return None
    is_chat = isinstance(value.get("messages"), list) or (isinstance(value.get("role"), str) and "content" in value)
    return _A_CHAT if is_chat else None


def _parse(turn: str | dict[str, Any]) -> object:
    if not isinstance(turn, str):
        return turn
    try:
        return json.loads(turn)
    except (ValueError, RecursionError) as error:
        raise RecordError(f"no JSON object: {error}") from error


def say_error(line: int, error: InputError, as_json: bool) -> None:
    """Print which turn cannot be read, and why. The other turns are still checked."""
    if as_json:
        print(json.dumps({"line": line, "error": str(error)}))
    else:
        print(f"line {line}: {error}")


def print_any_text() -> None:
    """Let standard output escape characters that it cannot encode. A log may have any."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
