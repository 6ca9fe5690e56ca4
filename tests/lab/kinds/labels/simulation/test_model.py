from __future__ import annotations

import json
import math
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest
from hypothesis import given as drawn_from
from hypothesis import settings
from hypothesis import strategies as st

from holdtrue.errors import SettingsError
from holdtrue.kinds.labels.case import Case
from holdtrue.kinds.labels.prompts import LabelRepair, label_format_retry
from holdtrue.kinds.labels.replies import read_labels
from holdtrue.language.asking import truncation_retry
from holdtrue.models.chat import Message, Reply, Request, assistant, system, user
from holdtrue.record import Label
from holdtrue_lab.kinds.labels.simulation import LabelCharacter, SimulatedAnswerer
from holdtrue_lab.kit.simulation.model import LOST
from tests.lab.kinds.assignment.simulation.lamps import LAMPS, asked, reply


@pytest.mark.parametrize(
    ("name", "character"),
    [
        ("sim/labels", LabelCharacter()),
        ("sim/labels@3", LabelCharacter(seed=3)),
        ("sim/labels:wrong=0.2", LabelCharacter(wrong=0.2)),
        (
            "sim/labels:wrong=0.2,unknown=0.1,contradict=0.1,confidence=0.9/0.6@7",
            LabelCharacter(0.2, 0.1, 0.1, (0.9, 0.6), seed=7),
        ),
        ("sim/labels:confidence=1/0", LabelCharacter(confidence=(1.0, 0.0))),
        ("sim/labels:wrong=.5,unknown=.25,contradict=.25", LabelCharacter(0.5, 0.25, 0.25)),
        ("sim/labels:belief@2", LabelCharacter(wrong=0.3, confidence=(0.9, 0.6), seed=2)),
    ],
)
def test_names_say_what_an_answerer_is_like(name: str, character: LabelCharacter) -> None:
    assert LabelCharacter.read(name) == character
    assert LabelCharacter.read(character.name) == character


@pytest.mark.parametrize(
    "name",
    [
        "sim/", "sim/label", "labels", "sim/labels:", "sim/labels:wrong", "sim/labels:wrong=", "sim/labels:wrong=1.1",
        "sim/labels:wrong=-1", "sim/labels:wrong=nan", "sim/labels:dream=0.5", "sim/labels:wrong=0.5,wrong=0.1",
        "sim/labels:wrong=0.6,unknown=0.5", "sim/labels:confidence=0.9", "sim/labels:confidence=0.9/1.1",
        "sim/labels:seed=1", "sim/labels@", "sim/labels@x", "sim/labels:wrong=0.5@-1", "sim/labels:drift",
        "sim/perfect", "sim/labelsx:wrong=1", "openai/labels",
    ],
)  # fmt: skip
def test_other_names_are_refused(name: str) -> None:
    with pytest.raises(SettingsError, match="labels"):
        LabelCharacter.read(name)


MIXED = "sim/labels:wrong=0.2,unknown=0.1,contradict=0.15,confidence=0.9/0.6@3"
Labels = dict[str, Label]


def gold(case: Case) -> Labels:
    return {query.id: query.label for query in case.queries}


def labels(answered: Reply, case: Case) -> Labels:
    read = read_labels(answered.text, [query.id for query in case.queries], "labels")
    assert not read.missing
    return dict(read.labels)


def injected(answered: Reply) -> dict[str, str]:
    """The fault by query."""
    found = (item.partition(":") for item in answered.annotations.get("injected", "").split(",") if item)
    return {id: fault for fault, _, id in found}


async def answers(name: str, sample: int = 0) -> AsyncIterator[tuple[Case, Labels, dict[str, str]]]:
    model = SimulatedAnswerer(name, LAMPS)
    for case in LAMPS:
        answered = await reply(model, asked(case), sample)
        yield case, labels(answered, case), injected(answered)


def within(count: int, of: int, rate: float) -> bool:
    """Whether so many of so many is within four standard deviations of the rate."""
    return abs(count - of * rate) <= 4 * math.sqrt(of * rate * (1 - rate)) + 1e-9


async def test_reasoning_stands_before_the_json() -> None:
    answered = await reply(SimulatedAnswerer(MIXED, LAMPS), asked(LAMPS[0], frame="cot"))
    said, _, rest = answered.text.partition("\n\n")
    assert said.startswith("- ")
    assert set(json.loads(rest)["answers"]) == set(gold(LAMPS[0]))
    assert answered.usage.calls == 1
    assert answered.usage.prompt_tokens > 50


async def test_a_repair_draws_what_is_named_at_the_same_rate_and_keeps_the_rest() -> None:
    model = SimulatedAnswerer("sim/labels:wrong=0.3", LAMPS)
    wrong, total, moved = 0, 0, 0
    for case in LAMPS:
        first = await reply(model, asked(case))
        given = labels(first, case)
        named = tuple(list(given)[1:6:2])
        repair = LabelRepair(given, named, ("A sentence.",))
        second = await reply(model, asked(case, repair=repair))
        kept = {id: label for id, label in given.items() if id not in named}
        assert kept.items() <= labels(second, case).items()
        assert set(injected(second)) == {id for id in named if labels(second, case)[id] is not gold(case)[id]}
        before, after = json.loads(first.text)["answers"], json.loads(second.text)["answers"]
        assert all(before[id] == after[id] for id in kept)
        wrong, total = wrong + len(injected(second)), total + len(named)
        moved += sum(labels(second, case)[id] is not given[id] for id in named)
        # A conflict in other words is another throw; the same prompt is not.
        assert await reply(model, asked(case, repair=repair)) == second
    assert within(wrong, total, 0.3)
    assert moved > total / 5


async def test_queries_without_a_formula_are_never_contradicted() -> None:
    case = replace(LAMPS[0], queries=tuple(replace(query, formula=None) for query in LAMPS[0].queries))
    answered = await reply(SimulatedAnswerer("sim/labels:contradict=1", [case]), asked(case))
    assert labels(answered, case) == gold(case)
    assert not answered.annotations


async def test_what_it_does_not_know_it_says() -> None:
    model = SimulatedAnswerer("sim/labels", LAMPS[:3])
    known = asked(LAMPS[0])
    for prompt in (asked(LAMPS[4]), replace(known, queries=(*known.queries, ("q9", "The roof is lit")))):
        answered = await reply(model, prompt)
        assert answered.text == LOST
        assert read_labels(answered.text, prompt.ids, "labels").labels == {}
    assert (await model.complete(Request((), "answer"))).text == LOST


async def test_retries_are_understood() -> None:
    model = SimulatedAnswerer(MIXED, LAMPS)
    prompt = asked(LAMPS[0])
    again = await model.complete(Request(truncation_retry(prompt.messages()), "truncation"))
    assert again.text == (await reply(model, prompt)).text
    broken = '{"answers": {\n\nResponse:\nq0'
    assert (await model.complete(Request(label_format_retry(broken, ("q0",)), "format"))).text == broken


LINES = st.sampled_from(
    [
        "Premises:", f"P1: {LAMPS[0].premises[0].text}", f"P2: {LAMPS[0].premises[1].text}", "", "Statements:",
        f"P3: {LAMPS[0].premises[2].text}", "Questions:", f"q0: {LAMPS[0].queries[0].text}", "q0: ", "q9: what",
        "What you have said so far:", f"- {LAMPS[0].queries[0].text}", "REPAIR REQUIRED", "Your answers were: q0 YES.",
        "Your answers were: q0", "Your answers were: ", "Answer again, and think about which of them is wrong: q0.",
        "\x00", "x" * 500,
    ]
)  # fmt: skip
ROLES = {"system": system, "user": user, "assistant": assistant}
MODEL = SimulatedAnswerer(MIXED, LAMPS[:2])


@drawn_from(st.lists(st.tuples(st.sampled_from(sorted(ROLES)), st.lists(LINES, max_size=9).map("\n".join)), max_size=4))
@settings(deadline=None, max_examples=150)
async def test_odd_requests_get_a_reply(parts: list[tuple[str, str]]) -> None:
    messages: tuple[Message, ...] = tuple(ROLES[role](text) for role, text in parts)
    answered = await MODEL.complete(Request(messages, "answer"))
    assert answered == await SimulatedAnswerer(MIXED, LAMPS[:2]).complete(Request(messages, "answer"))
