"""This module finds suites and kinds of answers by name, in installed packages and among registered ones.

A package declares a suite as an entry point in the group `holdtrue.suites`, such as `toy = "package.module:SUITE"`.
Kinds are in the group `holdtrue.kinds`. Each is imported when it is first needed.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, Any

from holdtrue.errors import SettingsError

if TYPE_CHECKING:
    from holdtrue_lab.kit.kind import Kind
    from holdtrue_lab.kit.suite import Suite


@dataclass(slots=True)
class Plugins:
    """A `Plugins` finds objects by name among registered ones and the entry points of one `group`.

    `what` names such an object in error messages. Only the requested entry point is imported.
    """

    what: str
    group: str
    loaded: dict[str, Any] = field(default_factory=dict)

    def register(self, name: str, thing: Any) -> None:
        self.loaded[name] = thing

    def find(self, name: str) -> Any:
        """Return the object with this name. Raise `SettingsError`, which lists the known names, if there is none."""
        if name not in self.loaded:
            for plugin in entry_points(group=self.group, name=name):
                self.loaded[name] = plugin.load()
                break
            else:
                known = ", ".join(self.names()) or "none"
                raise SettingsError(f"unknown {self.what} {name!r:.60}; there are {known}")
        return self.loaded[name]

    def names(self) -> tuple[str, ...]:
        """Return all known names in alphabetical order, without importing anything."""
        return tuple(sorted({*self.loaded, *entry_points(group=self.group).names}))


SUITES = Plugins("suite", "holdtrue.suites")
KINDS = Plugins("kind of answer", "holdtrue.kinds")


def register_suite(suite: Suite) -> None:
    """Register a suite and the kind of its answers under their names."""
    SUITES.register(suite.name, suite)
    register_kind(suite.kind)


def register_kind(kind: Kind) -> None:
    KINDS.register(kind.name, kind)


def find_suite(name: str) -> Suite:
    """Return the suite with this name; raises `SettingsError`, which lists all names."""
    found: Suite = SUITES.find(name)
    return found


def find_kind(name: str) -> Kind:
    """Return the kind of answer with this name; raises `SettingsError`, which lists all names."""
    found: Kind = KINDS.find(name)
    return found


def suite_names() -> tuple[str, ...]:
    """Return the names of all suites in alphabetical order, without importing them."""
    return SUITES.names()


def kind_names() -> tuple[str, ...]:
    """Return the names of all kinds of answers in alphabetical order, without importing them."""
    return KINDS.names()
