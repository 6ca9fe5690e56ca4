"""Find suites and kinds of answers by name: those of installed packages, and those that were registered.

A package names its own as entry points: `toy = "package.module:SUITE"` in the group `holdtrue.suites`, and its kinds in
`holdtrue.kinds`. Each is loaded when it is first asked for.
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
    """All that can be found of one sort: `what` is its name in errors, and `group` that of the entry points.

    What an entry point names is loaded when it is asked for, and nothing else with it.
    """

    what: str
    group: str
    loaded: dict[str, Any] = field(default_factory=dict)

    def register(self, name: str, thing: Any) -> None:
        """Let the thing be found by its name."""
        self.loaded[name] = thing

    def find(self, name: str) -> Any:
        """The thing of that name; raises `SettingsError` listing those there are."""
        if name not in self.loaded:
            for plugin in entry_points(group=self.group, name=name):
                self.loaded[name] = plugin.load()
                break
            else:
                known = ", ".join(self.names()) or "none"
                raise SettingsError(f"unknown {self.what} {name!r:.60}; there are {known}")
        return self.loaded[name]

    def names(self) -> tuple[str, ...]:
        """All names that can be found, in alphabetical order; nothing is loaded for that."""
        return tuple(sorted({*self.loaded, *entry_points(group=self.group).names}))


SUITES = Plugins("suite", "holdtrue.suites")
KINDS = Plugins("kind of answer", "holdtrue.kinds")


def register_suite(suite: Suite) -> None:
    """Register a suite, and the kind of its answers, under their names."""
    SUITES.register(suite.name, suite)
    register_kind(suite.kind)


def register_kind(kind: Kind) -> None:
    """Register a kind of answer under its name."""
    KINDS.register(kind.name, kind)


def find_suite(name: str) -> Suite:
    """Return the suite of that name; raises `SettingsError`, which lists all names."""
    found: Suite = SUITES.find(name)
    return found


def find_kind(name: str) -> Kind:
    """Return the kind of answer of that name; raises `SettingsError`, which lists all."""
    found: Kind = KINDS.find(name)
    return found


def suite_names() -> tuple[str, ...]:
    """Return the names of all suites, in alphabetical order; none is loaded for that."""
    return SUITES.names()


def kind_names() -> tuple[str, ...]:
    """Return the names of all kinds of answers, in alphabetical order; none is loaded for that."""
    return KINDS.names()
