"""Audit recorded conversations by a policy: the decision on every call that writes, by the facts that tools showed."""

from __future__ import annotations

from typing import Any

from holdtrue.audit.decision_table import DecidedCall, DecisionRows
from holdtrue.audit.explain import Explain, Wanted
from holdtrue.audit.raw_turn import RawTurn, conversation_of, name_of
from holdtrue.budget import Budget
from holdtrue.guard.decision import Decision
from holdtrue.guard.facts import Facts
from holdtrue.guard.policy import Policy
from holdtrue.guard.policy_parts import Unsaid
from holdtrue.guard.recorded import RecordedCall, follow_calls, recorded_calls, recorded_messages, written_messages

_WHERE = "conversation"


class CallAuditor:
    """A `CallAuditor` decides on the calls of conversations, one conversation a row, as suite `guard` does.

    Nobody listens to words: what nobody was heard to say is `unsaid`. The ids that users wrote count. A conversation's
    moment is its own `now`, else the one that is given here, else the policy's. `explain` says of which calls that are
    stopped a mended call is looked for, and the whole record kept: of `all`, of the `first` of each conversation, or of
    `none`.
    """

    folder = "decisions"
    at_once = 1

    def __init__(
        self, policy: Policy, *, now: str | None, unsaid: Unsaid | None, explain: Explain, budget: Budget
    ) -> None:
        self.policy, self.now, self.unsaid, self.explain, self.budget = policy, now, unsaid, explain, budget
        self.quick = 0

    def begin(self, source: str) -> DecisionRows:
        """Begin another part of a log."""
        return DecisionRows(source)

    async def aclose(self) -> None:
        """Release nothing: a policy is a value."""

    def check(self, turn: RawTurn | None, line: bytes | None) -> list[DecidedCall]:
        """Return the decisions on a row's calls. Raises `InputError` for a row that is no conversation."""
        record = conversation_of(turn, line)
        messages = recorded_messages(record, _WHERE)
        # All of them are read before the first is decided on: a row is decided on as a whole, or kept apart.
        calls, now = tuple(recorded_calls(messages, _WHERE)), self._moment(record)
        found: list[DecidedCall] = []
        wanted = Wanted(self.explain)
        for call, facts in follow_calls(self.policy, written_messages(messages), calls, now):
            if not self.policy.writes(call.tool):
                continue
            decision = self._decide(call, facts, now, mend=wanted.left)
            explained = wanted.take(broken=decision.kind != "allow")
            self.quick += not any(own.by == "solver" for own in decision.findings)
            found.append(DecidedCall(name_of(record), len(found) + 1, call, decision, explained))
        return found

    def _moment(self, record: dict[str, Any]) -> str | None:
        now = record.get("now")
        return self.now if now is None else str(now)

    def _decide(self, call: RecordedCall, facts: Facts, now: str | None, *, mend: bool) -> Decision:
        return self.policy.check(
            call.tool,
            call.text,
            facts,
            now=now,
            unsaid=self.unsaid,
            listen=False,
            budget=self.budget,
            mend=mend,
        )
