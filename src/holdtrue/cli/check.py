"""`holdtrue check`: verify logged turns, or a logged chat."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TextIO

import typer

from holdtrue.cli.exits import ExitCode
from holdtrue.errors import InputError, RecordError, SettingsError
from holdtrue.record import TurnOutcome

if TYPE_CHECKING:
    from holdtrue.budget import Budget
    from holdtrue.domains.domain import Domain
    from holdtrue.domains.instance import Instance
    from holdtrue.session.logged_chat import CheckedChatTurn
    from holdtrue.verification.logged import CheckedTurn

PRECEDENCE = (ExitCode.INFRASTRUCTURE, ExitCode.USAGE, ExitCode.WRONG, ExitCode.UNDECIDED, ExitCode.OK)
READER = "local/qwen2.5-coder-1.5b"  # the smallest model that reads well enough to be held to


def check(
    file: Annotated[
        str | None, typer.Argument(help="Logged turns: JSON, or one object a line; - reads standard input.")
    ] = None,
    chat: Annotated[str | None, typer.Option(help="A logged chat instead: messages with role and content.")] = None,
    jsonl: Annotated[bool, typer.Option("--jsonl", help="One object a line, whatever the file's name.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a line instead of sentences.")] = False,
    domain: Annotated[str | None, typer.Option(help="module:Name, file.py:Name or domain.json.")] = None,
    extractor: Annotated[str, typer.Option(help="Chat: who reads the user, llm or templates.")] = "llm",
    model: Annotated[str, typer.Option(help="Chat: the model that reads, such as openai/NAME.")] = READER,
    entities: Annotated[str | None, typer.Option(help="Chat: names, separated by commas.")] = None,
    context: Annotated[str | None, typer.Option(help="Chat: the setting, a JSON object.")] = None,
    skip_prose: Annotated[bool, typer.Option("--skip-prose", help="Chat: pass over answers without any JSON.")] = False,
    timeout_s: Annotated[float, typer.Option(help="Seconds of solver time per question.")] = 5.0,
) -> None:
    """Verify logged turns: is the ledger satisfiable, what does the answer break, and what would mend it?

    With --chat what the user said in an ordinary chat is read first, turn by turn.

    Exit code: 4 infrastructure, 2 an unreadable line, 1 something wrong, 3 something undecided, 0 all is well;
    of several the first in this order.
    """
    import asyncio

    from holdtrue.budget import Budget
    from holdtrue.domains.registry import find_domain

    if (file is None) == (chat is None):
        raise SettingsError("give either a FILE of logged turns, or --chat FILE")
    if chat is None and (entities or context or skip_prose):
        raise SettingsError("--entities, --context and --skip-prose go with --chat")
    own, budget = find_domain(domain) if domain else None, Budget(timeout_s=timeout_s)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # a log may hold text that no terminal can show
    if chat is None:
        exits = _check_turns(str(file), own, budget, lines=jsonl, as_json=as_json)
    else:
        instance = _bind(own, entities, context)
        exits = asyncio.run(_check_chat(chat, instance, extractor, model, budget, as_json, skip_prose))
    raise typer.Exit(next(code for code in PRECEDENCE if code in exits))


def _check_turns(file: str, own: Domain | None, budget: Budget, *, lines: bool, as_json: bool) -> set[ExitCode]:
    from holdtrue.domains.registry import BUILTIN
    from holdtrue.verification.logged import check_logged_turn, read_logged_turn

    exits = {ExitCode.OK}
    with _open(file) as stream:
        for line, text in _turns(stream, lines=lines or file.endswith(".jsonl")):
            try:
                checked = check_logged_turn(read_logged_turn(_parse(text), BUILTIN, own), budget)
            except InputError as error:
                exits.add(ExitCode.USAGE)
                _say_error(line, error, as_json)
                continue
            exits.add(_exit_of(checked))
            _say(checked, checked.sentences, checked.to_json() if as_json else None)
    return exits


async def _check_chat(
    file: str, instance: Instance, reader: str, model: str, budget: Budget, as_json: bool, skip_prose: bool
) -> set[ExitCode]:
    from holdtrue.language.readers import make_extractor
    from holdtrue.models.registry import open_model
    from holdtrue.models.script import ScriptModel
    from holdtrue.session.logged_chat import check_chat, read_chat

    with _open(file) as stream:
        exchanges = read_chat(stream.read(), file)
    exits: set[ExitCode] = set()
    before: list[CheckedChatTurn] = []  # what was passed over; what its messages came to is told with the next answer
    # Only a reader that asks a model needs one to be there.
    asked = open_model(model) if reader == "llm" else ScriptModel([])
    try:
        extractor = make_extractor(reader, asked, "stated")
        name = Path(file).stem if file != "-" else "chat"
        async for turn in check_chat(exchanges, instance, extractor, name=name, budget=budget):
            if skip_prose and turn.prose:
                before.append(turn)
                continue
            told, before = turn.after(before), []
            exits.add(_exit_of(told.checked))
            _say(told.checked, told.sentences, told.to_json() if as_json else None)
    finally:
        await asked.aclose()
    if not exits:
        raise RecordError(f"{file}: no answer has any JSON in it: nothing was verified")
    return exits


def _bind(own: Domain | None, entities: str | None, context: str | None) -> Instance:
    """The instance that a chat is about."""
    if own is None:
        raise SettingsError("a chat needs --domain: module:Name, file.py:Name, domain.json, or a built-in domain")
    names = [name.strip() for name in (entities or "").split(",") if name.strip()]
    if not names and not own.entities:
        raise SettingsError(f"the domain {own.name!r} names no entities: give them, as in --entities Ann,Bob")
    try:
        given = json.loads(context or "{}")
    except (ValueError, RecursionError) as error:
        raise SettingsError(f"--context is no JSON: {error}") from error
    if not isinstance(given, dict):
        raise SettingsError('--context is no JSON object, such as {"days": 5}')
    return own.instance(names, given)


def _open(file: str) -> AbstractContextManager[TextIO]:
    if file == "-":
        return nullcontext(sys.stdin)
    try:
        # Some editors begin a file with a byte order mark.
        return Path(file).open(encoding="utf-8-sig", errors="surrogateescape")
    except OSError as error:
        raise RecordError(f"{file} cannot be read: {error.strerror}") from error


def _turns(stream: TextIO, *, lines: bool) -> Iterator[tuple[int, str | dict[str, Any]]]:
    """The turns with the number of their line, or of their place in a list; texts are not parsed yet."""
    if lines:
        yield from ((number, line) for number, line in enumerate(stream, 1) if line.strip())
        return
    text = stream.read()
    try:
        whole = json.loads(text)
    except (ValueError, RecursionError):
        # Not one JSON document: one object a line, then.
        yield from ((number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip())
        return
    yield from enumerate(whole if isinstance(whole, list) else [whole], 1)


def _parse(turn: str | dict[str, Any]) -> object:
    if not isinstance(turn, str):
        return turn
    try:
        return json.loads(turn)
    except (ValueError, RecursionError) as error:
        raise RecordError(f"no JSON object: {error}") from error


def _exit_of(checked: CheckedTurn) -> ExitCode:
    match checked.verdict.outcome:
        case TurnOutcome.CONSISTENT:
            return ExitCode.OK
        case TurnOutcome.UNDECIDED:
            return ExitCode.UNDECIDED
    return ExitCode.WRONG


def _say(checked: CheckedTurn, sentences: Sequence[str], as_json: dict[str, Any] | None) -> None:
    if as_json is not None:
        print(json.dumps(as_json))
        return
    print(f"{checked.id or 'turn'}: {checked.verdict.outcome.value}")
    for sentence in sentences:
        print(f"  {sentence}")
    if checked.nearest is not None:
        print(f"  The nearest answer that keeps everything: {json.dumps(checked.nearest, ensure_ascii=False)}")
    if checked.correct is not None:
        print(f"  Against gold the answer is {'correct' if checked.correct else 'wrong'}.")


def _say_error(line: int, error: InputError, as_json: bool) -> None:
    if as_json:
        print(json.dumps({"line": line, "error": str(error)}))
    else:
        print(f"line {line}: {error}")
