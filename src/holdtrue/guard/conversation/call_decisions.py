"""Decide on the calls of one conversation by its state, and record each decision before it is returned."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

from holdtrue.errors import InputError, StoreError
from holdtrue.guard.call_commitments import differing_texts
from holdtrue.guard.call_reading import read_call
from holdtrue.guard.conversation.call_listing import lists_just
from holdtrue.guard.conversation.calls import DecisionId, GivenCall, can_be_told
from holdtrue.guard.conversation.conversation_keeper import Keeper
from holdtrue.guard.conversation.event_log import EventLog, recorded_result
from holdtrue.guard.conversation.fact_fetching import FetchRun
from holdtrue.guard.conversation.message_reading import cost_of, read_user_message, unread_by
from holdtrue.guard.conversation.plain_words import plain_words_on
from holdtrue.guard.conversation.request_commitments import agreed_on, answers_for, is_unasked, unfounded, yes_to
from holdtrue.guard.conversation.shown_entities import ShownEntities
from holdtrue.guard.conversation.state_parts import Words, same_call
from holdtrue.guard.conversation.utterance import Utterance, read_part
from holdtrue.guard.conversation.worker import begun, in_worker, to_its_end
from holdtrue.guard.deciding import HowDecided, check
from holdtrue.guard.decision import FAULT, PENDING, UNHEARD, Coverage, Decision, Fetch, Fetched, Finding, words_of_tool
from holdtrue.guard.fetching import call_text
from holdtrue.guard.json_values import arguments_of
from holdtrue.guard.judgement import TakesLong, finding_key
from holdtrue.guard.listening import CallCommitment, Listening
from holdtrue.guard.moment_texts import local_time
from holdtrue.guard.wording import cut
from holdtrue.language.requests.plain_reader import PlainReader
from holdtrue.record import CallRecord
from holdtrue.rules.values import NotSeen, to_json

if TYPE_CHECKING:
    from holdtrue.language.judgements import ConsentQuestion

_log = logging.getLogger(__name__)


class CallDecisions:
    """`CallDecisions` decide on the calls of one conversation, one after the other."""

    def __init__(self, guard: Keeper, kept: EventLog, id: str, tenant: str) -> None:
        self._guard, self._events, self._id, self._tenant = guard, kept, id, tenant

    async def decide(self, own: GivenCall, how: HowDecided, run: FetchRun | None = None) -> Decision:
        """Decide on a call, record the decision and return it.

        The guard first makes the calls that it may make for missing facts. Such a call is decided on with the `run` of
        the call that needs it. If the store fails, the decision is an `ask` with that reason.
        """
        mine = run or self._guard.fetching.start()
        try:
            found = await self._checked(own, how)
            while not isinstance(found, Decision) and (wanted := mine.next(found[0])) is not None:
                await self._fetch(*wanted, how, mine)
                found = await self._checked(own, how)
            if isinstance(found, Decision):
                return found
            decision, heard = found
            id = DecisionId(f"D{len(self._events.state.decisions) + 1:03d}", self._tenant, self._id)
            decision = replace(decision, id=id, fetched=tuple(mine.made) if run is None else ())
            about = [own.arguments, *(each.arguments for each in heard.pending)]
            body = await begun(partial(self._event, own, decision, heard, how), about)
            await self._events.happened("decided", body if run is None else {**body, "stops": None}, keep=False)
        except StoreError as error:
            return self._not_checked(own.tool, own.arguments, FAULT, f"what happened cannot be written down: {error}")
        return decision

    async def _fetch(self, own: Fetch, work: Callable[[], Any], how: HowDecided, run: FetchRun) -> None:
        """Make a reading call if the policy allows it, and take in its result."""
        how = replace(how, mend=False, partial=False, explain=False)
        decision = await self.decide(GivenCall(own.tool, dict(own.arguments), None), how, run)
        if decision.kind != "allow":
            run.made.append(Fetched(own.tool, own.arguments, f"it was not made: {decision.kind} ({decision.id})"))
            return
        result, outcome = await run.result_of(own, work)
        more = {"outcome": outcome, "at": how.now, "call": None, "pending": None}
        record = partial(recorded_result, self._guard.policy, own.tool, own.arguments, result, more)
        body = await begun(record, result)
        run.made.append(Fetched(own.tool, own.arguments, "" if body["outcome"] is None else cut(str(result))))
        await self._events.happened("saw", body)

    async def _checked(self, own: GivenCall, how: HowDecided) -> tuple[Decision, Listening] | Decision:
        """Return the decision of the policy with the words that it heard, or a decision that needs no policy.

        Raises `StoreError`.
        """
        guard, given = self._guard, own.arguments
        await self._events.opened()
        await self.hear_again()
        state = self._events.state
        # Computing the facts adds the ids in the latest messages to them.
        await to_its_end(lambda: state.facts, state.unlisted)
        early = await begun(partial(self._without_policy, own, given), given)
        if early is not None:
            return early
        heard = await self._listening(own.tool, given, how)
        about = [given, *(each.arguments for each in heard.pending)]
        decided = partial(check, guard.policy, own.tool, given, self._events.state.facts, heard, how)
        try:
            return await begun(partial(decided, quick=True), about), heard
        except TakesLong:
            return await in_worker(decided), heard

    def _event(self, own: GivenCall, decision: Decision, heard: Listening, how: HowDecided) -> dict[str, Any]:
        state, given = self._events.state, decision.arguments
        begins = self._begins(decision, how.partial)
        body = {
            "decision": decision.id,
            "kind": decision.kind,
            "tool": decision.tool,
            "arguments": given,
            "at": how.now,
            "begins": self._events.state.call_ids.key_for(own.id, decision.id) if begins else None,
            "call": own.id,
            "stops": None if how.partial else decision.stops,
            "listing": decision.for_user if decision.listing else "",
            "keys": [finding_key(each) for each in decision.resting_on],
            # The record stays a text, so that replaying the events does not parse it.
            "record": json.dumps(decision.to_json(mend=False), ensure_ascii=False, default=str),
        }
        if begins:
            spent = [*answers_for(state, own.tool, given, "confirm"), *answers_for(state, own.tool, given, "ask")]
            said = state.words.answers() if heard.consent == "words" else ()
            spent += [_words_key(each, own.tool, given) for each in said]
            body |= {"spends": [*spent, *self._overriding(own.tool, given)]}
        return body

    def _begins(self, decision: Decision, partial: bool) -> bool:
        tool = self._guard.policy.tools.get(decision.tool)
        is_answer = tool is not None and tool.is_answer
        return not decision.stops and not partial and not is_answer and self._guard.policy.writes(decision.tool)

    def _without_policy(self, own: GivenCall, given: Any) -> Decision | None:
        """Return the decision on a call that needs no check by the policy, or None.

        A call that repeats an allowed one with the same id is stopped until the result of the first has come. While a
        message is unread, calls of tools outside of the policy are stopped, too.
        """
        key = self._events.state.call_ids.begun_as(own.id, own.tool, given)
        state, policy = self._events.state, self._guard.policy
        if key in state.pending:
            id = state.pending[key].decision
            why = f"it was let through before ({id}) with the id {own.id!r:.60}, and its result has not come"
            return self._not_checked(own.tool, given, PENDING, why)
        is_let_pass = own.tool not in policy.tools and policy.unknown_tools == "allow"
        if is_let_pass and self._unheard and not self._overriding(own.tool, given):
            return self._not_checked(own.tool, given, UNHEARD, self._unheard)
        return None

    @property
    def _unheard(self) -> str:
        state = self._events.state
        cut = {state.turn: state.cut} if state.cut else {}
        return "; ".join(f"turn {turn}: {why}" for turn, why in {**cut, **state.unheard}.items())

    def _not_checked(self, tool: str, given: Any, rule: str, why: str) -> Decision:
        """Return the decision on a call that the policy did not check. It stops the call and is not recorded."""
        says = {
            FAULT: f"The call of {tool} could not be checked.",
            PENDING: f"The call of {tool} is under way already, and its result has to come first.",
            UNHEARD: "Not all that the user said could be read.",
        }
        finding = Finding(rule, "undecided", "block" if rule == FAULT else "ask", says[rule], why)
        return Decision("ask", tool, given, (finding,), Coverage(0, (rule,), ("the whole call",)), self._guard.mode)

    async def _listening(self, tool: str, arguments: Any, how: HowDecided) -> Listening:
        """Return the conversation's statements that concern a call. A model may be asked to compare two texts."""
        heard, call = await begun(partial(self._heard_of, tool, arguments, how), arguments)
        if call is None:
            return heard  # The policy blocks unreadable arguments, or has no such tool.
        consent = yes_to(self._events.state, tool, arguments) or await self._yes_in_words(tool, call, arguments)
        heard = replace(heard, consent=consent)
        heard, differing = await begun(partial(self._held, heard, tool, call, how), arguments)
        alike = list(heard.alike)
        for commitment, called in differing:
            same = await self._compared(commitment, called)
            if same is not None or self._guard.model is not None:
                alike.append((str(commitment.value), called, same))
        return replace(heard, alike=tuple(alike))

    def _heard_of(self, tool: str, arguments: Any, how: HowDecided) -> tuple[Listening, Mapping[str, Any] | None]:
        """Return the statements that need no typed arguments, and the typed call, or None if it cannot be read."""
        state, policy, reader = self._events.state, self._guard.policy, self._guard.reader
        own = policy.tools.get(tool)
        only_reads = own is not None and not own.writes and not own.is_answer
        heard = Listening(
            said=state.said() or None,
            unsaid=policy.unsaid,
            unread=unread_by(reader, policy),
            # Code alone reads a plain yes, so the guard asks for consent even without a reader.
            listens=reader is not None or bool(state.ledger.known) or bool(policy.consents_on.get(tool)),
            agreed=tuple(key for id in answers_for(state, tool, arguments, "ask") for key in state.decisions[id].keys),
            pending=tuple(each.call for each in state.pending.values()),
            unheard="" if only_reads else self._unheard,
            override="; ".join(state.overridden[id] for id in self._overriding(tool, arguments)),
            alike=tuple((said, called, same) for (said, called), same in state.alike.items()),
        )
        if own is None:
            return heard, None
        try:
            call, _ = read_call(own, arguments_of(arguments), partial=how.partial)
        except InputError:
            return heard, None
        return heard, call

    def _held(
        self, heard: Listening, tool: str, call: Mapping[str, Any], how: HowDecided
    ) -> tuple[Listening, list[tuple[CallCommitment, str]]]:
        """Add a call's commitments and unfounded arguments to `heard`.

        Return it with the texts that a model has to compare.
        """
        state, policy, own = self._events.state, self._guard.policy, self._guard.policy.tools[tool]
        fields = own.arguments.fields
        given = {
            name: to_json(value, fields[name].type) for name, value in call.items() if not isinstance(value, NotSeen)
        }
        has_yes, reader = bool(heard.consent), self._guard.reader
        is_plain, request = isinstance(reader, PlainReader), state.served(tool, given)
        commitments = list(agreed_on(state, tool, given, request, self._guard.sure, has_yes=has_yes))
        if is_plain and not has_yes:
            settled = {each.argument for each in commitments}
            commitments += [each for each in plain_words_on(state, tool, given) if each.argument not in settled]
        looks = not how.partial and (own.writes or policy.unfounded == "ask")
        is_read = reader is not None and not is_plain and not has_yes
        unasked = is_read and not heard.unheard and is_unasked(state, own, request)
        unknown = unfounded(state, own, call, request, is_read=is_read, is_unasked=unasked) if looks else ()
        heard = replace(heard, commitments=tuple(commitments), unfounded=unknown, unasked=unasked)
        return heard, list(differing_texts(heard, own, call))

    async def _yes_in_words(self, tool: str, call: Mapping[str, Any], arguments: Any) -> Literal["words", ""]:
        """Return "words" if both code and a reader find a yes to this call in the user's last messages, or ""."""
        policy, state = self._guard.policy, self._events.state
        is_due = any(each.how == "words" for each in policy.consents_on[tool])
        if not is_due or read_call(policy.tools[tool], arguments, partial=True)[1]:
            return ""
        for user in state.words.answers():
            if user.is_old or state.last_change(tool) > user.seq:
                return ""
            if await self._is_yes_of(user, tool, call, arguments):
                return "words"
        return ""

    async def _is_yes_of(self, user: Words, tool: str, call: Mapping[str, Any], arguments: Any) -> bool:
        """Return whether a message of the user is a yes to this call, which the assistant listed before."""
        state, own = self._events.state, self._guard.policy.tools[tool]
        key, before = _words_key(user, tool, arguments), state.words.before(user.turn)
        said, written = Utterance(before, local_time(user.at), state.locale), frozenset(state.facts.written)
        if key in state.spent or not lists_just(said, own, call, written, ShownEntities(state.records)):
            return False
        if key not in state.consented:
            question, calls = question_of(tool, arguments, before, user.text), list[CallRecord]()
            is_yes = await self.is_yes(question, calls)
            if is_yes is None:
                return False  # The guard asks for consent; the next call asks the reader again.
            await self._events.happened("consented", {"words": key, "yes": is_yes, **cost_of(calls)})
        return self._events.state.consented[key]

    async def is_yes(self, question: ConsentQuestion, calls: list[CallRecord]) -> bool | None:
        """Ask the reader twice, with the question's parts in both orders, and return whether both answers are yes.

        Returns None if the reader fails. Model calls are added to `calls`.
        """
        reader = self._guard.consent_reader
        if reader is None:
            return None
        try:
            async with asyncio.timeout(self._guard.timeout_s):
                return all([await reader.consents(question, flipped, calls) is True for flipped in (False, True)])
        except Exception:  # noqa: BLE001  a custom reader may raise anything; nothing is allowed then
            _log.warning("a reader of consent failed", exc_info=True)
            return None

    def _overriding(self, tool: str, arguments: Any) -> tuple[str, ...]:
        state = self._events.state
        if not can_be_told(arguments):
            return ()  # Unreadable arguments do not identify the call that somebody let through.
        return tuple(
            id for id in state.overridden if id not in state.spent and same_call(state.decisions[id], tool, arguments)
        )

    async def _compared(self, own: CallCommitment, called: str) -> bool | None:
        """Return whether a model takes two texts for the same value, or None if there is no answer."""
        if self._guard.model is None:
            return None
        from holdtrue.language.judgements import ask_whether_same

        about = own.argument.replace("_", " ")
        calls: list[CallRecord] = []
        try:
            async with asyncio.timeout(self._guard.timeout_s):
                same = await ask_whether_same(self._guard.model, about, str(own.value), called, calls)
        except Exception:  # noqa: BLE001  a custom model may raise anything; nothing is allowed then
            _log.warning("a model that compares texts failed", exc_info=True)
            return None  # Without an answer the guard asks the user; the next call asks the model again.
        await self._events.happened("compared", {"said": own.value, "called": called, "same": same, **cost_of(calls)})
        return same

    async def hear_again(self) -> None:
        """Read again the messages that could not be read when they came."""
        for turn in tuple(self._events.state.unheard):
            state = self._events.state
            said = next(own for own in state.words.all if own.who == "user" and own.turn == turn)
            before = read_part(state.words.before(turn))
            context = replace(state.context(before, local_time(said.at)), turn=turn)
            words = await read_user_message(self._guard.reader, state, context, said.text, self._guard.timeout_s)
            if not words.unheard:
                cut = {"cut": words.cut} if words.cut else {}
                body = {"turn": turn, "taken": list(words.taken), **cut, **cost_of(words.calls)}
                await self._events.happened("reheard", body)


def _words_key(user: Words, tool: str, arguments: Any) -> str:
    """Return the key that identifies this message, taken as a yes to this call."""
    return f"words {user.seq}: {tool} {call_text(arguments)}"


def question_of(tool: str, arguments: Any, assistant: str, user: str) -> ConsentQuestion:
    """Return the question whether a reply is a yes to this call."""
    from holdtrue.language.judgements import ConsentQuestion

    lines = (f"{name.replace('_', ' ')}: {own}" for name, own in arguments_of(arguments).items())
    return ConsentQuestion(" ".join(words_of_tool(tool)), tuple(lines), assistant, user)
