"""`holdtrue check`: verify logged turns offline."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TextIO

import typer

from holdtrue.cli.exits import ExitCode
from holdtrue.errors import InputError, RecordError
from holdtrue.record import TurnOutcome

if TYPE_CHECKING:
    from holdtrue.domains.domain import Domain
    from holdtrue.verification.logged import CheckedTurn

PRECEDENCE = (ExitCode.INFRASTRUCTURE, ExitCode.USAGE, ExitCode.WRONG, ExitCode.UNDECIDED, ExitCode.OK)


def check(
    file: Annotated[str, typer.Argument(help="Logged turns: JSON, or one object a line; - reads standard input.")],
    jsonl: Annotated[bool, typer.Option("--jsonl", help="One object a line, whatever the file's name.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a line instead of sentences.")] = False,
    domain: Annotated[str | None, typer.Option(help="module:Name, file.py:Name or domain.json.")] = None,
    timeout_s: Annotated[float, typer.Option(help="Seconds of solver time per question.")] = 5.0,
) -> None:
    """Verify logged turns: is the ledger satisfiable, what does the answer break, and what would mend it?

    Exit code: 4 infrastructure, 2 an unreadable line, 1 something wrong, 3 something undecided, 0 all is well;
    of several the first in this order.
    """
    from holdtrue.budget import Budget
    from holdtrue.domains.registry import BUILTIN, find_domain
    from holdtrue.verification.logged import check_logged_turn, read_logged_turn

    default: Domain | None = find_domain(domain) if domain else None
    budget = Budget(timeout_s=timeout_s)
    exits = {ExitCode.OK}
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # a log may hold text that no terminal can show
    with _open(file) as stream:
        for line, text in _turns(stream, lines=jsonl or file.endswith(".jsonl")):
            try:
                checked = check_logged_turn(read_logged_turn(_parse(text), BUILTIN, default), budget)
            except InputError as error:
                exits.add(ExitCode.USAGE)
                _say_error(line, error, as_json)
                continue
            exits.add(_exit_of(checked))
            _say(checked, as_json)
    raise typer.Exit(next(code for code in PRECEDENCE if code in exits))


def _open(file: str) -> AbstractContextManager[TextIO]:
    if file == "-":
        return nullcontext(sys.stdin)
    try:
        return Path(file).open(encoding="utf-8", errors="surrogateescape")
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


def _say(checked: CheckedTurn, as_json: bool) -> None:
    if as_json:
        print(json.dumps(checked.to_json()))
        return
    print(f"{checked.id or 'turn'}: {checked.verdict.outcome.value}")
    for sentence in checked.sentences:
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
