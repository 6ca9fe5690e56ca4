"""Load the public names of a package lazily, each from its module on first use.

A package lists the public names of each of its modules. Importing one module then does not load the others. Type
checkers read the same names from imports under `TYPE_CHECKING`, and a test compares the two.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def load(package: str, homes: Mapping[str, str], name: str) -> Any:
    """Return the public name of the package and store it there. Raises `AttributeError` for an unknown name."""
    for module, names in homes.items():
        if name in names.split():
            value = getattr(import_module(module, package), name)
            setattr(sys.modules[package], name, value)
            return value
    raise AttributeError(f"module {package!r} has no attribute {name!r}")


def namespace(
    package: str, homes: Mapping[str, str]
) -> tuple[list[str], Callable[[str], Any], Callable[[], list[str]]]:
    """Return `__all__`, `__getattr__` and `__dir__` of a package.

    `homes` maps modules, named as in an import (`.terms`), to their public names, separated by spaces.
    """
    public = [name for names in homes.values() for name in names.split()]
    return public, lambda name: load(package, homes, name), lambda: sorted(public)
