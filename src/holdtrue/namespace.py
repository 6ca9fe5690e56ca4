"""Public names of a package, each loaded from its home when it is first asked for.

A package says in a table which of its modules has which names, so that importing one module of it does not load the
others. Type checkers read the same names as imports under `TYPE_CHECKING`; a test holds the two against each other.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def load(package: str, homes: Mapping[str, str], name: str) -> Any:
    """Return the public name of the package, which keeps it from then on; raises `AttributeError` for any other."""
    for module, names in homes.items():
        if name in names.split():
            value = getattr(import_module(module, package), name)
            setattr(sys.modules[package], name, value)
            return value
    raise AttributeError(f"module {package!r} has no attribute {name!r}")


def namespace(
    package: str, homes: Mapping[str, str]
) -> tuple[list[str], Callable[[str], Any], Callable[[], list[str]]]:
    """Return what makes a package a namespace: its `__all__`, `__getattr__` and `__dir__`.

    `homes` maps modules, named as in an import (`.terms`), to the names that come from them, with spaces between.
    """
    public = [name for names in homes.values() for name in names.split()]
    return public, lambda name: load(package, homes, name), lambda: sorted(public)
