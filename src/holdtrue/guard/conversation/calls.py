"""Read a call as a client has it: from a name with arguments, or in the forms of providers; and know it by its id.

The id of a decision stands for the call, too, and also knows which conversation it is of.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from holdtrue.errors import InputError
from holdtrue.guard.conversation.given_values import check_texts
from holdtrue.guard.conversation.happenings import same_call
from holdtrue.guard.conversation.state import ConversationState
from holdtrue.guard.decision import Decision
from holdtrue.guard.fetching import call_text
from holdtrue.guard.json_values import UNREADABLE

_NO_NAME = "unknown"
"""The name of the tool of a call that does not say which one it is of."""


@dataclass(frozen=True, slots=True)
class GivenCall:
    """A call that is to be decided on: the tool's name, arguments as values or as their JSON, and the call's id."""

    tool: str
    arguments: Any
    id: str | None


def read_given_call(tool: Any, arguments: Any = None, id: str | None = None) -> GivenCall:
    """Return a call. Besides a name with arguments, `tool` may be a call as providers have it.

    These are a `tool_calls` item of chat completions, a `function_call` item of Responses, a `tool_use` block, and
    `{"name": ..., "arguments": ...}`, each as an object or as what a client's library has in its place. Anything else
    is a call that cannot be read, which no policy allows. Raises `InputError` for an id that is no text.
    """
    check_texts(none=True, call=id)
    if isinstance(tool, GivenCall):
        check_texts(tool=tool.tool)
        check_texts(none=True, call=tool.id)
        return tool
    if isinstance(tool, str):
        return GivenCall(str.__str__(tool), {} if arguments is None else arguments, id)
    try:
        given = tool.model_dump(warnings=False) if hasattr(tool, "model_dump") else tool
        inner = given.get("function", given)
        own = next((given[key] for key in ("call_id", "tool_call_id", "id") if isinstance(given.get(key), str)), None)
        name = inner.get("name")
        found: Any = next((inner[key] for key in ("arguments", "input", "args") if inner.get(key) is not None), {})
    except Exception as error:  # noqa: BLE001  whatever a body of somebody else's does, the call must not be allowed
        return GivenCall(_NO_NAME, {UNREADABLE: f"it is no call: reading it ended in a {type(error).__name__}"}, id)
    if not isinstance(name, str):
        why = "a call has the name of its tool under `name` or `function.name`"
        return GivenCall(_NO_NAME, {UNREADABLE: why}, id or own)
    return GivenCall(str.__str__(name), found, id or own)


def can_be_told(arguments: Any) -> bool:
    """Return whether recorded arguments say which call they are of: of some there is only why they cannot be read."""
    return not (isinstance(arguments, Mapping) and arguments.keys() == {UNREADABLE})


@dataclass(frozen=True, slots=True)
class _Named:
    """A call by an id, or without one: ids alone do not name calls, for some servers number each answer's from 0."""

    id: str | None
    tool: str
    arguments: str

    @classmethod
    def of(cls, id: str | None, tool: str, arguments: Any) -> _Named:
        return cls(id, tool, call_text(arguments))


@dataclass
class CallIds:
    """The `CallIds` of a conversation say which call is meant by an id: a fold of its events, as its state is.

    An id belongs to a tool with arguments. Another call that begins with it is another one, and both are pending; the
    same call may begin again with it once its result has come. A result ends the call that has the id, the tool and the
    arguments; one that has shown an effect counts once.
    """

    _pending: dict[str, _Named] = field(default_factory=dict)
    """The calls whose results have not come, by the keys that they are pending under, in the order of their begin."""
    _ended: set[_Named] = field(default_factory=set)
    """The calls with an id whose results have come and had an effect."""
    _stops: dict[_Named | tuple[str, str], bool] = field(default_factory=dict)
    """Whether the last decision stopped a call, by the whole call, and by its id and tool alone."""
    _open: Counter[_Named] = field(default_factory=Counter)
    """How often a call, whatever its id, was let through without a result since."""

    def take_in(self, kind: str, body: Mapping[str, Any], *, had_effect: bool) -> None:
        """Take in an event, which had an effect on what is known or had none."""
        if kind == "decided" and body.get("stops") is not None:
            id, tool, like = body.get("call"), body["tool"], _Named.of(None, body["tool"], body["arguments"])
            self._open[like] += not body["stops"]
            self._stops[like] = self._stops.get(like, False) or body["stops"]
            if id is not None:
                self._stops[replace(like, id=id)] = self._stops[id, tool] = body["stops"]
        elif kind == "saw" and body.get("outcome") != "unknown":
            like = _Named.of(None, body.get("tool", ""), body.get("arguments"))
            self._open[like] = max(0, self._open[like] - 1)
        if kind == "decided" and body.get("begins"):
            # Before ids were kept with their calls, the key was the id.
            own = _Named.of(body.get("call", body["begins"]), body["tool"], body["arguments"])
            self._pending[body["begins"]] = own
            self._ended.discard(own)
        elif kind == "saw" and body.get("pending") in self._pending and body.get("outcome") != "unknown":
            ended = self._pending.pop(body["pending"])
            if had_effect and ended.id is not None:
                self._ended.add(ended)

    def key_for(self, id: str | None, decision: str) -> str:
        """Return the key under which a call is to be pending: its id, or the decision's, unless another call has it."""
        key, number = id or decision, 1
        while key in self._pending:
            number += 1
            key = f"{id or decision} ({decision})" if number == 2 else f"{id or decision} ({decision}, {number})"
        return key

    def begun_as(self, id: str | None, tool: str, arguments: Any) -> str | None:
        """Return the key of a pending call that has just this id, or None where there is none, or no id."""
        own = _Named.of(id, tool, arguments)
        return None if id is None else next((key for key, named in self._pending.items() if named == own), None)

    def ended_by(self, id: str | None, tool: str, arguments: Any) -> str | None:
        """Return the key of the pending call that a result is of.

        An id may be a key, too, as `pending()` tells it. Where no call has the id, it is the oldest one like it that
        was begun without an id; for a result without an id it is the oldest one of all that are like it.
        """
        own = _Named.of(id, tool, arguments)
        like = [key for key, named in self._pending.items() if (named.tool, named.arguments) == (tool, own.arguments)]
        if id is None:
            # Of calls whose arguments JSON cannot say nobody knows which are the same.
            return next(iter(like), None) if can_be_told(arguments) else None
        if id in like:
            return id
        named = [key for key in like if self._pending[key].id == id]
        return next(iter(named or (key for key in like if self._pending[key].id is None)), None)

    def was_stopped(self, id: str | None, tool: str, arguments: Any) -> bool:
        """Return whether what comes back for a call is no result, because the call was stopped.

        An id says which call is meant, or else its tool and arguments do: then it was stopped at some time, and every
        call like it that was let through has its result already.
        """
        like = _Named.of(None, tool, arguments)
        if id is not None:
            begun = self._pending.get(id)
            if begun is not None and (begun.tool, begun.arguments) == (tool, like.arguments):
                return False
            last = self._stops.get(replace(like, id=id), self._stops.get((id, tool)))
            if last is not None:
                return last
        return self._stops.get(like, False) and not self._open[like]

    def has_ended(self, id: str | None, tool: str, arguments: Any) -> bool:
        """Return whether the result of a call with an id has come already, and had an effect."""
        return id is not None and _Named.of(id, tool, arguments) in self._ended

    def keys_of(self, id: str) -> list[str]:
        """Return the keys of the pending calls that an id may mean."""
        return [key for key, own in self._pending.items() if id in (key, own.id)]


class DecisionId(str):
    """A `DecisionId` is the name of a decision in its conversation; two conversations may both have a `D001`.

    One that went through a browser is only its text, and is taken for one of the conversation that it comes back to.
    """

    tenant: str | None
    conversation: str | None

    def __new__(cls, text: str, tenant: str | None = None, conversation: str | None = None) -> DecisionId:
        own = super().__new__(cls, text)
        own.tenant, own.conversation = tenant, conversation
        return own

    def is_of(self, tenant: str, conversation: str) -> bool:
        """Return whether it is, as far as it knows, of a conversation."""
        return self.conversation is None or (self.tenant, self.conversation) == (tenant, conversation)


def check_decision(name: str, decision: Any, tenant: str, conversation: str, *, none: bool = False) -> None:
    """Raise `InputError`, with its name, for what is no decision of a conversation, as far as it says that itself."""
    if decision is None and none:
        return
    id = decision.id if isinstance(decision, Decision) else decision
    if not isinstance(id, str) or not id:
        raise InputError(f"{name}: a decision that was written down is needed, or its id, not {decision!r:.60}")
    if isinstance(id, DecisionId) and not id.is_of(tenant, conversation):
        raise InputError(f"{name}: {id} is a decision of another conversation, {id.conversation!r:.60}")


def decision_in(state: ConversationState, decision: Decision | str) -> str:
    """Return the id of a decision that was made in a conversation. Raises `InputError` for any other."""
    id = decision if isinstance(decision, str) else decision.id
    if id not in state.decisions:
        raise InputError(f"there is no decision {id!r:.60} in this conversation")
    if isinstance(decision, str) or isinstance(id, DecisionId):
        return str(id)
    if not same_call(state.decisions[id], decision.tool, decision.arguments):
        raise InputError(f"the decision {id} of this conversation is on another call")
    return id
