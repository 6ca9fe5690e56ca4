"""This module adds up the calls, tokens and seconds of a method for each problem.

The cost of a call counts for every method that needs it, even if the call log answered it for free.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

from holdtrue.record import TurnRecord
from holdtrue_lab.kit.arm import Arm
from holdtrue_lab.kit.entry import Entry, FailureEntry
from holdtrue_lab.kit.prices import Tokens


@dataclass(frozen=True, slots=True)
class Spent:
    """A `Spent` is the cost of a method on one problem: its calls, their time, and the solver's time.

    `by_model` has the tokens of each called model. Calls that only measured the method are not counted.
    """

    calls: int
    prompt_tokens: int
    completion_tokens: int
    latency_s: float
    solver_s: float
    by_model: Mapping[str, Tokens]

    @property
    def tokens(self) -> int:
        return self.prompt_tokens + self.completion_tokens

    @property
    def seconds(self) -> float:
        """The recorded time of the calls plus the CPU time of the solver."""
        return self.latency_s + self.solver_s


@dataclass(slots=True)
class _Sum:
    calls: int = 0
    latency_s: float = 0.0
    solver_s: float = 0.0
    by_model: dict[str, Tokens] = field(default_factory=dict)

    def add(self, record: TurnRecord[Any, Any]) -> None:
        self.solver_s += record.solver_s
        for call in chain(record.extraction, *(attempt.calls for attempt in record.attempts)):
            used, model = call.usage, call.model or record.model
            prompt, completion = self.by_model.get(model, (0, 0))
            self.by_model[model] = (prompt + used.prompt_tokens, completion + used.completion_tokens)
            self.calls += used.calls
            self.latency_s += used.latency_s

    def close(self) -> Spent:
        prompt = sum(tokens for tokens, _ in self.by_model.values())
        completion = sum(tokens for _, tokens in self.by_model.values())
        return Spent(self.calls, prompt, completion, self.latency_s, self.solver_s, self.by_model)


class Spending:
    """A `Spending` adds up costs by problem and arm (a method with a model) while entries are read."""

    def __init__(self) -> None:
        # The keys are plain tuples, because making and hashing an `Arm` takes as long as all other work here.
        self._sums: dict[tuple[str, ...], _Sum] = {}

    def watch(self, entries: Iterable[Entry]) -> Iterator[Entry]:
        """Add up the costs of the entries, and yield them unchanged."""
        for entry in entries:
            if not isinstance(entry, FailureEntry):
                record = entry.record
                key = (entry.suite, record.model, record.variant, record.reader, entry.method, entry.problem)
                found = self._sums.get(key)
                if found is None:
                    found = self._sums[key] = _Sum()
                found.add(record)
            yield entry

    def of(self, arm: Arm, problem: str) -> Spent | None:
        """Return the cost of a problem, or None if none of its turns was read."""
        found = self._sums.get((arm.suite, arm.model, arm.protocol, arm.extractor, arm.method, problem))
        return None if found is None else found.close()
