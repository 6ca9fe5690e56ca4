"""Audit recorded conversations by a policy: decisions on calls by the facts that tools showed, and obligations."""

from __future__ import annotations

from collections import Counter
from typing import Any

from holdtrue.audit.decision_table import DecidedCall, DecisionRows, EndOfConversation
from holdtrue.audit.explain import Explain, Wanted
from holdtrue.audit.raw_turn import RawTurn, conversation_of, name_of, parsed
from holdtrue.budget import Budget
from holdtrue.errors import RecordError
from holdtrue.guard.deciding import unmet
from holdtrue.guard.decision import Decision
from holdtrue.guard.facts import Facts
from holdtrue.guard.listening import Listening
from holdtrue.guard.policy import Policy
from holdtrue.guard.policy_parts import Unsaid
from holdtrue.guard.recorded import RecordedCall, follow_to_end, read_conversation

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
        self.seen: Counter[str] = Counter()

    def begin(self, source: str) -> DecisionRows:
        """Begin another part of a log."""
        return DecisionRows(source)

    async def aclose(self) -> None:
        """Release nothing: a policy is a value."""

    def check(self, turn: RawTurn | None, line: bytes | None) -> list[DecidedCall | EndOfConversation]:
        """Return the decisions on a row's calls. Raises `InputError` for a row that is no conversation."""
        record = _record(turn, line)
        # All of it is read before the first call is decided on: a row is decided on as a whole, or kept apart.
        read, now = read_conversation(record, _WHERE, self.policy.tools), self._moment(record)
        found: list[DecidedCall | EndOfConversation] = []
        name, wanted = name_of(record), Wanted(self.explain)
        for call, facts in follow_to_end(self.policy, read.written, read.calls, now):
            if call is None:
                found += self._end(name, read.messages, facts, now)
            elif self.policy.decides_on(call.tool):
                decision = self._decide(call, facts, now, mend=wanted.left)
                explained = wanted.take(broken=decision.kind != "allow")
                self.quick += not any(own.by == "solver" for own in decision.findings)
                found.append(DecidedCall(name, len(found) + 1, call, decision, explained, read.strays))
        self.seen.update(conversations=1, calls=len(read.calls), strays=len(read.strays))
        return found

    def _end(self, name: str | None, message: int, facts: Facts, now: str | None) -> list[EndOfConversation]:
        """Return what is to be told of a conversation's end: obligations that are not met, or not decided."""
        if not self.policy.obligations:
            return []
        self.seen["ends"] += 1
        listening = Listening(unsaid=self.unsaid or self.policy.unsaid, listens=False)
        open_ones = unmet(self.policy, facts, now=now, heard=listening, budget=self.budget)
        return [EndOfConversation(name, message, open_ones)] if open_ones else []

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


def _record(turn: RawTurn | None, line: bytes | None) -> dict[str, Any]:
    """Return all that a row has. Raises `RecordError` for what is no object."""
    if line is None:
        return conversation_of(turn, line)
    try:
        found = parsed(line)
    except (ValueError, RecursionError) as error:
        raise RecordError(f"no JSON object: {error}") from error
    if not isinstance(found, dict):
        raise RecordError("messages: a conversation has a list of them")
    return found
