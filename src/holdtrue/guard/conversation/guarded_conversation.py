"""One guarded conversation: take in messages and tool results, and decide on every tool call before it runs."""

from __future__ import annotations

import copy
from collections.abc import AsyncIterator, Awaitable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from functools import partial
from itertools import takewhile
from typing import TYPE_CHECKING, Any, Literal

from holdtrue.budget import Budget
from holdtrue.errors import InputError
from holdtrue.guard.conversation import input_checks
from holdtrue.guard.conversation.call_decisions import CallDecisions
from holdtrue.guard.conversation.calls import GivenCall, can_be_told, check_decision, decision_in, read_given_call
from holdtrue.guard.conversation.conversation_keeper import Keeper
from holdtrue.guard.conversation.event_log import EventLog, recorded_result
from holdtrue.guard.conversation.input_checks import active_entry, amended, committed_id, rule_entry, value_entry
from holdtrue.guard.conversation.message_intake import Heard, MessageIntake, UnshownClaim
from holdtrue.guard.conversation.message_reading import unread_by
from holdtrue.guard.conversation.state import ConversationState
from holdtrue.guard.conversation.state_parts import DecidedCall, same_call
from holdtrue.guard.conversation.worker import SharedLock, begun, to_its_end
from holdtrue.guard.deciding import LIMIT, HowDecided, unmet
from holdtrue.guard.decision import Decision
from holdtrue.guard.json_values import recorded
from holdtrue.guard.listening import Listening
from holdtrue.guard.result_forms import dumped, is_stop
from holdtrue.ledger.entries import Event
from holdtrue.ledger.requests import Request, RequestWord
from holdtrue.record import SlotRelation

if TYPE_CHECKING:
    from holdtrue.guard.clients.history_intake import TakenIn
    from holdtrue.guard.outcome import Outcome

Ending = Literal["succeeded", "failed", "unknown"]
"""How a call ended. A call whose ending is unknown may have had its effect."""


@dataclass(frozen=True, slots=True)
class Unmet:
    """An open `promise` to call the tool `name`, or the unmet or undecided `obligation` with the id `name`."""

    kind: Literal["promise", "obligation"]
    name: str
    say: str
    turn: int = 0
    is_open: bool = False


class GuardedConversation:
    """A `GuardedConversation` checks the tool calls of one conversation against the policy, the messages and the facts.

    Every change is an event. The store of the guard keeps each event before a method returns. Opening a conversation
    replays its events. Methods run one after the other, also when several tasks call them. If a check fails, the
    decision is an `ask` with that reason, and never allows the call.
    """

    def __init__(self, guard: Keeper, id: str, tenant: str) -> None:
        self.guard, self.id, self.tenant = guard, id, tenant
        self._events = EventLog(guard, id, tenant)
        self._decisions = CallDecisions(guard, self._events, id, tenant)
        self._messages = MessageIntake(guard, self._events, self._decisions)
        self.client_lock = SharedLock()
        """A lock for operations of clients with several steps."""

    # The doors of apps and frameworks

    async def take_in(self, messages: Any) -> TakenIn:
        """Take in the messages of a client or a framework as they are, each once, and return the new ones.

        `messages` is the whole history, the end of it, or the last message. It can be of chat completions, Responses,
        Anthropic, LangChain, PydanticAI, Inspect or MCP, as dictionaries or objects. Messages that were taken in before
        are recognized, also if the user edited an earlier one. In a part of a history, words that were said before
        count as sent again. Results count as results, and those of stopped calls count as nothing. System messages are
        ignored, because only the policy is the operator's word.

        Raises `RecordError` for a message that is not understood. Nothing of the history is taken in then.
        """
        from holdtrue.guard.clients.history_intake import take_in
        from holdtrue.guard.clients.message_history import read_history

        return await take_in(self, read_history(messages))

    async def decide(
        self, tool: Any, arguments: Any = None, *, call: str | None = None, replace: bool = False
    ) -> Outcome:
        """Decide on a call as `check` does, and return how to go on with it.

        Args:
            tool: The name of the tool, or a call as a client has it.
            call: The id of the call.
            replace: Whether the nearest allowed call takes the place of a blocked one. It is decided on, too.
        """
        from holdtrue.guard.clients.call_outcomes import decide_call

        input_checks.check_flags(replace=replace)
        return await decide_call(self, tool, arguments, call, replace=replace)

    async def resume(self, interrupt: dict[str, Any], answer: bool | str, *, is_rerun: bool = False) -> Outcome:
        """Take in a person's answer to an interrupt, and decide on just this call again.

        `interrupt` is the JSON of `Outcome.to_interrupt`, also after a restart if the guard has a lasting store.
        `answer` is True, False, or the person's words. A yes lets the call with exactly these arguments through once.
        Some frameworks run a hook again to give it the answer, and it decides again. Then `is_rerun` is true: the
        answer counts for the question of the last run, which the person saw.

        Raises `InputError` for an interrupt of another conversation or another call.
        """
        from holdtrue.guard.clients.call_outcomes import resume_call

        input_checks.check_flags(is_rerun=is_rerun)
        return await resume_call(self, interrupt, answer, is_rerun=is_rerun)

    async def ran(self, outcome: Outcome, result: Any, *, ending: Ending | None = None) -> None:
        """Take in the result of a call that went on. A history that shows the result later adds nothing.

        A `result` that is an exception means that the call failed, or, if the call was cancelled, that its ending is
        unknown. A failure to write the result raises nothing: the call stays pending, or is written later.
        """
        from holdtrue.guard.clients.call_outcomes import end_call

        await end_call(self, outcome, result, ending)

    # Messages, results and decisions

    async def heard(
        self,
        *,
        user: str | None = None,
        assistant: str | None = None,
        at: str | None = None,
        answers: Decision | str | None = None,
        ref: str | None = None,
        is_latest: bool = True,
        by: str | None = None,
        role: str | None = None,
    ) -> Heard:
        """Take in a message of the user, of the assistant, or of both. If both are given, the assistant's came first.

        Args:
            user: The user's message. The reader reads from it which requests and values it states.
            assistant: The assistant's message. It settles nothing by itself, but its offers and promises are kept.
            at: The time of the messages (ISO 8601, as moments of the policy). The default is now.
            answers: The decision, or its id, whose question or listing the user answers.
            ref: The app's name for the message. A message with a known name is ignored.
            is_latest: If false, the message may be an old one, and is ignored if it says yes.
            by: The person, with a `role`, who passes on the user's words. They are ignored if they say yes, because a
                yes counts only from the user.

        Raises `StoreError` if the event could not be written; the next write tries it again. Raises `StoreConflict` if
        another process has written to the conversation; the message was not taken in then.
        """
        input_checks.check_words(user=user, assistant=assistant)
        at = input_checks.check_time("at", at, self.guard.policy.moment)
        input_checks.check_texts(none=True, ref=ref)
        input_checks.check_flags(is_latest=is_latest)
        check_decision("answers", answers, self.tenant, self.id, none=True)
        named = {**({} if ref is None else {"ref": ref}), **input_checks.signature(by, role)}
        body = {"at": at or self.guard.now(), **named, "assistant": assistant, "user": user}
        async with self._inside():
            return await self._messages.hear(body, answers, is_latest=is_latest and by is None)

    async def saw(
        self,
        tool: str,
        arguments: Any,
        result: Any,
        *,
        call: str | None = None,
        outcome: Ending | None = None,
        at: str | None = None,
        ref: str | None = None,
    ) -> None:
        """Take in the result of a tool call: the facts that the policy declares, and the effects of the call.

        Args:
            call: The id with which the call was allowed. Without one, the oldest pending call with this tool and these
                arguments is meant.
            outcome: How the call ended; it outweighs the look of the result. A call that `failed` had no effect. A call
                with the outcome `unknown` stays pending.
            ref: The app's name for the result. A result with a known name is ignored.

        A result that had an effect counts once for an id. A result of a stopped call is recorded and changes nothing.
        """
        input_checks.check_texts(tool=tool)
        input_checks.check_texts(none=True, call=call, ref=ref)
        if outcome not in (None, "succeeded", "failed", "unknown"):
            raise InputError(f"outcome is succeeded, failed or unknown, not {outcome!r:.60}")
        at = input_checks.check_moment("at", at, self.guard.policy.moment)
        marked = outcome != "failed" and is_stop(result, arguments)  # An explicit failure ends the wait for the call.
        more = {"at": at or self.guard.now(), "outcome": outcome, **({} if ref is None else {"ref": ref})}
        recording = self._recorded_result(tool, arguments, result, more)
        async with self._inside():
            body = await recording
            state = await self._opened()
            if ref is None or ref not in state.refs:
                await self._events.happened(*await begun(partial(self._seen, body, call, marked), body))

    async def saw_again(self, tool: str, arguments: Any, result: Any, *, call: str | None, ref: str) -> None:
        """Record that a request shows an earlier result once more, under the name `ref`."""
        recording = self._recorded_result(tool, arguments, result, {"call": call, "ref": ref, "at": self.guard.now()})
        async with self._inside():
            body = await recording
            await self._opened()
            await self._events.happened("told again", body)

    def _recorded_result(
        self, tool: str, arguments: Any, result: Any, more: Mapping[str, Any]
    ) -> Awaitable[dict[str, Any]]:
        """Begin to copy a result and its call, and return the body of the event as a future."""
        result = dumped(result)
        record = partial(recorded_result, self.guard.policy, tool, arguments, result, more)
        return begun(record, arguments, result)

    def _seen(self, body: Mapping[str, Any], id: str | None, marked: bool) -> tuple[str, dict[str, Any]]:
        """Return the kind and the body of the event of a result, which may be a repeated one.

        A result that is `marked` as the guard's text, or that belongs to a stopped call, is recorded as `saw stopped`.
        """
        calls, tool, given = self._events.state.call_ids, body["tool"], body["arguments"]
        body, key = {**body, "call": id}, calls.ended_by(id, tool, given)
        # Data that looks like the guard's text proves nothing if the app says that the call was made.
        marked = marked and (key is None or body["outcome"] != "succeeded")
        if marked or calls.was_stopped(id, tool, given):
            return "saw stopped", body
        is_told = calls.was_told(id, body, writes=self.guard.policy.writes(tool))
        return ("told again", body) if is_told else ("saw", {**body, "pending": key})

    async def check(
        self,
        tool: Any,
        arguments: Any = None,
        *,
        call: str | None = None,
        now: str | None = None,
        budget: Budget = LIMIT,
        mend: bool = True,
        partial: bool = False,
        explain: bool = False,
    ) -> Decision:
        """Return the decision on a tool call or a structured answer, before it takes effect.

        Args:
            tool: The name of the tool, or a call as a client has it (`{"function": {"name": ..., "arguments": ...}}`).
            call: The id of the call, by which `saw` finds it. The same call with the same id is allowed only once until
                its result has come. Another call may have the same id.
            now: The moment of the decision. The default is the guard's clock.
            mend: Whether to look for the nearest allowed call.
            partial: Whether the arguments are incomplete. Only the given arguments are checked then.
            explain: Whether the decision explains every rule.
        """
        own = read_given_call(tool, arguments, call)
        # The copy keeps later changes of the arguments out of the decision.
        recording = begun(lambda: recorded(own.arguments), own.arguments)
        now = input_checks.check_moment("now", now, self.guard.policy.moment)
        input_checks.check_budget(budget)
        input_checks.check_flags(mend=mend, partial=partial, explain=explain)
        async with self._inside():
            how = HowDecided(now or self.guard.now(), self.guard.mode, budget, mend, partial, explain)
            return await self._decisions.decide(replace(own, arguments=await recording), how)

    async def check_all(self, calls: Sequence[Any], *, now: str | None = None) -> tuple[Decision, ...]:
        """Return the decisions on the calls of one message, in order.

        Each decision counts the effects of earlier calls.
        """
        if isinstance(calls, str | Mapping) or not isinstance(calls, Sequence):
            raise InputError(f"calls: a list of calls is needed, not {calls!r:.60}")
        now = input_checks.check_moment("now", now, self.guard.policy.moment)
        read = [read_given_call(own) for own in calls]
        return tuple([await self.check(own, now=now) for own in read])

    async def commit(
        self,
        argument: str = "",
        value: Any = None,
        *,
        relation: SlotRelation = "is",
        rule: str = "",
        on: Sequence[str] = (),
        say: str = "",
        source: Literal["user", "assistant"] = "user",
        quote: str = "",
    ) -> str:
        """Commit the conversation to a value or a rule that the app knows, and return its id in the ledger.

        A value is that of an `argument` in all calls of an act (`book.day`, `said.reason`). A `rule` is an expression
        of the policy language over the calls of the tools `on`, and `say` is its sentence.
        """
        input_checks.check_texts(argument=argument, rule=rule, say=say, quote=quote)
        input_checks.check_one_of("source", source, ("user", "assistant"))
        if bool(rule) is bool(argument):
            raise InputError("commit takes an argument with its value, or a rule with the tools that it is on")
        async with self._known() as state:
            body = (
                rule_entry(state, rule, on, say, source, quote)
                if rule
                else value_entry(self.guard.acts, argument, relation, value, source, quote)
            )
            await self._events.happened("committed", body)
            return committed_id(self._events.state, body)

    async def amend(self, id: str, value: Any) -> None:
        """Replace the value of an entry. Raises `InputError` for an unknown id or an invalid value."""
        input_checks.check_texts(id=id)
        async with self._known() as state:
            await self._events.happened("committed", amended(self.guard.acts, active_entry(state, id), value))

    async def withdraw(self, id: str, reason: str = "", *, by: str | None = None, role: str | None = None) -> None:
        """Withdraw an entry of the ledger. The event names the person (`by`) and the `role`, if they are given.

        Raises `InputError` if no active entry has this id.
        """
        input_checks.check_texts(id=id, reason=reason)
        signature = input_checks.signature(by, role)
        async with self._known() as state:
            if id not in state.expressions and id not in state.ledger.requests:
                active_entry(state, id)
            await self._events.happened("withdrawn", {"id": id, "reason": reason, **signature})

    async def override(self, decision: Decision | str, *, by: str, reason: str, role: str | None = None) -> None:
        """Let the stopped call of a decision through once.

        The event names the person (`by`), the `reason`, and the person's `role`, if it is given.
        """
        if not by or not reason:
            raise InputError("an override says by whom it is, and for what reason")
        input_checks.check_texts(reason=reason)
        signature = input_checks.signature(by, role)
        check_decision("decision", decision, self.tenant, self.id)
        async with self._known() as state:
            id = decision_in(state, decision)
            if not can_be_told(state.decisions[id].arguments):
                raise InputError(f"{id} is on a call whose arguments cannot be read, so nobody knows which one it is")
            await self._events.happened("overridden", {"decision": id, **signature, "reason": reason})

    async def check_reply(self, text: str) -> tuple[UnshownClaim, ...]:
        """Return the claims of completed work in a reply that no call supports. A model reads the reply.

        Raises `ModelError` if the model fails, and `TimeoutError` if it takes too long.
        """
        input_checks.check_texts(text=text)
        async with self._known():
            return await self._messages.claims_in(text)

    async def pending(self) -> tuple[GivenCall, ...]:
        """Return the allowed calls whose results have not come, each with the id by which `saw` finds it.

        After a crash the outcome of such a call may be unknown. `saw(..., call=id, outcome="failed")`, or "succeeded",
        ends the wait.
        """
        async with self._known() as state:
            begun = state.pending.items()
            return tuple(GivenCall(own.call.tool, copy.deepcopy(own.call.arguments), id) for id, own in begun)

    async def unmet(self, *, now: str | None = None) -> tuple[Unmet, ...]:
        """Return the open promises of the assistant and the unmet obligations of the policy."""
        now = input_checks.check_moment("now", now, self.guard.policy.moment)
        policy, reader = self.guard.policy, self.guard.reader
        async with self._known() as state:
            unread = unread_by(reader, policy)
            heard = Listening(state.said(), policy.unsaid, listens=reader is not None, unread=unread)
            promised = (own for own in state.promises.values() if not own.done)
            facts = await to_its_end(lambda: state.facts, state.unlisted)
            open_ones = unmet(policy, facts, now=now or self.guard.now(), heard=heard)
            return (
                *(Unmet("promise", own.tool, own.sentence, own.turn) for own in promised),
                *(Unmet("obligation", own.rule, own.say, is_open=own.status == "undecided") for own in open_ones),
            )

    async def decided(self, id: str, *, before: bool = False) -> DecidedCall | None:
        """Return the call that a decision is on, or None if this conversation has no decision with this id.

        If `before` is true, return the last earlier decision on just this call that asks a person, or None.
        """
        async with self._known() as state:
            own = state.decisions.get(id)
            if own is None or not before:
                return own
            earlier = takewhile(lambda each: each.id != id, state.decisions.values())
            asked = [each for each in earlier if each.kind in ("ask", "confirm")]
            return next((each for each in reversed(asked) if same_call(each, own.tool, own.arguments)), None)

    async def known_refs(self) -> frozenset[str]:
        """Return the names of all messages and results that were taken in with a name."""
        async with self._known() as state:
            return frozenset(state.refs)

    async def known_words(self) -> list[tuple[str, str]]:
        """Return the speaker and the text of every message, in order."""
        async with self._known() as state:
            return [(own.who, own.text) for own in state.words.all]

    async def waiting(self) -> list[tuple[str, str | None, tuple[str, str]]]:
        """Return all allowed calls without a result, also those that only read; see `CallIds.waiting`."""
        async with self._known() as state:
            return state.call_ids.waiting()

    async def awaited(self) -> list[tuple[str | None, str]]:
        """Return the ids and tools of calls without a result; see `CallIds.awaited`."""
        async with self._known() as state:
            return state.call_ids.awaited()

    async def has_ended(self, call: GivenCall) -> bool:
        """Return whether a result of just this call has come."""
        async with self._known() as state:
            return state.call_ids.has_ended(call)

    async def known_call(self, call: GivenCall) -> GivenCall | None:
        """Return the allowed call with the id of `call`, or None if there is not exactly one."""
        async with self._known() as state:
            keys = [key for key, id, _ in state.call_ids.waiting() if key in state.pending and call.id in (key, id)]
            if len(keys) != 1:
                return None
            begun = state.pending[keys[0]].call
            return GivenCall(begun.tool, copy.deepcopy(begun.arguments), call.id)

    async def entries(self) -> tuple[RequestWord, ...]:
        """Return the last statement on each argument, also of requests that are done or withdrawn."""
        async with self._known() as state:
            return tuple(state.ledger.active.values())

    async def requests(self) -> tuple[Request, ...]:
        """Return the user's requests with their status."""
        async with self._known() as state:
            return tuple(state.ledger.requests.values())

    async def events(self) -> tuple[Event[RequestWord], ...]:
        """Return all events of the ledger."""
        async with self._known() as state:
            return tuple(state.ledger.events)

    async def note(self, kind: str, body: Mapping[str, Any]) -> None:
        """Record an event of a server, such as the id of an answer. It changes nothing in the conversation."""
        async with self._known():
            await self._events.happened(kind, body)

    # Locking and writing

    @asynccontextmanager
    async def _inside(self) -> AsyncIterator[None]:
        """Run the block alone, and let the guard keep this object alive until all events are written."""
        async with self._events.lock:
            self.guard.hold(self)
            try:
                yield
            finally:
                if not self._events.waits:
                    self.guard.let_go(self)

    @asynccontextmanager
    async def _known(self) -> AsyncIterator[ConversationState]:
        """Run the block alone, with the current state of the conversation."""
        async with self._inside():
            yield await self._opened()

    async def _opened(self) -> ConversationState:
        return await self._events.opened()

    async def catch_up(self) -> None:
        """Take in the events that another process has written since. Raises `StoreError`."""
        async with self._inside():
            await self._events.catch_up()

    async def save(self) -> None:
        """Write the events that could not be written before. Raises `StoreError` if that fails again."""
        async with self._inside():
            await self._events.saved()
