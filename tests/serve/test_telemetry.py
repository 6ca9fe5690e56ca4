"""Traces and log lines of requests have the conventions' names, and contents only if that is wanted."""

from __future__ import annotations

import json
import logging
from typing import Any

import pytest

pytest.importorskip("opentelemetry.sdk", reason="OpenTelemetry's SDK is not installed")

from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from holdtrue.serve.telemetry import NAMES, REQUESTS, JsonLines, Telemetry

VERDICT = {"verdict": "refused", "attempts": 2, "calls": [{"decision": "block", "rules": ["few"]}] * 2}
PARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"


def told(caplog: pytest.LogCaptureFixture, *, contents: bool) -> tuple[Any, dict[str, Any], Telemetry]:
    exporter, provider, own = InMemorySpanExporter(), TracerProvider(), Telemetry(contents=contents)
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    own._tracer = provider.get_tracer("holdtrue")  # A process has one provider for good, and this test another one.
    with caplog.at_level(logging.INFO, REQUESTS.name), own.request("messages", {"traceparent": PARENT}) as served:
        served.tenant, served.conversation, served.status = "acme", "c", 200
        served.given = {"model": "m", "messages": [{"role": "user", "content": "a secret"}]}
        served.answer = {"id": "a", "model": "m-2", "usage": {"input_tokens": 3, "output_tokens": 4}}
        served.verdict = VERDICT
    provider.shutdown()
    (span,) = exporter.get_finished_spans()
    return span, json.loads(JsonLines().format(caplog.records[-1])), own


def test_a_span_has_the_names_of_the_conventions(caplog: pytest.LogCaptureFixture) -> None:
    span, line, own = told(caplog, contents=False)
    assert span.name == "chat m" and f"{span.context.trace_id:032x}" == PARENT.split("-")[1]
    found = dict(span.attributes)
    assert (found["gen_ai.request.model"], found["gen_ai.usage.output_tokens"]) == ("m", 4)
    assert (found["gen_ai.conversation.id"], found["holdtrue.verdict"]) == ("c", "refused")
    assert found["holdtrue.rules"] == ("few",) and found.keys() <= {*NAMES.values()}
    assert "secret" not in json.dumps(line) and (line["level"], line["attempts"]) == ("info", 2)
    metrics = own.metrics(under_way=0)
    assert 'holdtrue_decisions_total{decision="block"} 2' in metrics and "holdtrue_under_way 0" in metrics
    assert 'holdtrue_tokens_total{kind="in"} 3' in metrics and 'holdtrue_own_seconds_bucket{le="+Inf"} 1' in metrics


def test_contents_are_told_only_if_that_is_wanted(caplog: pytest.LogCaptureFixture) -> None:
    _, line, _ = told(caplog, contents=True)
    assert line["request"]["messages"][0]["content"] == "a secret" and line["reply"]["id"] == "a"
