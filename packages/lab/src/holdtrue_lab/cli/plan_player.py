"""This module plays a plan for a command. It shows the progress, handles interrupts, and prints a final summary."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from holdtrue.cli.exits import ExitCode
from holdtrue.errors import InfrastructureError

if TYPE_CHECKING:
    from holdtrue.models.chat import ChatModel
    from holdtrue.models.model_registry import ServerOptions
    from holdtrue_lab.kit.entry import PlayedEntry
    from holdtrue_lab.kit.plan import Plan
    from holdtrue_lab.kit.runner import Progress, Standing

INTERRUPTED = 130
TERMINATED = 143
FAILURES_SHOWN = 5


def play(
    plan: Plan,
    folder: Path,
    *,
    show_turns: bool,
    quiet: bool,
    verbose: bool,
    model: ChatModel | None = None,
    formalizers: Sequence[ChatModel] = (),
    server: ServerOptions | None = None,
) -> ExitCode:
    """Play the rest of the plan, print a summary, and return the exit code.

    `model` replaces the plan's model, which is otherwise opened by its name. `formalizers` are the plan's other models.
    All models are closed at the end. `server` has the options of a model on a server.
    """
    import asyncio

    # Verbose lines would disturb a progress bar.
    watch = _storyteller() if show_turns else _progress(quiet or verbose)
    _tell_other_address(plan, folder)
    try:
        with watch as progress:
            watcher = _telling_engines(progress) if verbose else progress
            standing = asyncio.run(_run(plan, folder, watcher, model, formalizers, server))
    except InfrastructureError:
        if folder.exists():
            typer.echo(f"Stopped. {_go_on(folder)}", err=True)
        raise
    except KeyboardInterrupt:
        typer.echo(f"Interrupted. {_go_on(folder)}", err=True)
        raise typer.Exit(INTERRUPTED) from None
    except asyncio.CancelledError:
        # Only the handler of SIGTERM cancels a run.
        typer.echo(f"Terminated. {_go_on(folder)}", err=True)
        raise typer.Exit(TERMINATED) from None
    return _tell(standing, plan, folder, quiet=quiet)


def served_at(model: str) -> str | None:
    """Return the server's address in the environment, which the run's settings keep; None for models without one."""
    return os.environ.get("OPENAI_BASE_URL") or None if model.startswith("openai/") else None


def _tell_other_address(plan: Plan, folder: Path) -> None:
    """Print a note if a run resumes with another server address; the server there is assumed to have the same model."""
    from holdtrue.models.redaction import redact
    from holdtrue_lab.kit.settings import addresses

    was, now = (redact(address or "its default address") for address in addresses(folder, plan.settings))
    if was != now:
        typer.echo(f"{plan.settings.model} was at {was}, and is at {now} now; the run in {folder} goes on.", err=True)


def _go_on(folder: Path) -> str:
    return f"What was done is in {folder}; the same command goes on from there."


async def _run(
    plan: Plan,
    folder: Path,
    progress: Progress | None,
    model: ChatModel | None,
    formalizers: Sequence[ChatModel],
    server: ServerOptions | None,
) -> Standing:
    from holdtrue_lab.cli.server_options import open_for
    from holdtrue_lab.kit.runner import run

    _stop_on_sigterm()
    model = model or open_for(plan.settings.model, server, plan.settings.base_url)
    try:
        return await run(plan, model, folder, formalizers=formalizers, progress=progress)
    finally:
        for opened in (model, *formalizers):
            await opened.aclose()


def _stop_on_sigterm() -> None:
    """Let SIGTERM cancel the run, as Ctrl-C does; a second SIGTERM ends the process immediately."""
    import asyncio
    import signal

    loop, task = asyncio.get_running_loop(), asyncio.current_task()

    def stop() -> None:
        loop.remove_signal_handler(signal.SIGTERM)
        if task is not None:
            task.cancel()

    # Some event loops take no signal handlers; then SIGTERM ends the process immediately.
    with suppress(NotImplementedError):
        loop.add_signal_handler(signal.SIGTERM, stop)


def _telling_engines(progress: Progress | None) -> Progress:
    """Return a progress function that also prints the solver of a conversation, and the reason, when these change."""
    engines: dict[tuple[str, str], str] = {}

    def tell(standing: Standing) -> None:
        if progress is not None:
            progress(standing)
        entry, engine = standing.latest, standing.engine
        if entry is not None and engine is not None and engines.get((entry.problem, entry.method)) != engine:
            engines[entry.problem, entry.method] = engine
            typer.echo(f"{entry.problem}, {entry.method}: {engine}", err=True)

    return tell


@contextmanager
def _storyteller() -> Iterator[Progress]:
    """Yield a progress function that prints every turn as text on standard output."""
    from holdtrue_lab.kit.transcript import Transcript

    transcript = Transcript()
    latest: PlayedEntry[Any] | None = None

    def tell(standing: Standing) -> None:
        nonlocal latest
        if standing.latest is not None and standing.latest is not latest:
            latest = standing.latest
            title, *lines = transcript.tell(latest)
            print(f"[{standing.turns}/{standing.planned}] {title}", *lines, "", sep="\n", flush=True)

    yield tell


@contextmanager
def _progress(quiet: bool) -> Iterator[Progress | None]:
    """Yield a function that updates a progress bar on standard error; None if that is no terminal."""
    from rich.console import Console

    console = Console(stderr=True)
    if quiet or not console.is_terminal:
        yield None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    columns = (BarColumn(), MofNCompleteColumn(), TextColumn("{task.description}"), TimeRemainingColumn())
    with Bar(*columns, console=console, transient=True) as bar:
        task = bar.add_task("turns", total=None)

        def show(standing: Standing) -> None:
            right = f", {standing.correct / standing.scored:.1%} right" if standing.scored else ""
            failed = f", {len(standing.failures)} failed" if standing.failures else ""
            words = f"turns{right}{failed}, {standing.tokens:,} tokens"
            bar.update(task, total=standing.planned, completed=standing.turns, description=words)

        yield show


def _tell(standing: Standing, plan: Plan, folder: Path, *, quiet: bool) -> ExitCode:
    if not quiet and standing.turns:
        from holdtrue_lab.figures.terminal import open_console
        from holdtrue_lab.kit.report import first_table, open_report
        from holdtrue_lab.kit.shown_report import show

        report = open_report([folder])
        show(report, [first_table(report)], open_console())
    for failure in standing.failures[:FAILURES_SHOWN]:
        where = f"{failure.problem}, {failure.method}, turn {failure.turn}"
        typer.echo(f"failed: {where}: {failure.error}: {failure.message}", err=True)
    if standing.cut and (most := plan.sampling.max_tokens):
        thought = ", or --reasoning-effort, --thinking and --thinking-tokens less thinking" if standing.thought else ""
        typer.echo(f"{standing.cut} replies were cut: --max-tokens above {most:,} lets them end{thought}.", err=True)
    if standing.failures:
        typer.echo(f"{len(standing.failures)} conversations failed; the same command tries them again.", err=True)
    if standing.stopped_by_limit:
        limit = plan.settings.token_limit
        typer.echo(f"Stopped at the limit of {limit:,} tokens; raise --token-limit to go on.", err=True)
    if standing.sentences and not standing.read:
        typer.echo(_warn_that_nothing_was_read(standing.sentences, plan, folder), err=True)
    beside = f", beside {standing.beside} turns that this command does not ask for" if standing.beside else ""
    print(f"{standing.turns} of {standing.planned} turns are in {folder}{beside}; see: holdtrue report {folder}")
    if standing.failures:
        return ExitCode.WRONG
    return ExitCode.UNDECIDED if standing.stopped_by_limit else ExitCode.OK


def _warn_that_nothing_was_read(sentences: int, plan: Plan, folder: Path) -> str:
    from dataclasses import fields

    from holdtrue_lab.kit.registry import find_suite

    advice = "take a model that keeps to the JSON that it is asked for"
    if "extractor" in {option.name for option in fields(find_suite(plan.settings.suite).kind.playing().settings)}:
        advice = (
            "--extractor llm reads free wording"
            if plan.settings.extractor == "templates"
            else f"--extractor templates reads what is worded as the domain's own sentences, or {advice}"
        )
    return (
        f"0 of {sentences} sentences were read: no answer was checked against them. What helps: {advice}. "
        f"holdtrue report {folder} --turns says why each was not read."
    )
