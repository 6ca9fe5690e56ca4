from __future__ import annotations

import json
from statistics import mean

import pytest

from holdtrue.language.judgements import critique_request
from holdtrue.models.chat import Request
from holdtrue.world.answer import Assignment, Unparsed
from holdtrue_lab.kinds.assignment.simulation.model import open_simulated
from tests.lab.kinds.assignment.simulation.chats import Played, play
from tests.slow import first_of


@pytest.mark.parametrize(
    "name",
    first_of([
        "sim/forget:0.1+slip:0.1+malform:0.1+omit:0.1+skill:0.98+drop:0.05+flip:0.2+add:0.3+contradict:0.1@4",
        "sim/forget:0.4", "sim/slip:0.4", "sim/malform:0.4", "sim/omit:0.4", "sim/skill:0.9", "sim/drop:0.1",
        "sim/flip:0.5", "sim/add:0.7", "sim/contradict:0.7",
    ], 3),
)  # fmt: skip
async def test_an_answer_is_wrong_exactly_where_a_fault_is_named(name: str) -> None:
    """Checked by direct evaluation of the delivered text against everything that was truly said."""
    played = await play(name)
    for turn in played:
        assert turn.correct is not bool(turn.injected), (turn.message, turn.reply)
        _check_the_effect(turn)
    named = set().union(*(turn.injected for turn in played))
    able = {part.partition(":")[0] for part in name.partition("@")[0].removeprefix("sim/").split("+")}
    # What is only read into sentences, or reported beside them, breaks no answer.
    assert named == able - {"add", "contradict"}


def _check_the_effect(turn: Played) -> None:
    answer = turn.answer
    if "malform" in turn.injected:
        assert isinstance(answer, Unparsed)
        return
    assert isinstance(answer, Assignment)
    missing = {
        turn.instance.slot(name).entity for name in answer.missing(turn.instance.variables, turn.instance.required)
    }
    assert len(missing) == ("omit" in turn.injected)
    if turn.injected & {"forget", "skill", "drop", "flip"} and not missing:
        assert turn.broken


async def test_skill_falls_with_depth_and_rises_with_skill() -> None:
    def share(played: list[Played], turns: range) -> float:
        return mean(turn.correct for turn in played if turn.number in turns)

    played = {skill: await play(f"sim/skill:{skill}") for skill in (0.98, 0.92, 0.8, 0.5)}
    assert all(share(turns, range(1, 2)) == 1 for turns in played.values())
    overall = [share(turns, range(1, 7)) for turns in played.values()]
    assert overall == sorted(overall, reverse=True)
    assert len(set(overall)) == 4
    assert share(played[0.8], range(5, 7)) < share(played[0.8], range(2, 4))


async def test_without_the_setting_later_turns_are_answered_by_guess() -> None:
    played = await play("sim/perfect", protocol="upstream")
    assert all(turn.correct for turn in played if turn.number == 1)
    assert mean(turn.correct for turn in played) > 0.8
    assert not any(turn.injected for turn in played)


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
