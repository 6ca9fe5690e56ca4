"""What can be set of a suite follows from the functions that it names."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from holdtrue.options import NoOptions
from tests.toys.coins import SUITE, Recipe, Source


def _make_anything(recipe: NoOptions, out: Path) -> Iterator[str]:
    yield from ()


def test_where_problems_are_found_and_how_they_are_made_is_what_the_functions_take_first() -> None:
    assert (SUITE.source, SUITE.recipe) == (Source, Recipe)
    assert replace(SUITE, make=_make_anything).recipe is NoOptions


def test_of_problems_that_nobody_makes_nothing_can_be_set() -> None:
    assert replace(SUITE, make=None).recipe is NoOptions
