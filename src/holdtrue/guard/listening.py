"""A value that says what is known of the words of a conversation when a call is decided on, for it to replay from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Literal

from holdtrue.guard.decision import as_json
from holdtrue.guard.policy_parts import ConsentWay, Severity, Unsaid
from holdtrue.record import SlotRelation

Agreed = tuple[tuple[str, tuple[str, ...]], ...]
"""Expressions in the language of policies that people agreed on, each with the tools that it is on."""


@dataclass(frozen=True, slots=True)
class CallCommitment:
    """A `CallCommitment` is what somebody's words demand of calls: a value of one argument, or an expression.

    Attributes:
        id: The id of its entry in the ledger.
        on: The tools whose calls it speaks of.
        say: It in words.
        argument: The argument of which it demands that it `is` the value, is `not`, or on which side of it.
        rule: An expression in the language of policies, in place of an argument.
        severity: What breaking it does. What may have been misread is asked about, or only told.
        read: Whether it is how words were read, and no value that the app itself committed to.
        others: What the words can mean as well: a call with one of these keeps them.
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
        """Return what JSON values were made of, in which tuples are lists."""
        return cls(**{**given, "on": tuple(given["on"]), "others": tuple(given["others"])})


@dataclass(frozen=True, slots=True)
class PendingCall:
    """A `PendingCall` was let through, and its result has not come: it may have had its effects, or may have failed."""

    tool: str
    arguments: Any
    at: str | None = None


@dataclass(frozen=True, slots=True)
class Listening:
    """`Listening` is what is known of the words of a conversation.

    Attributes:
        said: What users were heard to say.
        unsaid: What of the rest counts as not said, or may have been said.
        consent: How it is known that the user said yes to just this call, "" if they did not.
        listens: Whether anybody listens: if not, rules that only words decide are not looked at, nor is consent.
        commitments: What was agreed about arguments of calls.
        alike: Texts that differ, what was said and what is called, and whether they mean the same; None is not known.
        unfounded: The arguments of the call that nobody agreed to and nothing shows.
        unasked: Whether all words of the user are read, and they ask for no such act.
        agreed: The ids of findings, `rule` or `rule:argument`, that a person was asked about and let pass.
        pending: The calls whose results have not come.
        unheard: Why not all that the user said could be read; "" where it could.
        unread: What of the rest its reader cannot read, so that it may have been said whatever `unsaid` says.
        override: Who let the call through, whatever is found, and why; "" where nobody did.
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
        """Return what was agreed as expressions, each with the tools whose calls it is about."""
        return tuple((own.rule, own.on) for own in self.commitments if own.rule)

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON values; what was said is as it was given."""
        return as_json(self)

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> Listening:
        """Return what `to_json` was made of."""
        own = {each.name: given[each.name] for each in fields(cls)}
        own |= {name: tuple(own[name]) for name in ("unfounded", "agreed", "unread")}
        own["commitments"] = tuple(map(CallCommitment.of, own["commitments"]))
        own["alike"] = tuple((said, called, same) for said, called, same in own["alike"])
        return cls(**{**own, "pending": tuple(PendingCall(**each) for each in own["pending"])})
