"""Tests of the notes on statements that readers do not fill in, with the reader itself as the oracle."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest

from holdtrue.guard import make_policy
from holdtrue.guard.analysis.policy_analysis import MOST_NAMED, analyse_policy
from holdtrue.guard.conversation.message_reading import guard_acts, unread_by
from holdtrue.guard.policy import Policy
from holdtrue.language.requests.operation import RequestContext
from holdtrue.language.requests.plain_reader import PlainReader, never_answered

TYPES: dict[str, Any] = {
    "flag": "bool", "number": "whole", "day": "date", "hour": "time", "why": ["late", "broken"], "odd": ["yes", "no"],
    "same": ["red", "blue"], "name": "text", "id": "id of order", "several": "list of text", "by_id": "map of text",
    "moment": "moment", "thing": {"part": "text"},
}  # fmt: skip
ANSWERS = ("yes", "no", "5", "on 6 March 2026", "at 7 pm", "late", "A-17", "some words", "2026-03-06T19:00:00", "red")
UNREAD = {"several", "by_id", "moment", "thing"}


def policy(hold: str = "true", consent: Any = (), asks: Any = None) -> Policy:
    said = {
        name: {"type": type, "ask": (asks or {}).get(name, f"What about the {name}?")} for name, type in TYPES.items()
    }
    properties = {"color": {"enum": ["red", "blue"]}, "why": {"enum": ["late", "broken"]}}
    return make_policy(
        "asks",
        tools={"definitions": [{"name": "act", "parameters": {"properties": properties}}], "consent": [*consent]},
        said=said,
        rules=[{"id": "r", "on": "act", "hold": hold, "say": "So."}],
    )


async def read_by_code(own: Policy, questions: dict[str, str]) -> set[str]:
    """Return the statements that the reader fills in for some answer to some question."""
    found, acts = set(), guard_acts(own)
    for asked in ("", *questions.values()):
        for answer in ANSWERS:
            context = RequestContext(1, datetime(2026, 3, 2), assistant=asked, questions=questions)
            reading = await PlainReader().read_requests(acts, answer, context)
            found |= {each.argument for each in reading.operations}
    return found


CLASHING = (
    {"flag": None, "why": None},
    {"number": "How many?", "day": "How many?"},
    {"flag": "Tell me, what about the day?"},
)


@pytest.mark.parametrize("asks", [{}, *CLASHING, {"flag": "?", "hour": "Is it the Hour?"}])
async def test_code_never_answers_just_those_that_no_answer_fills(asks: dict[str, str | None]) -> None:
    own = policy(asks=asks)
    asked = {name: each.question for name, each in own.said.items() if each.is_asked}
    never, unread = {*never_answered(guard_acts(own), asked)}, {*unread_by(PlainReader(), own)}
    assert never == own.said.keys() - await read_by_code(own, asked) and unread == UNREAD and never >= UNREAD
    noted = {name for name in own.said if f"said.{name}" in " ".join(analyse_policy(own).notes)}
    assert noted <= never and len(noted) == len(UNREAD) + min(MOST_NAMED, len(never - UNREAD))


@pytest.mark.parametrize(
    ("hold", "consent", "told"),
    [
        ("said.why == 'late'", [], True),
        ("said.why == 'late'", [{"on": "act", "how": "words"}], True),
        ("said.why == 'late'", ["act"], False),
        ("call.why == 'late'", [], False),
        ("said.flag", [], False),
    ],
)
def test_an_argument_of_the_same_name_is_told_where_no_listing_settles_it(hold: str, consent: Any, told: bool) -> None:
    assert any("in place of said.why" in own for own in analyse_policy(policy(hold, consent)).notes) is told
