"""The faults of a policy, each proved and shown by a call."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from holdtrue.guard.analysis.situation import Situation
from holdtrue.rules.syntax import NOWHERE, Place

FaultKind = Literal[
    "never applies",
    "always holds",
    "never holds",
    "implied",
    "contradictory",
    "clashes with the schema",
    "missing fact",
]


@dataclass(frozen=True)
class Fault:
    """A `Fault` says what is wrong with a rule on a tool.

    Attributes:
        rule: The id of the rule; the first one, where several are at fault together.
        tool: The tool that it is on, or "" for an obligation at the end of a conversation.
        text: What is wrong, in a sentence.
        others: The rules that this one follows from, or cannot be kept with.
        minimal: Whether it is proved that all of `others` are needed for that.
        bounds: What the tool's schema states, and the fault rests on.
        assumptions: What no schema states, and the fault rests on.
        example: A call that shows it, where there can be one.
    """

    kind: FaultKind
    rule: str
    tool: str
    text: str
    place: Place = NOWHERE
    others: tuple[str, ...] = ()
    minimal: bool = True
    bounds: tuple[str, ...] = ()
    assumptions: tuple[str, ...] = ()
    example: Situation | None = None

    def to_json(self) -> dict[str, Any]:
        """Return the fault as JSON values."""
        return {
            "kind": self.kind,
            "rule": self.rule,
            "tool": self.tool,
            "line": self.place.line or None,
            "text": self.text,
            "others": list(self.others),
            "minimal": self.minimal,
            "bounds": list(self.bounds),
            "assumptions": list(self.assumptions),
            "example": None if self.example is None else self.example.to_json(),
        }


@dataclass(frozen=True, slots=True)
class Undecided:
    """A fault that a rule may have: it was neither proved nor ruled out, for this reason.

    One of kind `out of time` stands for all that time ran out for, of the rule and of `others`.
    """

    kind: FaultKind | Literal["out of time"]
    rule: str
    tool: str
    reason: str
    place: Place = NOWHERE
    others: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return what was not decided as JSON values."""
        found = {"kind": self.kind, "rule": self.rule, "tool": self.tool, "line": self.place.line or None}
        return {**found, "others": list(self.others), "reason": self.reason}


@dataclass(frozen=True)
class Analysis:
    """An `Analysis` says what was found out about a policy.

    Attributes:
        asides: Faults of rules on several tools that they have on some of these only, which may be meant.
        undecided: What was neither proved nor ruled out.
        assumptions: What was taken to be so of every call.
        rules: How many rules were looked at, on how many `tools`.
        seconds: How long it took.
        notes: What is no fault, and whoever runs the policy should know.
    """

    policy: str
    faults: tuple[Fault, ...]
    asides: tuple[Fault, ...] = ()
    undecided: tuple[Undecided, ...] = ()
    assumptions: tuple[str, ...] = ()
    rules: int = 0
    tools: int = 0
    seconds: float = field(default=0.0, compare=False)
    notes: tuple[str, ...] = ()

    def to_json(self) -> Mapping[str, Any]:
        """Return the analysis as JSON values."""
        return {
            "policy": self.policy,
            "faults": [own.to_json() for own in self.faults],
            "asides": [own.to_json() for own in self.asides],
            "undecided": [own.to_json() for own in self.undecided],
            "assumptions": list(self.assumptions),
            "rules": self.rules,
            "tools": self.tools,
            "seconds": round(self.seconds, 3),
            "notes": list(self.notes),
        }
