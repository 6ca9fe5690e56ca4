"""The command `holdtrue check`: verify logged turns, or a logged chat."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from holdtrue.cli.exits import ExitCode, exit_for, first_of
from holdtrue.cli.logged_input import logged_turns, print_any_text, read_chats, read_turn, say_error
from holdtrue.cli.model_options import known_model
from holdtrue.errors import InputError, RecordError, SettingsError

if TYPE_CHECKING:
    from holdtrue.budget import Budget
    from holdtrue.conversation.logged_chat import CheckedChatTurn, LoggedExchange
    from holdtrue.verification.logged_turn import CheckedTurn
    from holdtrue.world.domain import Domain
    from holdtrue.world.instance import Instance

READER = "local/qwen2.5-coder-1.5b"  # the smallest model that reads reliably


def check(
    file: Annotated[
        str | None, typer.Argument(help="Logged turns: JSON, or one object a line; - reads standard input.")
    ] = None,
    chat: Annotated[str | None, typer.Option(help="A logged chat instead: messages with role and content.")] = None,
    format: Annotated[str | None, typer.Option(help="Chat: the format of the log, if a look does not tell.")] = None,
    jsonl: Annotated[bool, typer.Option("--jsonl", help="One object a line, whatever the file's name.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a line instead of sentences.")] = False,
    domain: Annotated[str | None, typer.Option(help="module:Name or file.py:Name.")] = None,
    extractor: Annotated[str, typer.Option(help="Chat: who reads the user, llm or templates.")] = "llm",
    model: Annotated[
        str, typer.Option(help="Chat: the model that reads, such as openai/NAME.", callback=known_model)
    ] = READER,
    entities: Annotated[str | None, typer.Option(help="Chat: names, separated by commas.")] = None,
    context: Annotated[str | None, typer.Option(help="Chat: the setting, a JSON object.")] = None,
    skip_prose: Annotated[bool, typer.Option("--skip-prose", help="Chat: pass over answers without any JSON.")] = False,
    timeout_s: Annotated[float, typer.Option(help="Seconds of solver time per question.")] = 5.0,
    verbose: Annotated[bool, typer.Option("--verbose", help="Tell which solver, and why, on standard error.")] = False,
) -> None:
    """Verify logged turns: is the ledger satisfiable, what does the answer break, and what would mend it?

    With --chat the messages of an ordinary chat, or of a log in any format that holdtrue audit reads, are read first.

    Exit code, the first that applies: 4 for infrastructure, 2 for an unreadable line, 1 for something wrong. Then 3 for
    something undecided, and 0 otherwise.
    """
    import asyncio

    from holdtrue.budget import Budget
    from holdtrue.world.registry import find_domain

    if (file is None) == (chat is None):
        raise SettingsError("give either a FILE of logged turns, or --chat FILE")
    if chat is None and (entities or context or skip_prose or format):
        raise SettingsError("--entities, --context, --format and --skip-prose go with --chat")
    own, budget = find_domain(domain) if domain else None, Budget(timeout_s=timeout_s)
    print_any_text()
    if chat is None:
        exits = _check_turns(str(file), own, budget, lines=jsonl, as_json=as_json, verbose=verbose)
    else:
        instance = _bind(own, entities, context)
        exits = asyncio.run(
            _check_chat(read_chats(chat, format), instance, extractor, model, budget, as_json, skip_prose, verbose)
        )
    raise typer.Exit(first_of(exits))


def _check_turns(
    file: str, own: Domain | None, budget: Budget, *, lines: bool, as_json: bool, verbose: bool
) -> set[ExitCode]:
    from holdtrue.verification.logged_turn import check_logged_turn

    exits = {ExitCode.OK}
    for line, turn in logged_turns(file, lines=lines):
        try:
            checked = check_logged_turn(read_turn(turn, own), budget)
        except InputError as error:
            exits.add(ExitCode.USAGE)
            say_error(line, error, as_json)
            continue
        exits.add(exit_for(checked.verdict.outcome))
        _say(checked, checked.sentences, checked.to_json() if as_json else None, verbose)
    return exits


async def _check_chat(
    chats: Mapping[str, Sequence[LoggedExchange]],
    instance: Instance,
    reader: str,
    model: str,
    budget: Budget,
    as_json: bool,
    skip_prose: bool,
    verbose: bool,
) -> set[ExitCode]:
    from holdtrue.conversation.logged_chat import check_chat
    from holdtrue.language.readers import make_extractor
    from holdtrue.models.model_registry import open_model
    from holdtrue.models.scripted import ScriptModel

    exits: set[ExitCode] = set()
    # Templates need no model.
    asked = open_model(model) if reader == "llm" else ScriptModel([])
    try:
        extractor = make_extractor(reader, asked, "stated")
        for name, exchanges in chats.items():
            before: list[CheckedChatTurn] = []  # skipped answers; the events of their messages go to the next answer
            async for turn in check_chat(exchanges, instance, extractor, name=name, budget=budget):
                if skip_prose and turn.prose:
                    before.append(turn)
                    continue
                full_turn, before = turn.after(before), []
                exits.add(exit_for(full_turn.checked.verdict.outcome))
                as_value = full_turn.to_json() if as_json else None
                _say(full_turn.checked, full_turn.sentences, as_value, verbose)
    finally:
        await asked.aclose()
    if not exits:
        raise RecordError(f"{', '.join(chats):.200}: no answer has any JSON in it: nothing was verified")
    return exits


def _bind(own: Domain | None, entities: str | None, context: str | None) -> Instance:
    """Return the instance that a chat is about."""
    if own is None:
        raise SettingsError("a chat needs --domain: module:Name, file.py:Name, or a built-in domain")
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


def _say(checked: CheckedTurn, sentences: Sequence[str], as_json: dict[str, Any] | None, verbose: bool) -> None:
    if verbose:
        typer.echo(f"{checked.id or 'turn'}: {checked.engine}", err=True)
    if as_json is not None:
        print(json.dumps(as_json))
        return
    print(f"{checked.id or 'turn'}: {checked.verdict.outcome.value}")
    for sentence in sentences:
        print(f"  {sentence}")
    if checked.nearest is not None:
        which = "The nearest answer" if checked.nearest_proved else "An answer, not proved the nearest,"
        print(f"  {which} that keeps everything: {json.dumps(checked.nearest, ensure_ascii=False)}")
    if checked.correct is not None:
        print(f"  Against gold the answer is {'correct' if checked.correct else 'wrong'}.")
