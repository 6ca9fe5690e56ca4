"""`holdtrue run`: play benchmark problems, and write down every turn."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from holdtrue.cli.exits import ExitCode
from holdtrue.cli.plan_file import choose_methods, read_plan_file, take_options
from holdtrue.errors import InfrastructureError, SettingsError

if TYPE_CHECKING:
    from holdtrue.evaluation.entry import TurnEntry
    from holdtrue.evaluation.plan import Plan
    from holdtrue.evaluation.runner import Progress, Standing
    from holdtrue.suites.problem import Problem

INTERRUPTED = 130
METHODS = "direct,drift_repair_project"
FAILURES_SHOWN = 5

run_app = typer.Typer(help="Play benchmark problems, and write down every turn.", no_args_is_help=True)


@run_app.callback()
def root() -> None:
    """Play benchmark problems, and write down every turn."""


@run_app.command()
def drift(
    model: Annotated[str, typer.Option(help="Such as openai/NAME, local/NAME, sim/forget:0.3, script/FILE.")],
    plan_file: Annotated[
        Path | None,
        typer.Option("--plan", help="TOML: options, and methods of your own.", callback=take_options, is_eager=True),
    ] = None,
    problems: Annotated[Path | None, typer.Option(help="Folder of problems in the published layout.")] = None,
    generate: Annotated[int | None, typer.Option(min=1, help="Make so many problems instead.")] = None,
    turns: Annotated[int | None, typer.Option(min=1, help="Turns of each generated problem.")] = None,
    phrasing: Annotated[
        str | None, typer.Option(help="Words of the generated problems: published (the default) or varied.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Of the model's sampling, and of --generate.")] = 42,
    method: Annotated[
        str | None, typer.Option(help=f"Methods, separated by commas (default: the plan's, or {METHODS}).")
    ] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="Only so many problems, from all domains alike.")] = None,
    out: Annotated[Path | None, typer.Option(help="Folder of the run (default: runs/, named by settings).")] = None,
    protocol: Annotated[str, typer.Option(help="stated (the setting in every turn) or upstream.")] = "stated",
    extractor: Annotated[str, typer.Option(help="llm, templates, or gold (an oracle).")] = "llm",
    max_connections: Annotated[int, typer.Option(min=1, help="Calls under way at a time.")] = 8,
    token_limit: Annotated[int | None, typer.Option(min=1, help="Begin no call beyond so many paid tokens.")] = None,
    temperature: Annotated[float, typer.Option(min=0, help="Sampling temperature.")] = 0.0,
    base_url: Annotated[str | None, typer.Option(help="Where an openai/... model is served.")] = None,
    show_turns: Annotated[bool, typer.Option("--show-turns", help="Tell every turn in words, as it comes.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Only the last line.")] = False,
    verbose: Annotated[bool, typer.Option("--verbose", help="Tell which solver, and why, on standard error.")] = False,
) -> None:
    """Play DRIFT-Bench problems under one or more methods.

    The same command goes on with a run that ended early: what was answered is not asked, or paid, again.

    Exit code: 0 done, 1 a conversation failed, 2 usage, 3 stopped at the token limit, 4 infrastructure.
    """
    from holdtrue.evaluation.plan import make_plan
    from holdtrue.methods.turn import Sampling

    if model.startswith("sim/") and phrasing == "varied":
        raise SettingsError("simulated models understand the published wording alone; leave --phrasing out")
    source, chosen = _find_problems(problems, generate, seed, turns, phrasing)
    plan = make_plan(
        chosen,
        choose_methods(method, read_plan_file(plan_file) if plan_file else None, METHODS),
        source=source,
        model=model,
        base_url=base_url or _served_at(model),
        protocol=protocol,
        extractor=extractor,
        sampling=Sampling(temperature=temperature, seed=seed),
        limit=limit,
        max_connections=max_connections,
        token_limit=token_limit,
    )
    folder = out or Path("runs") / plan.name
    # Lines in between would tear a progress bar apart.
    watch = _storyteller() if show_turns else _progress(quiet or verbose)
    raise typer.Exit(_tell(_play(plan, folder, watch, verbose=verbose), plan, folder, quiet=quiet))


def _served_at(model: str) -> str | None:
    """The address that the environment gives, where it counts: a run is only resumed at the same one."""
    return os.environ.get("OPENAI_BASE_URL") or None if model.startswith("openai/") else None


def _find_problems(
    folder: Path | None, count: int | None, seed: int, turns: int | None, phrasing: str | None
) -> tuple[str, list[Problem]]:
    """The problems, and where they came from in words."""
    if folder is not None and count is None:
        from holdtrue.suites.drift.load import load_problems

        if turns is not None:
            raise SettingsError("--turns is for --generate; problems in a folder have the turns that they have")
        if phrasing is not None:
            raise SettingsError("--phrasing is for --generate; problems in a folder have the words that they have")
        return str(folder), load_problems(folder)
    if count is not None and folder is None:
        from holdtrue.suites.drift.generate import generate

        words = "published" if phrasing is None else phrasing
        source = f"{count} generated with seed {seed}"
        if words != "published":  # runs of published problems keep the name that they always had
            source += f", {words} phrasing"
        return source, generate(seed, count, turns=turns, phrasing=words)
    raise SettingsError("give either --problems DIR or --generate N")


def _play(plan: Plan, folder: Path, watch: AbstractContextManager[Progress | None], *, verbose: bool) -> Standing:
    import asyncio

    try:
        with watch as progress:
            return asyncio.run(_run(plan, folder, _telling_engines(progress) if verbose else progress))
    except InfrastructureError:
        if folder.exists():
            typer.echo(f"Stopped. {_go_on(folder)}", err=True)
        raise
    except KeyboardInterrupt:
        typer.echo(f"Interrupted. {_go_on(folder)}", err=True)
        raise typer.Exit(INTERRUPTED) from None


def _go_on(folder: Path) -> str:
    return f"What was done is in {folder}; the same command goes on from there."


async def _run(plan: Plan, folder: Path, progress: Progress | None) -> Standing:
    from holdtrue.evaluation.runner import run
    from holdtrue.models.registry import open_model

    model = open_model(plan.settings.model, base_url=plan.settings.base_url)
    try:
        return await run(plan, model, folder, progress=progress)
    finally:
        await model.aclose()


def _telling_engines(progress: Progress | None) -> Progress:
    """Says for each conversation which solver decides and why, and again where that changes."""
    told: dict[tuple[str, str], str] = {}

    def tell(standing: Standing) -> None:
        if progress is not None:
            progress(standing)
        entry, engine = standing.latest, standing.engine
        if entry is not None and engine is not None and told.get((entry.problem, entry.method)) != engine:
            told[entry.problem, entry.method] = engine
            typer.echo(f"{entry.problem}, {entry.method}: {engine}", err=True)

    return tell


@contextmanager
def _storyteller() -> Iterator[Progress]:
    """Every turn in words on standard output, in the place of a progress bar."""
    from holdtrue.report.transcript import Transcript

    transcript = Transcript()
    told: TurnEntry | None = None

    def tell(standing: Standing) -> None:
        nonlocal told
        if standing.latest is not None and standing.latest is not told:
            told = standing.latest
            title, *lines = transcript.tell(told)
            print(f"[{standing.turns}/{standing.planned}] {title}", *lines, "", sep="\n", flush=True)

    yield tell


@contextmanager
def _progress(quiet: bool) -> Iterator[Progress | None]:
    """A progress bar on standard error, where that is a terminal."""
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
    """Say what the run came to, and give the exit code for it."""
    if not quiet and standing.turns:
        from holdtrue.report.read import read_report
        from holdtrue.report.tables.accuracy import accuracy
        from holdtrue.report.terminal import open_console, show

        report = read_report([folder])
        show(report, [accuracy(report)], open_console())
    for failure in standing.failures[:FAILURES_SHOWN]:
        where = f"{failure.problem}, {failure.method}, turn {failure.turn}"
        typer.echo(f"failed: {where}: {failure.error}: {failure.message}", err=True)
    if standing.failures:
        typer.echo(f"{len(standing.failures)} conversations failed; the same command tries them again.", err=True)
    if standing.stopped_by_limit:
        limit = plan.settings.token_limit
        typer.echo(f"Stopped at the limit of {limit:,} tokens; raise --token-limit to go on.", err=True)
    print(f"{standing.turns} of {standing.planned} turns are in {folder}; see: holdtrue report {folder}")
    if standing.failures:
        return ExitCode.WRONG
    return ExitCode.UNDECIDED if standing.stopped_by_limit else ExitCode.OK
