"""A recorded conversation of an agent with tools, and what an independent checker says of its calls."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from holdtrue.guard.recording import RecordedCall, Written

if TYPE_CHECKING:
    from holdtrue.guard.policy import Policy


def short_id(rule: str) -> str:
    """Return the id that a benchmark knows a rule by, which is all before the first '-': `M2` of `M2-fixed`."""
    return rule.partition("-")[0]


@dataclass(frozen=True, slots=True)
class LabelledRules:
    """The ids of the rules that labels are scored by, and the `sentences` of those that have one.

    `facts` are decided by the call and the facts seen, and `talk` need the conversation read. `tool` are rules that a
    tool enforces by itself, so that a call that breaks one has no effect: it is left out of what is scored.
    """

    facts: frozenset[str]
    talk: frozenset[str]
    tool: frozenset[str]
    sentences: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class CallLabel:
    """A `CallLabel` has, by their short ids, the rules that a call breaks, and those that the checker left `undecided`.

    `executed` says whether the tool did what was asked, None where that is not known.
    """

    broken: tuple[str, ...]
    undecided: tuple[str, ...]
    executed: bool | None


@dataclass(frozen=True, slots=True)
class LabelledCall(RecordedCall):
    """A recorded call with its label, which is None where nobody has checked the call."""

    label: CallLabel | None = None


@dataclass(frozen=True, slots=True)
class RecordedConversation:
    """All calls of one conversation, in their order, with the policy that is to decide on them.

    `task` and `trial` name the conversation in its benchmark: trials of one task are not independent of each other.
    `reward` is what the benchmark gave for the end of the conversation, None where it gave nothing. `written` are the
    user's messages, each with its place in the conversation, from 0, and `strays` results that belong to no call.
    """

    id: str
    domain: str
    task: int | str
    trial: int
    reward: float | None
    written: Written
    calls: tuple[LabelledCall, ...]
    rules: LabelledRules
    policy: Policy
    strays: tuple[str, ...] = ()

    def is_decided(self, call: LabelledCall) -> bool:
        """Return whether a call is decided on: the policy decides on its tool, or the call has a label."""
        return call.label is not None or self.policy.decides_on(call.tool)

    @property
    def turns(self) -> int:
        """The number of calls that are decided on."""
        return sum(map(self.is_decided, self.calls))

    def to_json(self) -> object:
        """Return, as plain JSON values, everything that can change a decision or its score."""
        rules = {name: sorted(getattr(self.rules, name)) for name in ("facts", "talk", "tool")}
        calls = [asdict(call) for call in self.calls]
        asked = [self.id, self.domain, self.task, self.trial, self.reward]
        return [*asked, list(map(list, self.written)), calls, rules, self.policy.digest]


def named_rules(rules: LabelledRules, calls: Iterable[LabelledCall]) -> tuple[str, ...]:
    """Return a line for each rule that the labels of these calls name, with its sentence where it has one."""
    labels = [call.label for call in calls if call.label is not None]
    named = sorted({rule for label in labels for rule in (*label.broken, *label.undecided)})
    return tuple(f"{rule}: {said}" if (said := rules.sentences.get(rule)) else rule for rule in named)
