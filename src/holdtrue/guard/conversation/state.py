"""The state of a guarded conversation: a fold of its events, so that it can be made again from them alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from holdtrue.errors import InputError
from holdtrue.guard.conversation.happenings import Begun, DecidedCall, Promise, SpokenWords, Words, Yes
from holdtrue.guard.conversation.open_requests import served, take_operations
from holdtrue.guard.conversation.shown_things import parsed_result, shown_records, shown_texts
from holdtrue.guard.facts import Facts, Keys
from holdtrue.guard.fetching import UNDER_WAY, call_text
from holdtrue.guard.json_values import arguments_of
from holdtrue.guard.listening import CallCommitment, PendingCall
from holdtrue.guard.result_forms import stopped_note, was_taken_back
from holdtrue.guard.results import answered, changed_records, taken_in
from holdtrue.language.requests.operation import Act, OpenRequest, RequestContext, group_of
from holdtrue.language.requests.plain_reader import SAID
from holdtrue.language.requests.spans import LONGEST_TEXT
from holdtrue.language.yes_words import denies
from holdtrue.ledger.entries import Event, EventKind, Source
from holdtrue.ledger.requests import Request, RequestLedger, RequestWord, Status
from holdtrue.record import ALL_REQUESTS

if TYPE_CHECKING:
    from holdtrue.guard.policy import Policy


_MOST_RECORDS = 500


@dataclass
class ConversationState:
    """A `ConversationState` is what holds after the events so far. Only `apply` changes it.

    Attributes:
        turn: The number of the user's messages.
        words: All that was said.
        unheard: The messages of the user that could not be read, by their turns, with the reason.
        cut: Why only a part of the user's last message is read, "" where all of it is.
        pending: The calls whose results have not come, by their ids.
        ledger: The requests of the user, with what was said of each.
        expressions: What was agreed as an expression, by id.
        answered: The decisions that a person answered with yes; whatever else the user says ends them.
        overridden: Who let which decision through, and why.
        spent: The decisions whose call was let through by a yes or a person: that counts once.
        consented: Whether words were read as a yes to a call, by the name of both.
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
    """The ids of the values that the app itself committed to, which no reader read from words."""
    pending: dict[str, Begun] = field(default_factory=dict)
    promises: dict[str, Promise] = field(default_factory=dict)
    decisions: dict[str, DecidedCall] = field(default_factory=dict)
    answered: dict[str, Yes] = field(default_factory=dict)
    overridden: dict[str, str] = field(default_factory=dict)
    spent: set[str] = field(default_factory=set)
    consented: dict[str, bool] = field(default_factory=dict)
    alike: dict[tuple[str, str], bool | None] = field(default_factory=dict)
    done_of: set[tuple[str, str]] = field(default_factory=set)
    """The calls that were done of requests that stay open."""
    shown: set[str] = field(default_factory=set)
    records: list[dict[str, str]] = field(default_factory=list)
    """The texts of records that tools showed, the latest ones."""
    changed: dict[str, int] = field(default_factory=dict)
    """The number of the last event that changed what is agreed of an act."""
    record_seq: dict[tuple[str, Keys | None], int] = field(default_factory=dict)
    refs: set[str] = field(default_factory=set)
    calls: int = 0
    tokens: int = 0
    _facts: Facts = field(default_factory=Facts.none)
    unlisted: list[str] = field(default_factory=list)
    """Messages whose words are not yet among the facts: looking for ids in each by itself would take longer."""
    _reads: dict[tuple[str, str], int] = field(default_factory=dict)
    """Reading calls that were let through and whose results have not come, with the number of the event."""

    def __post_init__(self) -> None:
        self.words = SpokenWords(self.locale)

    # Looking at it

    @property
    def facts(self) -> Facts:
        """Return what tools showed and users wrote, without the effects of pending calls."""
        if self.unlisted:
            self._facts = self._facts.with_words("\n".join(self.unlisted))
            self.unlisted.clear()
        return self._facts

    def context(self, assistant: str, now: datetime) -> RequestContext:
        """Return what a reader of the next message knows."""
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
        """Return what users were heard to say of what the policy asks for."""
        return {
            own.argument: own.value
            for own in self.ledger.words_of(SAID)
            if own.relation == "is" and own.value is not None
        }

    def act_of(self, tool: str) -> str:
        """Return the name of the act of a tool."""
        return group_of(tool, self.policy.groups)

    def served(self, tool: str, call: Mapping[str, Any]) -> Request | None:
        """Return the request that a call serves, whose arguments are given as JSON has them; None where none is."""
        act = self.acts.get(self.act_of(tool))
        return None if act is None else served(act, self.ledger, call)

    def last_change(self, tool: str) -> int:
        """Return the number of the last event that changed what is agreed about calls of a tool, 0 if none did."""
        return max(self.changed.get(own, 0) for own in (self.act_of(tool), tool, ""))

    # Changing it

    def apply(self, seq: int, kind: str, body: Mapping[str, Any]) -> bool:
        """Take in an event, and return whether it was a result that had an effect.

        Kinds that are not known here are left alone, such as those of a later version.
        """
        self.seq = seq
        if "ref" in body:
            self.refs.add(body["ref"])
        match kind:
            case "heard":
                self._on_heard(body)
            case "reheard":
                self._on_reheard(body)
            case "saw":
                return self._on_saw(body)
            case "saw stopped":
                self._facts = self._facts.with_note(stopped_note(body["tool"]))
            case "decided":
                self._on_decided(body)
            case "overridden":
                self.overridden[body["decision"]] = f"{body['by']}: {body['reason']}"
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
        return False

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
        if len(body["user"]) <= LONGEST_TEXT and not denies(body["user"]):
            self.words.undenied_turns.add(self.turn)
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
        """Let the ledger take the operations of a message, as they were written down."""
        for act in take_operations(self.acts, self.ledger, taken, turn):
            self.changed[act] = self.seq

    def _on_saw(self, body: Mapping[str, Any]) -> bool:
        """Take in a result, and return whether it had an effect."""
        tool, begun = body["tool"], self.pending.get(body.get("pending") or "")
        if body.get("outcome") == "unknown":
            return False  # It stays pending: it may have had its effects.
        if begun is not None:
            del self.pending[body["pending"]]
        # What users wrote is put among the facts once somebody looks, and not with each result.
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
            # Who reads one while it is changed, and is told later, was shown what it was, seen before or not.
            for changed in changed_records(self.policy, before, tool, body["arguments"], body.get("at")):
                self.record_seq[changed] = self.seq
        if not counts:
            # Of a tool that the policy does not name nothing shows that a call failed, unless somebody says so.
            if begun is not None and (failed or tool in self.policy.tools):
                self.spent.difference_update(begun.spends)  # A yes that a call used up which failed counts again.
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
        """Note what became of the request that a call serves; a call that only reads is no end of one."""
        try:
            request = self.served(tool, arguments_of(arguments)) if self.policy.writes(tool) else None
        except InputError:
            return  # What cannot be read serves nothing.
        if request is None:
            return
        ids = {name for name, own in self.acts[request.act].arguments.items() if own.is_id}
        is_named = not ids or any(own.argument in ids for own in self.ledger.words_of(request.id))
        # What was asked for without naming a thing may be for several: it is no end of it that one was done.
        if status != "done" or is_named:
            self.ledger.become(request.id, status)
        else:
            self.done_of.add((request.id, call_text(arguments_of(arguments))))

    def _note_records(self, before: Facts, tool: str, began: int | None) -> None:
        """Note when records were seen; one that was shown or changed while this call was under way is not known now.

        `began` is the number of the event that let the call through, None where nobody said when it was made.
        """
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
            self._changed_on(own.on)
        else:
            self._commit(body["entry"], body.get("replaces") or "")

    def _commit(self, own: Mapping[str, Any], replaces: str) -> None:
        """Take in a value that the app committed to, for all requests of its act."""
        request = SAID if own["act"] == SAID else own["request"]
        source, relation = Source(own["source"]), own["relation"]
        new = RequestWord(
            "", request, own["act"], own["argument"], own["value"], own["quote"], self.turn, source, 1.0, relation
        )
        old = self.ledger.active.get(replaces)
        added = self.ledger.set(new).entry
        # Of two things that something is not both hold, unless one was put in the place of the other.
        if old is not None and old.id != added.id and old.id in self.ledger.active:
            self.ledger.append(Event(EventKind.AMENDED, self.turn, old, None, (added.id,)))
        self.changed[own["act"]] = self.seq
        self.committed.add(added.id)

    def _on_withdrawn(self, body: Mapping[str, Any]) -> None:
        id = body["id"]
        if id in self.expressions:
            self._changed_on(self.expressions.pop(id).on)
        elif id in self.ledger.active:
            entry = self.ledger.active[id]
            self.ledger.append(Event(EventKind.WITHDRAWN, self.turn, entry, body.get("reason")))
            self.changed[entry.act] = self.seq
        elif id in self.ledger.requests:
            self.ledger.become(id, "withdrawn", body.get("reason", ""))
            self.changed[self.ledger.requests[id].act] = self.seq

    def _changed_on(self, tools: Iterable[str]) -> None:
        for tool in tools:
            self.changed[tool] = self.seq


def _promised(id: str, own: Mapping[str, Any], act: str, turn: int) -> RequestWord:
    argument, value, quote = own["argument"], own["value"], own.get("quote", "")
    sure = own.get("confidence", 1.0)
    return RequestWord(f"{id}:{argument}", ALL_REQUESTS, act, argument, value, quote, turn, Source.ASSISTANT, sure)
