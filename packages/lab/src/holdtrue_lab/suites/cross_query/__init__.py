"""Suite `cross_query` is the Cross-Query Contradiction Benchmark: answers to many queries about a case must agree."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from holdtrue.errors import SettingsError
from holdtrue.kinds.labels.case import Case
from holdtrue.options import Option
from holdtrue_lab.kinds.labels import KIND
from holdtrue_lab.kit.suite import Loaded, Suite, Validated

NAME = "cross_query"


@dataclass(frozen=True, slots=True)
class Source:
    cases: Annotated[Path, Option("A benchmark's folder (see: generate cross_query), or one of its files.")]
    split: Annotated[str | None, Option("Play only the cases of this split: train, dev or test.")] = None


@dataclass(frozen=True, slots=True)
class Recipe:
    seed: Annotated[int, Option("The same seed makes the same cases, byte for byte.")] = 42
    count: Annotated[int, Option("The number of cases, over all domains.", least=1)] = 390


def _load(source: Source, *, seed: int, model: str) -> Loaded:
    from holdtrue_lab.suites.cross_query.files import load_cases

    loaded = load_cases(source.cases)
    found = [case for case in loaded if source.split is None or case.split == source.split]
    if not found:
        there = ", ".join(dict.fromkeys(case.split for case in loaded if case.split)) or "none"
        split = f" of the split {source.split!r}; there: {there}" if source.split else ""
        raise SettingsError(f"{source.cases} holds no case{split}")
    where = f"{source.cases}" + (f", split {source.split}" if source.split else "")
    return Loaded(where, found, notes=_unread(found))


def _unread(cases: Sequence[Case]) -> tuple[str, ...]:
    """Return a note on queries whose statements are not known as formulas, or none."""
    count = sum(len(case.queries) for case in cases)
    unread = sum(query.formula is None for case in cases for query in case.queries)
    if not unread:
        return ()
    whole = sum(all(query.formula is None for query in case.queries) for case in cases)
    return (
        f"{unread} of {count} queries ({whole} of {len(cases)} cases as a whole) are not known as formulas, because "
        "their words or the symbols of their formal representation are not understood. Set metrics leave them out; "
        "--formal llm lets the model write formulas.",
    )


def _make(recipe: Recipe, out: Path) -> Iterator[str]:
    """Make cases of the cross-query benchmark in the published layout, with all labels proved by a solver."""
    from holdtrue.kinds.labels.prompts import prompt_templates
    from holdtrue_lab.suites.cross_query.card import share_out
    from holdtrue_lab.suites.cross_query.files import benchmark_files, write_benchmark
    from holdtrue_lab.suites.cross_query.generate import generate

    if benchmark_files(out):
        raise SettingsError(f"{out} already holds a benchmark; give another --out, so that they are not mixed")
    cases = generate(recipe.seed, share_out(recipe.count))
    write_benchmark(cases, out, prompt_templates())
    queries = sum(len(case.queries) for case in cases)
    splits = ", ".join(f"{sum(case.split == name for case in cases)} in {name}" for name in ("train", "dev", "test"))
    yield f"{len(cases)} cases with {queries} queries in {out}: {splits}"


def _validate(folder: Path, timeout_s: float) -> Validated | None:
    """Prove the labels from the SMT-LIB texts by z3, and check counts, shares, splits and dependencies."""
    from holdtrue.budget import Budget
    from holdtrue_lab.suites.cross_query.files import benchmark_files
    from holdtrue_lab.suites.cross_query.validate import validate

    if not benchmark_files(folder):
        return None
    found = validate(folder, Budget(timeout_s=timeout_s))
    summary = f"{found.cases} cases, {found.proved} of {found.queries} labels proved again by z3"
    return Validated(summary, found.problems)


_CITES = """\
@misc{crossquery,
  title = {Cross-Query Contradiction Benchmark},
  author = {Salla, Rohit Kumar and Amancherla, Ramya Manasa and Saravanan, Manoj}
}"""

SUITE = Suite(
    NAME,
    KIND,
    "Ask the queries of cross-query cases under one or more methods.",
    methods="direct,check_repair,maxsat_repair,always_unknown,one_model",
    model="Such as openai/NAME, local/NAME, sim/labels:wrong=0.2, script/FILE.",
    load=_load,
    make=_make,
    validate=_validate,
    cites=_CITES,
)
