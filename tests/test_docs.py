"""The examples in docstrings run, and say what they claim to say."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import holdtrue

MODULES = sorted(module.name for module in pkgutil.walk_packages(holdtrue.__path__, "holdtrue."))
# These are known to have examples; an empty doctest run would pass without a word.
WITH_EXAMPLES = {"holdtrue.logic.formula", "holdtrue.domains.domain"}


@pytest.mark.parametrize("name", [name for name in MODULES if not name.endswith("__main__")])
def test_examples_run(name: str) -> None:
    outcome = doctest.testmod(importlib.import_module(name), raise_on_error=False)
    assert outcome.failed == 0
    assert outcome.attempted > 0 or name not in WITH_EXAMPLES


def test_the_known_examples_are_looked_at() -> None:
    assert set(MODULES) >= WITH_EXAMPLES
