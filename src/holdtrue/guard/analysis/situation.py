"""A `Situation` is a call with all inputs of a decision on it, as JSON.

It is a test case, or the example of a fault.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from holdtrue.budget import Budget
from holdtrue.guard.deciding import LIMIT, NO_TOOL, HowDecided, check
from holdtrue.guard.decision import Decision, Finding
from holdtrue.guard.facts import Absent, Facts, Seen, fact_path
from holdtrue.guard.judgement import judge
from holdtrue.guard.listening import Listening
from holdtrue.guard.policy import Policy
from holdtrue.guard.policy_parts import DONE, NOW, SAID, FactKind, Unsaid
from holdtrue.guard.rule_context import make_context
from holdtrue.rules.paths import instead
from holdtrue.rules.values import FactKey, NotSeen, Reader, ValueFault, read_moment

SHOWN_BY = "the situation"
"""The tool that records of a situation are attributed to."""


@dataclass(frozen=True)
class Situation:
    """A `Situation` is a call in a conversation, as JSON values.

    Attributes:
        tool: The tool that is called, or "" at the end of a conversation.
        facts: Records by kind. A record is an object of its keys and fields, or `{key: ..., record: ..., at: ...}`.
            `at` is the moment at which it was seen, by default `now`. A missing required field was not seen. With
            `record: null`, the record does not exist, if a tool can report that.
        results: Tool results as `{tool, arguments, result}`, which show facts as in a conversation.
        done: The arguments of the calls that took effect, by tool.
        said: The user's statements.
        written: A message of a user, or the words in it that may be ids. None means that messages were not searched for
            ids.
    """

    tool: str = ""
    call: Any = field(default_factory=dict)
    facts: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    results: Sequence[Any] = ()
    done: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    said: Mapping[str, Any] | None = None
    written: str | Sequence[str] | None = None
    now: str | None = None
    consent: bool = False
    listen: bool = True
    unsaid: Unsaid | None = None

    def to_json(self) -> dict[str, Any]:
        """Return the values that differ from the defaults, in the form of a file of cases."""
        found: dict[str, Any] = {"tool": self.tool, "call": self.call} if self.tool else {"end": True}
        others = ("facts", "results", "done", "said", "written", "now", "consent", "listen", "unsaid")
        usual = Situation()
        return found | {name: own for name in others if (own := getattr(self, name)) != getattr(usual, name)}

    def facts_for(self, policy: Policy) -> Facts:
        """Return the facts for a policy. Raises `InputError` with the path of a value that does not fit."""
        reading = _Reading(policy, self.now)
        facts = Facts.none()
        for kind, entries in self.facts.items():
            for keys, seen in reading.records(kind, entries):
                if isinstance(seen, Absent):
                    facts = facts.with_absent(kind, keys, seen)
                else:
                    facts = facts.with_record(kind, keys, seen)
        for place, result in enumerate(self.results):
            facts = reading.after(facts, result, f"results[{place}]")
        for tool, calls in self.done.items():
            for call in reading.done(tool, calls):
                facts = facts.with_call(tool, call)
        if isinstance(self.written, str):
            return facts.with_words(self.written)
        return facts if self.written is None else replace(facts, written=tuple(self.written), listened=True)

    def check(self, policy: Policy) -> None:
        """Check that facts, statements and earlier calls fit a policy. Raises `InputError` with the path."""
        self.facts_for(policy)
        self._heard(policy)

    def decide(self, policy: Policy, *, budget: Budget = LIMIT, mend: bool = True, explain: bool = False) -> Decision:
        """Return a policy's decision on the call. Raises `InputError` for a value that does not fit the policy."""
        heard = self._heard(policy)
        facts = self.facts_for(policy)
        how = HowDecided(self.now, budget=budget, mend=mend, explain=explain)
        return check(policy, self.tool, self.call, facts, heard, how)

    def at_the_end(self, policy: Policy, *, budget: Budget = LIMIT) -> tuple[Finding, ...]:
        """Return the findings on a policy's obligations if the conversation ends here."""
        heard = self._heard(policy)
        context = make_context(policy, NO_TOOL, {}, self.facts_for(policy), self.now, self.said)
        return judge(context, heard, NO_TOOL, policy.obligations, budget.shared(), explain=True).findings

    def _heard(self, policy: Policy) -> Listening:
        for name, value in (self.said or {}).items():
            own = policy.said.get(name)
            if own is None:
                raise ValueFault(f"{SAID}.{name}", f"the policy asks for no such thing; {instead(name, policy.said)}")
            Reader().read(value, own.type, f"{SAID}.{name}")
        return Listening(self.said, self.unsaid or policy.unsaid, "answer" if self.consent else "", self.listen)


class _Reading:
    """Reads the parts of a situation for a policy."""

    def __init__(self, policy: Policy, now: str | None) -> None:
        self._policy = policy
        text = now if now is not None else policy.now
        self._now = text
        self._moment = None if text is None else read_moment(text, policy.moment, NOW)

    def records(self, name: str, entries: Any) -> Iterator[tuple[tuple[Any, ...], Seen | Absent]]:
        kind = self._policy.facts.get(name)
        if kind is None:
            raise ValueFault(f"facts.{name}", f"there are no facts of this kind; {instead(name, self._policy.facts)}")
        if not isinstance(entries, list | tuple):
            raise ValueFault(f"facts.{name}", "it has to be a list of records")
        for place, entry in enumerate(entries):
            yield self._record(kind, entry, f"facts.{name}[{place}]")

    def _record(self, kind: FactKind, entry: Any, path: str) -> tuple[tuple[Any, ...], Seen | Absent]:
        if not isinstance(entry, Mapping):
            raise ValueFault(path, f"it has to be a record of {kind.name} with its keys ({', '.join(kind.keys)})")
        keyed: Any = entry
        record: Any = entry
        at, inner = self._moment, path
        if entry.keys() >= {"key", "record"} and entry.keys() <= {"key", "record", "at"}:
            keyed, record, inner = entry["key"], entry["record"], f"{path}.record"
            at = read_moment(entry["at"], self._policy.moment, f"{path}.at") if "at" in entry else at
        keys = []
        for name, type in kind.keys.items():
            if not isinstance(keyed, Mapping) or name not in keyed:
                raise ValueFault(
                    path, f"facts of kind {kind.name} are found by {', '.join(kind.keys)}, and {name} is missing"
                )
            keys.append(Reader().read(keyed[name], type, f"{path}.{name}"))
        if record is None and kind.record.may_be_absent:
            return tuple(keys), Absent(SHOWN_BY, at)
        fields = kind.record.fields
        for name in record if isinstance(record, Mapping) else ():
            if name not in fields and not (record is entry and name in kind.keys):
                raise ValueFault(
                    f"{path}.{name}", f"facts of kind {kind.name} have no {name!r}; {instead(str(name), fields)}"
                )
        return tuple(keys), Seen(self._partly(kind, tuple(keys), record, inner), SHOWN_BY, at)

    def _partly(self, kind: FactKind, keys: tuple[Any, ...], record: Any, path: str) -> Mapping[str, Any]:
        fact = FactKey(kind.name, keys)
        given = dict(record) if isinstance(record, Mapping) else record
        if isinstance(given, dict):
            for name, own in kind.record.fields.items():
                if own.required and name not in given:
                    given[name] = NotSeen(f"{fact_path(kind.name, keys)}.{name}", own.type, fact)
        found: Mapping[str, Any] = Reader().read(given, kind.record, path)
        return found

    def after(self, facts: Facts, result: Any, path: str) -> Facts:
        if not isinstance(result, Mapping) or not {"tool", "result"} <= result.keys():
            raise ValueFault(path, "a result is written as {tool: ..., arguments: {...}, result: ...}")
        for name in result:
            if name not in ("tool", "arguments", "result", "at"):
                raise ValueFault(f"{path}.{name}", "there is no such key; there is tool, arguments, result, at")
        tool = result["tool"]
        if tool not in self._policy.tools:
            raise ValueFault(f"{path}.tool", f"there is no tool {tool!r}; {instead(str(tool), self._policy.tools)}")
        at = result.get("at", self._now)
        found = self._policy.saw(facts, tool, result.get("arguments", {}), result["result"], at=at)
        if found.notes != facts.notes:
            raise ValueFault(path, f"this cannot be read: {found.notes[len(facts.notes)]}")
        return found

    def done(self, tool: Any, calls: Any) -> Iterator[Any]:
        tools = self._policy.tools
        if tool not in tools:
            raise ValueFault(f"{DONE}.{tool}", f"there is no tool {tool!r}; {instead(str(tool), tools)}")
        if not isinstance(calls, list | tuple):
            raise ValueFault(f"{DONE}.{tool}", "it has to be a list of calls, each with its arguments")
        for place, call in enumerate(calls):
            yield Reader().read(call, self._policy.call_type(tool), f"{DONE}.{tool}[{place}]")
