"""The classes in this module are the results of analysing a policy and of comparing two."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any, Literal

from holdtrue.guard.analysis.situation import Situation
from holdtrue.guard.decision import Decision
from holdtrue.rules.syntax import Place

FaultKind = Literal[
    "never applies",
    "always holds",
    "never holds",
    "implied",
    "contradictory",
    "clashes with the schema",
    "missing fact",
]

OpenCode = Literal["time", "lists", "formula", "no call", "solver", "many sets"]
"""Why a question is open. `lists`: only short lists were ruled out. `formula`: no formula says a rule. `no call`:
formulas allow a call, and none was found. `solver`: the solver gave up. `many sets`: too many sets of rules clash."""


@dataclass(frozen=True)
class Result:
    """A `Result` has a JSON form with its fields in their order, and with its line in the policy file."""

    def to_json(self) -> dict[str, Any]:
        """Return the result as JSON values."""
        found = {own.name: _json(getattr(self, own.name)) for own in fields(self)}
        return {{"place": "line"}.get(name, name): own for name, own in found.items()}


def _json(value: Any) -> Any:
    match value:
        case Place():
            return value.line or None
        case tuple():
            return [_json(own) for own in value]
    return value.to_json() if hasattr(value, "to_json") else value


@dataclass(frozen=True)
class Fault(Result):
    """A `Fault` is a proved fault of a rule on a tool.

    Attributes:
        rule: The id of the rule, or of the first one if several share the fault.
        tool: The tool of the rule, or "" for an obligation at the end of a conversation.
        text: The fault in a sentence.
        others: The rules that imply this one, or contradict it.
        minimal: Whether all of `others` are proved to be necessary for the fault.
        bounds: Limits of the tool's schema that the fault rests on.
        assumptions: Assumptions beyond the schema that the fault rests on.
        example: A call that shows the fault, if one exists.
    """

    kind: FaultKind
    rule: str
    tool: str
    place: Place
    text: str
    others: tuple[str, ...] = ()
    minimal: bool = True
    bounds: tuple[str, ...] = ()
    assumptions: tuple[str, ...] = ()
    example: Situation | None = None


@dataclass(frozen=True, slots=True)
class Undecided(Result):
    """An `Undecided` is a possible fault that was neither proved nor ruled out.

    The kind `out of time` stands for all questions about `rule` and `others` that ran out of time. `by` has the lists
    without a bound, or the rules, that leave the question open.
    """

    kind: FaultKind | Literal["out of time"]
    rule: str
    tool: str
    place: Place
    others: tuple[str, ...]
    reason: str
    code: OpenCode
    by: tuple[str, ...] = ()


@dataclass(frozen=True)
class OpenSentence(Result):
    """An `OpenSentence` is a sentence of the prose that no part stands for, or one that a part leaves open.

    `path` are the headings and introductions above it. `reasons` are those of the parts that leave it open.
    """

    number: int
    text: str
    path: tuple[str, ...] = ()
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True)
class ProseCoverage(Result):
    """A `ProseCoverage` says how much of its prose a policy stands for.

    Attributes:
        sentences: The number of sentences, headings, list items and rows of tables.
        open: The sentences that nothing settles: neither a part that decides nor a reason why none does.
        unfounded: The parts that decide and stand for no sentence.
        edited: The digest of the prose if it is no longer the text whose sentences were numbered, else "".
    """

    sentences: int
    open: tuple[OpenSentence, ...]
    unfounded: tuple[str, ...]
    edited: str = ""


@dataclass(frozen=True)
class Analysis(Result):
    """An `Analysis` is the result of analysing a policy.

    Attributes:
        asides: Faults that a rule has on only some of its tools, which may be intended.
        undecided: Possible faults that were neither proved nor ruled out.
        assumptions: Assumptions about every call.
        rules: The number of rules that were analysed.
        tools: The number of tools of these rules.
        seconds: The duration.
        notes: Remarks that are no faults.
        prose: The part of its prose that the policy stands for, or None if it names no prose.
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
    prose: ProseCoverage | None = None

    def to_json(self) -> dict[str, Any]:
        return {**super().to_json(), "seconds": round(self.seconds, 3)}


Side = Literal["first", "second"]


@dataclass(frozen=True)
class Difference:
    """A `Difference` is a call that two policies decide differently; `first` and `second` are their decisions.

    `allowed_by` is the policy that allows the call, or None if one blocks it and the other asks about it.
    """

    tool: str
    allowed_by: Side | None
    example: Situation
    first: Decision
    second: Decision

    def to_json(self) -> dict[str, Any]:
        told = {
            name: {"kind": own.kind, "rules": list(own.rules), "log": own.for_log}
            for name, own in (("first", self.first), ("second", self.second))
        }
        return {"tool": self.tool, "allowed_by": self.allowed_by, "example": self.example.to_json(), **told}


@dataclass(frozen=True)
class Compared(Result):
    """A `Compared` is the result of comparing two policies on one tool. For the end of a conversation, `tool` is "".

    Attributes:
        differences: Calls that the policies decide differently.
        undecided: The reasons why it is unknown whether there is such a call.
        told: Differences in the text of the policies that may lead to different decisions.
        assumptions: Assumptions of the proof that there is no such call.
    """

    tool: str
    differences: tuple[Difference, ...] = ()
    undecided: tuple[str, ...] = ()
    told: tuple[str, ...] = ()
    assumptions: tuple[str, ...] = ()

    @property
    def same(self) -> bool | None:
        """Return whether both policies decide every call alike, or None if that is unknown."""
        if self.differences or self.told:
            return False
        return None if self.undecided else True

    def to_json(self) -> dict[str, Any]:
        return {"tool": self.tool, "same": self.same, **super().to_json()}


@dataclass(frozen=True)
class Comparison(Result):
    """A `Comparison` is the result of comparing two policies.

    Attributes:
        tools: The result for each shared tool, and for obligations.
        only_first: Tools that only the first policy has.
        told: Differences outside of tools that may lead to different decisions.
    """

    first: str
    second: str
    tools: tuple[Compared, ...]
    only_first: tuple[str, ...] = ()
    only_second: tuple[str, ...] = ()
    told: tuple[str, ...] = ()

    @property
    def same(self) -> bool | None:
        """Return whether both policies decide every call alike, or None if that is unknown."""
        found = [own.same for own in self.tools]
        if False in found or self.only_first or self.only_second or self.told:
            return False
        return None if None in found else True

    def to_json(self) -> dict[str, Any]:
        return {"first": self.first, "second": self.second, "same": self.same, **super().to_json()}
