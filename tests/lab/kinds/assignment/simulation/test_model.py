from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.errors import SettingsError
from holdtrue.language.extract import LlmExtractor
from holdtrue.language.readers import UpstreamExtractor
from holdtrue.language.reading import MessageContext
from holdtrue.models.chat import Message, Reply, Request, assistant, system, user
from holdtrue_lab.kinds.assignment.simulation.model import SimulatedModel, open_simulated
from tests.lab.kinds.assignment.simulation.chats import extraction, play, problems, sentences
from tests.lab.suites.drift.instances import INSTANCES
from tests.patience import no_hang

MIXED = "sim/forget:0.3+slip:0.2+omit:0.1+malform:0.1+drop:0.2+flip:0.3+add:0.3+contradict:0.2@3"


async def reported(model: SimulatedModel, messages: tuple[Message, ...], **rest: Any) -> Reply:
    return await model.complete(Request(messages, "extract", **rest))


@pytest.mark.slow
async def test_the_same_request_gets_the_same_reply_from_any_copy_in_any_order() -> None:
    requests = [turn.request for turn in await play(MIXED)]
    requests += [Request(extraction(instance, sentence), "extract") for instance, sentence, _ in sentences()]
    one, two = open_simulated(MIXED), open_simulated(MIXED)
    forwards = [await one.complete(request) for request in requests]
    backwards = [await two.complete(request) for request in reversed(requests)]
    assert forwards == backwards[::-1]
    await one.aclose()
    assert [await one.complete(request) for request in requests[::9]] == forwards[::9]
    other = [await open_simulated(MIXED.replace("@3", "@4")).complete(request) for request in requests]
    assert other != forwards


@pytest.mark.parametrize("name", ["sim/drop:0.5", "sim/add:0.5", "sim/flip:0.5", "sim/contradict:0.5"])
async def test_misreadings_are_reported_and_named(name: str) -> None:
    model = open_simulated(name)
    kind = name[4:-4]
    struck = 0
    for instance, sentence, made in sentences():
        reply = await reported(model, extraction(instance, sentence))
        stated = json.loads(reply.text)["constraints"]
        assert (stated != [made.to_json()]) is (reply.annotations == {"injected": kind})
        for item in stated:
            instance.constraint(item["type"], item["args"])
        struck += bool(reply.annotations)
    assert struck >= 5


async def test_the_answer_follows_the_misreading() -> None:
    """Where nothing else clashes, a flipped sentence is answered the wrong way round."""
    table = INSTANCES[0]
    sentence = "Ann sits immediately left of Bob"
    model = open_simulated("sim/flip:1")
    stated = json.loads((await reported(model, extraction(table, sentence))).text)["constraints"]
    assert stated == [{"type": "left_of", "args": ["Bob", "Ann"]}]
    prompt = "\n".join([*table.setup_lines(), f"New constraints from user: {sentence}."])
    reply = await model.complete(Request((user(prompt),), "answer"))
    seats = json.loads(reply.text)["solution"]
    assert (seats["Bob"] - seats["Ann"]) % 6 == 1
    assert reply.annotations == {"injected": "flip"}


async def test_whole_messages_are_read_under_the_published_protocol() -> None:
    table = INSTANCES[0]
    said = "Ann must sit next to Bob. Also, Cy must sit at position 2. Also, hello."
    prompt = "\n".join([*table.setup_lines(), f"Latest user message: {said}", "Assistant response: {}"])
    reply = await reported(open_simulated("sim/perfect"), (user(prompt),))
    assert json.loads(reply.text)["constraints"] == [
        {"type": "adjacent", "args": ["Ann", "Bob"]},
        {"type": "at_position", "args": ["Cy", 2]},
    ]


@pytest.mark.parametrize(
    ("name", "choice", "injected"), [("sim/perfect", 2, None), ("sim/flip:1", 1, "flip"), ("sim/drop:1", 2, None)]
)
async def test_questions_of_direction_are_answered_as_the_sentence_was_read(
    name: str, choice: int, injected: str | None
) -> None:
    options = ["1: Bob sits immediately left of Ann", "2: Ann sits immediately left of Bob."]
    asked = extraction(INSTANCES[0], "Ann sits immediately left of Bob", *options)
    reply = await reported(open_simulated(name), asked)
    assert json.loads(reply.text) == {"choice": choice}
    assert reply.annotations.get("injected") == injected


async def test_the_project_s_own_readers_read_what_was_said() -> None:
    """Through the real prompts of both protocols, and through the question of direction."""
    model = open_simulated("sim/perfect")
    for problem in problems():
        instance = problem.make_instance()
        for turn in problem.turns:
            stated = problem.gold_by_turn(instance)[turn.number]
            wanted = {instance.canonical(made) for made in stated}
            for reader in (LlmExtractor(model), UpstreamExtractor(model)):
                read = await reader.read(instance, turn.message, MessageContext(turn.number, answer="{}"))
                assert {instance.canonical(r.constraint) for r in read.readings if r.constraint} == wanted
                assert {reading.status for reading in read.readings} == {"accepted"}
    table = INSTANCES[0]
    left, right = (table.constraint("left_of", names) for names in (["Ann", "Bob"], ["Bob", "Ann"]))
    said = "Ann sits immediately left of Bob"
    for first, second, choice in ((left, right, 1), (right, left, 2)):
        asked = extraction(table, said, *(f"{n}: {table.sentence(own)}" for n, own in enumerate((first, second), 1)))
        assert json.loads((await reported(model, asked)).text) == {"choice": choice}


LINES = st.sampled_from(
    [
        "Domain: seating", "Domain: scheduling", "Entities: a, b, c", "Seats: 1 to 9", "Table: rectangular",
        "Time slots: 1 to 1", "New constraints from user: a must sit next to b.", "Sentence: a must sit next to b",
        "1: a must sit next to b", "2: ", "Latest user message: a must sit at position 1; b must sit at position 1",
        "Assistant response: {", "REPAIR REQUIRED", '{"solution": {"a": 1, "b": 2}}', "a must happen before b",
        'Answer with JSON of this shape: {"solution": {"a": <seat>}}', "x" * 2000, "\x00", "Reformat",
    ]
)  # fmt: skip
ROLES = {"system": system, "user": user, "assistant": assistant}
MODEL = open_simulated(MIXED)


@given(
    st.lists(st.tuples(st.sampled_from(sorted(ROLES)), st.lists(LINES, max_size=7).map("\n".join)), max_size=5),
    st.sampled_from(
        [
            None,
            {},
            {"properties": {"a": {}}},
            {"properties": {"a": True}},
            {"type": "object", "properties": {"x": {"type": "string"}}},
        ]
    ),
)
@settings(deadline=None, max_examples=150)
async def test_odd_requests_get_a_reply(parts: list[tuple[str, str]], schema: dict[str, Any] | None) -> None:
    request = Request(tuple(ROLES[role](text) for role, text in parts), "answer", schema=schema)
    reply = await MODEL.complete(request)
    assert isinstance(reply.text, str)
    assert reply == await open_simulated(MIXED).complete(request)


@pytest.mark.parametrize("size", [40, 99])
async def test_huge_settings_are_answered_in_bounded_time(size: int) -> None:
    names = ", ".join(f"p{number}" for number in range(min(size, 40)))
    prompt = f"Domain: seating\nEntities: {names}\nSeats: 1 to {size}, one\nNew constraints from user: p1 sits by p2"
    with no_hang():
        assert (await reported(open_simulated("sim/perfect"), (user(prompt),))).text


def test_names_that_are_none_are_refused() -> None:
    with pytest.raises(SettingsError, match="dream"):
        open_simulated("sim/dream:1")
    assert open_simulated("sim/forget:0.30").name == "sim/forget:0.3"
