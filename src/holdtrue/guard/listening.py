"""A `Listening` holds the state of a conversation that a decision depends on, apart from facts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Literal

from holdtrue.guard.decision import as_json
from holdtrue.guard.policy_parts import ConsentWay, Severity, Unsaid
from holdtrue.record import SlotRelation

Agreed = tuple[tuple[str, tuple[str, ...]], ...]
"""Expressions in the policy language that people agreed on, each with the tools that it applies to."""


@dataclass(frozen=True, slots=True)
class CallCommitment:
    """A `CallCommitment` is a demand on calls that somebody's words made: a value of one argument, or an expression.

    Attributes:
        id: The id of its entry in the ledger.
        on: The tools that it applies to.
        say: The commitment in a sentence.
        argument: The argument that is compared with `value` by `relation`.
        rule: An expression in the policy language, in place of an argument.
        severity: The consequence of breaking it. A reading that may be wrong only leads to a question or a note.
        read: Whether it was read from words. It is false for a value that the app itself committed to.
        others: Other values that the words can mean. A call with one of them keeps the commitment.
    """

    id: str
    on: tuple[str, ...]
    say: str
    source: Literal["user", "assistant"] = "user"
    turn: int = 0
    quote: str = ""
    argument: str = ""
    relation: SlotRelation = "is"
    value: Any = None
    rule: str = ""
    severity: Severity = "block"
    read: bool = True
    others: tuple[Any, ...] = ()

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> CallCommitment:
        """Return the commitment that was written as JSON values, in which tuples are lists."""
        return cls(**{**given, "on": tuple(given["on"]), "others": tuple(given["others"])})


@dataclass(frozen=True, slots=True)
class PendingCall:
    """A `PendingCall` was let through and has no result yet. It may have taken effect, or may have failed."""

    tool: str
    arguments: Any
    at: str | None = None


@dataclass(frozen=True, slots=True)
class Listening:
    """A `Listening` is the state of a conversation that a decision depends on, apart from facts.

    Attributes:
        said: The user's statements, by name.
        unsaid: Whether statements that `said` lacks count as not made, or may have been made.
        consent: The evidence of the user's yes to exactly this call, or "" without a yes.
        listens: Whether the app listens to words. If not, rules that need words are skipped, and so is consent.
        commitments: The commitments about calls.
        alike: Pairs of a promised and a called text, and whether both mean the same; None if that is unknown.
        unfounded: The arguments of the call that nobody agreed to and no result shows.
        unasked: Whether all of the user's words were read and none of them asks for this act.
        agreed: The ids of findings, `rule` or `rule:argument`, that a person was asked about and accepted.
        pending: The calls without a result.
        unheard: The reason why some of the user's words could not be read, or "".
        unread: Names of statements that the reader cannot read. They may have been made whatever `unsaid` is.
        override: The person who let the call through despite all findings, with the reason, or "".
    """

    said: Mapping[str, Any] | None = None
    unsaid: Unsaid = "false"
    consent: ConsentWay | Literal[""] = ""
    listens: bool = True
    commitments: tuple[CallCommitment, ...] = ()
    alike: tuple[tuple[str, str, bool | None], ...] = ()
    unfounded: tuple[str, ...] = ()
    agreed: tuple[str, ...] = ()
    pending: tuple[PendingCall, ...] = ()
    unheard: str = ""
    override: str = ""
    unread: tuple[str, ...] = ()
    unasked: bool = False

    @property
    def rules(self) -> Agreed:
        """Return the commitments that are expressions, each with its tools."""
        return tuple((own.rule, own.on) for own in self.commitments if own.rule)

    def to_json(self) -> dict[str, Any]:
        """Return the state as JSON values; `said` stays as it was given."""
        return as_json(self)

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> Listening:
        """Return the state that `to_json` wrote."""
        own = {each.name: given[each.name] for each in fields(cls)}
        own |= {name: tuple(own[name]) for name in ("unfounded", "agreed", "unread")}
        own["commitments"] = tuple(map(CallCommitment.of, own["commitments"]))
        own["alike"] = tuple((said, called, same) for said, called, same in own["alike"])
        return cls(**{**own, "pending": tuple(PendingCall(**each) for each in own["pending"])})
