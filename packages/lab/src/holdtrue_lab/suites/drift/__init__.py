"""Suite `drift` is DRIFT-Bench: constraints that accumulate over a conversation."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from holdtrue.errors import SettingsError
from holdtrue.options import Option, one_of
from holdtrue_lab.kinds.assignment import KIND
from holdtrue_lab.kit.suite import Loaded, Suite, Validated

NAME = "drift"


@dataclass(frozen=True, slots=True)
class Source:
    problems: Annotated[Path | None, Option("Folder of problems in the published layout.")] = None
    split: Annotated[str | None, Option("Of a folder with several splits: dev, test or all.")] = None
    generate: Annotated[int | None, Option("Generate this number of problems instead.", least=1)] = None
    turns: Annotated[int | None, Option("The number of turns of each generated problem.", least=1)] = None
    phrasing: Annotated[str | None, Option("The wording of generated problems: published (the default) or varied.")] = (
        None
    )


@dataclass(frozen=True, slots=True)
class Recipe:
    seed: Annotated[int, Option("The same seed makes the same problems, byte for byte.")] = 42
    count: Annotated[int, Option("The number of problems, over all domains.", least=1)] = 1020
    turns: Annotated[int | None, Option("The number of turns of every problem (default: 4 to 10).", least=1)] = None
    domain: Annotated[tuple[str, ...], Option("Generate only this domain; repeatable.")] = ()
    phrasing: Annotated[str, Option("published (one template a type) or varied (the same in many words).")] = (
        "published"
    )


def _load(source: Source, *, seed: int, model: str) -> Loaded:
    if model.startswith("sim/") and source.phrasing == "varied":
        raise SettingsError("simulated models understand the published wording alone; leave --phrasing out")
    if source.problems is not None and source.generate is None:
        if source.turns is not None:
            raise SettingsError("--turns is for --generate; problems in a folder have the turns that they have")
        if source.phrasing is not None:
            raise SettingsError("--phrasing is for --generate; problems in a folder have the words that they have")
        return _of_split(source.problems, source.split)
    if source.generate is not None and source.problems is None:
        if source.split is not None:
            raise SettingsError("--split is for --problems; generated problems of a run have no splits")
        from holdtrue_lab.suites.drift.generate import generate

        words = "published" if source.phrasing is None else source.phrasing
        where = f"{source.generate} generated with seed {seed}"
        if words != "published":  # the name of runs with the published wording stays as it was
            where += f", {words} phrasing"
        return Loaded(where, generate(seed, source.generate, turns=source.turns, phrasing=words))
    raise SettingsError("give either --problems DIR or --generate N")


def _of_split(folder: Path, split: str | None) -> Loaded:
    """Return the problems of one split, or of all with a note that says so."""
    from holdtrue_lab.suites.drift.files import SPLITS, files_by_split, load_problems

    if split is not None:
        one_of("split", split, (*SPLITS, "all"))
    there = {name: len(own) for name, own in files_by_split(folder).items()}
    if split in SPLITS:
        return Loaded(f"{folder}, split {split}", load_problems(folder, split))
    counts = " and ".join(f"{count} of {name or 'no split'}" for name, count in there.items())
    note = f"{counts} are played together; --split dev or test plays those of one."
    return Loaded(str(folder), load_problems(folder), notes=(note,) if len(there) > 1 and split is None else ())


def _validate(folder: Path, timeout_s: float) -> Validated | None:
    """Check that the gold constraints of every turn can be true, and that its solution satisfies them."""
    from holdtrue_lab.suites.drift.files import problem_faults, problem_files

    files = problem_files(folder)
    if not files:
        return None
    turns, faults = problem_faults(folder)
    return Validated(f"{len(files)} problems with {turns} turns", faults)


def _make(recipe: Recipe, out: Path) -> Iterator[str]:
    """Make DRIFT-Bench problems in the published layout: dev/ and test/, with one JSON file for each problem."""
    from holdtrue_lab.suites.drift.files import problem_files, write_problems
    from holdtrue_lab.suites.drift.generate import DOMAINS, generate

    if problem_files(out):
        raise SettingsError(f"{out} already holds problems; give another --out, so that they are not mixed")
    chosen = recipe.domain or DOMAINS
    problems = generate(recipe.seed, recipe.count, turns=recipe.turns, domains=chosen, phrasing=recipe.phrasing)
    write_problems(problems, out)
    dev = sum(problem.split == "dev" for problem in problems)
    yield f"{len(problems)} problems in {out}: {dev} in dev, {len(problems) - dev} in test"


_CITES = """\
@misc{driftbench,
  title = {Residual Drift Dominates Contradiction in Multi-Turn Constraint Reasoning},
  author = {Kawada, Sebastien}
}"""

SUITE = Suite(
    NAME,
    KIND,
    "Play DRIFT-Bench problems under one or more methods.",
    methods="direct,drift_repair_project",
    model="Such as openai/NAME, local/NAME, sim/forget:0.3, script/FILE.",
    load=_load,
    make=_make,
    validate=_validate,
    cites=_CITES,
)
