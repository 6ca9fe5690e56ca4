"""`holdtrue run`: play benchmark problems, and write down every turn."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from holdtrue.cli.model_names import known_model
from holdtrue.cli.plan_file import choose_methods, read_plan_file, take_options
from holdtrue.cli.playing import play, served_at
from holdtrue.cli.run_options import BaseUrl, Connections, Out, Quiet, ShowTurns, Temperature, TokenLimit, Verbose
from holdtrue.errors import SettingsError

if TYPE_CHECKING:
    from holdtrue.lab.kinds.assignment.problem import Problem

METHODS = "direct,drift_repair_project"

run_app = typer.Typer(help="Play benchmark problems, and write down every turn.", no_args_is_help=True)


@run_app.callback()
def root() -> None:
    """Play benchmark problems, and write down every turn."""


@run_app.command()
def drift(
    model: Annotated[
        str, typer.Option(help="Such as openai/NAME, local/NAME, sim/forget:0.3, script/FILE.", callback=known_model)
    ],
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
    out: Out = None,
    protocol: Annotated[str, typer.Option(help="stated (the setting in every turn) or upstream.")] = "stated",
    extractor: Annotated[str, typer.Option(help="llm, templates, or gold (an oracle).")] = "llm",
    max_connections: Connections = 8,
    token_limit: TokenLimit = None,
    temperature: Temperature = 0.0,
    base_url: BaseUrl = None,
    show_turns: ShowTurns = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> None:
    """Play DRIFT-Bench problems under one or more methods.

    The same command goes on with a run that ended early: what was answered is not asked, or paid, again.

    Exit code: 0 done, 1 a conversation failed, 2 usage, 3 stopped at the token limit, 4 infrastructure.
    """
    from holdtrue.lab.kinds.assignment.plan import make_plan
    from holdtrue.models.sampling import Sampling

    if model.startswith("sim/") and phrasing == "varied":
        raise SettingsError("simulated models understand the published wording alone; leave --phrasing out")
    source, chosen = _find_problems(problems, generate, seed, turns, phrasing)
    plan = make_plan(
        chosen,
        choose_methods(method, read_plan_file(plan_file) if plan_file else None, METHODS),
        source=source,
        model=model,
        base_url=base_url or served_at(model),
        protocol=protocol,
        extractor=extractor,
        sampling=Sampling(temperature=temperature, seed=seed),
        limit=limit,
        max_connections=max_connections,
        token_limit=token_limit,
    )
    folder = out or Path("runs") / plan.name
    raise typer.Exit(play(plan, folder, show_turns=show_turns, quiet=quiet, verbose=verbose))


def _find_problems(
    folder: Path | None, count: int | None, seed: int, turns: int | None, phrasing: str | None
) -> tuple[str, list[Problem]]:
    """The problems, and where they came from in words."""
    if folder is not None and count is None:
        from holdtrue.lab.suites.drift.load import load_problems

        if turns is not None:
            raise SettingsError("--turns is for --generate; problems in a folder have the turns that they have")
        if phrasing is not None:
            raise SettingsError("--phrasing is for --generate; problems in a folder have the words that they have")
        return str(folder), load_problems(folder)
    if count is not None and folder is None:
        from holdtrue.lab.suites.drift.generate import generate

        words = "published" if phrasing is None else phrasing
        source = f"{count} generated with seed {seed}"
        if words != "published":  # runs of published problems keep the name that they always had
            source += f", {words} phrasing"
        return source, generate(seed, count, turns=turns, phrasing=words)
    raise SettingsError("give either --problems DIR or --generate N")
