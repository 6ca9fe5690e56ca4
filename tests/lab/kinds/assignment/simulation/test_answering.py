from __future__ import annotations

from collections import Counter
from statistics import mean

import pytest

from holdtrue.kinds.assignment.prompts import AnswerPrompt
from holdtrue.models.chat import Request
from holdtrue.world.answer import Assignment, Unparsed
from holdtrue_lab.kinds.assignment.simulation.model import open_simulated
from tests.lab.kinds.assignment.simulation.chats import REPAIR, Played, play
from tests.lab.suites.drift.instances import INSTANCES
from tests.slow import first_of

TURNS = 72


async def test_the_perfect_model_is_always_right() -> None:
    played = await play("sim/perfect")
    assert len(played) == TURNS
    assert all(turn.correct and not turn.injected for turn in played)


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


async def test_forgetting_prefers_what_was_said_in_earlier_turns() -> None:
    played = [turn for turn in await play("sim/forget:1") if turn.number > 1]
    now = [made for turn in played for made in turn.broken if made in _new(turn)]
    assert sum(bool(turn.broken) for turn in played) >= len(played) - 3
    assert len(now) < len(played) / 4


def _new(turn: Played) -> set[object]:
    return {made for made in turn.gold if turn.instance.sentence(made) in turn.message}


async def test_slips_change_one_value() -> None:
    right = await play("sim/perfect")
    for slip, plain in zip(await play("sim/slip:1"), right, strict=True):
        assert isinstance(slip.answer, Assignment) and isinstance(plain.answer, Assignment)
        changed = [name for name, value in slip.answer.values.items() if plain.answer.values[name] != value]
        assert len(changed) == 1
        sort = slip.instance.variables[changed[0]].sort
        assert slip.answer.values[changed[0]] in sort


async def test_the_rate_is_the_share_of_turns() -> None:
    wrong = [not turn.correct for seed in range(4) for turn in await play(f"sim/malform:0.3@{seed}")]
    # Four standard deviations of the mean of 288 throws are 0.108.
    assert abs(mean(wrong) - 0.3) < 0.108


async def test_skill_falls_with_depth_and_rises_with_skill() -> None:
    def share(played: list[Played], turns: range) -> float:
        return mean(turn.correct for turn in played if turn.number in turns)

    played = {skill: await play(f"sim/skill:{skill}") for skill in (0.98, 0.92, 0.8, 0.5)}
    assert all(share(turns, range(1, 2)) == 1 for turns in played.values())
    overall = [share(turns, range(1, 7)) for turns in played.values()]
    assert overall == sorted(overall, reverse=True)
    assert len(set(overall)) == 4
    assert share(played[0.8], range(5, 7)) < share(played[0.8], range(2, 4))


async def test_a_repair_prompt_is_another_throw() -> None:
    first = await play("sim/malform:0.5")
    again = await play("sim/malform:0.5", repair=REPAIR)
    outcomes = Counter((bool(a.injected), bool(b.injected)) for a, b in zip(first, again, strict=True))
    # All four combinations, each expected 18 times.
    assert len(outcomes) == 4
    assert min(outcomes.values()) >= 5


async def test_samples_differ_and_repeat() -> None:
    model = open_simulated("sim/slip:0.5")
    messages = (await play("sim/perfect"))[5].request.messages
    texts = [(await model.complete(Request(messages, "answer", sample=sample))).text for sample in range(12)]
    assert len(set(texts)) > 1
    assert texts == [(await model.complete(Request(messages, "answer", sample=sample))).text for sample in range(12)]


async def test_a_user_who_contradicts_himself_is_followed_in_what_he_said_last() -> None:
    table = INSTANCES[0]
    message = "Ann must sit at position 2. Also, Bob must sit at position 3. Also, Ann must sit at position 4."
    prompt = AnswerPrompt(table, "direct", "stated", (), message)
    played = await open_simulated("sim/perfect").complete(Request(prompt.messages(), "answer"))
    assert '"Ann": 4, "Bob": 3' in played.text
    assert not played.annotations


async def test_without_the_setting_later_turns_are_answered_by_guess() -> None:
    played = await play("sim/perfect", protocol="upstream")
    assert all(turn.correct for turn in played if turn.number == 1)
    assert mean(turn.correct for turn in played) > 0.8
    assert not any(turn.injected for turn in played)
