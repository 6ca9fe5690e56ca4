"""Guard the tool calls of all crews of CrewAI: `guard_crews(guard)` once, and `with guard.inside(id):` around a run.

CrewAI tells its hooks neither a conversation nor the user's words. Outside of such a block no crew starts, and the app
tells the words before: `guard.run(guard.conversation(id).heard(user="..."))`.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable
from typing import Any

from holdtrue.errors import SettingsError
from holdtrue.event_loop import in_running_loop
from holdtrue.extras import need
from holdtrue.guard import Guard
from holdtrue.guard.clients.door import Door

try:
    from crewai.hooks import HookAborted, InterceptionPoint, register_hook, unregister_hook
    from crewai.tools.tool_failure import ToolFailure
except ImportError:
    need("holdtrue.adapters.crewai", "crewai")
    raise

_log = logging.getLogger(__name__)
_FAILED = re.compile(
    r"\s*(Error executing tool: |Tool not found$|Tool '[^']*' has reached its |I tried reusing the same input"
    "|I encountered an error while trying to use the tool)"
)
"""The beginnings of the texts that CrewAI gives a model in place of a result."""


def guard_crews(
    guard: Guard, *, conversation: str | None = None, tenant: str = "", replace: bool = False, interrupts: bool = False
) -> Callable[[], None]:
    """Decide from now on on each tool call of every crew before it runs, and return a function that ends this.

    The policy names the tools as CrewAI shows them to a model: `Get Booking` is `get_booking`.

    Args:
        conversation: The id of the conversation. The default is that of the `with guard.inside(id)` block.
        replace: Whether the nearest allowed call takes the place of a blocked one.
        interrupts: Not possible in this framework.
    """
    if interrupts:
        raise SettingsError("interrupts=True: CrewAI cannot wait for a person before a call; the model asks the user")
    hooks = _Hooks(Door(guard, conversation, tenant, replace=replace))
    points = {"execution_start": hooks.start, "pre_tool_call": hooks.decide, "post_tool_call": hooks.took}
    for point, hook in points.items():
        register_hook(InterceptionPoint(point), hook)

    def end() -> None:
        for point, hook in points.items():
            unregister_hook(InterceptionPoint(point), hook)

    return end


class _Hooks:
    def __init__(self, door: Door) -> None:
        self.door, self.guard = door, door.guard
        self.stopped: dict[int, tuple[Any, str]] = {}
        """The texts for the model, by the arguments, which stay one object from hook to hook."""

    def abort(self, why: str) -> None:
        """Stop CrewAI, which swallows every other error of a hook, and goes on."""
        if self.guard.mode == "enforce":
            raise HookAborted(why, "holdtrue")
        _log.warning("CrewAI goes on unobserved: %s", why)

    def start(self, context: Any) -> None:
        try:
            talk = self.door.talk()
            heard = in_running_loop() or any(who == "user" for who, _ in self.guard.run(talk.known_words()))
        except Exception as error:  # noqa: BLE001  it stops the crew
            return self.abort(str(error))
        if not heard:
            _log.warning("no words of the user were heard: call `heard` of the conversation before the crew starts")
        return None

    def decide(self, context: Any) -> None:
        given, why = context.tool_input, ""
        try:
            outcome = self.guard.run(self.door.decide(None, context.tool_name, dict(given), id(given)))
            if outcome is not None and outcome.kind == "replace":
                given.clear()
                given.update(outcome.arguments)
            why = "" if outcome is None or outcome.goes_on else outcome.for_model
        except Exception as error:  # noqa: BLE001  it stops the call
            why = f"{context.tool_name} was not called, because it could not be decided on: {error}"
        if why:
            self.stopped[id(given)] = given, why
            self.abort(why)

    def took(self, context: Any) -> str | None:
        given, result = context.tool_input, context.raw_tool_result
        _, why = self.stopped.pop(id(given), (None, None))
        if why is None or self.guard.mode == "observe":
            failed = isinstance(result, ToolFailure) or (isinstance(result, str) and _FAILED.match(result))
            self.guard.run(self.door.ran(None, id(given), result, "failed" if failed else None))
            return None
        return why
