"""Tell of the requests of a server in log lines, metrics and traces, without contents unless these are wanted.

Traces and metrics of OpenTelemetry go through its API package, so the operator's own SDK decides where they go.
"""

from __future__ import annotations

import json
import logging
import time
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any

REQUESTS = logging.getLogger("holdtrue.serve.requests")
NAMES = {
    "operation": "gen_ai.operation.name",
    "provider": "gen_ai.provider.name",
    "model": "gen_ai.request.model",
    "answered_by": "gen_ai.response.model",
    "answer": "gen_ai.response.id",
    "conversation": "gen_ai.conversation.id",
    "tokens_in": "gen_ai.usage.input_tokens",
    "tokens_out": "gen_ai.usage.output_tokens",
    "status": "http.response.status_code",
    "error": "error.type",
    "verdict": "holdtrue.verdict",
    "attempts": "holdtrue.attempts",
    "rules": "holdtrue.rules",
    "tenant": "holdtrue.tenant",
}
"""The names of a span's attributes. Those of OpenTelemetry's conventions for generative AI are not stable yet."""
_BOUNDS_S = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 120.0, 300.0)


@dataclass(eq=False)
class Served:
    """A `Served` is a request with what is known of it. `seconds` includes those of the upstream."""

    protocol: str
    tenant: str = ""
    conversation: str = ""
    given: Mapping[str, Any] = field(default_factory=dict)
    answer: Mapping[str, Any] = field(default_factory=dict)
    verdict: Mapping[str, Any] = field(default_factory=dict)
    status: int = 0
    code: str = ""
    seconds: float = 0.0
    upstream_s: float = 0.0

    def facts(self) -> dict[str, Any]:
        """Return the facts on the request by their names in `NAMES`, without contents."""
        usage = self.answer.get("usage")
        usage = usage if isinstance(usage, Mapping) else {}
        rules = [name for own in self.verdict.get("calls", ()) for name in own["rules"]]
        found = {
            "operation": "chat",
            "provider": "anthropic" if self.protocol == "messages" else "openai",
            "model": self.given.get("model"),
            "answered_by": self.answer.get("model"),
            "answer": self.answer.get("id"),
            "conversation": self.conversation,
            "tenant": self.tenant,
            "tokens_in": usage.get("input_tokens", usage.get("prompt_tokens")),
            "tokens_out": usage.get("output_tokens", usage.get("completion_tokens")),
            "status": self.status,
            "error": self.code,
            "verdict": self.verdict.get("verdict"),
            "attempts": self.verdict.get("attempts"),
            "rules": [*dict.fromkeys(rules)],
        }
        return {name: own for name, own in found.items() if own not in (None, "", [])}


class Telemetry:
    """A `Telemetry` counts and tells requests. With `contents`, log lines have the requests and the answers, too."""

    def __init__(self, *, contents: bool = False) -> None:
        from opentelemetry import trace

        self.contents = contents
        self._tracer = trace.get_tracer("holdtrue")
        self._times: dict[str, list[float]] = {}
        """For each duration the number of requests in each of `_BOUNDS_S` and beyond, and the sum of seconds."""
        self._counts: Counter[tuple[str, tuple[tuple[str, str], ...]]] = Counter()

    @contextmanager
    def request(self, protocol: str, headers: Mapping[str, str]) -> Iterator[Served]:
        """Measure a request while the block runs, and tell it at the end."""
        from opentelemetry import propagate, trace

        own, begun = Served(protocol), time.perf_counter()
        context = propagate.extract(headers)
        with self._tracer.start_as_current_span("chat", context=context, kind=trace.SpanKind.SERVER) as span:
            try:
                yield own
            finally:
                own.seconds = time.perf_counter() - begun
                facts = own.facts()
                span.update_name(f"chat {facts.get('model', '')}".strip())
                for name, value in facts.items():
                    span.set_attribute(NAMES[name], value)
                self._count(own, facts)
                self._log(own, facts)

    def _count(self, own: Served, facts: Mapping[str, Any]) -> None:
        verdict = str(own.verdict.get("verdict", "none"))
        self.add("holdtrue_requests_total", protocol=own.protocol, status=str(own.status), verdict=verdict)
        for each in own.verdict.get("calls", ()):
            self.add("holdtrue_decisions_total", decision=each["decision"])
        for name in ("tokens_in", "tokens_out"):
            if isinstance(facts.get(name), int):
                self.add("holdtrue_tokens_total", facts[name], kind=name.removeprefix("tokens_"))
        for name, seconds in (("request", own.seconds), ("own", own.seconds - own.upstream_s)):
            times = self._times.setdefault(name, [0.0] * (len(_BOUNDS_S) + 2))
            times[bisect_left(_BOUNDS_S, seconds)] += 1
            times[-1] += seconds

    def add(self, name: str, number: float = 1, **labels: str) -> None:
        """Add a number to a metric."""
        self._counts[name, tuple(sorted(labels.items()))] += number  # type: ignore[assignment]

    def metrics(self, **now: float) -> str:
        """Return all metrics in the text form of Prometheus. `now` are values of this moment."""
        lines = [f"holdtrue_{name} {value:g}" for name, value in now.items()]
        for name, times in self._times.items():
            *counts, total = times
            bounds = zip((*_BOUNDS_S, "+Inf"), accumulate(counts), strict=True)
            lines += [f'holdtrue_{name}_seconds_bucket{{le="{bound}"}} {count:g}' for bound, count in bounds]
            lines += [f"holdtrue_{name}_seconds_sum {total:.10g}", f"holdtrue_{name}_seconds_count {sum(counts):g}"]
        for (name, labels), number in sorted(self._counts.items()):
            told = ",".join(f"{own}={json.dumps(value)}" for own, value in labels)
            lines.append(f"{name}{{{told}}} {number:.10g}" if told else f"{name} {number:.10g}")
        return "\n".join(lines) + "\n"

    def _log(self, own: Served, facts: Mapping[str, Any]) -> None:
        if not REQUESTS.isEnabledFor(logging.INFO):
            return
        line = {"protocol": own.protocol, **facts}
        line |= {"ms": round(own.seconds * 1000, 1), "upstream_ms": round(own.upstream_s * 1000, 1)}
        if self.contents:
            line |= {"request": own.given, "reply": own.answer}
        REQUESTS.info("%s", json.dumps(line, default=str))


class JsonLines(logging.Formatter):
    """`JsonLines` writes each record of a log as one JSON object."""

    def format(self, record: logging.LogRecord) -> str:
        """Return a record as a line. A message that is an object is not quoted again."""
        at = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created)) + f".{int(record.msecs):03d}Z"
        message = record.getMessage()
        own = {"at": at, "level": record.levelname.lower(), "logger": record.name}
        own |= json.loads(message) if record.name == REQUESTS.name else {"message": message}
        if record.exc_info:
            own["error"] = self.formatException(record.exc_info)
        return json.dumps(own)
