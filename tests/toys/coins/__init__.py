"""A suite in one folder: which side do coins show? Whoever plays it registers it, and touches no other file."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Annotated, Any

from holdtrue import Case, IntSort, Label, Premise, Variable
from holdtrue.kinds.labels import Query
from holdtrue_lab import Loaded, Option, Suite, find_kind, json_text, read_json, write_text


@dataclass(frozen=True, slots=True)
class Source:
    """Where coins come from."""

    coins: Annotated[Path, Option("A file of coins (see: generate coins).")]


@dataclass(frozen=True, slots=True)
class Recipe:
    """How coins are thrown."""

    count: Annotated[int, Option("How many cases.", least=1)] = 4
    seed: Annotated[int, Option("The same seed throws the same coins.")] = 1


def _load(source: Source, *, seed: int, model: str) -> Loaded:
    thrown: Any = read_json(source.coins)
    return Loaded(str(source.coins), [_case(number, sides) for number, sides in enumerate(thrown)])


def _make(recipe: Recipe, out: Path) -> Iterator[str]:
    """Throw coins."""
    rng = Random(recipe.seed)
    thrown = [[rng.randint(0, 1) for _ in range(3)] for _ in range(recipe.count)]
    write_text(out / "coins.json", json_text(thrown))
    yield f"{recipe.count} cases in {out / 'coins.json'}"


def _case(number: int, sides: list[int]) -> Case:
    """The first two coins are told, the third is not."""
    coins = [Variable(f"coin{place}", IntSort(0, 1)) for place in range(3)]
    premises = [Premise(f"Coin {place} shows {sides[place]}.", coins[place].eq(sides[place])) for place in range(2)]
    labels = [*(Label.ENTAILED if side else Label.CONTRADICTED for side in sides[:2]), Label.UNKNOWN]
    asked = [
        Query(f"q{place}", f"Coin {place} shows 1.", label, "coin", coins[place].eq(1))
        for place, label in enumerate(labels)
    ]
    return Case(f"coins_{number}", "coins", "coins", "thrown", "", (), tuple(coins), (), tuple(premises), tuple(asked))


SUITE = Suite(
    "coins", find_kind("labels"), "Ask which side coins show.", "direct,maxsat_repair,always_unknown", _load, _make
)
