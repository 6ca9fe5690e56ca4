"""The state of a guarded conversation. It is computed from the events alone, so that it can be rebuilt from them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from holdtrue.errors import InputError
from holdtrue.guard.conversation.calls import CallIds
from holdtrue.guard.conversation.open_requests import served, take_operations
from holdtrue.guard.conversation.shown_entities import parsed_result, shown_records, shown_texts
from holdtrue.guard.conversation.state_parts import Begun, DecidedCall, Promise, SpokenWords, Words, Yes
from holdtrue.guard.facts import Facts, Keys
from holdtrue.guard.fetching import UNDER_WAY, call_text
from holdtrue.guard.json_values import arguments_of
from holdtrue.guard.listening import CallCommitment, PendingCall
from holdtrue.guard.result_forms import stopped_note, was_taken_back
from holdtrue.guard.results import answered, changed_records, taken_in
from holdtrue.guard.store.event import signed
from holdtrue.language.requests.operation import Act, OpenRequest, RequestContext, group_of
from holdtrue.language.requests.plain_reader import SAID
from holdtrue.ledger.entries import Event, EventKind, Source
from holdtrue.ledger.requests import Request, RequestLedger, RequestWord, Status
from holdtrue.record import ALL_REQUESTS

if TYPE_CHECKING:
    from holdtrue.guard.policy import Policy


_MOST_RECORDS = 500


@dataclass
class ConversationState:
    """A `ConversationState` is the result of applying all events so far. Only `apply` changes it.

    Attributes:
        turn: The number of the user's messages.
        seq: The number of the last event.
        words: All messages.
        unheard: Why the user's message of a turn could not be read, by turn.
        cut: Why only a part of the user's last message is read; "" if all of it is.
        pending: The calls whose results have not come, by their keys.
        ledger: The user's requests, with the statements on each.
        expressions: The rules that were agreed, by id.
        committed: The ids of values that the app committed, and no reader read.
        answered: The decisions to which a person said yes. Any further statement of the user clears them.
        overridden: Who let which decision through, and why.
        spent: The decisions whose yes or override was used. Each counts once.
        given_back: The decisions whose yes a failed call has given back. Each is given back once.
        consented: Whether a message was read as a yes to a call, by the key of both.
        alike: Whether two texts name the same value, by both texts.
        done_of: The calls that were done for a request that stays open.
        shown: All texts that tools showed.
        records: The texts of the latest records that tools showed.
        changed: The number of the last event that changed a commitment on an act or a tool.
        record_seq: The number of the last event that showed or changed a record.
        refs: The app's names of messages and results that were taken in.
        unlisted: Messages that were not searched for ids yet. Searching all of them at once is faster.
    """

    policy: Policy
    acts: Mapping[str, Act]
    locale: str
    turn: int = 0
    seq: int = 0
    unheard: dict[int, str] = field(default_factory=dict)
    cut: str = ""
    ledger: RequestLedger = field(default_factory=RequestLedger)
    expressions: dict[str, CallCommitment] = field(default_factory=dict)
    committed: set[str] = field(default_factory=set)
    call_ids: CallIds = field(default_factory=CallIds)
    pending: dict[str, Begun] = field(default_factory=dict)
    promises: dict[str, Promise] = field(default_factory=dict)
    decisions: dict[str, DecidedCall] = field(default_factory=dict)
    answered: dict[str, Yes] = field(default_factory=dict)
    overridden: dict[str, str] = field(default_factory=dict)
    spent: set[str] = field(default_factory=set)
    given_back: set[str] = field(default_factory=set)
    consented: dict[str, bool] = field(default_factory=dict)
    alike: dict[tuple[str, str], bool | None] = field(default_factory=dict)
    done_of: set[tuple[str, str]] = field(default_factory=set)
    shown: set[str] = field(default_factory=set)
    records: list[dict[str, str]] = field(default_factory=list)
    changed: dict[str, int] = field(default_factory=dict)
    record_seq: dict[tuple[str, Keys | None], int] = field(default_factory=dict)
    refs: set[str] = field(default_factory=set)
    calls: int = 0
    tokens: int = 0
    _facts: Facts = field(default_factory=Facts.none)
    unlisted: list[str] = field(default_factory=list)
    _reads: dict[tuple[str, str], int] = field(default_factory=dict)
    """Allowed calls that only read and whose results have not come, with the number of the event."""

    def __post_init__(self) -> None:
        self.words = SpokenWords(self.locale)

    # Reading the state

    @property
    def facts(self) -> Facts:
        """Return the facts from tools and from users' messages, without the effects of pending calls."""
        if self.unlisted:
            self._facts = self._facts.with_words("\n".join(self.unlisted))
            self.unlisted.clear()
        return self._facts

    def context(self, assistant: str, now: datetime) -> RequestContext:
        """Return the context in which a reader reads the next message."""
        words = (
            (own, {each.argument: each.sentence for each in self.ledger.words_of(own.id)})
            for own in self.ledger.open_requests()
        )
        return RequestContext(
            self.turn + 1,
            now,
            self.locale,
            tuple(OpenRequest(own.id, own.act, said) for own, said in words),
            assistant,
            frozenset(self.shown),
            {name: own.question for name, own in self.policy.said.items()},
        )

    def said(self) -> dict[str, Any]:
        """Return the values that users stated for the arguments that the policy asks them about."""
        return {
            own.argument: own.value
            for own in self.ledger.words_of(SAID)
            if own.relation == "is" and own.value is not None
        }

    def act_of(self, tool: str) -> str:
        """Return the act that a tool belongs to."""
        return group_of(tool, self.policy.groups)

    def served(self, tool: str, call: Mapping[str, Any]) -> Request | None:
        """Return the request that a call serves, or None. The arguments in `call` are JSON values."""
        act = self.acts.get(self.act_of(tool))
        return None if act is None else served(act, self.ledger, call)

    def last_change(self, tool: str) -> int:
        """Return the number of the last event that changed a commitment on calls of a tool, or 0."""
        return max(self.changed.get(own, 0) for own in (self.act_of(tool), tool, ""))

    # Changing the state

    def apply(self, seq: int, kind: str, body: Mapping[str, Any]) -> None:
        """Apply an event. Unknown kinds, such as those of a later version, change nothing."""
        self.seq, had_effect = seq, False
        if "ref" in body:
            self.refs.add(body["ref"])
        match kind:
            case "heard":
                self._on_heard(body)
            case "reheard":
                self._on_reheard(body)
            case "saw":
                had_effect = self._on_saw(body)
            case "saw stopped":
                self._facts = self._facts.with_note(stopped_note(body["tool"]))
            case "decided":
                self._on_decided(body)
            case "overridden":
                self.overridden[body["decision"]] = f"{signed(body)}: {body['reason']}"
            case "committed":
                self._on_committed(body)
            case "withdrawn":
                self._on_withdrawn(body)
            case "consented":
                self.consented[body["words"]] = body["yes"]
                self._count(body)
            case "claims read":
                self._count(body)
            case "compared":
                self.alike[body["said"], body["called"]] = body["same"]
                self._count(body)
        self.call_ids.take_in(kind, body, had_effect=had_effect)

    def _on_heard(self, body: Mapping[str, Any]) -> None:
        at = body["at"]
        for promise in body.get("promises", ()):
            id = f"P{len(self.promises) + 1:03d}"
            values = tuple(
                _promised(id, own, self.act_of(promise["tool"]), self.turn + 1) for own in promise.get("values", ())
            )
            self.promises[id] = Promise(id, promise["sentence"], promise["tool"], self.turn + 1, values)
        if body.get("assistant") is not None:
            self.words.all.append(Words("assistant", body["assistant"], at, self.turn + 1, self.seq))
        if body.get("user") is None:
            return
        self.turn += 1
        self.words.all.append(Words("user", body["user"], at, self.turn, self.seq, bool(body.get("old"))))
        self.unlisted.append(body["user"])
        if body.get("unheard"):
            self.unheard[self.turn] = body["unheard"]
        self.cut = body.get("cut", "")
        self._take(body.get("taken", ()), self.turn)
        if body.get("void"):
            self.answered.clear()
        for id, way in body.get("answered", {}).items():
            self.answered[id] = Yes(self.seq, way)
            self._note_status(self.decisions[id].tool, self.decisions[id].arguments, "agreed")
        self._count(body)

    def _on_reheard(self, body: Mapping[str, Any]) -> None:
        turn = body["turn"]
        self.unheard.pop(turn, None)
        self.cut = body.get("cut", "") if turn == self.turn else self.cut
        later = {(own.act, own.argument) for own in self.ledger.known.values() if own.turn > turn}
        self._take([own for own in body.get("taken", ()) if (own["act"], own.get("argument")) not in later], turn)
        self._count(body)

    def _count(self, body: Mapping[str, Any]) -> None:
        self.calls += body.get("calls", 0)
        self.tokens += body.get("tokens", 0)

    def _take(self, taken: Sequence[Mapping[str, Any]], turn: int) -> None:
        for act in take_operations(self.acts, self.ledger, taken, turn):
            self.changed[act] = self.seq

    def _on_saw(self, body: Mapping[str, Any]) -> bool:
        """Apply a result, and return whether it had an effect."""
        tool, begun = body["tool"], self.pending.get(body.get("pending") or "")
        if body.get("outcome") == "unknown":
            return False  # The call stays pending, because it may have had its effects.
        if begun is not None:
            del self.pending[body["pending"]]
        # The messages are added to the facts when the facts are used next, and not with each result.
        before = self._facts
        failed = None if body.get("outcome") is None else body["outcome"] == "failed"
        began = None if begun is None else begun.seq
        if not self.policy.writes(tool):
            read = self._reads.pop((tool, call_text(body["arguments"])), None)
            began = read if began is None else began
        if was_taken_back(body):
            self._facts, counts = before.with_note(stopped_note(tool)).without_answers({tool}), False
        else:
            self._facts, counts = taken_in(
                self.policy, before, tool, body["arguments"], body["result"], at=body.get("at"), failed=failed
            )
        self._note_records(before, tool, began)
        if counts and self.policy.writes(tool):
            # A reading call that began before the change may show the old record.
            for changed in changed_records(self.policy, before, tool, body["arguments"], body.get("at")):
                self.record_seq[changed] = self.seq
        if not counts:
            # For a tool outside of the policy only an explicit outcome shows a failure.
            if begun is not None and (failed or tool in self.policy.tools):
                # The first failed call gives back the yes that it used.
                self.spent.difference_update({*begun.spends} - self.given_back)
                self.given_back.update(begun.spends)
            return False
        result = parsed_result(body["result"])
        self.shown.update(shown_texts(result))
        self.records = [*self.records, *shown_records(result)][-_MOST_RECORDS:]
        self._note_status(tool, body["arguments"], "done")
        for id, promise in self.promises.items():
            if promise.tool == tool and not promise.done:
                self.promises[id] = replace(promise, done=True)
        return True

    def _note_status(self, tool: str, arguments: Any, status: Status) -> None:
        """Set the status of the request that a call serves. A call that only reads ends no request."""
        try:
            given = arguments_of(arguments)
        except InputError:
            return  # A call that cannot be read serves no request.
        is_read = self.policy.writes(tool) and isinstance(given, Mapping)
        if not is_read or (request := self.served(tool, given)) is None:
            return
        ids = {name for name, own in self.acts[request.act].arguments.items() if own.is_id}
        is_named = not ids or any(own.argument in ids for own in self.ledger.words_of(request.id))
        # A request without an id may be for several objects, so one call does not end it.
        if status != "done" or is_named:
            self.ledger.become(request.id, status)
        else:
            self.done_of.add((request.id, call_text(given)))

    def _note_records(self, before: Facts, tool: str, began: int | None) -> None:
        """Note when records were seen. A record that changed after the event `began` is unknown now."""
        changed = [own for own in self._facts.records.items() if own[1] is not before.records.get(own[0])]
        new = [((kind, keys), seen) for kind, own in changed for keys, seen in own.items()]
        for (kind, keys), seen in (*new, *self._facts.absent.items()):
            if before.record(kind, keys) is seen or before.absent.get((kind, keys)) is seen:
                continue
            last = max(self.record_seq.get((kind, own), 0) for own in (keys, None))
            if began is not None and last > began:
                did = "changes it" if self.policy.writes(tool) else "shows it"
                why = f"it was shown or changed while {tool} was under way, which {did}"
                sources = {own.tool for own in self.policy.facts[kind].sources}
                self._facts = self._facts.with_unread(kind, keys, why).without_answers(sources)
            self.record_seq[kind, keys] = self.seq

    def _on_decided(self, body: Mapping[str, Any]) -> None:
        keys, listing = tuple(body["keys"]), body.get("listing", "")
        own = DecidedCall(body["decision"], body["kind"], body["tool"], body["arguments"], keys, listing)
        self.decisions[own.id] = own
        if listing:
            self._note_status(own.tool, own.arguments, "listed")
        if own.kind == "allow" and not self.policy.writes(own.tool):
            self._reads[own.tool, call_text(own.arguments)] = self.seq
            if body.get("stops") is False:
                self._facts = answered(self.policy, self._facts, own.tool, own.arguments, body.get("at"), UNDER_WAY)
        if body.get("begins"):
            call = PendingCall(own.tool, own.arguments, body.get("at"))
            spends = tuple(body.get("spends", ()))
            self.pending[body["begins"]] = Begun(call, own.id, self.seq, spends)
            self.spent.update(spends)

    def _on_committed(self, body: Mapping[str, Any]) -> None:
        if body.get("rule"):
            own = CallCommitment.of(body["commitment"])
            self.expressions[own.id] = own
            self.changed.update(dict.fromkeys(own.on, self.seq))
        else:
            self._commit(body["entry"], body.get("replaces") or "")

    def _commit(self, own: Mapping[str, Any], replaces: str) -> None:
        """Apply a value that the app committed, for all requests of its act."""
        request = SAID if own["act"] == SAID else own["request"]
        source, relation = Source(own["source"]), own["relation"]
        new = RequestWord(
            "", request, own["act"], own["argument"], own["value"], own["quote"], self.turn, source, 1.0, relation
        )
        old = self.ledger.active.get(replaces)
        added = self.ledger.set(new).entry
        # Two values that are both excluded hold together, unless one replaces the other.
        if old is not None and old.id != added.id and old.id in self.ledger.active:
            self.ledger.append(Event(EventKind.AMENDED, self.turn, old, None, (added.id,)))
        self.changed[own["act"]] = self.seq
        self.committed.add(added.id)

    def _on_withdrawn(self, body: Mapping[str, Any]) -> None:
        id = body["id"]
        if id in self.expressions:
            self.changed.update(dict.fromkeys(self.expressions.pop(id).on, self.seq))
        elif id in self.ledger.active:
            entry = self.ledger.active[id]
            self.ledger.append(Event(EventKind.WITHDRAWN, self.turn, entry, body.get("reason")))
            self.changed[entry.act] = self.seq
        elif id in self.ledger.requests:
            self.ledger.become(id, "withdrawn", body.get("reason", ""))
            self.changed[self.ledger.requests[id].act] = self.seq


def _promised(id: str, own: Mapping[str, Any], act: str, turn: int) -> RequestWord:
    argument, value, quote = own["argument"], own["value"], own.get("quote", "")
    sure = own.get("confidence", 1.0)
    return RequestWord(f"{id}:{argument}", ALL_REQUESTS, act, argument, value, quote, turn, Source.ASSISTANT, sure)
