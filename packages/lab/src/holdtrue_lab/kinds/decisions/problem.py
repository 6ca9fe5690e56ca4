"""A recorded conversation of an agent with tools, with the labels of an independent checker for its calls."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from holdtrue.guard.recording import RecordedCall, Written

if TYPE_CHECKING:
    from holdtrue.guard.policy import Policy


def short_id(rule: str) -> str:
    """Return the id of a rule in a benchmark, which is the part before the first '-': `M2` of `M2-fixed`."""
    return rule.partition("-")[0]


@dataclass(frozen=True, slots=True)
class LabelledRules:
    """The ids of the rules that labels can name, in three groups, and the `sentences` of some of these rules.

    The rules in `facts` can be decided from the call and the facts seen so far. The rules in `talk` need a reading of
    the conversation. The rules in `tool` are not scored, because the tool itself rejects a call that breaks one.
    """

    facts: frozenset[str]
    talk: frozenset[str]
    tool: frozenset[str]
    sentences: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class CallLabel:
    """The label of a call, by short ids: the rules that it breaks, and those that the checker left undecided.

    `executed` says whether the tool carried out the call; it is None if that is not known.
    """

    broken: tuple[str, ...]
    undecided: tuple[str, ...]
    executed: bool | None


@dataclass(frozen=True, slots=True)
class LabelledCall(RecordedCall):
    """A recorded call with its label, which is None if nobody has checked the call."""

    label: CallLabel | None = None


@dataclass(frozen=True, slots=True)
class RecordedConversation:
    """All calls of one conversation in order, with the policy that decides on them.

    Attributes:
        task: The task in its benchmark. Trials of one task are not independent of each other.
        trial: The number of the trial.
        reward: The benchmark's reward for the end of the conversation, if it gave one.
        written: The user's messages, each with its place in the conversation, from 0.
        strays: Results that belong to no call.
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
        """Return whether the policy decides on the tool of a call, or the call has a label."""
        return call.label is not None or self.policy.decides_on(call.tool)

    @property
    def turns(self) -> int:
        """The number of calls to decide on."""
        return sum(map(self.is_decided, self.calls))

    def to_json(self) -> object:
        """Return, as plain JSON values, everything that can change a decision or its score."""
        rules = {name: sorted(getattr(self.rules, name)) for name in ("facts", "talk", "tool")}
        calls = [asdict(call) for call in self.calls]
        asked = [self.id, self.domain, self.task, self.trial, self.reward]
        return [*asked, list(map(list, self.written)), calls, rules, self.policy.digest]


def named_rules(rules: LabelledRules, calls: Iterable[LabelledCall]) -> tuple[str, ...]:
    """Return a line for each rule that the labels of these calls name, with its sentence if it has one."""
    labels = [call.label for call in calls if call.label is not None]
    named = sorted({rule for label in labels for rule in (*label.broken, *label.undecided)})
    return tuple(f"{rule}: {said}" if (said := rules.sentences.get(rule)) else rule for rule in named)
