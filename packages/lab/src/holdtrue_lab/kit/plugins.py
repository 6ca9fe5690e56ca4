"""Things that installed packages name as entry points, and those that are registered while a program runs."""

from __future__ import annotations

from dataclasses import dataclass, field
from importlib.metadata import entry_points
from typing import Any

from holdtrue.errors import SettingsError
from holdtrue.extras import need


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
        """The thing of that name; raises `SettingsError` listing those there are, or without numpy."""
        if name not in self.loaded:
            need("the laboratory", "numpy")  # before anything is asked or read, which may take hours
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
