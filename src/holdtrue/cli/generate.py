"""`holdtrue generate`: make benchmark problems."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

generate_app = typer.Typer(help="Make benchmark problems.", no_args_is_help=True)


@generate_app.callback()
def root() -> None:
    """Make benchmark problems."""


@generate_app.command()
def drift(
    out: Annotated[Path, typer.Option(help="The folder to write to; it may not hold problems yet.")],
    seed: Annotated[int, typer.Option(help="The same seed makes the same problems, byte for byte.")] = 42,
    count: Annotated[int, typer.Option(min=1, help="How many problems, over all domains.")] = 1020,
    turns: Annotated[int | None, typer.Option(min=1, help="Turns of every problem (default: 4 to 10).")] = None,
    domain: Annotated[list[str] | None, typer.Option(help="Only this domain; may be given more than once.")] = None,
    phrasing: Annotated[
        str, typer.Option(help="published (one template a type) or varied (the same in many words).")
    ] = "published",
) -> None:
    """Make DRIFT-Bench problems in the published layout: dev/ and test/, one JSON file a problem."""
    from holdtrue.errors import SettingsError
    from holdtrue.suites.drift.draw import DOMAINS
    from holdtrue.suites.drift.generate import generate
    from holdtrue.suites.drift.load import problem_files
    from holdtrue.suites.drift.write import write_problems

    if problem_files(out):
        raise SettingsError(f"{out} already holds problems; give another --out, so that they are not mixed")
    chosen = tuple(domain) if domain else DOMAINS
    problems = generate(seed, count, turns=turns, domains=chosen, phrasing=phrasing)
    write_problems(problems, out)
    dev = sum(problem.split == "dev" for problem in problems)
    typer.echo(f"{len(problems)} problems in {out}: {dev} in dev, {len(problems) - dev} in test")
