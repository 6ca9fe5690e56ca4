"""The verdict on an answer: one object in the answer, and headers beside it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from holdtrue.guard.decision import Decision
from holdtrue.serve.upstream import Headers

if TYPE_CHECKING:
    from holdtrue.guard.clients.guarded_turn import PlayedTurn
    from holdtrue.guard.conversation.guarded_conversation import GuardedConversation

_MOST_NAMED = 1_000
"""The size limit of a header's value."""


def verdict_of(talk: GuardedConversation, played: PlayedTurn) -> dict[str, Any]:
    """Return the verdict on an answer as JSON, with its coverage: what was checked, undecided and not read."""
    return {
        "conversation": talk.id,
        "mode": talk.guard.mode,
        "policy": talk.guard.policy.digest,
        "verdict": played.ending,
        "attempts": played.attempts,
        **of_decisions(played.decisions),
    }


def of_decisions(decisions: Iterable[Decision]) -> dict[str, Any]:
    """Return decisions as JSON, with their coverage in one."""
    found = tuple(decisions)
    return {
        "calls": [
            {"id": str(own.id), "tool": own.tool, "decision": own.kind, "rules": list(own.rules)}
            | ({"why": own.for_model} if own.kind != "allow" else {})
            for own in found
        ],
        "coverage": {
            "rules": sum(own.coverage.rules for own in found),
            "undecided": _each_once(name for own in found for name in own.coverage.undecided),
            "unread": _each_once(part for own in found for part in own.coverage.unread),
        },
    }


def undecided_verdict(conversation: str, reason: str) -> dict[str, Any]:
    """Return the verdict on an answer that nobody decided on, in mode `observe`."""
    return {"conversation": conversation, "mode": "observe", "verdict": "undecided", "reason": reason}


def verdict_headers(verdict: dict[str, Any]) -> Headers:
    """Return the headers of a verdict. Their values are ASCII."""
    rules = _each_once(name for own in verdict.get("calls", ()) for name in own["rules"])
    found = [
        ("holdtrue-verdict", verdict["verdict"]),
        ("holdtrue-conversation", quote(verdict["conversation"], safe=" /:@-_.", errors="replace")),
    ]
    found += [("holdtrue-attempts", str(verdict["attempts"]))] if "attempts" in verdict else []
    found += [("holdtrue-rules", quote(", ".join(rules), safe=" ,/:@-_.")[:_MOST_NAMED])] if rules else []
    return (*found,)


def _each_once(names: Iterable[str]) -> list[str]:
    return [*dict.fromkeys(names)]
