"""This module defines `holdtrue run`, which plays the problems of a suite and records every turn."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from holdtrue.cli.declared_options import make_command, parameter, parameters_of, take
from holdtrue.cli.model_options import BaseUrl, Connections, TokenLimit, known_model
from holdtrue.models.chat import SOME_TAKE
from holdtrue_lab.cli.plan_file import choose_methods, read_plan_file, take_options
from holdtrue_lab.cli.plan_player import play, served_at
from holdtrue_lab.cli.server_options import SERVER_OPTIONS, open_for, server_options
from holdtrue_lab.cli.suite_options import EXIT_CODES, Out, Quiet, ShowTurns, Verbose, suite_app

if TYPE_CHECKING:
    from holdtrue_lab.kit.suite import Suite

_HELP = "The same command resumes a run that ended early; calls that were answered are not paid again."


_TOP_P = "Sample from the likeliest tokens with this total probability; some models refuse the option."
_THINKING = "Tokens for thinking, in addition to those of an answer; some models refuse the option."


def _make(suite: Suite) -> Any:
    about = f"{suite.about}\n\n{_HELP}\n\n{EXIT_CODES}"
    return make_command(suite.name, lambda given: _run(suite, given), _parameters(suite), about)


run_app = suite_app(_make, "Play benchmark problems, and record every turn.")


def _parameters(suite: Suite) -> list[inspect.Parameter]:
    """Return the parameters of the command: those of all runs, of this suite, and of its kind of answer.

    A suite without a model has no options about models.
    """
    playing = suite.kind.playing()
    plan = typer.Option("--plan", help="TOML: options, and methods of your own.", callback=take_options, is_eager=True)
    methods = f"Methods, separated by commas (default: the plan's, or {suite.methods})."
    temperature = typer.Option(min=0, help="Sampling temperature.")
    max_tokens = typer.Option(min=1, help="The most tokens of one answer.")
    limit = f"The most {playing.problem}s to play, taken from all domains in turn."
    found = [
        _model_parameter(suite),
        parameter("plan_file", Annotated[Path | None, plan], None),
        *parameters_of(suite.source),
        parameter("method", Annotated[str | None, typer.Option(help=methods)], None),
        *(
            own.replace(name=_SOLVER_LIMIT) if own.name == "timeout_s" else own
            for own in parameters_of(playing.settings)
        ),
        parameter("samples", Annotated[int | None, typer.Option(min=1, help=playing.samples_help)], None),
        parameter("seed", Annotated[int, typer.Option(help="Seed of the model's sampling.")], 42),
        parameter("limit", Annotated[int | None, typer.Option(min=1, help=limit)], None),
        parameter("out", Out, None),
        parameter("max_connections", Connections, 8),
        parameter("token_limit", TokenLimit, None),
        parameter("temperature", Annotated[float, temperature], playing.sampling.temperature),
        parameter("max_tokens", Annotated[int, max_tokens], playing.sampling.max_tokens),
        parameter("top_p", Annotated[float | None, typer.Option(help=_TOP_P)], None),
        parameter("thinking_tokens", Annotated[int | None, typer.Option(min=1, help=_THINKING)], None),
        *(parameter(name, own, None) for name, own in SERVER_OPTIONS.items()),
        parameter("base_url", BaseUrl, None),
        parameter("show_turns", ShowTurns, False),
        parameter("quiet", Quiet, False),
        parameter("verbose", Verbose, False),
    ]
    return found if suite.model is not None else [each for each in found if each.name not in _unasked(suite)]


def _model_parameter(suite: Suite) -> inspect.Parameter:
    """Return the option that names the model. It may be left out if some methods call no model."""
    if suite.needs_model:
        return parameter("model", Annotated[str, typer.Option(help=suite.model or "", callback=known_model)])
    known = typer.Option(help=suite.model or "", callback=lambda name: None if name is None else known_model(name))
    return parameter("model", Annotated[str | None, known], None)


_SOLVER_LIMIT = "solver_timeout_s"
"""The option for the time limit of a solver. The settings of kinds call it `timeout_s`."""


def _unasked(suite: Suite) -> dict[str, Any]:
    """Return the options about models, with their values for a suite that calls no model."""
    from holdtrue_lab.kit.no_model import NO_MODEL

    sampling = suite.kind.playing().sampling
    settings = {"model": NO_MODEL, "base_url": None, "samples": None, "max_connections": 1, "token_limit": None}
    settings |= dict.fromkeys((*SOME_TAKE, *SERVER_OPTIONS))
    return {**settings, "seed": sampling.seed, "temperature": sampling.temperature, "max_tokens": sampling.max_tokens}


def _run(suite: Suite, given: dict[str, Any]) -> None:
    from holdtrue.models.sampling import Sampling
    from holdtrue_lab.kit.no_model import NO_MODEL, NoModel
    from holdtrue_lab.kit.planning import make_plan

    options = given if suite.model is not None else {**_unasked(suite), **given}
    if options["model"] is None:
        options = {**options, "model": NO_MODEL}
    server = server_options(options)
    options = {**options, "extra_body": server.extra_body}
    playing, model, base_url = suite.kind.playing(), options["model"], options["base_url"]
    settings = take(playing.settings, {**options, "timeout_s": options.get(_SOLVER_LIMIT)})
    plan_file = read_plan_file(options["plan_file"], playing) if options["plan_file"] else None
    methods = choose_methods(options["method"], plan_file, suite)
    others = [known_model(name) for name in playing.other_models(settings, methods)]
    loaded = suite.load(take(suite.source, options), seed=options["seed"], model=model)
    for note in loaded.notes:
        typer.echo(note, err=True)
    plan = make_plan(
        suite,
        loaded.problems,
        methods,
        settings,
        source=loaded.source,
        model=model,
        base_url=base_url or (None if model == NO_MODEL else served_at(model)),
        sampling=Sampling(
            options["temperature"],
            options["seed"],
            options["max_tokens"],
            **{name: options[name] for name in SOME_TAKE},
        ),
        written_answers=loaded.written_answers,
        samples=options["samples"],
        limit=options["limit"],
        max_connections=options["max_connections"],
        token_limit=options["token_limit"],
    )
    if left := len(loaded.problems) - plan.settings.problems:
        note = f"{left} of {len(loaded.problems)} {playing.problem}s are left out: {playing.left_out}."
        typer.echo(note, err=True)
    for note in playing.notes(loaded.problems, settings):
        typer.echo(note, err=True)
    code = play(
        plan,
        options["out"] or Path("runs") / plan.name,
        show_turns=options["show_turns"],
        quiet=options["quiet"],
        verbose=options["verbose"],
        model=NoModel() if model == NO_MODEL else playing.simulated(model, loaded.problems),
        formalizers=[playing.simulated(name, loaded.problems) or open_for(name, server, base_url) for name in others],
        server=server,
    )
    raise typer.Exit(code)
