"""The published way of reading."""

from __future__ import annotations

import pytest

from holdtrue.language.readers import SYSTEM, UpstreamExtractor
from holdtrue.language.reading import MessageContext
from holdtrue.models.chat import Request
from holdtrue.models.scripted import ScriptModel
from holdtrue.world.instance import Constraint
from holdtrue.world.seating import SEATING

TABLE = SEATING.instance(["Nora", "Omar", "Priya"])


async def test_the_prompt_has_the_published_fields() -> None:
    seen: list[Request] = []

    def answer(request: Request) -> str:
        seen.append(request)
        return '{"constraints": []}'

    found = await UpstreamExtractor(ScriptModel(answer)).read(
        TABLE, "Nora sits at 1", MessageContext(4, answer='{"Nora": 1}')
    )
    assert found.readings == ()
    assert len(found.calls) == 1
    assert seen[0].messages[0].content == SYSTEM
    lines = seen[0].messages[1].content.splitlines()
    assert lines[:5] == [
        "Domain: seating",
        "Source turn: 4",
        "Entities: Nora, Omar, Priya",
        "Latest user message: Nora sits at 1",
        'Assistant response: {"Nora": 1}',
    ]
    assert "- at_position: args [entity, integer]" in lines
    assert not any("same_side" in line for line in lines)  # this table has no sides


async def test_items_are_read_one_by_one() -> None:
    reply = (
        'Here: {"constraints": [{"type": "at_position", "args": ["nora", 1]}, '
        '{"type": "at_position", "args": ["Zed", 1]}, {"type": "on_top_of", "args": []}, 5]}'
    )
    found = await UpstreamExtractor(ScriptModel([reply])).read(TABLE, "Nora sits at 1", MessageContext(answer=""))
    assert found.readings[0].constraint == Constraint("at_position", ("Nora", 1))
    assert [r.status for r in found.readings] == ["accepted", "rejected", "rejected", "rejected"]
    assert [r.code for r in found.readings] == [None, "unknown_entity", "unknown_type", None]


@pytest.mark.parametrize("text", ["", "nothing", "[1]", '{"constraints": {}}', '{"other": []}'])
async def test_a_reply_without_a_list_is_rejected(text: str) -> None:
    found = await UpstreamExtractor(ScriptModel([text])).read(TABLE, "Nora sits at 1", MessageContext(answer=""))
    assert [(r.status, r.constraint) for r in found.readings] == [("rejected", None)]
