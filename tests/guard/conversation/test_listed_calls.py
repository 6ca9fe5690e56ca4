"""A text lists just a call where code finds the call in it, and nothing in the place of any of it."""

from __future__ import annotations

from datetime import datetime

import pytest

from holdtrue.guard import make_policy
from holdtrue.guard.conversation.consent import lists_just
from holdtrue.guard.conversation.said import Said
from tests.guard.conversation.shop import NOW


@pytest.mark.parametrize(("extent", "expected"), [("full", True), ("footway", False), ("half", True)])
def test_a_choice_that_is_named_with_another_thing_is_not_this_ones(extent: str, expected: bool) -> None:
    properties = {"work": {"type": "string"}, "extent": {"type": "string", "enum": ["full", "half", "footway"]}}
    own = make_policy(
        "streets",
        now=NOW,
        tools={
            "definitions": [{"name": "close", "parameters": {"type": "object", "properties": properties}}],
            "writes": ["close"],
            "types": {"*": {"work": "id of work"}},
        },
    )
    said = Said("I close SW/26-150 fully. And the footway for SW/26-151. Ok?", datetime.fromisoformat(NOW), "en-US")
    call = {"work": "SW/26-150", "extent": extent}
    assert lists_just(said, own.tools["close"], call, frozenset()) is expected
