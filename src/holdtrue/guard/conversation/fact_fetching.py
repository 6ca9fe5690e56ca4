"""Call reading tools of the app for the facts that a decision misses, within limits for each decision.

A function of the app makes the calls. Its result becomes facts as if the app had made the call. An error or a time-out
counts as an answer, so that the same call is not made again.
"""

from __future__ import annotations

import asyncio
import copy
import inspect
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Literal

from holdtrue.budget import check_number
from holdtrue.errors import SettingsError
from holdtrue.guard.decision import Decision, Fetch, Fetched
from holdtrue.guard.fetching import call_text
from holdtrue.guard.policy_parts import PolicyParts
from holdtrue.guard.result_forms import dumped, is_stop

FetchFunctions = Callable[[str, dict[str, Any]], Any] | Mapping[str, Callable[..., Any]]
"""A function of a tool and its arguments, or a function for each tool that takes the arguments by name.

Each may be asynchronous. Others run in a thread of their own.
"""


@dataclass(frozen=True)
class Fetching:
    """A `Fetching` makes the calls of reading tools: at most `most` for one decision, within `timeout_s` together.

    Raises `SettingsError` for limits or functions that cannot be used.
    """

    policy: PolicyParts
    functions: FetchFunctions | None
    most: int
    timeout_s: float

    def __post_init__(self) -> None:
        check_number("fetch_most", self.most, least=1, whole=True)
        if not self.timeout_s > 0:
            raise SettingsError(f"fetch_timeout_s must be more than 0, got {self.timeout_s}")
        for name, own in self.functions.items() if isinstance(self.functions, Mapping) else ():
            if name not in self.policy.tools or self.policy.writes(name) or not callable(own):
                raise SettingsError(f"fetch: {name!r:.60} has to be a reading tool of the policy, with a function")

    def start(self) -> FetchRun:
        """Begin the calls for one decision."""
        return FetchRun(self, self.timeout_s)

    def work_of(self, own: Fetch) -> Callable[[], Any] | None:
        """Return a function that makes a call, or None if no function is for such a call."""
        functions, arguments = self.functions, copy.deepcopy(dict(own.arguments))
        if functions is None or self.policy.writes(own.tool):
            return None
        if not isinstance(functions, Mapping):
            return partial(functions, own.tool, arguments)
        return partial(functions[own.tool], **arguments) if own.tool in functions else None


@dataclass
class FetchRun:
    """A `FetchRun` makes the calls for one decision, each at most once, within `left_s`. `made` are those so far."""

    of: Fetching
    left_s: float
    made: list[Fetched] = field(default_factory=list)
    _tried: set[tuple[str, str]] = field(default_factory=set)

    def next(self, decision: Decision) -> tuple[Fetch, Callable[[], Any]] | None:
        """Return the first proposed call that can still be made, with a function that makes it, or None."""
        if len(self._tried) >= self.of.most or self.left_s <= 0:
            return None
        for own in decision.fetch:
            key, work = (own.tool, call_text(own.arguments)), self.of.work_of(own)
            if work is not None and key not in self._tried:
                self._tried.add(key)
                return own, work
        return None

    async def result_of(self, own: Fetch, work: Callable[[], Any]) -> tuple[Any, Literal["failed"] | None]:
        """Make a call, and return its result, or its error as text with `failed`."""
        began = time.monotonic()
        try:
            async with asyncio.timeout(self.left_s) as limit:
                result = await asyncio.to_thread(work)
                result = dumped(await result if inspect.isawaitable(result) else result)
        except Exception as error:  # noqa: BLE001  a function of the app may raise anything
            is_late = isinstance(error, TimeoutError) and limit.expired()
            why = f"no result came within {self.of.timeout_s:g} s" if is_late else f"{type(error).__name__}: {error}"
            return why, "failed"
        finally:
            self.left_s -= time.monotonic() - began
        if is_stop(result, own.arguments):
            return "the call was stopped, so what came back for it is no result", "failed"
        return result, None
