"""`holdtrue run cross_query` and `holdtrue run belief`: ask queries, and write down every turn."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from holdtrue.cli.model_names import known_model
from holdtrue.cli.playing import play, served_at
from holdtrue.cli.run import run_app as run_app
from holdtrue.cli.run_options import BaseUrl, Connections, Out, Quiet, ShowTurns, Temperature, TokenLimit, Verbose
from holdtrue.errors import SettingsError

if TYPE_CHECKING:
    from holdtrue.kinds.labels.case import Case
    from holdtrue.kinds.labels.method import LabelMethod
    from holdtrue.lab.kit.plan import Plan
    from holdtrue.models.chat import ChatModel

QUERY_METHODS = "direct,check_repair,maxsat_repair,always_unknown,one_model"
BELIEF_METHODS = "none,greedy,min_change"

Model = Annotated[
    str, typer.Option(help="Such as openai/NAME, local/NAME, sim/labels:wrong=0.2, script/FILE.", callback=known_model)
]
Limit = Annotated[int | None, typer.Option(min=1, help="Only so many, from all domains or schedules alike.")]
Frame = Annotated[
    str | None, typer.Option(help="Ask so in every method that asks: direct, few_shot or cot (default: its own way).")
]
Formal = Annotated[str, typer.Option(help="Sentences as formulas: gold (the suite's own, an oracle) or llm.")]
Seed = Annotated[int, typer.Option(help="Of the model's sampling.")]


@run_app.command(name="cross_query")
def cross_query(
    model: Model,
    cases: Annotated[Path, typer.Option(help="A benchmark's folder (see: generate cross_query), or one of its files.")],
    split: Annotated[str | None, typer.Option(help="Only the cases of this split: train, dev or test.")] = None,
    method: Annotated[str, typer.Option(help="Methods, separated by commas.")] = QUERY_METHODS,
    ask: Annotated[str, typer.Option(help="bundle (all queries of a case at once) or one (at a time).")] = "bundle",
    frame: Frame = None,
    formal: Formal = "gold",
    seed: Seed = 42,
    limit: Limit = None,
    out: Out = None,
    max_connections: Connections = 8,
    token_limit: TokenLimit = None,
    temperature: Temperature = 0.0,
    base_url: BaseUrl = None,
    show_turns: ShowTurns = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> None:
    """Ask the queries of cross-query cases under one or more methods.

    The same command goes on with a run that ended early: what was answered is not asked, or paid, again.

    Exit code: 0 done, 1 a conversation failed, 2 usage, 3 stopped at the token limit, 4 infrastructure.
    """
    from holdtrue.lab.kinds.labels.plan import make_label_plan
    from holdtrue.lab.suites.cross_query.load import load_cases
    from holdtrue.models.sampling import Sampling

    loaded = load_cases(cases)
    found = [case for case in loaded if split is None or case.split == split]
    if not found:
        there = ", ".join(dict.fromkeys(case.split for case in loaded if case.split)) or "none"
        raise SettingsError(f"{cases} holds no case" + (f" of the split {split!r}; there: {there}" if split else ""))
    plan = make_label_plan(
        found,
        _methods(method, "cross_query", frame),
        source=f"{cases}" + (f", split {split}" if split else ""),
        model=model,
        base_url=base_url or served_at(model),
        asked=ask,
        formal=formal,
        sampling=Sampling(temperature=temperature, seed=seed),
        limit=limit,
        max_connections=max_connections,
        token_limit=token_limit,
    )
    _play(plan, found, out, show_turns=show_turns, quiet=quiet, verbose=verbose)


@run_app.command(name="belief")
def belief(
    model: Model,
    dialogues: Annotated[Path, typer.Option(help="A folder of dialogues (see: generate belief), or one file of them.")],
    method: Annotated[
        str, typer.Option(help="Revision policies, separated by commas; cot_... are asked to reason first.")
    ] = BELIEF_METHODS,
    frame: Frame = None,
    formal: Formal = "gold",
    seed: Seed = 42,
    limit: Limit = None,
    out: Out = None,
    max_connections: Connections = 8,
    token_limit: TokenLimit = None,
    temperature: Temperature = 0.0,
    base_url: BaseUrl = None,
    show_turns: ShowTurns = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> None:
    """Ask questions about small worlds, and revise what is believed by one or more policies.

    The same command goes on with a run that ended early: what was answered is not asked, or paid, again.

    Exit code: 0 done, 1 a conversation failed, 2 usage, 3 stopped at the token limit, 4 infrastructure.
    """
    from holdtrue.lab.kinds.labels.plan import make_label_plan
    from holdtrue.lab.suites.belief.load import load_dialogues
    from holdtrue.models.sampling import Sampling

    found = load_dialogues(dialogues)
    plan = make_label_plan(
        found,
        _methods(method, "belief", frame),
        source=str(dialogues),
        model=model,
        base_url=base_url or served_at(model),
        asked="one",
        formal=formal,
        sampling=Sampling(temperature=temperature, seed=seed),
        limit=limit,
        max_connections=max_connections,
        token_limit=token_limit,
    )
    _play(plan, found, out, show_turns=show_turns, quiet=quiet, verbose=verbose)


def _methods(names: str, suite: str, frame: str | None) -> list[LabelMethod]:
    from holdtrue.kinds.labels.method import find_label_method, in_frame

    found = [find_label_method(name.strip()) for name in names.split(",")]
    return found if frame is None else [in_frame(method, frame) for method in found]


def _play(plan: Plan, cases: list[Case], out: Path | None, *, show_turns: bool, quiet: bool, verbose: bool) -> None:
    folder, model = out or Path("runs") / plan.name, _simulated(plan.settings.model, cases)
    raise typer.Exit(play(plan, folder, show_turns=show_turns, quiet=quiet, verbose=verbose, model=model))


def _simulated(name: str, cases: list[Case]) -> ChatModel | None:
    """A simulated model has to know the cases that it is asked about; all others are opened by their names."""
    if not name.startswith("sim/"):
        return None
    from holdtrue.lab.kinds.labels.simulation.model import SimulatedAnswerer

    return SimulatedAnswerer(name, cases)
