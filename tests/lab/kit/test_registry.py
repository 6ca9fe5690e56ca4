"""Suites and kinds are found by name, installed or registered."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from holdtrue.errors import SettingsError
from holdtrue.options import NoOptions
from holdtrue_lab.kit import registry
from holdtrue_lab.kit.registry import find_kind, find_suite, kind_names, register_suite, suite_names
from tests.toys.coins import SUITE, Recipe, Source

SUITES = ("belief", "cegvr", "cross_query", "drift", "guard", "reading", "verge")
KINDS = ("assignment", "claims", "decisions", "labels", "readings", "search")


def test_every_suite_and_kind_is_found_by_its_name() -> None:
    assert (suite_names(), kind_names()) == (SUITES, KINDS)
    assert [find_suite(name).name for name in SUITES] == list(SUITES)
    assert [find_kind(name).name for name in KINDS] == list(KINDS)
    assert all(find_suite(name).kind is find_kind(find_suite(name).kind.name) for name in SUITES)


@pytest.mark.parametrize(("find", "there"), [(find_suite, SUITES), (find_kind, KINDS)])
def test_an_unknown_name_is_an_error_that_lists_those_there_are(find: object, there: tuple[str, ...]) -> None:
    with pytest.raises(SettingsError, match=", ".join(there)):
        find("labls")  # type: ignore[operator]


def test_what_is_registered_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry.SUITES, "loaded", {})
    monkeypatch.setattr(registry.KINDS, "loaded", {})
    toy = replace(find_suite("belief"), name="toy")
    register_suite(toy)
    assert find_suite("toy") is toy
    assert suite_names() == tuple(sorted((*SUITES, "toy")))


@pytest.mark.parametrize("name", SUITES)
def test_finding_a_suite_loads_no_other_and_no_other_kind(name: str) -> None:
    lab = "('holdtrue_lab.suites.', 'holdtrue_lab.kinds.')"
    code = (
        "import sys; from holdtrue_lab.kit.registry import find_suite; "
        f"print(find_suite({name!r}).kind.name, *(m for m in sys.modules if m.startswith({lab})))"
    )
    output = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    kind, *loaded = output.split()
    own = (f"holdtrue_lab.suites.{name}", f"holdtrue_lab.kinds.{kind}")
    assert loaded and not [module for module in loaded if not module.startswith(own)]


def _make_anything(recipe: NoOptions, out: Path) -> Iterator[str]:
    yield from ()


def test_where_problems_are_found_and_how_they_are_made_is_what_the_functions_take_first() -> None:
    assert (SUITE.source, SUITE.recipe) == (Source, Recipe)
    assert replace(SUITE, make=_make_anything).recipe is NoOptions


def test_of_problems_that_nobody_makes_nothing_can_be_set() -> None:
    assert replace(SUITE, make=None).recipe is NoOptions
