"""A conversation that is guarded: it hears what is said, sees what tools give, and decides on every call before it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from holdtrue.budget import Budget
from holdtrue.errors import InputError, ModelError, StoreConflict, StoreError
from holdtrue.guard.call_commitments import check_expression, differing_texts
from holdtrue.guard.checking import finding_key
from holdtrue.guard.conversation.calls import GivenCall, read_given_call
from holdtrue.guard.conversation.consent import answers_for, said_yes_to, unfounded, with_doubt
from holdtrue.guard.conversation.hearing import hear_promises, hear_user, local_time
from holdtrue.guard.conversation.state import ConversationState, same_call
from holdtrue.guard.deciding import LIMIT, check, read_call, unmet
from holdtrue.guard.decision import FAULT, Coverage, Decision, Finding
from holdtrue.guard.json_values import arguments_of, recorded
from holdtrue.guard.listening import CallCommitment, Listening
from holdtrue.guard.moments import utc_now
from holdtrue.guard.store.event import ERASED, NewEvent
from holdtrue.language.slots.same_value import ask_whether_same
from holdtrue.ledger.entries import Event
from holdtrue.ledger.slot_ledger import SlotEntry
from holdtrue.record import CallRecord, EventRecord, SlotRelation, total

if TYPE_CHECKING:
    from holdtrue.guard.guard import Guard

Outcome = Literal["succeeded", "failed", "unknown"]


@dataclass(frozen=True, slots=True)
class Heard:
    """A `Heard` says what hearing a message did.

    Attributes:
        turn: The number of the user's messages so far.
        events: What it changed in the ledger.
        yes: Whether the user says yes to what was said or asked before.
        unheard: Why the message could not be read: until it can, calls that write are asked about. "" where it was.
        unread: What seemed to be said and could not be taken, with the reasons.
        calls: The calls of a model that reading it took.
    """

    turn: int
    events: tuple[EventRecord, ...] = ()
    yes: bool = False
    unheard: str = ""
    unread: tuple[str, ...] = ()
    calls: tuple[CallRecord, ...] = ()


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

    def __init__(self, guard: Guard, id: str, tenant: str) -> None:
        self.guard, self.id, self.tenant = guard, id, tenant
        self._state: ConversationState | None = None
        self._unsaved: list[NewEvent] = []
        self._flight: tuple[asyncio.Future[Any], tuple[NewEvent, ...]] | None = None
        self._lock = asyncio.Lock()

    # What happens

    async def heard(
        self,
        *,
        user: str | None = None,
        assistant: str | None = None,
        at: str | None = None,
        answers: Decision | str | None = None,
        ref: str | None = None,
    ) -> Heard:
        """Take in what was said; where both spoke, the assistant's message came first.

        Args:
            user: The user's message, of which the reader reads what it settles.
            assistant: What the assistant said: it settles nothing by itself; its offers and promises are kept.
            at: When it was said (ISO 8601, as moments of the policy); now, if that is not given.
            answers: The decision whose question or listing the user was shown and now answers, or its id.
            ref: A name of the message of the app's own; see `known_refs`.

        Raises `StoreError` where it could not be written down, which is tried again with whatever comes next, and
        `StoreConflict` where another process has written to the conversation: then nothing was taken in.
        """
        _check_texts(user=user, assistant=assistant)
        async with self._lock:
            state = await self._opened()
            now = at or self.guard.now()
            body: dict[str, Any] = {"at": now} if ref is None else {"at": now, "ref": ref}
            if assistant is not None:
                promises = hear_promises(self.guard.policy, state, assistant, local_time(now))
                body |= {"assistant": assistant, "promises": promises}
            unread: tuple[str, ...] = ()
            calls: tuple[CallRecord, ...] = ()
            if user is not None:
                await self._hear_again()
                before = assistant if state.assistant is None else "\n".join(filter(None, (state.assistant, assistant)))
                context = state.context(before, local_time(now))
                reader, limit = self.guard.reader, self.guard.timeout_s
                words = await hear_user(reader, state, context, user, limit, answers=answers is not None)
                unread = words.unread
                body |= {"user": user, "taken": list(words.taken), "yes": words.yes, "void": words.void}
                body |= words.cost
                calls = words.calls
                if words.unheard:
                    body |= {"unheard": words.unheard, "context": before}
                if answers is not None:
                    body["answers"] = self._decision(state, answers)
            known = len(state.ledger.events)
            await self._happened("heard", body)
            state = self._known
            changes = tuple(own.record() for own in state.ledger.events[known:])
            return Heard(state.turn, changes, bool(body.get("yes")), str(body.get("unheard", "")), unread, calls)

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

        `call` is the id by which the call was let through; without one it is the oldest pending call just like it.
        `outcome` says how it ended, whatever the result looks like: a call that `failed` has had no effect, and of one
        whose outcome is `unknown` nobody knows, so that it stays pending.
        """
        if outcome not in (None, "succeeded", "failed", "unknown"):
            raise InputError(f"outcome is succeeded, failed or unknown, not {outcome!r:.60}")
        async with self._lock:
            state = await self._opened()
            given, shown = recorded(arguments), recorded(result)
            pending = call if call in state.pending else _pending_like(state, tool, given)
            body = {"tool": tool, "arguments": given, "result": shown, "at": at or self.guard.now()}
            body |= {} if ref is None else {"ref": ref}
            await self._happened("saw", {**body, "outcome": outcome, "pending": pending})

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
        its id, by which `saw` knows it again. `partial` answers are looked at as far as they are filled in.
        """
        async with self._lock:
            own = read_given_call(tool, arguments, call)
            moment = now or self.guard.now()
            return await self._decided(own, moment, budget, mend=mend, partial=partial, explain=explain)

    async def check_all(self, calls: Sequence[Any], *, now: str | None = None) -> tuple[Decision, ...]:
        """Return the decisions on the calls of one message, in order: each after the effects of those before it."""
        return tuple([await self.check(own, now=now) for own in calls])

    async def commit(
        self,
        slot: str = "",
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

        It is a value of a `slot` (`Clinic.day`, `said.reason`), or a `rule`: an expression in the language of policies
        over the calls of the tools `on`, which `say` tells in words.
        """
        async with self._lock:
            state = await self._opened()
            if bool(rule) is bool(slot):
                raise InputError("commit takes a slot with its value, or a rule with the tools that it is on")
            if rule:
                body = self._rule_body(state, rule, tuple(on), say, source, quote)
                await self._happened("committed", body)
                id: str = body["commitment"]["id"]
                return id
            if slot not in state.world.slots:
                known = ", ".join(state.world.slots)
                raise InputError(f"there is no slot {slot!r}; there is {known or 'none'}")
            given = recorded(value)
            entry_body = {"act": "states", "slot": slot, "relation": relation, "value": given, "quote": quote}
            await self._happened("committed", {"entry": {**entry_body, "source": source, "confidence": 1.0}})
            entries = [*self._known.ledger.active.values()]
            return next(own.id for own in reversed(entries) if (own.slot, own.value) == (slot, given))

    def _rule_body(
        self, state: ConversationState, rule: str, on: tuple[str, ...], say: str, source: Any, quote: str
    ) -> dict[str, Any]:
        if not on:
            raise InputError("a rule that is agreed names the tools that it is on: on=['book']")
        for tool in on:
            check_expression(self.guard.policy, rule, tool)
        id = f"R{1 + sum(own.startswith('R') for own in state.expressions) + state.seq:03d}"
        own = CallCommitment(id, on, say or f"It was agreed that {rule}.", source, state.turn, quote, rule=rule)
        fields = {name: getattr(own, name) for name in own.__dataclass_fields__}
        return {"rule": True, "commitment": {**fields, "on": list(on)}}

    async def amend(self, id: str, value: Any) -> None:
        """Put another value in the place of an entry's. Raises `InputError` for one that does not hold."""
        async with self._lock:
            state = await self._opened()
            entry = self._entry(state, id)
            entry_body = {"act": "states", "slot": entry.slot, "relation": entry.relation, "value": recorded(value)}
            await self._happened("committed", {"entry": {**entry_body, "source": entry.source.value}})

    async def withdraw(self, id: str, reason: str = "") -> None:
        """Withdraw an entry of the ledger. Raises `InputError` for one that does not hold."""
        async with self._lock:
            state = await self._opened()
            if id not in state.expressions:
                self._entry(state, id)
            await self._happened("withdrawn", {"id": id, "reason": reason})

    @staticmethod
    def _entry(state: ConversationState, id: str) -> SlotEntry:
        if id not in state.ledger.active:
            holds = ", ".join((*state.ledger.active, *state.expressions))
            raise InputError(f"nothing that holds has the id {id!r}; there is {holds or 'none'}")
        return state.ledger.active[id]

    async def override(self, decision: Decision | str, *, by: str, reason: str) -> None:
        """Let just the call of a stopped decision through, the next time that it is checked, on somebody's word.

        It counts once. Who did it, and why, is written down, and stands in the decision that lets it through.
        """
        if not by or not reason:
            raise InputError("an override says by whom it is, and for what reason")
        async with self._lock:
            state = await self._opened()
            id = self._decision(state, decision)
            await self._happened("overridden", {"decision": id, "by": by, "reason": reason})

    @staticmethod
    def _decision(state: ConversationState, decision: Decision | str) -> str:
        """Return the id of a decision that was made in this conversation. Raises `InputError` for any other."""
        id = decision if isinstance(decision, str) else decision.id
        if id not in state.decisions:
            raise InputError(f"there is no decision {id!r:.60} in this conversation")
        return id

    async def pending(self) -> tuple[GivenCall, ...]:
        """Return the calls that were let through and whose results have not come, by the ids that `saw` knows them by.

        After a crash nobody may know what became of them: `saw(..., call=id, outcome="failed")`, or "succeeded", ends
        the wait.
        """
        async with self._lock:
            begun = (await self._opened()).pending
            return tuple(GivenCall(own.call.tool, own.call.arguments, id) for id, own in begun.items())

    async def unmet(self, *, now: str | None = None) -> tuple[Unmet, ...]:
        """Return what is still to be done: promises of the assistant, and obligations of the policy."""
        async with self._lock:
            state = await self._opened()
            heard = Listening(state.said(), self.guard.policy.unsaid, listens=self.guard.reader is not None)
            found = [
                Unmet("promise", own.tool, own.sentence, own.turn) for own in state.promises.values() if not own.done
            ]
            open_ones = unmet(self.guard.policy, state.facts, now=now or self.guard.now(), heard=heard)
            obliged = (Unmet("obligation", own.rule, own.say, is_open=own.status == "undecided") for own in open_ones)
            return (*found, *obliged)

    async def known_refs(self) -> frozenset[str]:
        """Return the names of the messages and results that were taken in, as far as they were given names."""
        async with self._lock:
            return frozenset((await self._opened()).refs)

    async def known_call(self, call: GivenCall) -> GivenCall | None:
        """Return a call with its tool and arguments: as it is given, or, if only its id is, as it was let through."""
        if call.tool:
            return call
        async with self._lock:
            begun = (await self._opened()).pending.get(call.id or "")
            return None if begun is None else GivenCall(begun.call.tool, begun.call.arguments, call.id)

    async def entries(self) -> tuple[SlotEntry, ...]:
        """Return what holds in the ledger."""
        async with self._lock:
            return tuple((await self._opened()).ledger.active.values())

    async def events(self) -> tuple[Event[SlotEntry], ...]:
        """Return all that has happened in the ledger."""
        async with self._lock:
            return tuple((await self._opened()).ledger.events)

    # How a call is decided on

    async def _decided(
        self, own: GivenCall, now: str, budget: Budget, *, mend: bool, partial: bool, explain: bool
    ) -> Decision:
        given = recorded(own.arguments)
        try:
            state = await self._opened()
            await self._hear_again()
            heard = await self._listening(own.tool, given, partial, now)
        except StoreError as error:
            return _faulty(own.tool, given, self.guard.mode, f"what happened cannot be written down: {error}")
        state = self._known
        decision = check(
            self.guard.policy,
            own.tool,
            given,
            state.facts,
            now=now,
            heard=heard,
            mode=self.guard.mode,
            budget=budget,
            mend=mend,
            partial=partial,
            explain=explain,
        )
        decision = replace(decision, id=f"D{len(state.decisions) + 1:03d}")
        begins = own.id or decision.id if self._begins(decision, partial) else None
        body = {
            "decision": decision.id,
            "kind": decision.kind,
            "tool": decision.tool,
            "arguments": decision.arguments,
            "at": now,
            "begins": begins,
            "keys": [finding_key(each) for each in decision.resting_on],
            # A text within the body, which is not read again when the conversation is.
            "record": json.dumps(decision.to_json(), ensure_ascii=False, default=str),
        }
        if begins is not None:
            spent = [*answers_for(state, own.tool, given, "confirm"), *answers_for(state, own.tool, given, "ask")]
            body |= {"spends": [*spent, *self._overriding(own.tool, given)], "spends_yes": heard.consent}
        try:
            await self._happened("decided", body, keep=False)
        except StoreError as error:
            return _faulty(own.tool, given, self.guard.mode, f"the decision cannot be written down: {error}")
        return decision

    def _begins(self, decision: Decision, partial: bool) -> bool:
        """Return whether a call will be made now, and may change something."""
        tool = self.guard.policy.tools.get(decision.tool)
        is_answer = tool is not None and tool.is_answer
        return not decision.stops and not partial and not is_answer and self.guard.policy.writes(decision.tool)

    async def _listening(self, tool: str, arguments: Any, partial: bool, now: str) -> Listening:
        """Return what is known of the words of the conversation, about a call."""
        state, policy, reader = self._known, self.guard.policy, self.guard.reader
        own = policy.tools.get(tool)
        heard = Listening(
            said=state.said() or None,
            unsaid=policy.unsaid,
            listens=reader is not None or bool(state.ledger.known),
            commitments=tuple(state.commitments(tool, self.guard.sure)),
            agreed=tuple(key for id in answers_for(state, tool, arguments, "ask") for key in state.decisions[id].keys),
            pending=tuple(each.call for each in state.pending.values()),
            failed=tuple((*key, error) for key, error in state.failed.items()),
            unheard="; ".join(f"turn {turn}: {why}" for turn, why in state.unheard.items()),
            override="; ".join(state.overridden[id] for id in self._overriding(tool, arguments)),
        )
        if own is None:
            return heard
        try:
            call, _ = read_call(own, arguments_of(arguments), partial=partial)
        except InputError:
            return heard  # It is blocked for that.
        heard = replace(heard, commitments=tuple(with_doubt(state, heard.commitments, own, call)))
        alike = [(said, called, same) for (said, called), same in state.alike.items()]
        for commitment, called in differing_texts(replace(heard, alike=tuple(alike)), own, call):
            same = await self._compared(commitment, called)
            if same is not None or self.guard.model is not None:
                alike.append((str(commitment.value), called, same))
        consent = bool(answers_for(state, tool, arguments, "confirm")) or (
            own.consent and said_yes_to(self._known, own, call, local_time(now))
        )
        looks = not partial and (own.writes or policy.unfounded == "ask")
        loose = unfounded(self._known, own, call) if looks else ()
        return replace(heard, alike=tuple(alike), consent=consent, unfounded=loose)

    def _overriding(self, tool: str, arguments: Any) -> tuple[str, ...]:
        state = self._known
        return tuple(
            id for id in state.overridden if id not in state.spent and same_call(state.decisions[id], tool, arguments)
        )

    async def _compared(self, own: CallCommitment, called: str) -> bool | None:
        """Return whether a model takes what is called for what was said; it is asked once in a conversation."""
        if self.guard.model is None:
            return None
        about = own.argument.replace("_", " ")
        calls: list[CallRecord] = []
        try:
            async with asyncio.timeout(self.guard.timeout_s):
                same = await ask_whether_same(self.guard.model, about, str(own.value), called, calls)
        except (ModelError, TimeoutError):
            return None  # Nobody knows, so that it is asked about; the model is asked again with the next call.
        usage = total(each.usage for each in calls)
        body = {"said": own.value, "called": called, "same": same, "calls": len(calls), "tokens": usage.tokens}
        await self._happened("compared", body)
        return same

    async def _hear_again(self) -> None:
        """Read the messages again that could not be read when they were said."""
        state = self._known
        for turn in tuple(state.unheard):
            said = next(own for own in state.heard if own.who == "user" and own.turn == turn)
            context = replace(state.context(None, local_time(said.at)), turn=turn)
            words = await hear_user(self.guard.reader, state, context, said.text, self.guard.timeout_s)
            if not words.unheard:
                body = {"turn": turn, "taken": list(words.taken), **words.cost}
                await self._happened("reheard", body)

    # How events are kept

    @property
    def _known(self) -> ConversationState:
        assert self._state is not None
        return self._state

    async def _opened(self) -> ConversationState:
        """Return what is known, with what was being written when somebody stopped waiting for it."""
        if self._flight is not None:
            await self._landed(*self._flight)
        if self._state is None:
            self._state = await self._read()
        return self._state

    async def _read(self) -> ConversationState:
        """Return the state that the kept events make. Raises `InputError` for an erased conversation."""
        state = self.guard.new_state()
        for own in await self.guard.store.read(self.tenant, self.id):
            if own.kind == ERASED:
                raise InputError(f"the conversation {self.id!r} was erased; begin another one")
            state.apply(own.seq, own.kind, own.content)
        for event in self._unsaved:
            state.apply(state.seq + 1, event.kind, event.body)
        return state

    async def _happened(self, kind: str, body: Mapping[str, Any], *, keep: bool = True) -> None:
        """Write an event down, and take it in; one that cannot be written now is taken in and kept for later.

        With `keep` false it is forgotten where it cannot be written. Raises `StoreError` and `StoreConflict`.
        """
        event = NewEvent(kind, body, utc_now())
        try:
            await self._save((event,))
        except StoreError:
            if keep:
                self._unsaved.append(event)
                self._known.apply(self._known.seq + 1, kind, body)
            raise
        self._known.apply(self._known.seq + 1, kind, body)

    async def _save(self, more: tuple[NewEvent, ...]) -> None:
        """Write down what could not be written before, and more. Cancelled, it is written all the same."""
        after = self._known.seq - len(self._unsaved)
        events = (*self._unsaved, *more)
        task = asyncio.ensure_future(self.guard.store.append(self.tenant, self.id, after, events))
        self._flight = (task, more)
        try:
            await asyncio.shield(task)
        except asyncio.CancelledError:
            raise
        except StoreConflict:
            self._flight, self._state = None, None
            self._state = await self._read()
            raise
        except BaseException:
            self._flight = None
            raise
        self._flight = None
        self._unsaved.clear()

    async def _landed(self, task: asyncio.Future[Any], more: tuple[NewEvent, ...]) -> None:
        """Take in what was being written when somebody stopped waiting for it."""
        try:
            await asyncio.shield(task)
        except StoreConflict:
            self._state = None
        except StoreError:
            # Who made the decision was never told of it.
            kept = [own for own in more if own.kind != "decided"]
            self._unsaved += kept
            self._take_in(kept)
        else:
            self._unsaved.clear()
            self._take_in(more)
        self._flight = None

    def _take_in(self, events: Sequence[NewEvent]) -> None:
        for own in events if self._state is not None else ():
            self._known.apply(self._known.seq + 1, own.kind, own.body)


def _check_texts(**texts: Any) -> None:
    if all(text is None for text in texts.values()):
        raise InputError("heard takes what the user said, what the assistant said, or both")
    for who, text in texts.items():
        if text is not None and not isinstance(text, str):
            raise InputError(f"{who}: what was said is a text, not {text!r:.60}")


def _pending_like(state: ConversationState, tool: str, arguments: Any) -> str | None:
    """Return the id of the oldest pending call that is just like one."""
    for id, own in state.pending.items():
        if same_call(state.decisions[own.decision], tool, arguments):
            return id
    return None


def _faulty(tool: str, arguments: Any, mode: Any, why: str) -> Decision:
    """Return the decision where checking itself failed: the call is not made."""
    say = f"The call of {tool} could not be checked."
    finding = Finding(FAULT, "undecided", "block", say, why)
    return Decision("ask", tool, arguments, (finding,), Coverage(0, (FAULT,), ("the whole call",)), mode)
