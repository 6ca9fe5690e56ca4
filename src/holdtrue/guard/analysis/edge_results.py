"""The edges of a rule as results: calls with what the policy decides on them."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from holdtrue.guard.analysis.analysis_results import Result
from holdtrue.guard.analysis.situation import Situation
from holdtrue.guard.analysis.situation_parts import Change
from holdtrue.guard.json_values import json_text

EdgeKind = Literal["kept", "broken", "boundary", "missing", "hidden"]
Expect = Literal["allow", "block", "ask", "confirm", "met", "unmet"]


@dataclass(frozen=True)
class Edge(Result):
    """An `Edge` is a call at the edge of a rule.

    Attributes:
        kind: `kept` and `broken` come in adjacent pairs. `boundary` has a value at a bound, `missing` lacks a fact, and
            `hidden` breaks another rule, too.
        tool: The tool, or "" at the end of a conversation.
        expect: What the policy decides on the situation.
        changes: The differences of the pair: a path, the kept and the broken value. A missing value is `(missing)`.
        text: The edge in a sentence.
    """

    kind: EdgeKind
    rule: str
    tool: str
    situation: Situation
    expect: Expect
    changes: tuple[Change, ...]
    text: str

    @cached_property
    def id(self) -> str:
        """Return an id that stays the same as long as rule and situation do."""
        text = json_text(self.situation.to_json(), 10**9)
        return f"{self.rule}-{hashlib.sha256(text.encode()).hexdigest()[:8]}"

    def to_json(self) -> dict[str, Any]:
        return {"id": self.id, **super().to_json()}


@dataclass(frozen=True)
class RuleEdges(Result):
    """`RuleEdges` are the edges of a rule on a tool, with the reasons for those that were not found."""

    rule: str
    tool: str
    edges: tuple[Edge, ...]
    undecided: tuple[str, ...] = ()
