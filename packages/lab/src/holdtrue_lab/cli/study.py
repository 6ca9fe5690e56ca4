"""This module defines `holdtrue study`, which makes problems, plays all methods and writes the report."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from holdtrue.cli.exits import ExitCode
from holdtrue.cli.model_options import BaseUrl, Connections, TokenLimit, known_model
from holdtrue.errors import SettingsError
from holdtrue_lab.cli.plan_file import choose_methods
from holdtrue_lab.cli.plan_player import play, served_at
from holdtrue_lab.cli.server_options import (
    SERVER_OPTIONS,
    STUDY,
    CallLimit,
    Effort,
    Fields,
    Thinking,
    TryLimit,
    server_options,
)
from holdtrue_lab.cli.suite_options import Quiet

if TYPE_CHECKING:
    from holdtrue.kinds.search.problem import SearchProblem

study_app = typer.Typer(help="Make problems, play all methods, and write the report.", no_args_is_help=True)


@study_app.callback()
def root(
    thinking: Thinking = None,
    reasoning_effort: Effort = None,
    request: Fields = None,
    timeout_s: TryLimit = None,
    total_s: CallLimit = None,
) -> None:
    """Make problems, play all methods, and write the report.

    The options about models stand before the name of the study: holdtrue study --timeout-s 1200 cegvr ...
    """
    given = (thinking, reasoning_effort, request, timeout_s, total_s)
    STUDY.set(server_options(dict(zip(SERVER_OPTIONS, given, strict=True))))


@study_app.command()
def cegvr(
    model: Annotated[
        str, typer.Option(help="Such as openai/NAME, local/NAME, sim/search:p=0.2.", callback=known_model)
    ],
    out: Annotated[Path, typer.Option(help="The study's folder: problems, run, report.")],
    count: Annotated[int, typer.Option(min=1, help="How many problems.")] = 500,
    seed: Annotated[int, typer.Option(help="Seed of the problems.")] = 7,
    k: Annotated[int, typer.Option(min=1, help="Candidates in a round.")] = 4,
    rounds: Annotated[int, typer.Option(min=1, help="Rounds of a trial.")] = 4,
    seeds: Annotated[int, typer.Option(min=1, help="Trials of each problem, each with another seed.")] = 3,
    variants: Annotated[
        bool, typer.Option("--variants", help="Also play rewritten forms of the problems: five times the calls.")
    ] = False,
    reveal_witness: Annotated[
        bool, typer.Option("--reveal-witness", help="Also play methods whose feedback can show a solution.")
    ] = False,
    max_connections: Connections = 8,
    token_limit: TokenLimit = None,
    base_url: BaseUrl = None,
    quiet: Quiet = False,
) -> None:
    """Measure whether a model finds more solutions with feedback from a solver than with as many tries without it.

    The command plays all methods on new problems. It writes problems/, run/, report.html, tables/ (LaTeX) and
    candidates.parquet. The same command resumes a study that ended early.

    Exit code: 0 done, 1 a conversation failed, 2 usage, 3 stopped at the token limit, 4 infrastructure.
    """
    from holdtrue.extras import HTML, need
    from holdtrue_lab.kinds.search.playing import SearchSettings
    from holdtrue_lab.kit.planning import make_plan
    from holdtrue_lab.suites.cegvr import SUITE

    need("this study", *HTML)  # this comes before hours of calls
    found = _problems(out / "problems", count, seed, variants=variants)
    server = STUDY.get()
    plan = make_plan(
        SUITE,
        found,
        choose_methods(None, None, SUITE),
        SearchSettings(k=k, rounds=rounds, seeds=seeds, reveal_witness=reveal_witness),
        source=f"{count} generated with seed {seed}" + (", with variants" if variants else ""),
        model=model,
        base_url=base_url or served_at(model),
        sampling=replace(SUITE.kind.playing().sampling, extra_body=None if server is None else server.extra_body),
        max_connections=max_connections,
        token_limit=token_limit,
    )
    folder, knowing = out / "run", SUITE.kind.playing().simulated(model, found)
    code = play(plan, folder, show_turns=False, quiet=quiet, verbose=False, model=knowing, server=server)
    if code is ExitCode.OK:
        _write_report(folder, out)
    raise typer.Exit(code)


def _problems(folder: Path, count: int, seed: int, *, variants: bool) -> list[SearchProblem]:
    """Return the problems in the folder, which must have these settings; make them if the folder is empty."""
    from holdtrue_lab.suites.cegvr import SUITE, Recipe
    from holdtrue_lab.suites.cegvr.files import load_search_problems, search_files

    if SUITE.make is not None and not search_files(folder):
        for line in SUITE.make(Recipe(seed=seed, count=count, variants=variants), folder):
            typer.echo(line)
    found = load_search_problems(folder, variants=variants)
    originals = [problem.id for problem in found if not problem.variant]
    if len(originals) != count or not originals[0].startswith(f"linear-{seed}-"):
        raise SettingsError(f"{folder} holds {len(originals)} other problems; give another --out")
    if variants and len(found) == count:
        raise SettingsError(f"{folder} was made without --variants; give another --out")
    return found


def _write_report(run: Path, out: Path) -> None:
    from holdtrue_lab.figures.latex import write_latex
    from holdtrue_lab.kit.page import write_page
    from holdtrue_lab.kit.report import all_tables, open_report, write_rows

    report = open_report([run])
    write_page(report, out / "report.html", transcripts=9)
    write_latex(all_tables(report), out / "tables")
    write_rows([run], out / "candidates.parquet")
    typer.echo(f"written: {out / 'report.html'}, {out / 'tables'}, {out / 'candidates.parquet'}", err=True)
