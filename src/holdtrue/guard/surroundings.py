"""The surroundings in which rules are decided: the call, facts, what was said, what is done, and the moment."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
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
class Surroundings:
    """Everything that rules on one call can ask for.

    Attributes:
        used: The records that were asked for, and None for those that were not seen.
        unsaid: The names of what nobody was heard to say.
        claims: The paths of what was said and no tool can show.
        is_quick: Whether nothing that takes long is to be done.
        stale: Why a record does not count that a tool has shown: it is too old, or could not be read.
        absent: The records that were asked for and do not exist, by their paths, with who says so.
        answers: The reading calls that were looked up, which have answered already.
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
    """The surroundings in which what nobody was heard to say may have been said."""
    assumed: Env = field(default_factory=dict)
    """The surroundings in which what nobody was heard to say was not said."""
    is_quick: bool = False
    found: dict[tuple[str, Keys], Any] = field(default_factory=dict)
    """What was looked up, for rules ask for the same records again and again."""

    def look_up(self, kind: str, keys: Keys) -> Any:
        """Return a record, or the marker of one that was not seen or is stale. Raises `Fault` where a key is null."""
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
        """Put a call of a tool in these surroundings."""
        root = tool.root
        self.known[root] = self.assumed[root] = call

    def limit(self, deadline: Deadline) -> None:
        """Let rules be looked at until a deadline: what takes longer is undecided."""
        self.known[DEADLINE] = self.assumed[DEADLINE] = deadline

    def unheard(self, node: Node) -> tuple[str, ...]:
        """Return the paths of what an expression asks for that nobody was heard to say, in the policy's order."""
        asked, written = set(), False
        for part in walk(node):
            if isinstance(part, Get) and isinstance(part.of, Root) and part.of.name == SAID:
                asked.add(part.name)
            written |= isinstance(part, Root) and part.name == WRITTEN
        found = [field_path(SAID, name) for name in self.unsaid if name in asked]
        return tuple(found + [WRITTEN] * (written and not self.facts.listened))

    def assuming(self, paths: Collection[str]) -> Env:
        """Return the surroundings in which just these, of what nobody was heard to say, were not said."""
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


def surround(
    policy: PolicyParts,
    tool: Tool,
    call: Any,
    facts: Facts,
    now: str | None,
    said: Mapping[str, Any] | None,
    unread: Collection[str] = (),
) -> Surroundings:
    """Return the surroundings of a call; what is `unread` may have been said.

    Raises `InputError` for a moment, or for something said, that is none.
    """
    text = now if now is not None else policy.now
    moment = None if text is None else read_moment(text, policy.moment, NOW)
    found = Surroundings(policy, facts, moment)
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
    found: Surroundings, said: Mapping[str, Any] | None, unread: Collection[str]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return what was said: with what was not heard unknown, and with it not said unless nobody can have read it."""
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
            assumed[name] = marker if name in unread else _not_said(own)
            unsaid += [] if name in unread else [name]
            continue
        value = Reader().read(said[name], own.type, f"{SAID}.{name}")
        if own.claim and value != _not_said(own):
            claims.append(field_path(SAID, name))
            heard[name] = assumed[name] = marker
        else:
            heard[name] = assumed[name] = value
    found.unsaid, found.claims = tuple(unsaid), tuple(claims)
    return heard, assumed


def _not_said(own: Said) -> Any:
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
