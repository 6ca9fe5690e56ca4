"""Tool calls as clients give them, and the ids by which a conversation finds a call again.

The id of a decision also stands for its call, and knows its conversation. A *like* call is one with the same tool and
arguments.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from holdtrue.errors import InputError
from holdtrue.guard.conversation.input_checks import check_texts
from holdtrue.guard.conversation.state_parts import same_call
from holdtrue.guard.decision import Decision
from holdtrue.guard.fetching import call_text
from holdtrue.guard.json_values import UNREADABLE, recorded
from holdtrue.guard.result_forms import read_result, was_taken_back

if TYPE_CHECKING:
    from holdtrue.guard.conversation.state import ConversationState

_NO_NAME = "unknown"
"""The tool of a call that names none."""


def said_by(result: Any) -> str:
    """Return the content of a result as text, the same for every form in which it can come."""
    return call_text(recorded(read_result((), result).value))


@dataclass(frozen=True, slots=True)
class GivenCall:
    """A call to decide on: the tool, the arguments as values or as JSON text, and the id."""

    tool: str
    arguments: Any
    id: str | None


def read_given_call(tool: Any, arguments: Any = None, id: str | None = None) -> GivenCall:
    """Return a call from a tool name with arguments, or from a call in the form of a provider.

    Known forms are a `tool_calls` item of chat completions, a `function_call` item of Responses, a `tool_use` block,
    and `{"name": ..., "arguments": ...}`. Each may be a mapping or an object of a client's library. Anything else
    becomes a call that no policy allows. Raises `InputError` for an id that is no text.
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
    except Exception as error:  # noqa: BLE001  foreign objects may raise anything; the call must not be allowed
        return GivenCall(_NO_NAME, {UNREADABLE: f"it is no call: reading it ended in a {type(error).__name__}"}, id)
    if not isinstance(name, str):
        why = "a call has the name of its tool under `name` or `function.name`"
        return GivenCall(_NO_NAME, {UNREADABLE: why}, id or own)
    return GivenCall(str.__str__(name), found, id or own)


def can_be_told(arguments: Any) -> bool:
    """Return whether recorded arguments identify a call. Unreadable arguments are recorded as an error only."""
    return not (isinstance(arguments, Mapping) and arguments.keys() == {UNREADABLE})


_Like = tuple[str, str]
"""A tool, and its arguments as text. An id alone identifies no call: some servers number each answer's calls from 0."""


@dataclass
class CallIds:
    """`CallIds` find the call that an id means. They are a part of the state of a conversation.

    An id belongs to a tool with arguments. If another call begins with the same id, both wait. The same call may begin
    again with the same id once its result has come. A result ends the oldest waiting call with its id, tool and
    arguments. If none waits, the result is a repeated one.
    """

    _waiting: dict[_Like, dict[str, str | None]] = field(default_factory=dict)
    """The ids of allowed calls without a result, by their keys, oldest first."""
    _keys: dict[str, _Like] = field(default_factory=dict)
    _came: dict[tuple[str, _Like], tuple[str, bool]] = field(default_factory=dict)
    """The last result of a call with an id, and whether it had an effect."""
    _stops: dict[_Like | tuple[str, _Like] | tuple[str, str, None], bool] = field(default_factory=dict)
    """Whether the last decision with an id stopped the call, or whether any decision on the tool and arguments did."""
    _untold: set[tuple[str, str]] = field(default_factory=set)
    """The ids and tools of calls that were stopped since the user's last message, and whose stops no history shows."""

    def take_in(self, kind: str, body: Mapping[str, Any], *, had_effect: bool) -> None:
        """Apply an event. `had_effect` says whether it changed the known facts."""
        if kind == "decided":
            like, stops, begins = (body["tool"], call_text(body["arguments"])), body.get("stops"), body.get("begins")
            id = body["call"]
            if stops is not None:
                self._note_stop(id, like, stops)
            if id is not None:
                (self._untold.add if stops else self._untold.discard)((id, like[0]))
            if stops and (key := self._begun(id, like)):
                del self._waiting[like][key], self._keys[key]
            if begins or (stops is False and self._begun(id, like) is None):
                key = begins or self.key_for(None, body["decision"])
                self._waiting.setdefault(like, {})[key] = id
                self._keys[key] = like
        elif kind == "saw stopped":
            self._untold.discard((body["call"] or "", body["tool"]))
        elif kind == "heard" and body.get("user") is not None:
            self._untold.clear()
        elif kind == "saw" and body.get("outcome") != "unknown":
            like = body["tool"], call_text(body["arguments"])
            key = body["pending"] or ""
            id = self._waiting.get(self._keys.pop(key, like), {}).pop(key, None) or body["call"]
            if was_taken_back(body):
                self._note_stop(id, like, stops=True)
            elif id is not None:
                self._came[id, like] = said_by(body["result"]), had_effect

    def _note_stop(self, id: str | None, like: _Like, stops: bool) -> None:
        self._stops[like] = self._stops.get(like, False) or stops
        if id is not None:
            self._stops[id, like] = self._stops[id, like[0], None] = stops

    def key_for(self, id: str | None, decision: str) -> str:
        """Return the key for a new waiting call: its id or the decision's. A suffix makes it unique."""
        key, number = id or decision, 1
        while key in self._keys:
            number += 1
            key = f"{id or decision} ({decision})" if number == 2 else f"{id or decision} ({decision}, {number})"
        return key

    def waiting(self) -> list[tuple[str, str | None, _Like]]:
        """Return all calls without a result: their keys, their ids, and their tools with arguments."""
        return [(key, id, like) for like, own in self._waiting.items() for key, id in own.items()]

    def awaited(self) -> list[tuple[str | None, str]]:
        """Return the ids and tools of all calls of which no result has come, also of those that were stopped."""
        return [*((id, tool) for _, id, (tool, _) in self.waiting()), *self._untold]

    def has_ended(self, call: GivenCall) -> bool:
        """Return whether a result has come for a call with this id, tool and arguments."""
        return call.id is not None and (call.id, (call.tool, call_text(call.arguments))) in self._came

    def begun_as(self, id: str | None, tool: str, arguments: Any) -> str | None:
        """Return the key of the waiting call with this id, tool and arguments, or None."""
        return self._begun(id, (tool, call_text(arguments)))

    def _begun(self, id: str | None, like: _Like) -> str | None:
        own = self._waiting.get(like, {})
        return None if id is None else next((key for key, each in own.items() if each == id), None)

    def ended_by(self, id: str | None, tool: str, arguments: Any) -> str | None:
        """Return the key of the waiting call that a result belongs to, or None.

        The id may also be a key, as `pending()` returns it. If no call has the id, the oldest like call without an id
        is meant. Without an id, the oldest like call is meant.
        """
        like = tool, call_text(arguments)
        own = self._waiting.get(like, {})
        if id is None:
            # Calls with unreadable arguments cannot be told apart.
            return next(iter(own), None) if can_be_told(arguments) else None
        return self._own(id, like) or next((key for key, each in own.items() if each is None), None)

    def _own(self, id: str, like: _Like) -> str | None:
        return id if self._keys.get(id) == like else self._begun(id, like)

    def was_stopped(self, id: str | None, tool: str, arguments: Any) -> bool:
        """Return whether the call of a result was stopped, so that the result does not count.

        Without an id, any call with this tool and these arguments counts, unless such a call waits.
        """
        like = tool, call_text(arguments)
        if id is not None:
            if self._own(id, like):
                return False
            last = self._stops.get((id, like), self._stops.get((id, tool, None)))
            if last is not None:
                return last
        return self._stops.get(like, False) and not self._waiting.get(like)

    def was_told(self, id: str | None, body: Mapping[str, Any], *, writes: bool) -> bool:
        """Return whether a result repeats an earlier one, or is the second of a writing call that took effect."""
        like = body["tool"], call_text(body["arguments"])
        came = None if id is None else self._came.get((id, like))
        if id is None or came is None or self._own(id, like):
            return False
        if came[0] == said_by(body["result"]):
            return came[1] or body.get("outcome") != "succeeded"
        return came[1] and writes and (id, like) in self._stops


class DecisionId(str):
    """A `DecisionId` is the id of a decision. It knows its conversation, because every conversation has a `D001`."""

    tenant: str | None
    conversation: str | None

    def __new__(cls, text: str, tenant: str | None = None, conversation: str | None = None) -> DecisionId:
        own = super().__new__(cls, text)
        own.tenant, own.conversation = tenant, conversation
        return own


def check_decision(name: str, decision: Any, tenant: str, conversation: str, *, none: bool = False) -> None:
    """Raise `InputError`, with the parameter's `name`, for a value that is no decision of this conversation."""
    if decision is None and none:
        return
    id = decision.id if isinstance(decision, Decision) else decision
    if not isinstance(id, str) or not id:
        raise InputError(f"{name}: a decision that was written down is needed, or its id, not {decision!r:.60}")
    if isinstance(id, DecisionId) and (id.tenant, id.conversation) not in ((tenant, conversation), (None, None)):
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
