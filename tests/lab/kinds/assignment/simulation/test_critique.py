"""A simulated model looks at its own answer with the memory that it has."""

from __future__ import annotations

import json

import pytest

from holdtrue.language.judgements import critique_request
from holdtrue.models.chat import Request
from holdtrue_lab.kinds.assignment.simulation.model import open_simulated
from tests.lab.kinds.assignment.simulation.chats import Played, play


async def criticised(name: str, turn: Played) -> dict[str, object]:
    asked = critique_request(turn.request.messages, turn.reply.text)
    reply = await open_simulated(name).complete(Request(asked, "critique"))
    found: dict[str, object] = json.loads(reply.text)
    return found


async def test_a_model_that_forgets_nothing_finds_exactly_what_is_broken() -> None:
    wrong = 0
    for turn in await play("sim/forget:0.5@2"):
        found = await criticised("sim/perfect", turn)
        problems = found["problems"]
        assert isinstance(problems, list)
        assert set(problems) == {turn.instance.sentence(made) for made in turn.broken}
        assert found["ok"] is turn.correct
        wrong += not turn.correct
    assert wrong


@pytest.mark.slow
async def test_a_forgetful_model_overlooks_some_of_it_and_invents_nothing() -> None:
    turns = [turn for turn in await play("sim/skill:0.7@2") if not turn.correct]
    found = [await criticised("sim/skill:0.7@2", turn) for turn in turns]
    seen = sum(not each["ok"] for each in found)
    assert 0 < seen < len(turns)
    for turn in await play("sim/perfect"):
        assert (await criticised("sim/skill:0.7@2", turn))["ok"]


@pytest.mark.parametrize("text", ["no idea", '{"solution": {}}'])
async def test_what_is_no_answer_is_a_problem(text: str) -> None:
    turn = (await play("sim/perfect"))[0]
    asked = critique_request(turn.request.messages, text)
    reply = json.loads((await open_simulated("sim/perfect").complete(Request(asked, "critique"))).text)
    assert reply == {"ok": False, "problems": ["the answer is not complete"]}
