"""`holdtrue run cegvr`: search for solutions with feedback from a solver, and write down every candidate."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from holdtrue.cli.model_names import known_model
from holdtrue.cli.playing import play, served_at
from holdtrue.cli.run_labels import run_app as run_app
from holdtrue.cli.run_options import BaseUrl, Connections, Out, Quiet, ShowTurns, Temperature, TokenLimit, Verbose
from holdtrue.errors import SettingsError

if TYPE_CHECKING:
    from holdtrue.kinds.search.method import SearchMethod
    from holdtrue.kinds.search.problem import SearchProblem
    from holdtrue.models.chat import ChatModel

METHODS = (
    "one_shot,multi_no_feedback,multi_generic_feedback,multi_unsat_core_feedback,cd_vgs_core_rank,cd_vgs,cd_vgs_whole,"
    "always_unsat,random_in_domain,solver_only"
)


@run_app.command(name="cegvr")
def cegvr(
    model: Annotated[
        str, typer.Option(help="Such as openai/NAME, local/NAME, sim/search:p=0.2, script/FILE.", callback=known_model)
    ],
    problems: Annotated[Path, typer.Option(help="A folder of problems (see: generate cegvr), or one file of them.")],
    method: Annotated[
        str, typer.Option(help="Methods, separated by commas; cd_vgs_core_rank+witness shows a solution (an oracle).")
    ] = METHODS,
    k: Annotated[int, typer.Option(min=1, help="Candidates in a round.")] = 4,
    rounds: Annotated[int, typer.Option(min=1, help="Rounds of a trial.")] = 4,
    seeds: Annotated[int, typer.Option(min=1, help="Trials of each problem, each with a seed of its own.")] = 3,
    tokens: Annotated[
        int | None, typer.Option(min=1, help="Begin no call of a trial beyond so many generated tokens.")
    ] = None,
    seconds: Annotated[float | None, typer.Option(help="Begin no call of a trial beyond so many seconds.")] = None,
    timeout_ms: Annotated[int, typer.Option(min=1, help="Of each question to the solver, in milliseconds.")] = 1500,
    reveal_witness: Annotated[
        bool,
        typer.Option("--reveal-witness", help="Also play what can show a solution with it, as METHOD+witness."),
    ] = False,
    variants: Annotated[bool, typer.Option("--variants", help="Also the problems rewritten in other ways.")] = False,
    seed: Annotated[int, typer.Option(help="Of the model's sampling, in the first trial.")] = 42,
    limit: Annotated[
        int | None,
        typer.Option(min=1, help="Only so many (and their variants): each domain, gold and difficulty in turn."),
    ] = None,
    out: Out = None,
    max_connections: Connections = 8,
    token_limit: TokenLimit = None,
    temperature: Temperature = 0.2,
    max_tokens: Annotated[int, typer.Option(min=1, help="Of one candidate.")] = 256,
    base_url: BaseUrl = None,
    show_turns: ShowTurns = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> None:
    """Search for values that satisfy all constraints, or show that there are none, under one or more methods.

    Every method has the same K x ROUNDS calls a trial, and each candidate is certified or refuted on its own.
    The same command goes on with a run that ended early: what was answered is not asked, or paid, again.

    Exit code: 0 done, 1 a conversation failed, 2 usage, 3 stopped at the token limit, 4 infrastructure.
    """
    from holdtrue.budget import SearchBudget
    from holdtrue.lab.kinds.search.plan import make_search_plan
    from holdtrue.models.sampling import Sampling

    found = _load(problems, variants=variants)
    plan = make_search_plan(
        found,
        choose_methods(method, reveal=reveal_witness),
        source=f"{problems}" + (", with variants" if variants else ""),
        model=model,
        base_url=base_url or served_at(model),
        limits=SearchBudget(k, rounds, tokens, seconds),
        seeds=seeds,
        timeout_s=timeout_ms / 1000,
        sampling=Sampling(temperature=temperature, seed=seed, max_tokens=max_tokens),
        limit=limit,
        max_connections=max_connections,
        token_limit=token_limit,
    )
    folder, knowing = out or Path("runs") / plan.name, simulated(model, found)
    raise typer.Exit(play(plan, folder, show_turns=show_turns, quiet=quiet, verbose=verbose, model=knowing))


def _load(source: Path, *, variants: bool) -> list[SearchProblem]:
    """The problems; with `variants` there have to be some, which are in other files of a folder."""
    from holdtrue.lab.suites.cegvr.load import load_search_problems

    found = load_search_problems(source, variants=variants)
    if variants and not any(problem.variant for problem in found):
        raise SettingsError(f"--variants: there are none in {source}; give a folder made by generate cegvr --variants")
    return found


def choose_methods(names: str, *, reveal: bool) -> list[SearchMethod]:
    """The methods of these names; `reveal` puts behind each that can show a solution the one that does."""
    from holdtrue.kinds.search.method import find_search_method, revealed

    found = [find_search_method(name.strip()) for name in names.split(",")]
    if not reveal:
        return found
    both: list[SearchMethod] = []
    for method in found:
        twin = revealed(method)
        both += [method] if twin in found else [method, twin]
    if not any(method.reveal_witness for method in both):
        raise SettingsError(f"--reveal-witness: none of {names} can show a solution")
    return both


def simulated(name: str, problems: list[SearchProblem]) -> ChatModel | None:
    """A simulated model has to know the problems that it is asked about; all others are opened by their names."""
    if not name.startswith("sim/"):
        return None
    from holdtrue.lab.kinds.search.simulation.model import SimulatedSearcher

    return SimulatedSearcher(name, problems)
