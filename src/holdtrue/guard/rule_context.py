"""A `RuleContext` gives rules their inputs: the call, facts, the user's statements, earlier calls and the moment."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from holdtrue.budget import Deadline
from holdtrue.errors import InputError
from holdtrue.guard.facts import Answer, Facts, Keys, NoRecord, Seen, fact_path, not_seen
from holdtrue.guard.policy_parts import DONE, NOW, SAID, WRITTEN, PolicyParts, Said, Tool
from holdtrue.rules.compilation import DEADLINE, FACTS, Env
from holdtrue.rules.typed_expressions import Get, Node, Root, walk
from holdtrue.rules.types import TEXT, Flag, ListOf, MapOf, Null, Nullable
from holdtrue.rules.values import Fault, NotSeen, Reader, ValueFault, field_path, key_text, read_moment


@dataclass
class RuleContext:
    """A `RuleContext` holds every value that rules on one call can read.

    Attributes:
        used: The records that rules looked up; None for those that were not seen.
        unsaid: The names of statements that no user made.
        claims: The paths of statements that no tool can confirm.
        is_quick: Whether to skip everything that takes long.
        stale: The reason why a shown record does not count, by its path: it is too old, or could not be read.
        absent: The records that rules looked up and that do not exist, by path, with the tool that says so.
        answers: The reading calls that were looked up and have returned already.
    """

    policy: PolicyParts
    facts: Facts
    now: int | Fraction | None
    used: dict[tuple[str, Keys], Seen | None] = field(default_factory=dict)
    unsaid: tuple[str, ...] = ()
    claims: tuple[str, ...] = ()
    stale: dict[str, str] = field(default_factory=dict)
    absent: dict[str, str] = field(default_factory=dict)
    answers: list[tuple[str, Answer]] = field(default_factory=list)
    known: Env = field(default_factory=dict)
    """The values of all names. Statements that nobody heard are unknown, because they may have been made."""
    assumed: Env = field(default_factory=dict)
    """The values of all names. Statements that nobody heard count as not made."""
    is_quick: bool = False
    found: dict[tuple[str, Keys], Any] = field(default_factory=dict)
    """A cache of records, because rules look up the same ones repeatedly."""

    def look_up(self, kind: str, keys: Keys) -> Any:
        """Return a record, or a marker if it was not seen or is stale. Raises `Fault` if a key is null."""
        found = self.found.get((kind, keys))
        if found is None:
            found = self.found[kind, keys] = self._looked_up(kind, keys)
        return found

    def _looked_up(self, kind: str, keys: Keys) -> Any:
        if None in keys:
            raise Fault(f"null finds no {kind}")
        seen = self.facts.record(kind, keys)
        self.used[kind, keys] = seen
        own = self.policy.facts[kind]
        reason = self.facts.unread.get((kind, keys), "")
        if seen is not None:
            old = "" if own.fresh_s is None else _stale(seen.at, self.now, own.fresh_s)
            if reason and not old:
                path = fact_path(kind, keys, own.keys.values())
                self.stale[path] = f"{reason}: it counts as it was seen before"
            reason = old
            if not old:
                return seen.record
        marker = not_seen(kind, keys, own.record, own.keys.values(), fits=(kind, keys) not in self.facts.unread)
        absent = self.facts.absent.get((kind, keys))
        if absent is not None:
            reason = "" if own.fresh_s is None else _stale(absent.at, self.now, own.fresh_s)
            if not reason:
                names = ", ".join(key_text(key, type) for key, type in zip(keys, own.keys.values(), strict=True))
                self.absent[marker.path] = f"{absent.tool} says that there is no {kind} {names}"
                return NoRecord(self.absent[marker.path])
        if reason:
            self.stale[marker.path] = reason
        return marker

    def call(self, tool: Tool, call: Any) -> None:
        """Set the call that rules read."""
        root = tool.root
        self.known[root] = self.assumed[root] = call

    def saying(self, values: Mapping[str, Any]) -> RuleContext:
        """Return the context in which users also made these statements. Both note the records that rules look up."""
        known, assumed = ({**env, SAID: {**env[SAID], **values}} for env in (self.known, self.assumed))
        unsaid = tuple(own for own in self.unsaid if own not in values)
        return replace(self, known=known, assumed=assumed, unsaid=unsaid)

    def limit(self, deadline: Deadline) -> None:
        """Set the deadline of rules. A rule that takes longer is undecided."""
        self.known[DEADLINE] = self.assumed[DEADLINE] = deadline

    def unheard(self, node: Node) -> tuple[str, ...]:
        """Return the paths of the statements that an expression reads and no user made, in the policy's order."""
        asked, written = set(), False
        for part in walk(node):
            if isinstance(part, Get) and isinstance(part.of, Root) and part.of.name == SAID:
                asked.add(part.name)
            written |= isinstance(part, Root) and part.name == WRITTEN
        found = [field_path(SAID, name) for name in self.unsaid if name in asked]
        return tuple(found + [WRITTEN] * (written and not self.facts.listened))

    def assuming(self, paths: Collection[str]) -> Env:
        """Return the values of all names if exactly these statements count as not made."""
        heard, not_said = self.known[SAID], self.assumed[SAID]
        said = {name: (not_said if field_path(SAID, name) in paths else heard)[name] for name in heard}
        written = (self.assumed if WRITTEN in paths else self.known)[WRITTEN]
        return {**self.known, SAID: said, WRITTEN: written}


def _stale(at: Any, now: Any, fresh_s: Fraction) -> str:
    if at is None:
        return "nobody said when it was seen, by `at` of `saw`"
    if now is None:
        return "it is not known how late it is"
    if isinstance(at, NotSeen) or now - at > fresh_s:
        return f"it was seen over {float(fresh_s):g} s ago"
    return "" if now >= at else "it was seen later than now"


def make_context(
    policy: PolicyParts,
    tool: Tool,
    call: Any,
    facts: Facts,
    now: str | None,
    said: Mapping[str, Any] | None,
    unread: Collection[str] = (),
) -> RuleContext:
    """Return the context of a call.

    Statements in `unread` may have been made. Raises `InputError` for malformed statements.
    """
    text = now if now is not None else policy.now
    moment = None if text is None else read_moment(text, policy.moment, NOW)
    found = RuleContext(policy, facts, moment)
    heard, assumed = _said(found, said, unread)
    done = {name: facts.done.get(name, ()) for name in policy.tools}
    shared: Env = {
        tool.root: call,
        NOW: NotSeen(NOW, policy.moment) if moment is None else moment,
        DONE: done,
        FACTS: found.look_up,
    }
    unseen = NotSeen(WRITTEN, ListOf(TEXT))
    written = unseen if facts.overflows else facts.written
    found.known = {**shared, SAID: heard, WRITTEN: written if facts.listened else unseen}
    found.assumed = {**shared, SAID: assumed, WRITTEN: written}
    return found


def _said(
    found: RuleContext, said: Mapping[str, Any] | None, unread: Collection[str]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the user's statements twice: first with missing ones unknown, then with them as not made, except those in
    `unread`.
    """
    declared = found.policy.said
    for name in said or {}:
        if name not in declared:
            raise InputError(
                f"said.{name}: the policy asks for no such thing; it asks for {', '.join(declared) or 'none'}"
            )
    heard: dict[str, Any] = {}
    assumed: dict[str, Any] = {}
    unsaid, claims = [], []
    for name, own in declared.items():
        marker = NotSeen(field_path(SAID, name), own.type)
        if said is None or name not in said:
            heard[name] = marker
            assumed[name] = marker if name in unread else not_said(own)
            unsaid += [] if name in unread else [name]
            continue
        value = Reader().read(said[name], own.type, f"{SAID}.{name}")
        if own.claim and value != not_said(own):
            claims.append(field_path(SAID, name))
            heard[name] = assumed[name] = marker
        else:
            heard[name] = assumed[name] = value
    found.unsaid, found.claims = tuple(unsaid), tuple(claims)
    return heard, assumed


def not_said(own: Said) -> Any:
    """Return the value that a statement has if nobody made it."""
    match own.type:
        case Flag():
            return False
        case ListOf():
            return ()
        case MapOf():
            return {}
        case Nullable() | Null():
            return None
    raise ValueFault(f"{SAID}.{own.name}", "what may be unsaid is a flag, a list, a map or may be null")
