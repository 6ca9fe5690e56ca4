"""Statistics that others wrote, which ours are held against: each is loaded by the first test that asks it."""

from __future__ import annotations

from importlib import import_module
from typing import Any


class Stats:
    """`scipy.stats`, which takes a second to load."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):  # what pytest looks for in everything that a test file names
            raise AttributeError(name)
        return getattr(import_module("scipy.stats"), name)


stats = Stats()


def oracle_mcnemar(table: Any, **settings: Any) -> Any:
    return import_module("statsmodels.stats.contingency_tables").mcnemar(table, **settings)


def multipletests(p_values: Any, **settings: Any) -> Any:
    return import_module("statsmodels.stats.multitest").multipletests(p_values, **settings)
