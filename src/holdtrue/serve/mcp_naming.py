"""Find the conversation that an MCP call names, and the parts of a policy that cannot do without one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from holdtrue.errors import InputError, SettingsError
from holdtrue.guard.decision_record import footprint
from holdtrue.guard.policy import Policy

OWN = "holdtrue/"
CONVERSATION, TENANT, USER = f"{OWN}conversation", f"{OWN}tenant", f"{OWN}user"
"""Keys of `_meta` in a call: the id of its conversation, whose it is, and the user's message or messages."""
CONVERSATION_HEADER, TENANT_HEADER = "Holdtrue-Conversation", "Holdtrue-Tenant"


def words_needed(policy: Policy) -> tuple[str, ...]:
    """Return the parts of a policy that only the user's words decide: statements and consent."""
    consents = (f"consent on {tool}" for tool, own in policy.consents_on.items() if own)
    return (*(f"said.{name}" for name in policy.said), *consents)


def history_needed(policy: Policy) -> tuple[str, ...]:
    """Return the parts of a policy that depend on a conversation: facts, earlier calls, statements and consent."""
    looks = {own for tool in policy.tools for own in footprint(policy, tool).looks}
    names = (f"facts.{name}" if kind == "fact" else f"{kind}.{name}".rstrip(".") for kind, name in looks)
    return (*sorted(names), *words_needed(policy))


def one_of(what: str, named: list[Any]) -> Any:
    """Return the only name among these, or None without one. Raises `InputError` for several."""
    found = [own for place, own in enumerate(named) if own is not None and own not in named[:place]]
    if len(found) > 1:
        raise InputError(f"it names more than one {what}: {' and '.join(f'{own!r:.40}' for own in found)}")
    return found[0] if found else None


@dataclass(frozen=True)
class Naming:
    """A `Naming` says how calls name their conversations, besides `_meta` and headers.

    `fixed` is the only conversation of a gateway, and `argument` the name of an argument with the id.
    """

    fixed: str | None = None
    argument: str | None = None

    def taken_out(self, policy: Policy, tool: str, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the arguments without the one that names the conversation, unless the tool declares it."""
        own = policy.tools.get(tool)
        if self.argument not in arguments or (own is not None and self.argument in own.arguments.fields):
            return arguments
        return {name: value for name, value in arguments.items() if name != self.argument}

    def notes(self, policy: Policy) -> Iterator[str]:
        """Yield notes on the values that clients have to send so that a policy can decide.

        Raises `SettingsError` if no tool has the argument that names conversations.
        """
        history, words = history_needed(policy), words_needed(policy)
        if self.argument and not any(self.argument in own.arguments.fields for own in policy.tools.values()):
            raise SettingsError(f"--conversation-argument: no tool of the policy has an argument {self.argument!r}")
        if history and not self.fixed and not self.argument:
            yield f"calls that do not name their conversation are refused, because of {', '.join(history)}"
        if words:
            yield f"MCP carries no words of the user, and {', '.join(words)} need them: send them as _meta {USER!r}"
