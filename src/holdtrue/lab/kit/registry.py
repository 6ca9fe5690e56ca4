"""Suites and kinds of answers by their names: those that installed packages name, and those that are registered.

A package names its own as entry points: `toy = "package.module:SUITE"` in the group `holdtrue.suites`, and likewise its
kinds in `holdtrue.kinds`. They are loaded when they are asked for, and no others with them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdtrue.lab.kit.plugins import KINDS, SUITES

if TYPE_CHECKING:
    from holdtrue.lab.kit.kind import Kind
    from holdtrue.lab.kit.suite import Suite


def register_suite(suite: Suite) -> None:
    """Let the suite, and the kind of its answers, be found by their names."""
    SUITES.register(suite.name, suite)
    register_kind(suite.kind)


def register_kind(kind: Kind) -> None:
    """Let the kind of answer be found by its name."""
    KINDS.register(kind.name, kind)


def find_suite(name: str) -> Suite:
    """The suite of that name; raises `SettingsError` listing those there are, or without numpy."""
    found: Suite = SUITES.find(name)
    return found


def find_kind(name: str) -> Kind:
    """The kind of answer of that name; raises `SettingsError` listing those there are, or without numpy."""
    found: Kind = KINDS.find(name)
    return found


def suite_names() -> tuple[str, ...]:
    """All suites that can be found, in alphabetical order; none is loaded for that."""
    return SUITES.names()


def kind_names() -> tuple[str, ...]:
    """All kinds of answers that can be found, in alphabetical order; none is loaded for that."""
    return KINDS.names()
