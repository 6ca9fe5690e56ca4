"""The differences of two policies, with the calls that show them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from holdtrue.guard.analysis.situation import Situation
from holdtrue.guard.decision import Decision

Side = Literal["first", "second"]


@dataclass(frozen=True)
class Difference:
    """A call on which the policies decide otherwise; `first` and `second` are what they say.

    `allowed_by` is the policy that allows the call, or None where one blocks it and the other asks about it.
    """

    tool: str
    allowed_by: Side | None
    example: Situation
    first: Decision
    second: Decision

    def to_json(self) -> dict[str, Any]:
        """Return the difference as JSON values."""
        told = {
            name: {"kind": own.kind, "rules": list(own.rules), "log": own.for_log}
            for name, own in (("first", self.first), ("second", self.second))
        }
        return {"tool": self.tool, "allowed_by": self.allowed_by, "example": self.example.to_json(), **told}


@dataclass(frozen=True)
class Compared:
    """A `Compared` says what was found out of one tool, or of the end of a conversation, for which `tool` is "".

    Attributes:
        differences: Calls on which the policies decide otherwise.
        undecided: Why it is not known whether there is such a call.
        told: Where the policies say something else of it, and may decide otherwise.
        assumptions: What the proof that there is no such call takes to be so.
    """

    tool: str
    differences: tuple[Difference, ...] = ()
    undecided: tuple[str, ...] = ()
    told: tuple[str, ...] = ()
    assumptions: tuple[str, ...] = ()

    @property
    def same(self) -> bool | None:
        """Return whether both policies decide alike on every call, or None where that is not known."""
        if self.differences or self.told:
            return False
        return None if self.undecided else True

    def to_json(self) -> dict[str, Any]:
        """Return what was found as JSON values."""
        return {
            "tool": self.tool,
            "same": self.same,
            "differences": [own.to_json() for own in self.differences],
            "undecided": list(self.undecided),
            "told": list(self.told),
            "assumptions": list(self.assumptions),
        }


@dataclass(frozen=True)
class Comparison:
    """A `Comparison` says what two policies differ in.

    Attributes:
        tools: What was found of each tool that both have, and of obligations.
        only_first: Tools that only the first policy has.
        told: Where what is shared by all tools differs, and may decide otherwise.
    """

    first: str
    second: str
    tools: tuple[Compared, ...]
    only_first: tuple[str, ...] = ()
    only_second: tuple[str, ...] = ()
    told: tuple[str, ...] = ()

    @property
    def same(self) -> bool | None:
        """Return whether both policies decide alike on every call, or None where that is not known."""
        found = [own.same for own in self.tools]
        if False in found or self.only_first or self.only_second or self.told:
            return False
        return None if None in found else True

    def to_json(self) -> dict[str, Any]:
        """Return the comparison as JSON values."""
        return {
            "first": self.first,
            "second": self.second,
            "same": self.same,
            "tools": [own.to_json() for own in self.tools],
            "only_first": list(self.only_first),
            "only_second": list(self.only_second),
            "told": list(self.told),
        }
