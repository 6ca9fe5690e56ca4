"""Find suites and kinds of answers by name: those of installed packages, and those that were registered.

A package names its own as entry points: `toy = "package.module:SUITE"` in the group `holdtrue.suites`, and its kinds in
`holdtrue.kinds`. Each is loaded when it is first asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdtrue_lab.kit.plugins import KINDS, SUITES

if TYPE_CHECKING:
    from holdtrue_lab.kit.kind import Kind
    from holdtrue_lab.kit.suite import Suite


def register_suite(suite: Suite) -> None:
    """Register a suite, and the kind of its answers, under their names."""
    SUITES.register(suite.name, suite)
    register_kind(suite.kind)


def register_kind(kind: Kind) -> None:
    """Register a kind of answer under its name."""
    KINDS.register(kind.name, kind)


def find_suite(name: str) -> Suite:
    """Return the suite of that name; raises `SettingsError`, which lists all names, and if numpy is missing."""
    found: Suite = SUITES.find(name)
    return found


def find_kind(name: str) -> Kind:
    """Return the kind of answer of that name; raises `SettingsError`, which lists all, and if numpy is missing."""
    found: Kind = KINDS.find(name)
    return found


def suite_names() -> tuple[str, ...]:
    """Return the names of all suites, in alphabetical order; none is loaded for that."""
    return SUITES.names()


def kind_names() -> tuple[str, ...]:
    """Return the names of all kinds of answers, in alphabetical order; none is loaded for that."""
    return KINDS.names()
