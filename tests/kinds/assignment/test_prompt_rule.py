"""A prompt may hold the frame, the user's messages, the model's output, verdicts about it, and delivered answers.

It never holds gold, later turns, or the values of a witness that was not delivered.
"""

from __future__ import annotations

import re

import pytest

from holdtrue.conversation import Session
from holdtrue.kinds.assignment.method import PRESETS
from holdtrue.kinds.assignment.record import AssignmentRecord
from holdtrue.language.readers import PROTOCOLS, GoldExtractor, Protocol, TemplateExtractor
from holdtrue.language.reading import Extractor
from holdtrue.models.chat import Request
from holdtrue.world.domain import Attribute, Axiom, ConstraintType, Domain, Entity, Integer
from holdtrue.world.instance import Constraint, Instance
from tests.recorder import Recorder

# The house rule keeps every witness away from the numbers in messages. The lexicographically first and the nearest
# answers use 113 and 114, which no message has.
HOUSE_MINIMUM = 113
CODES = Domain(
    name="codes",
    attributes=[Attribute("code", low=100, high=150)],
    constraint_types=[
        ConstraintType("lower", (Entity(), Entity()), "{0} has a lower code than {1}", lambda w, a, b: a.code < b.code),
        ConstraintType("at", (Entity(), Integer(100, 150)), "{0} has code {1}", lambda w, a, k: a.code.eq(k)),
    ],
    axioms=lambda w: [
        Axiom(f"house of {e}", "codes obey the house rule", w[e].code >= HOUSE_MINIMUM) for e in w.entities
    ],
)
ENTITIES = ["Ann", "Bob", "Cy"]
MESSAGES = ["Ann has a lower code than Bob.", "Bob has a lower code than Cy.", "Cy has code 140."]
GOLD = [("lower", "Ann", "Bob"), ("lower", "Bob", "Cy"), ("at", "Cy", 140)]
SECRETS = re.compile(r"\b(113|114|115)\b")
WRONG = '{"solution": {"Ann": 131, "Bob": 121, "Cy": 111}}'
METHODS = sorted(PRESETS)


def instance() -> Instance:
    return CODES.instance(ENTITIES)


def gold(world: Instance, later: int | None = None) -> GoldExtractor:
    """Return the gold readings. From turn `later` on, they are different ones."""
    readings: dict[int, list[Constraint]] = {}
    for turn, (type, *args) in enumerate(GOLD, 1):
        changed = later is not None and turn >= later
        readings[turn] = [world.constraint("at", ["Ann", 127]) if changed else world.constraint(type, args)]
    return GoldExtractor(readings)


def reading(request: Request, answer: str) -> str:
    """A model that gives `answer`, and reads nothing if it is asked to read a message."""
    return '{"constraints": []}' if request.purpose.startswith("extract") else answer


async def played(
    method: str,
    protocol: Protocol,
    answer: str = WRONG,
    messages: list[str] = MESSAGES,
    later: int | None = None,
    reader: str = "gold",
) -> tuple[Recorder, list[AssignmentRecord], list[int]]:
    """The model with its requests, the records, and how many requests had been sent after each turn."""
    world, model = instance(), Recorder(lambda request: reading(request, answer))
    extractor: Extractor | str = reader
    if reader == "gold":
        extractor = TemplateExtractor() if messages is CLASHING else gold(world, later)
    session = Session(world, model=model, method=method, protocol=protocol, extractor=extractor)
    records, sent = [], []
    for message in messages:
        records.append(await session.turn(message))
        sent.append(len(model.requests))
    return model, records, sent


# The last turn contradicts the first.
CLASHING = [*MESSAGES[:2], "Ann has code 150."]
SITUATIONS = [
    (WRONG, MESSAGES, "gold"),
    (WRONG, CLASHING, "gold"),
    ("no idea", MESSAGES, "gold"),
    (WRONG, MESSAGES, "llm"),
]


@pytest.mark.parametrize(("answer", "messages", "reader"), SITUATIONS, ids=["wrong", "clash", "unreadable", "llm"])
@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("method", METHODS)
async def test_no_value_of_an_undelivered_witness(
    method: str, protocol: Protocol, answer: str, messages: list[str], reader: str
) -> None:
    model, records, sent = await played(method, protocol, answer, messages, reader=reader)
    delivered = ""
    for turn, record in enumerate(records):
        for index in range(sent[turn - 1] if turn else 0, sent[turn]):
            # The published way reads the very answer that is about to be delivered, whoever gave it.
            read = model.requests[index].purpose.startswith("extract") and protocol != "stated"
            allowed = delivered + (record.attempts[0].text if read else "")
            for secret in SECRETS.findall(model.prompts[index]):
                assert secret in allowed, f"turn {turn + 1} of {method} knows {secret}"
        delivered += record.delivered or ""
    if PRESETS[method].fallback == "project" and (answer, messages, reader) == (WRONG, MESSAGES, "gold"):
        assert SECRETS.search(delivered), "the test must have a witness to hide"


@pytest.mark.parametrize("reader", ["gold", "llm"])
@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("method", METHODS)
async def test_later_turns_and_their_gold_change_no_earlier_prompt(
    method: str, protocol: Protocol, reader: str
) -> None:
    model, _, sent = await played(method, protocol, reader=reader)
    other, _, _ = await played(method, protocol, messages=[*MESSAGES[:2], "Bob has code 149."], later=3, reader=reader)
    assert reader == "gold" or any(request.purpose.startswith("extract") for request in model.requests)
    assert model.prompts[: sent[1]] == other.prompts[: sent[1]]
    assert not any("149" in prompt for prompt in other.prompts[: sent[1]])


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("method", [name for name in METHODS if PRESETS[name].repairs])
async def test_repairs_see_their_own_turn_and_the_hint_names_entities_only(method: str, protocol: Protocol) -> None:
    model, records, _ = await played(method, protocol)
    repairs = [p for p, r in zip(model.prompts, model.requests, strict=True) if r.purpose == "repair"]
    assert repairs and any(record.final.kind in ("repair", "fallback") for record in records)
    assert all("REPAIR REQUIRED" in prompt for prompt in repairs)
    hints = [hint for prompt in repairs for hint in re.findall(r"Change only these entities: (.*)\. Keep", prompt)]
    assert bool(hints) == PRESETS[method].feedback.hint
    assert all(set(hint.split(", ")) <= set(ENTITIES) for hint in hints)


@pytest.mark.parametrize("method", [name for name in METHODS if PRESETS[name].answerer == "model"])
async def test_stated_tells_the_setting_in_every_turn_and_the_published_ones_in_the_first(method: str) -> None:
    for protocol in PROTOCOLS:
        model, _, sent = await played(method, protocol)
        answers = [i for i, request in enumerate(model.requests) if request.purpose in ("answer", "repair")]
        described = {i: "Every entity has a code" in model.prompts[i] for i in answers}
        expected = {i: protocol == "stated" or i < sent[0] for i in answers}
        assert described == expected


async def test_a_projected_answer_is_marked_in_the_history() -> None:
    model, records, _ = await played("project", "stated")
    assert records[0].detail.projected
    assert "(This answer was completed by the constraint checker.)" in model.prompts[-1]
    direct, _, _ = await played("direct", "stated")
    assert "constraint checker" not in direct.prompts[-1]
