"""Statistics of other libraries to compare ours with. The first test that uses one loads it."""

from __future__ import annotations

from importlib import import_module
from typing import Any


class Stats:
    """`scipy.stats`, which takes a second to load."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):  # pytest looks up such names in every object of a test file
            raise AttributeError(name)
        return getattr(import_module("scipy.stats"), name)


stats = Stats()


def oracle_mcnemar(table: Any, **settings: Any) -> Any:
    return import_module("statsmodels.stats.contingency_tables").mcnemar(table, **settings)


def multipletests(p_values: Any, **settings: Any) -> Any:
    return import_module("statsmodels.stats.multitest").multipletests(p_values, **settings)
