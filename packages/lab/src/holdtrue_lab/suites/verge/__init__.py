"""Suite `verge` asks questions about contexts. The answers are free text, and are tested claim by claim."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from holdtrue.errors import SettingsError
from holdtrue.options import Option
from holdtrue_lab.kinds.claims import KIND
from holdtrue_lab.kit.suite import Loaded, Suite

if TYPE_CHECKING:
    from holdtrue_lab.kinds.claims.item import Item

NAME = "verge"
_MOST_NOTES = 5


@dataclass(frozen=True, slots=True)
class Source:
    items: Annotated[
        tuple[Path, ...], Option("A file of questions about contexts, or a folder of them (see: generate verge).")
    ]
    dataset: Annotated[str | None, Option("The data set of the items, if their fields do not determine it.")] = None
    answers: Annotated[Path | None, Option("A file of earlier answers; only items that have one are played.")] = None


@dataclass(frozen=True, slots=True)
class Recipe:
    seed: Annotated[int, Option("The same seed makes the same pairs, byte for byte.")] = 7
    count: Annotated[int, Option("The number of pairs, over all kinds.", least=1)] = 40


def _load(source: Source, *, seed: int, model: str) -> Loaded:
    from holdtrue_lab.suites.verge.files import ITEMS, load_answers, load_verge

    files = [path / ITEMS if path.is_dir() else path for path in source.items]
    where = ", ".join(map(str, source.items))
    found = [item for file in files for item in load_verge(file, source.dataset)]
    if source.answers is None:
        return Loaded(where, found, notes=_notes(found))
    return Loaded(f"{where}, answers of {source.answers}", found, load_answers(source.answers), _notes(found))


def _notes(items: Sequence[Item]) -> list[str]:
    """Return lines about doubtful or missing parts of the gold logic, with the first alert of each item."""
    doubtful = [item for item in items if item.alerts]
    if not doubtful:
        return []
    shown = [f"  {item.id}: {item.alerts[0].kind}: {item.alerts[0].message}" for item in doubtful[:_MOST_NOTES]]
    more = len(doubtful) - len(shown)
    return [
        f"{len(doubtful)} of {len(items)} items have alerts about their gold logic:",
        *shown,
        *([f"  and {more} more"] if more else []),
    ]


def _make(recipe: Recipe, out: Path) -> Iterator[str]:
    """Make pairs of items that differ in one sentence and so in their answer, as JSON lines with gold logic."""
    from collections import Counter

    from holdtrue_lab.suites.verge.files import ITEMS, write_items
    from holdtrue_lab.suites.verge.perturb.generate import generate_pairs

    path = out / ITEMS
    if path.exists():
        raise SettingsError(f"{out} already holds items; give another --out, so that none are lost")
    items = generate_pairs(recipe.seed, recipe.count)
    write_items(items, path)
    kinds = Counter(item.perturbation for item in items if item.perturbation is not None)
    shares = ", ".join(f"{number} {kind}" for kind, number in kinds.items())
    yield f"{len(items)} items in {path}, pairs of which a solver proved both answers: {shares}"


_CITES = """\
@misc{verge,
  title = {{VERGE}: Formal Refinement and Guidance Engine for Verifiable {LLM} Reasoning},
  author = {Singh, Vikash and Cassel, Darion and Weir, Nathaniel and Feng, Nick and Bayless, Sam}
}"""

SUITE = Suite(
    NAME,
    KIND,
    "Answer questions about contexts under one or more methods, and check the answers claim by claim.\n\n"
    "A setting of checking is laid over all methods alike; one that is there to differ in it keeps its own.",
    methods=(
        "direct,cot,self_consistency,self_refine,tree_of_thought,logic_lm,linc,proof_of_thought,dsb,verge,"
        "restate_premises,solver_only"
    ),
    model="Such as openai/NAME, local/NAME, sim/claims:wrong=0.2, script/FILE.",
    load=_load,
    make=_make,
    cites=_CITES,
)
