"""A conversation that is guarded: it hears what is said, sees what tools give, and decides on every call before it."""

from __future__ import annotations

import copy
from collections.abc import AsyncIterator, Awaitable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal

from holdtrue.budget import Budget
from holdtrue.errors import InputError
from holdtrue.guard.conversation import given_values
from holdtrue.guard.conversation.call_decisions import CallDecisions
from holdtrue.guard.conversation.calls import GivenCall, can_be_told, check_decision, decision_in, read_given_call
from holdtrue.guard.conversation.given_values import active_entry, amended, committed_id, rule_entry, value_entry
from holdtrue.guard.conversation.heard_messages import Heard as Heard
from holdtrue.guard.conversation.heard_messages import HeardMessages, UnshownClaim
from holdtrue.guard.conversation.hearing import unread_by
from holdtrue.guard.conversation.keeper import Keeper
from holdtrue.guard.conversation.kept_events import KeptEvents
from holdtrue.guard.conversation.state import ConversationState
from holdtrue.guard.conversation.worker import begun, to_its_end
from holdtrue.guard.deciding import LIMIT, HowDecided, unmet
from holdtrue.guard.decision import Decision
from holdtrue.guard.json_values import recorded
from holdtrue.guard.listening import Listening
from holdtrue.guard.result_forms import dumped, is_stop
from holdtrue.guard.results import is_error
from holdtrue.ledger.entries import Event
from holdtrue.ledger.requests import Request, RequestWord
from holdtrue.record import SlotRelation

Outcome = Literal["succeeded", "failed", "unknown"]


@dataclass(frozen=True, slots=True)
class Unmet:
    """Something that is still to be done: a `promise` of the assistant, or an `obligation` of the policy.

    `name` is the tool that was promised to be called, or the obligation's id; `is_open` says that it is not decided.
    """

    kind: Literal["promise", "obligation"]
    name: str
    say: str
    turn: int = 0
    is_open: bool = False


class GuardedConversation:
    """A `GuardedConversation` holds the calls of one conversation to the policy and to what was said and shown in it.

    Everything that happens is an event, which the guard's store keeps before anything is acknowledged; the conversation
    is made again from its events whenever it is opened. It does one thing after the other, whoever asks. Where
    something fails, no call is allowed: a decision says so and asks.
    """

    def __init__(self, guard: Keeper, id: str, tenant: str) -> None:
        self.guard, self.id, self.tenant = guard, id, tenant
        self._kept = KeptEvents(guard, id, tenant)
        self._decisions = CallDecisions(guard, self._kept, id, tenant)
        self._messages = HeardMessages(guard, self._kept, self._decisions)

    # What happens

    async def heard(
        self,
        *,
        user: str | None = None,
        assistant: str | None = None,
        at: str | None = None,
        answers: Decision | str | None = None,
        ref: str | None = None,
        is_latest: bool = True,
    ) -> Heard:
        """Take in what was said; where both spoke, the assistant's message came first.

        Args:
            user: The user's message, of which the reader reads what it settles.
            assistant: What the assistant said: it settles nothing by itself; its offers and promises are kept.
            at: When it was said (ISO 8601, as moments of the policy); now, if that is not given.
            answers: The decision whose question or listing the user was shown and now answers, or its id.
            ref: A name of the message of the app's own; what has a name that is known is not heard again.
            is_latest: False for a message that may be an old one: one that says yes is not heard.

        Raises `StoreError` where it could not be written down, which is tried again with whatever comes next, and
        `StoreConflict` where another process has written to the conversation: then nothing was taken in.
        """
        given_values.check_words(user=user, assistant=assistant)
        at = given_values.check_time("at", at, self.guard.policy.moment)
        given_values.check_texts(none=True, ref=ref)
        given_values.check_flags(is_latest=is_latest)
        check_decision("answers", answers, self.tenant, self.id, none=True)
        named = {} if ref is None else {"ref": ref}
        body = {"at": at or self.guard.now(), **named, "assistant": assistant, "user": user}
        async with self._inside():
            return await self._messages.hear(body, answers, is_latest=is_latest)

    async def saw(
        self,
        tool: str,
        arguments: Any,
        result: Any,
        *,
        call: str | None = None,
        outcome: Outcome | None = None,
        at: str | None = None,
        ref: str | None = None,
    ) -> None:
        """Take in what a tool gave for a call: facts as the policy declares them, and the effects of the call.

        `call` is the id by which just this call was let through; without one it is the oldest pending call just like
        it. Of one id, a result that had an effect counts once. `outcome` says how it ended, whatever the result looks
        like: a call that `failed` has had no effect, and of one whose outcome is `unknown` nobody knows, so that it
        stays pending. What has a `ref` that is known is not taken in again. Whatever comes back for a call that was
        stopped is no result: it is written down, and changes nothing.
        """
        given_values.check_texts(tool=tool)
        given_values.check_texts(none=True, call=call, ref=ref)
        if outcome not in (None, "succeeded", "failed", "unknown"):
            raise InputError(f"outcome is succeeded, failed or unknown, not {outcome!r:.60}")
        at = given_values.check_moment("at", at, self.guard.policy.moment)
        marked = outcome != "failed" and is_stop(result, arguments)  # Who says that it failed ends the wait for it.
        more = {"at": at or self.guard.now(), "outcome": outcome, **({} if ref is None else {"ref": ref})}
        recording = self._recorded_result(tool, arguments, result, more)
        async with self._inside():
            body = await recording
            state = await self._opened()
            if ref is None or ref not in state.refs:
                await self._kept.happened(*await begun(partial(self._seen, body, call, marked), body))

    async def saw_again(self, tool: str, arguments: Any, result: Any, *, call: str | None, ref: str) -> None:
        """Take in that the result of a call, which was seen when the call was made, is told again as `ref`."""
        recording = self._recorded_result(tool, arguments, result, {"call": call, "ref": ref, "at": self.guard.now()})
        async with self._inside():
            body = await recording
            await self._opened()
            await self._kept.happened("told again", body)

    def _recorded_result(
        self, tool: str, arguments: Any, result: Any, more: Mapping[str, Any]
    ) -> Awaitable[dict[str, Any]]:
        """Begin to copy a result, and what it is of, and return the body of its event to be awaited."""
        result = dumped(result)

        def record() -> dict[str, Any]:
            body = {"tool": tool, "arguments": recorded(arguments), "result": recorded(result, odd=True), **more}
            if "outcome" in body and body["outcome"] is None and is_error(self.guard.policy, result):
                body["outcome"] = "failed"  # Of what JSON cannot say, nothing is left in the body to tell it by.
            return body

        return begun(record, arguments, result)

    def _seen(self, body: Mapping[str, Any], id: str | None, marked: bool) -> tuple[str, dict[str, Any]]:
        """Return a result as an event has it: that of a pending call, of another one, or one that was told before.

        What is `marked` as the guard's own words, or comes back for a call that was stopped, is no result.
        """
        calls, tool, given = self._kept.calls, body["tool"], body["arguments"]
        body, key = {**body, "call": id}, calls.ended_by(id, tool, given)
        # What stands in a tool's data proves nothing where the app itself says that the call was made.
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
        """Return the decision on a call, or on a structured answer, before it takes effect.

        `tool` is its name, or a call as a client has it (`{"function": {"name": ..., "arguments": ...}}`), and `call`
        its id, by which `saw` knows it again. The same call with the same id is let through once until its result has
        come; another call may have the same id. `partial` answers are looked at as far as they are filled in.
        """
        own = read_given_call(tool, arguments, call)
        # What others change in the arguments, while this waits, is not decided on.
        recording = begun(lambda: recorded(own.arguments), own.arguments)
        now = given_values.check_moment("now", now, self.guard.policy.moment)
        given_values.check_budget(budget)
        given_values.check_flags(mend=mend, partial=partial, explain=explain)
        async with self._inside():
            how = HowDecided(now or self.guard.now(), self.guard.mode, budget, mend, partial, explain)
            return await self._decisions.decide(replace(own, arguments=await recording), how)

    async def check_all(self, calls: Sequence[Any], *, now: str | None = None) -> tuple[Decision, ...]:
        """Return the decisions on the calls of one message, in order: each after the effects of those before it."""
        if isinstance(calls, str | Mapping) or not isinstance(calls, Sequence):
            raise InputError(f"calls: a list of calls is needed, not {calls!r:.60}")
        now = given_values.check_moment("now", now, self.guard.policy.moment)
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
        """Commit the conversation to something that was not read from words, and return its id in the ledger.

        It is a value of an `argument` in all calls of an act (`book.day`, `said.reason`), or a `rule`: an expression in
        the language of policies over the calls of the tools `on`, which `say` tells in words.
        """
        given_values.check_texts(argument=argument, rule=rule, say=say, quote=quote)
        given_values.check_one_of("source", source, ("user", "assistant"))
        if bool(rule) is bool(argument):
            raise InputError("commit takes an argument with its value, or a rule with the tools that it is on")
        async with self._known() as state:
            body = (
                rule_entry(state, rule, on, say, source, quote)
                if rule
                else value_entry(self.guard.acts, argument, relation, value, source, quote)
            )
            await self._kept.happened("committed", body)
            return committed_id(self._kept.known, body)

    async def amend(self, id: str, value: Any) -> None:
        """Put another value in the place of an entry's. Raises `InputError` for one that does not hold."""
        given_values.check_texts(id=id)
        async with self._known() as state:
            await self._kept.happened("committed", amended(self.guard.acts, active_entry(state, id), value))

    async def withdraw(self, id: str, reason: str = "") -> None:
        """Withdraw an entry of the ledger. Raises `InputError` for one that does not hold."""
        given_values.check_texts(id=id, reason=reason)
        async with self._known() as state:
            if id not in state.expressions and id not in state.ledger.requests:
                active_entry(state, id)
            await self._kept.happened("withdrawn", {"id": id, "reason": reason})

    async def override(self, decision: Decision | str, *, by: str, reason: str) -> None:
        """Let just the call of a stopped decision through, the next time that it is checked, on somebody's word.

        It counts once. Who did it, and why, is written down, and stands in the decision that lets it through.
        """
        if not by or not reason:
            raise InputError("an override says by whom it is, and for what reason")
        given_values.check_texts(by=by, reason=reason)
        check_decision("decision", decision, self.tenant, self.id)
        async with self._known() as state:
            id = decision_in(state, decision)
            if not can_be_told(state.decisions[id].arguments):
                raise InputError(f"{id} is on a call whose arguments cannot be read, so nobody knows which one it is")
            await self._kept.happened("overridden", {"decision": id, "by": by, "reason": reason})

    async def check_reply(self, text: str) -> tuple[UnshownClaim, ...]:
        """Return what a reply of the assistant claims to have done and no call shows, before it is sent.

        A model reads it. Raises `ModelError` where it cannot answer, and `TimeoutError` where it takes too long.
        """
        given_values.check_texts(text=text)
        async with self._known():
            return await self._messages.claims_in(text)

    async def pending(self) -> tuple[GivenCall, ...]:
        """Return the calls that were let through and whose results have not come, by the ids that `saw` knows them by.

        After a crash nobody may know what became of them: `saw(..., call=id, outcome="failed")`, or "succeeded", ends
        the wait.
        """
        async with self._known() as state:
            begun = state.pending.items()
            return tuple(GivenCall(own.call.tool, copy.deepcopy(own.call.arguments), id) for id, own in begun)

    async def unmet(self, *, now: str | None = None) -> tuple[Unmet, ...]:
        """Return what is still to be done: promises of the assistant, and obligations of the policy."""
        now = given_values.check_moment("now", now, self.guard.policy.moment)
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

    async def known_refs(self) -> frozenset[str]:
        """Return the names of the messages and results that were taken in, as far as they were given names."""
        async with self._known() as state:
            return frozenset(state.refs)

    async def known_words(self) -> list[tuple[str, str]]:
        """Return who said which texts, in order."""
        async with self._known() as state:
            return [(own.who, own.text) for own in state.words.all]

    async def waiting(self) -> list[tuple[str, str | None, tuple[str, str]]]:
        """Return the calls that were let through and have no result, reading ones too: see `CallIds.waiting`."""
        async with self._known():
            return self._kept.calls.waiting()

    async def known_call(self, call: GivenCall) -> GivenCall | None:
        """Return a call of which only the id is given, as it was let through."""
        async with self._known() as state:
            keys = [key for key, id, _ in self._kept.calls.waiting() if key in state.pending and call.id in (key, id)]
            if len(keys) != 1:
                return None  # It is not known, or nobody knows which one of several it is.
            begun = state.pending[keys[0]].call
            return GivenCall(begun.tool, copy.deepcopy(begun.arguments), call.id)

    async def entries(self) -> tuple[RequestWord, ...]:
        """Return what was said last of each argument, of requests that are done or taken back, too."""
        async with self._known() as state:
            return tuple(state.ledger.active.values())

    async def requests(self) -> tuple[Request, ...]:
        """Return what the user asked for, with what became of it."""
        async with self._known() as state:
            return tuple(state.ledger.requests.values())

    async def events(self) -> tuple[Event[RequestWord], ...]:
        """Return all that has happened in the ledger."""
        async with self._known() as state:
            return tuple(state.ledger.events)

    # How events are kept

    @asynccontextmanager
    async def _inside(self) -> AsyncIterator[None]:
        """Let one thing be done after the other, and let the guard hold the conversation until all is written."""
        async with self._kept.lock:
            self.guard.hold(self)
            try:
                yield
            finally:
                if not self._kept.waits:
                    self.guard.let_go(self)

    @asynccontextmanager
    async def _known(self) -> AsyncIterator[ConversationState]:
        """Let one thing be done after the other with what is known."""
        async with self._inside():
            yield await self._opened()

    async def _opened(self) -> ConversationState:
        return await self._kept.opened()

    async def save(self) -> None:
        """Write down what could not be written when it happened. Raises `StoreError` where it cannot be now either."""
        async with self._inside():
            await self._kept.saved()
