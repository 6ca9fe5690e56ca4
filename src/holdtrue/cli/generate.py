"""`holdtrue generate`: make benchmark problems."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from holdtrue.kinds.search.problem import SearchProblem

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
    from holdtrue.lab.suites.drift.draw import DOMAINS
    from holdtrue.lab.suites.drift.generate import generate
    from holdtrue.lab.suites.drift.load import problem_files
    from holdtrue.lab.suites.drift.write import write_problems

    if problem_files(out):
        raise SettingsError(f"{out} already holds problems; give another --out, so that they are not mixed")
    chosen = tuple(domain) if domain else DOMAINS
    problems = generate(seed, count, turns=turns, domains=chosen, phrasing=phrasing)
    write_problems(problems, out)
    dev = sum(problem.split == "dev" for problem in problems)
    typer.echo(f"{len(problems)} problems in {out}: {dev} in dev, {len(problems) - dev} in test")


@generate_app.command(name="cross_query")
def cross_query(
    out: Annotated[Path, typer.Option(help="The folder to write to; it may not hold a benchmark yet.")],
    seed: Annotated[int, typer.Option(help="The same seed makes the same cases, byte for byte.")] = 42,
    count: Annotated[int, typer.Option(min=1, help="How many cases, over all domains.")] = 390,
) -> None:
    """Make cases of the cross-query benchmark in the published layout, with all labels proved by a solver."""
    from holdtrue.errors import SettingsError
    from holdtrue.kinds.labels.prompts import prompt_templates
    from holdtrue.lab.suites.cross_query.card import share_out
    from holdtrue.lab.suites.cross_query.generate import generate
    from holdtrue.lab.suites.cross_query.write import benchmark_files, write_benchmark

    if benchmark_files(out):
        raise SettingsError(f"{out} already holds a benchmark; give another --out, so that they are not mixed")
    cases = generate(seed, share_out(count))
    write_benchmark(cases, out, prompt_templates())
    queries = sum(len(case.queries) for case in cases)
    splits = ", ".join(f"{sum(case.split == name for case in cases)} in {name}" for name in ("train", "dev", "test"))
    typer.echo(f"{len(cases)} cases with {queries} queries in {out}: {splits}")


@generate_app.command()
def belief(
    out: Annotated[Path, typer.Option(help="The folder to write to; it may not hold dialogues of the schedule yet.")],
    seed: Annotated[int, typer.Option(help="The same seed makes the same dialogues, byte for byte.")] = 42,
    count: Annotated[int, typer.Option(min=1, help="How many dialogues.")] = 120,
    turns: Annotated[int, typer.Option(min=1, help="Questions of every dialogue.")] = 10,
    schedule: Annotated[str, typer.Option(help="random, or stress (in an order that invites contradictions).")] = (
        "stress"
    ),
) -> None:
    """Make dialogues about Horn worlds, for belief revision: one JSON file, with all labels."""
    from holdtrue.errors import SettingsError
    from holdtrue.lab.kinds.labels.shares import label_shares
    from holdtrue.lab.suites.belief.generate import generate_dialogues
    from holdtrue.lab.suites.belief.write import dialogues_file, write_dialogues

    if (out / dialogues_file(schedule)).exists():
        raise SettingsError(f"{out} already holds {schedule} dialogues; give another --out, so that none are lost")
    dialogues = generate_dialogues(seed, count, turns=turns, schedule=schedule)
    (path,) = write_dialogues(dialogues, out)
    shares = ", ".join(f"{share:.0%} {label}" for label, share in label_shares(dialogues).items())
    typer.echo(f"{count} dialogue{'' if count == 1 else 's'} in {path}: {shares}")


@generate_app.command()
def cegvr(
    out: Annotated[Path, typer.Option(help="The folder to write to; it may not hold problems yet.")],
    seed: Annotated[int, typer.Option(help="The same seed makes the same problems, byte for byte.")] = 7,
    count: Annotated[int, typer.Option(min=1, help="How many problems.")] = 500,
    sat_ratio: Annotated[
        float | None, typer.Option(min=0, max=1, help="The share of linear problems that are satisfiable (0.6).")
    ] = None,
    kind: Annotated[str, typer.Option(help="linear, sudoku4, sudoku9, latin5 or schedule.")] = "linear",
    style: Annotated[
        str, typer.Option(help="Of linear problems: sparse, or upstream (every constraint about all variables).")
    ] = "sparse",
    variants: Annotated[
        bool, typer.Option("--variants", help="Also write every problem rewritten, one file for each way to do it.")
    ] = False,
) -> None:
    """Make problems of candidate-first search: one JSON line each, every label proved by two solvers."""
    from holdtrue.errors import SettingsError
    from holdtrue.lab.suites.cegvr.load import search_files
    from holdtrue.lab.suites.cegvr.make import make_problems

    if search_files(out, variants=True):
        raise SettingsError(f"{out} already holds problems; give another --out, so that they are not mixed")
    write_searches(
        make_problems(seed, count, kind=kind, style=style, sat_ratio=sat_ratio), out, seed, variants=variants
    )


@generate_app.command()
def verge(
    out: Annotated[Path, typer.Option(help="The folder to write to; it may not hold items yet.")],
    seed: Annotated[int, typer.Option(help="The same seed makes the same pairs, byte for byte.")] = 7,
    count: Annotated[int, typer.Option(min=1, help="How many pairs, over all kinds.")] = 40,
) -> None:
    """Make pairs of items that differ in one sentence and so in their answer: one JSON line each, with gold logic."""
    from holdtrue.errors import SettingsError
    from holdtrue.lab.suites.verge.perturb.generate import generate_pairs
    from holdtrue.lab.suites.verge.write import ITEMS, write_items

    path = out / ITEMS
    if path.exists():
        raise SettingsError(f"{out} already holds items; give another --out, so that none are lost")
    items = generate_pairs(seed, count)
    write_items(items, path)
    kinds = Counter(item.perturbation for item in items if item.perturbation is not None)
    shares = ", ".join(f"{number} {kind}" for kind, number in kinds.items())
    typer.echo(f"{len(items)} items in {path}, pairs of which a solver proved both answers: {shares}")


def write_searches(problems: list[SearchProblem], out: Path, seed: int, *, variants: bool) -> None:
    """Write search problems, and say so; with `variants`, first a file for each way to rewrite them.

    The originals come last: where they are, everything is.
    """
    from holdtrue.lab.suites.cegvr.rewrite import FAMILIES, rewrite
    from holdtrue.lab.suites.cegvr.tally import tally
    from holdtrue.lab.suites.cegvr.write import PROBLEMS, variants_file, write_search_problems

    for family in FAMILIES if variants else ():
        write_search_problems((rewrite(problem, family, seed) for problem in problems), out / variants_file(family))
        typer.echo(f"rewritten, {family}, in {out / variants_file(family)}")
    write_search_problems(problems, out / PROBLEMS)
    count = len(problems)
    typer.echo(f"{count} problem{'' if count == 1 else 's'} in {out / PROBLEMS}: {tally(problems)}")
