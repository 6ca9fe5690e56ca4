"""Find suites and kinds of answers by name: those of installed packages, and those that were registered.

A package names its own as entry points: `toy = "package.module:SUITE"` in the group `holdtrue.suites`, and its kinds in
`holdtrue.kinds`. Each is loaded when it is first asked for.
"""

from __future__ import annotations

from importlib.metadata import entry_points
from typing import TYPE_CHECKING, Any

from holdtrue.errors import SettingsError
from holdtrue.extras import need

if TYPE_CHECKING:
    from holdtrue.lab.kit.kind import Kind
    from holdtrue.lab.kit.suite import Suite

SUITES, KINDS = "holdtrue.suites", "holdtrue.kinds"

_suites: dict[str, Suite] = {}
_kinds: dict[str, Kind] = {}


def register_suite(suite: Suite) -> None:
    """Register a suite, and the kind of its answers, under their names."""
    _suites[suite.name] = suite
    register_kind(suite.kind)


def register_kind(kind: Kind) -> None:
    """Register a kind of answer under its name."""
    _kinds[kind.name] = kind


def find_suite(name: str) -> Suite:
    """Return the suite of that name; raises `SettingsError`, which lists all names, and if numpy is missing."""
    if name not in _suites:
        _suites[name] = _load("suite", SUITES, name, suite_names())
    return _suites[name]


def find_kind(name: str) -> Kind:
    """Return the kind of answer of that name; raises `SettingsError` for an unknown one, listing all."""
    if name not in _kinds:
        _kinds[name] = _load("kind of answer", KINDS, name, kind_names())
    return _kinds[name]


def suite_names() -> tuple[str, ...]:
    """Return the names of all suites, in alphabetical order; none is loaded for that."""
    return _names(SUITES, _suites)


def kind_names() -> tuple[str, ...]:
    """Return the names of all kinds of answers, in alphabetical order; none is loaded for that."""
    return _names(KINDS, _kinds)


def _names(group: str, registered: dict[str, Any]) -> tuple[str, ...]:
    return tuple(sorted({*registered, *entry_points(group=group).names}))


def _load(what: str, group: str, name: str, known: tuple[str, ...]) -> Any:
    need("the laboratory", "numpy")  # before anything is asked or read, which may take hours
    for plugin in entry_points(group=group, name=name):
        return plugin.load()
    raise SettingsError(f"unknown {what} {name!r:.60}; there are {', '.join(known) or 'none'}")
