"""A schema is checked as it was written: what it says counts at every depth."""

from __future__ import annotations

from typing import Any

import pytest

from holdtrue.rules.schema_validation import SchemaValidator


@pytest.mark.parametrize(
    "form, good",
    [
        *(("date", "2026-03-02"), ("time", "10:30"), ("date-time", "2026-03-02T10:30"), ("duration", "PT2H")),
        *(("time", "01:59:60+02:00"), ("date-time", "2016-12-31T23:59:60Z"), ("duration", "P1Y2M")),
    ],
)
@pytest.mark.parametrize(
    "around, value",
    [
        (lambda own: {"properties": {"a": own}}, lambda text: {"a": text}),
        (lambda own: {"if": {"required": ["a"]}, "then": {"properties": {"a": own}}}, lambda text: {"a": text}),
        (lambda own: {"dependentSchemas": {"a": {"properties": {"a": own}}}}, lambda text: {"a": text}),
        (lambda own: {"patternProperties": {"^a": own}}, lambda text: {"ab": text}),
        (lambda own: {"additionalProperties": own}, lambda text: {"a": text}),
        (lambda own: {"prefixItems": [own]}, lambda text: [text]),
        (lambda own: {"contains": own}, lambda text: [1, text]),
        (lambda own: {"items": {"not": {"not": own}}}, lambda text: [text]),
    ],
)
def test_a_format_that_types_read_counts_wherever_it_stands(around: Any, value: Any, form: str, good: str) -> None:
    validator = SchemaValidator(around({"type": "string", "format": form}), "x", local=True)
    assert validator.fault(value(good)) is None
    assert validator.fault(value("soon")) is not None
    strict = SchemaValidator(validator.schema, "x")
    assert (strict.fault(value(good)) is None) is (good != "2026-03-02T10:30")
    assert SchemaValidator(around({"type": "string", "format": "email"}), "x").fault(value("soon")) is None
