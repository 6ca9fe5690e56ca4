"""The rules on one tool, or the obligations at the end of a conversation, and what the analysis asks about them."""

from __future__ import annotations

from functools import cached_property

from holdtrue.budget import Budget, Deadline
from holdtrue.guard.analysis.example import written_out
from holdtrue.guard.analysis.fault import Fault, FaultKind, Undecided
from holdtrue.guard.analysis.inquiry import LISTS, Impossible, Inquiry, NotDecided
from holdtrue.guard.analysis.level import Demand, Shown
from holdtrue.guard.analysis.schema_bounds import bounds_behind
from holdtrue.guard.analysis.situation import Situation
from holdtrue.guard.analysis.unseen import Shapes
from holdtrue.guard.policy import Policy
from holdtrue.guard.policy_parts import Rule
from holdtrue.rules.syntax import NOWHERE
from holdtrue.rules.typed import Given

Finding = Fault | Undecided


class OnTool:
    """The rules on one tool; `tool` is "" for the obligations."""

    def __init__(self, policy: Policy, tool: str, budget: Budget, deadline: Deadline) -> None:
        self.policy, self.tool = policy, tool
        found = policy.rules_on[tool] if tool else policy.obligations
        self.rules: dict[str, Rule] = {rule.id: rule for rule in found}
        self._shapes = Shapes.of(policy, policy.tools[tool] if tool else None)
        conditions = {id: rule.tools[tool] for id, rule in self.rules.items()}
        self.inquiry = Inquiry(self._shapes, conditions, budget, deadline)

    @cached_property
    def demanding(self) -> tuple[str, ...]:
        """Return the rules that stop a call; those that only warn demand nothing."""
        return tuple(id for id, own in self.rules.items() if own.severity != "warn")

    @property
    def where(self) -> str:
        """Return where the rules are, for sentences."""
        return f"on {self.tool}" if self.tool else "at the end of a conversation"

    def forbids(self, id: str) -> bool:
        """Return whether a rule says that no call may be made to which it applies: what it is never to hold for."""
        hold = self.rules[id].tools[self.tool].hold
        return isinstance(hold, Given) and hold.value is False

    def always_applies(self, id: str) -> bool:
        """Return whether a rule has no condition to apply."""
        when = self.rules[id].tools[self.tool].when
        return when is None or (isinstance(when, Given) and when.value is True)

    def example(self, *demands: Demand) -> Situation | None:
        """Return a call that does what is demanded, or None if none was found."""
        shown = self.inquiry.example(*demands)
        if shown is None:
            return None
        return written_out(shown, self.tool, self._shapes, self.policy.facts, self.inquiry.rules)

    def bounds(self, found: Impossible) -> tuple[str, ...]:
        """Return the bounds of the schema that make something impossible."""
        items = found.level.items
        return bounds_behind(self._shapes, self.inquiry.rules, found.demands, items, self.inquiry.limit)

    def told(
        self,
        kind: FaultKind,
        id: str,
        found: Impossible,
        text: str,
        *,
        example: Situation | None = None,
        others: tuple[str, ...] = (),
        minimal: bool = True,
        bounds: tuple[str, ...] = (),
    ) -> Finding:
        """Return a fault that was proved; one that only short lists prove was not decided."""
        place = self.rules[id].place if id in self.rules else NOWHERE
        if found.bounded is not None:
            reason = f"with {found.bounded} items at most in each list it is so; longer ones were not ruled out"
            return Undecided(kind, id, self.tool, reason, place, others)
        return Fault(kind, id, self.tool, text, place, others, minimal, bounds, found.assumptions, example)

    def open(self, kind: FaultKind, id: str, found: NotDecided, others: tuple[str, ...] = ()) -> Undecided:
        """Return that something was neither proved nor ruled out."""
        return Undecided(kind, id, self.tool, found.reason, self.rules[id].place, others)

    def start(self) -> int:
        """Return the place in `LISTS` of a length of lists with which each rule can be kept that can be at all."""
        found = 0
        for id in self.rules:
            answer = self.inquiry.ask(Demand("kept where it applies", (id,)))
            if isinstance(answer, NotDecided) and self.inquiry.late:
                break
            if isinstance(answer, Shown) and answer.items in LISTS:
                found = max(found, LISTS.index(answer.items))
        return found


def listed(ids: tuple[str, ...]) -> str:
    """Return ids in words: `A, B and C`."""
    return " and ".join(filter(None, (", ".join(ids[:-1]), *ids[-1:])))


def since(bounds: tuple[str, ...]) -> str:
    """Return the bounds that something rests on, in words, to follow a sentence."""
    return f", since by the schema {listed(bounds)}" if bounds else ""
