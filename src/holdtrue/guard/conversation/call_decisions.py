"""Decide on the calls of a conversation: with what is known of its words, and written down before it is told."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

from holdtrue.errors import InputError, ModelError, StoreError
from holdtrue.guard.call_commitments import differing_texts
from holdtrue.guard.call_reading import read_call
from holdtrue.guard.conversation.calls import DecisionId, GivenCall, can_be_told
from holdtrue.guard.conversation.happenings import Words, same_call
from holdtrue.guard.conversation.hearing import cost_of, hear_user, unread_by
from holdtrue.guard.conversation.held_requests import agreed_on, answers_for, is_unasked, unfounded, yes_to
from holdtrue.guard.conversation.keeper import Keeper
from holdtrue.guard.conversation.kept_events import KeptEvents
from holdtrue.guard.conversation.listed_calls import lists_just
from holdtrue.guard.conversation.plain_words import plain_words_on
from holdtrue.guard.conversation.said import Said, read_part
from holdtrue.guard.conversation.shown_things import ShownThings
from holdtrue.guard.conversation.worker import begun, in_worker, to_its_end
from holdtrue.guard.deciding import HowDecided, check
from holdtrue.guard.decision import FAULT, PENDING, UNHEARD, Coverage, Decision, Finding, words_of_tool
from holdtrue.guard.fetching import call_text
from holdtrue.guard.json_values import arguments_of
from holdtrue.guard.judgement import TakesLong, finding_key
from holdtrue.guard.listening import CallCommitment, Listening
from holdtrue.guard.moment_texts import local_time
from holdtrue.language.requests.plain_reader import PlainReader
from holdtrue.record import CallRecord
from holdtrue.rules.values import NotSeen, to_json

if TYPE_CHECKING:
    from holdtrue.language.judgements import ConsentQuestion

_log = logging.getLogger(__name__)


class CallDecisions:
    """The `CallDecisions` of a conversation, made one after the other from the events that are kept of it."""

    def __init__(self, guard: Keeper, kept: KeptEvents, id: str, tenant: str) -> None:
        self._guard, self._kept, self._id, self._tenant = guard, kept, id, tenant

    async def decide(self, own: GivenCall, how: HowDecided) -> Decision:
        """Return the decision on a call with recorded arguments; where something fails, it says so and asks."""
        guard, given = self._guard, own.arguments
        try:
            await self._kept.opened()
            await self.hear_again()
            state = self._kept.known
            await to_its_end(lambda: state.facts, state.unlisted)  # Whoever looks at the facts lists the ids in words.
            early = await begun(partial(self._without_policy, own, given), given)
            if early is not None:
                return early
            heard = await self._listening(own.tool, given, how)
        except StoreError as error:
            return self._not_checked(own.tool, given, FAULT, f"what happened cannot be written down: {error}")
        state = self._kept.known
        about = [given, *(each.arguments for each in heard.pending)]
        decided = partial(check, guard.policy, own.tool, given, state.facts, heard, how)
        try:
            decision = await begun(partial(decided, quick=True), about)
        except TakesLong:
            decision = await in_worker(decided)
        id = DecisionId(f"D{len(state.decisions) + 1:03d}", self._tenant, self._id)
        decision = replace(decision, id=id)
        try:
            body = await begun(partial(self._event, own, decision, heard, how), about)
            await self._kept.happened("decided", body, keep=False)
        except StoreError as error:
            return self._not_checked(own.tool, given, FAULT, f"the decision cannot be written down: {error}")
        return decision

    def _event(self, own: GivenCall, decision: Decision, heard: Listening, how: HowDecided) -> dict[str, Any]:
        """Return a decision as an event has it."""
        state, given = self._kept.known, decision.arguments
        begins = self._begins(decision, how.partial)
        body = {
            "decision": decision.id,
            "kind": decision.kind,
            "tool": decision.tool,
            "arguments": given,
            "at": how.now,
            "begins": self._kept.calls.key_for(own.id, decision.id) if begins else None,
            "call": own.id,
            "stops": None if how.partial else decision.stops,
            "listing": decision.for_user if decision.listing else "",
            "keys": [finding_key(each) for each in decision.resting_on],
            # A text within the body, which is not read again when the conversation is.
            "record": json.dumps(decision.to_json(mend=False), ensure_ascii=False, default=str),
        }
        if begins:
            spent = [*answers_for(state, own.tool, given, "confirm"), *answers_for(state, own.tool, given, "ask")]
            said = state.words.answers() if heard.consent == "words" else ()
            spent += [_words_key(each, own.tool, given) for each in said]
            body |= {"spends": [*spent, *self._overriding(own.tool, given)]}
        return body

    def _begins(self, decision: Decision, partial: bool) -> bool:
        """Return whether a call will be made now, and may change something."""
        tool = self._guard.policy.tools.get(decision.tool)
        is_answer = tool is not None and tool.is_answer
        return not decision.stops and not partial and not is_answer and self._guard.policy.writes(decision.tool)

    def _without_policy(self, own: GivenCall, given: Any) -> Decision | None:
        """Return the decision on a call that no policy has to be asked about, or None.

        The same call with the same id was let through already: let through again it might be made twice, and counted
        twice it would take the place of another one. A policy may allow tools that it does not name, but as long as a
        message is unheard, nobody knows what the user said of them.
        """
        key = self._kept.calls.begun_as(own.id, own.tool, given)
        state, policy = self._kept.known, self._guard.policy
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
        state = self._kept.known
        cut = {state.turn: state.cut} if state.cut else {}
        return "; ".join(f"turn {turn}: {why}" for turn, why in {**cut, **state.unheard}.items())

    def _not_checked(self, tool: str, given: Any, rule: str, why: str) -> Decision:
        """Return the decision where no policy was asked: the call is not made, and nothing is written down."""
        says = {
            FAULT: f"The call of {tool} could not be checked.",
            PENDING: f"The call of {tool} is under way already, and its result has to come first.",
            UNHEARD: "Not all that the user said could be read.",
        }
        finding = Finding(rule, "undecided", "block" if rule == FAULT else "ask", says[rule], why)
        return Decision("ask", tool, given, (finding,), Coverage(0, (rule,), ("the whole call",)), self._guard.mode)

    async def _listening(self, tool: str, arguments: Any, how: HowDecided) -> Listening:
        """Return what is known of the words of the conversation, about a call; a model may be asked to compare some."""
        heard, call = await begun(partial(self._heard_of, tool, arguments, how), arguments)
        if call is None:
            return heard  # It is blocked for that, or no policy names its tool.
        consent = yes_to(self._kept.known, tool, arguments) or await self._yes_in_words(tool, call, arguments)
        heard = replace(heard, consent=consent)
        heard, differing = await begun(partial(self._held, heard, tool, call, how), arguments)
        alike = list(heard.alike)
        for commitment, called in differing:
            same = await self._compared(commitment, called)
            if same is not None or self._guard.model is not None:
                alike.append((str(commitment.value), called, same))
        return replace(heard, alike=tuple(alike))

    def _heard_of(self, tool: str, arguments: Any, how: HowDecided) -> tuple[Listening, Mapping[str, Any] | None]:
        """Return what was heard whatever a call has, and the call as it is read."""
        state, policy, reader = self._kept.known, self._guard.policy, self._guard.reader
        own = policy.tools.get(tool)
        only_reads = own is not None and not own.writes and not own.is_answer
        heard = Listening(
            said=state.said() or None,
            unsaid=policy.unsaid,
            unread=unread_by(reader, policy),
            # A yes is heard whoever reads, so that consent is asked for in any case.
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
        """Return what a call is held to with what of it nobody has said, and what it says in other words."""
        state, policy, own = self._kept.known, self._guard.policy, self._guard.policy.tools[tool]
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
        """Return whether the last words are a yes to just this call, as code finds it and a model reads it twice."""
        policy, state = self._guard.policy, self._kept.known
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
        """Return whether words of the user are a yes to just a call that the assistant listed before them."""
        state, own = self._kept.known, self._guard.policy.tools[tool]
        key, before = _words_key(user, tool, arguments), state.words.before(user.turn)
        said, written = Said(before, local_time(user.at), state.locale), frozenset(state.facts.written)
        if key in state.spent or not lists_just(said, own, call, written, ShownThings(state.records)):
            return False
        if key not in state.consented:
            question, calls = question_of(tool, arguments, before, user.text), list[CallRecord]()
            is_yes = await self.is_yes(question, calls)
            if is_yes is None:
                return False  # Nobody knows, so that it is asked for; the reader is asked again with the next call.
            await self._kept.happened("consented", {"words": key, "yes": is_yes, **cost_of(calls)})
        return self._kept.known.consented[key]

    async def is_yes(self, question: ConsentQuestion, calls: list[CallRecord]) -> bool | None:
        """Return whether a reader sees a yes both ways round, None where it fails or nobody reads.

        Adds the calls of a model to `calls`.
        """
        reader = self._guard.consent_reader
        if reader is None:
            return None
        try:
            async with asyncio.timeout(self._guard.timeout_s):
                return all([await reader.consents(question, flipped, calls) is True for flipped in (False, True)])
        except Exception:  # noqa: BLE001  a reader is whatever its author's code does; nothing may be allowed
            _log.warning("a reader of consent failed", exc_info=True)
            return None

    def _overriding(self, tool: str, arguments: Any) -> tuple[str, ...]:
        state = self._kept.known
        if not can_be_told(arguments):
            return ()  # It need not be the call that somebody let through.
        return tuple(
            id for id in state.overridden if id not in state.spent and same_call(state.decisions[id], tool, arguments)
        )

    async def _compared(self, own: CallCommitment, called: str) -> bool | None:
        """Return whether a model takes what is called for what was said; it is asked once in a conversation."""
        if self._guard.model is None:
            return None
        from holdtrue.language.judgements import ask_whether_same

        about = own.argument.replace("_", " ")
        calls: list[CallRecord] = []
        try:
            async with asyncio.timeout(self._guard.timeout_s):
                same = await ask_whether_same(self._guard.model, about, str(own.value), called, calls)
        except (ModelError, TimeoutError):
            return None  # Nobody knows, so that it is asked about; the model is asked again with the next call.
        await self._kept.happened("compared", {"said": own.value, "called": called, "same": same, **cost_of(calls)})
        return same

    async def hear_again(self) -> None:
        """Read the messages again that could not be read when they were said."""
        for turn in tuple(self._kept.known.unheard):
            state = self._kept.known
            said = next(own for own in state.words.all if own.who == "user" and own.turn == turn)
            before = read_part(state.words.before(turn))
            context = replace(state.context(before, local_time(said.at)), turn=turn)
            words = await hear_user(self._guard.reader, state, context, said.text, self._guard.timeout_s)
            if not words.unheard:
                body = {
                    "turn": turn,
                    "taken": list(words.taken),
                    **({"cut": words.cut} if words.cut else {}),
                    **words.cost,
                }
                await self._kept.happened("reheard", body)


def _words_key(user: Words, tool: str, arguments: Any) -> str:
    """Return the name of a user's words as a yes to a call: it is read once, and spent once."""
    return f"words {user.seq}: {tool} {call_text(arguments)}"


def question_of(tool: str, arguments: Any, assistant: str, user: str) -> ConsentQuestion:
    """Return the question whether a reply is a yes to just this call."""
    from holdtrue.language.judgements import ConsentQuestion

    lines = (f"{name.replace('_', ' ')}: {own}" for name, own in arguments_of(arguments).items())
    return ConsentQuestion(" ".join(words_of_tool(tool)), tuple(lines), assistant, user)
