"""Suite `cegvr` tests whether a model finds more solutions with a solver's feedback than in as many tries without."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from holdtrue.errors import SettingsError
from holdtrue.options import Option
from holdtrue_lab.kinds.search import KIND
from holdtrue_lab.kit.suite import Loaded, Suite, Validated

NAME = "cegvr"


@dataclass(frozen=True, slots=True)
class Source:
    problems: Annotated[Path, Option("A folder of problems (see: generate cegvr), or one file of them.")]
    variants: Annotated[bool, Option("Also play the rewritten forms of the problems.", flag="--variants")] = False


@dataclass(frozen=True, slots=True)
class Recipe:
    seed: Annotated[int, Option("The same seed makes the same problems, byte for byte.")] = 7
    count: Annotated[int, Option("The number of problems.", least=1)] = 500
    sat_ratio: Annotated[
        float | None, Option("The share of linear problems that are satisfiable (0.6).", least=0, most=1)
    ] = None
    kind: Annotated[str, Option("linear, sudoku4, sudoku9, latin5 or schedule.")] = "linear"
    style: Annotated[
        str, Option("The style of linear problems: sparse, or upstream (every constraint about all variables).")
    ] = "sparse"
    variants: Annotated[
        bool, Option("Also write every problem rewritten, one file for each way to do it.", flag="--variants")
    ] = False


def _load(source: Source, *, seed: int, model: str) -> Loaded:
    """Return the problems; with `--variants`, at least one of them must be rewritten."""
    from holdtrue_lab.suites.cegvr.files import load_search_problems

    where, variants = source.problems, source.variants
    found = load_search_problems(where, variants=variants)
    if variants and not any(problem.variant for problem in found):
        raise SettingsError(f"--variants: there are none in {where}; give a folder made by generate cegvr --variants")
    return Loaded(f"{where}" + (", with variants" if variants else ""), found)


def _make(recipe: Recipe, out: Path) -> Iterator[str]:
    """Make problems of candidate-first search, one JSON object on each line; two solvers prove every label."""
    from holdtrue_lab.suites.cegvr.files import PROBLEMS, search_files, variants_file, write_search_problems
    from holdtrue_lab.suites.cegvr.generate import make_problems
    from holdtrue_lab.suites.cegvr.prove import tally
    from holdtrue_lab.suites.cegvr.rewrite import FAMILIES, rewrite

    if search_files(out, variants=True):
        raise SettingsError(f"{out} already holds problems; give another --out, so that they are not mixed")
    problems = make_problems(
        recipe.seed, recipe.count, kind=recipe.kind, style=recipe.style, sat_ratio=recipe.sat_ratio
    )
    # The originals are written last, so that a folder with their file is complete.
    for family in FAMILIES if recipe.variants else ():
        rewritten = (rewrite(problem, family, recipe.seed) for problem in problems)
        write_search_problems(rewritten, out / variants_file(family))
        yield f"rewritten, {family}, in {out / variants_file(family)}"
    write_search_problems(problems, out / PROBLEMS)
    count = len(problems)
    yield f"{count} problem{'' if count == 1 else 's'} in {out / PROBLEMS}: {tally(problems)}"


def _validate(folder: Path, timeout_s: float) -> Validated | None:
    """Prove the label of each problem and each variant by two provers, without a time limit."""
    from holdtrue_lab.suites.cegvr.files import load_search_problems, search_files
    from holdtrue_lab.suites.cegvr.prove import faults

    if not search_files(folder, variants=True):
        return None
    problems = load_search_problems(folder, variants=True)
    summary = f"{len(problems)} search problems, each label proved again by two provers"
    return Validated(summary, list(faults(problems)))


_CITES = """\
@misc{cegvr,
  title = {Solver-Grounded Verifiable Reasoning with a Candidate-First {LLM} + {SMT} Protocol}
}"""

SUITE = Suite(
    NAME,
    KIND,
    "Search for values that satisfy all constraints, or show that there are none, under one or more methods.\n\n"
    "Every method has the same K x ROUNDS calls a trial, and each candidate is certified or refuted on its own.",
    methods="one_shot,multi_no_feedback,multi_generic_feedback,multi_unsat_core_feedback,cd_vgs_core_rank,cd_vgs,"
    "cd_vgs_whole,always_unsat,random_in_domain,solver_only",
    model="Such as openai/NAME, local/NAME, sim/search:p=0.2, script/FILE.",
    load=_load,
    make=_make,
    validate=_validate,
    cites=_CITES,
)
