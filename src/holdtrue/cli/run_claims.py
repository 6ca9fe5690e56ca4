"""`holdtrue run verge`: answer questions about contexts, and check the answers claim by claim."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from holdtrue.cli.claim_options import (
    Accept,
    DrawTemperature,
    Formalizers,
    Judges,
    Notation,
    Rounds,
    RoundTrip,
    Routing,
    Samples,
    TimeoutMs,
)
from holdtrue.cli.model_names import known_model
from holdtrue.cli.playing import play, served_at
from holdtrue.cli.run_options import BaseUrl, Connections, Out, Quiet, ShowTurns, Temperature, TokenLimit, Verbose
from holdtrue.cli.run_search import run_app as run_app

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdtrue.lab.kinds.claims.item import Item
    from holdtrue.lab.kinds.claims.settings import ClaimSettings
    from holdtrue.models.chat import ChatModel

METHODS = "direct,cot,self_consistency,self_refine,tree_of_thought,verge,restate_premises,solver_only"


@run_app.command(name="verge")
def verge(
    model: Annotated[
        str,
        typer.Option(help="Such as openai/NAME, local/NAME, sim/claims:wrong=0.2, script/FILE.", callback=known_model),
    ],
    items: Annotated[
        list[Path], typer.Option(help="A file of questions about contexts, or a folder of them (see: generate verge).")
    ],
    dataset: Annotated[str | None, typer.Option(help="What the items are, where their fields do not tell it.")] = None,
    method: Annotated[
        str, typer.Option(help="Methods, separated by commas; given takes the answers of --answers.")
    ] = METHODS,
    answers: Annotated[
        Path | None, typer.Option(help="Answers that were written before; only items that have one are played.")
    ] = None,
    formal: Annotated[
        str, typer.Option(help="The context as formulas: llm; or gold_entities, gold (people's own: oracles).")
    ] = "llm",
    measure: Annotated[
        bool, typer.Option("--measure/--no-measure", help="Check also the answers of methods that do not verify.")
    ] = True,
    formalizer: Formalizers = None,
    notation: Notation = None,
    samples: Samples = None,
    draw_temperature: DrawTemperature = None,
    round_trip: RoundTrip = None,
    routing: Routing = None,
    judges: Judges = None,
    accept: Accept = None,
    rounds: Rounds = None,
    timeout_ms: TimeoutMs = 5000,
    seed: Annotated[int, typer.Option(help="Of the model's sampling.")] = 42,
    limit: Annotated[
        int | None, typer.Option(min=1, help="Only so many (and their changed forms), from all data sets alike.")
    ] = None,
    out: Out = None,
    max_connections: Connections = 8,
    token_limit: TokenLimit = None,
    temperature: Temperature = 0.0,
    max_tokens: Annotated[int, typer.Option(min=1, help="Of one answer.")] = 1024,
    base_url: BaseUrl = None,
    show_turns: ShowTurns = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> None:
    """Answer questions about contexts under one or more methods, and check the answers claim by claim.

    A setting of checking is laid over all methods alike; one that is there to differ in it keeps its own.
    The same command goes on with a run that ended early: what was answered is not asked, or paid, again.

    Exit code: 0 done, 1 a conversation failed, 2 usage, 3 stopped at the token limit, 4 infrastructure.
    """
    from holdtrue.kinds.claims.method import find_claim_method
    from holdtrue.lab.kinds.claims.given import load_answers
    from holdtrue.lab.kinds.claims.plan import make_claim_plan
    from holdtrue.lab.kinds.claims.settings import read_claims
    from holdtrue.models.sampling import Sampling

    given = {
        "formal": formal,
        "measure": measure,
        "formalizers": formalizer or [],
        "timeout_s": timeout_ms / 1000,
        "notation": notation,
        "samples": samples,
        "draw_temperature": draw_temperature,
        "round_trip": round_trip,
        "routing": routing,
        "judges": judges,
        "accept": accept,
        "rounds": rounds,
    }
    found, claims = _load(items, dataset), read_claims(given)
    plan = make_claim_plan(
        found,
        [find_claim_method(name.strip()) for name in method.split(",")],
        suite="verge",
        source=", ".join(map(str, items)) + (f", answers of {answers}" if answers is not None else ""),
        model=model,
        base_url=base_url or served_at(model),
        claims=claims,
        answers=None if answers is None else load_answers(answers),
        sampling=Sampling(temperature=temperature, seed=seed, max_tokens=max_tokens),
        limit=limit,
        max_connections=max_connections,
        token_limit=token_limit,
    )
    if plan.settings.problems < len(found):
        why = "had no answer before, or nobody formalized them"
        typer.echo(f"{len(found) - plan.settings.problems} of {len(found)} items are left out: they {why}.", err=True)
    folder, knowing = out or Path("runs") / plan.name, simulated(model, found)
    others = _open_formalizers(claims, found, base_url)
    code = play(plan, folder, show_turns=show_turns, quiet=quiet, verbose=verbose, model=knowing, formalizers=others)
    raise typer.Exit(code)


def _load(files: Sequence[Path], dataset: str | None) -> list[Item]:
    from holdtrue.lab.suites.verge.load import load_verge
    from holdtrue.lab.suites.verge.write import ITEMS

    named = [path / ITEMS if path.is_dir() else path for path in files]
    return [item for file in named for item in load_verge(file, dataset)]


def _open_formalizers(claims: ClaimSettings, items: list[Item], base_url: str | None) -> list[ChatModel]:
    from holdtrue.models.registry import open_model

    return [
        simulated(name, items) or open_model(name, base_url=base_url if name.startswith("openai/") else None)
        for name in claims.formalizers
    ]


def simulated(name: str, items: list[Item]) -> ChatModel | None:
    """A simulated model has to know the items that it is asked about; all others are opened by their names."""
    if not name.startswith("sim/"):
        return None
    from holdtrue.lab.kinds.claims.simulation.model import SimulatedReasoner

    return SimulatedReasoner(name, items)
