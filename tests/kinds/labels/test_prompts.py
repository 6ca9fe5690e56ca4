from __future__ import annotations

import json
from collections.abc import Callable
from itertools import product

import pytest
from jsonschema_rs import validator_for

from holdtrue.kinds.labels.prompts import (
    EXAMPLE_PREMISES,
    WORDING,
    LabelPrompt,
    LabelRepair,
    Words,
    label_format_retry,
    label_hint,
    label_schema,
    prompt_templates,
)
from holdtrue.kinds.labels.replies import read_labels
from holdtrue.language.asking import truncation_retry
from holdtrue.record import Label
from tests.lab.kinds.assignment.simulation.lamps import LAMPS, asked

E, C, U = Label.ENTAILED, Label.CONTRADICTED, Label.UNKNOWN
WORDS: list[Words] = ["labels", "yes_no"]
SYSTEM_TEXT = """\
You judge statements by what the given premises say, and by nothing else. Your answers have to be possible together. \
Return only JSON.
For each statement, give a label:
ENTAILED: the statement must be true: it is true in every situation that the premises allow.
CONTRADICTED: it must be false: it is true in no situation that the premises allow.
UNKNOWN: it can be true and can be false: true in some situations that the premises allow, false in others.
With every label you give a confidence from 0 to 1: how likely it is that the label is right."""
REPAIR_TEXT = """\
Premises:
P1: The hall is lit.
P2: Where the hall is lit, the attic is dark.

Statements:
q0: The hall is lit
q1: The attic is lit
q2: The barn is lit

REPAIR REQUIRED
Your answers were: q0 ENTAILED, q1 ENTAILED, q2 UNKNOWN.
Of your answers, these cannot all hold together with the premises:
- q0 (ENTAILED): The hall is lit
- q1 (ENTAILED): The attic is lit
These cannot all be true together:
- Where the hall is lit, the attic is dark.
- The hall is lit (your answer)
Answer again, and think about which of them is wrong: q0, q1.
Repeat the other answers as they are.

Answer with JSON of this shape: {"answers": {"q0": {"label": "<ENTAILED | CONTRADICTED | UNKNOWN>", \
"confidence": <0 to 1>}, ...}} with an answer to each of q0, q1, q2"""


def test_a_prompt_is_just_its_parts() -> None:
    """The whole text of a repair with a conflict: nothing else gets in."""
    premises = ("The hall is lit.", "Where the hall is lit, the attic is dark.")
    queries = (("q0", "The hall is lit"), ("q1", "The attic is lit"), ("q2", "The barn is lit"))
    repair = LabelRepair({"q0": E, "q1": E, "q2": U}, ("q1", "q0"), (premises[1], "The hall is lit (your answer)"))
    system, user = LabelPrompt("direct", premises, queries, repair=repair).messages()
    assert (system.role, user.role) == ("system", "user")
    assert system.content == SYSTEM_TEXT
    assert user.content == REPAIR_TEXT


@pytest.mark.parametrize("words", WORDS)
def test_the_example_is_answered_rightly_and_has_every_label_twice(words: Words) -> None:
    """Weights 1 to 3 and two materials: everything that its premises allow is tried."""
    _, asks, reply, _ = LabelPrompt("few_shot", (), (("q0", "x"),), words=words).messages()
    labels = read_labels(reply.content, [f"q{place}" for place in range(6)], words).labels
    said: list[Callable[[tuple[int, ...], tuple[str, ...]], bool]] = [
        lambda weights, made: made[1] == "iron",
        lambda weights, made: weights[0] > weights[2],
        lambda weights, made: weights[2] == max(weights),
        lambda weights, made: made[0] == "wood",
        lambda weights, made: weights[2] < weights[1],
        lambda weights, made: weights[1] > weights[0],
    ]
    worlds = [
        (weights, made)
        for weights in product((1, 2, 3), repeat=3)
        for made in product(("wood", "iron"), repeat=3)
        if weights[0] > weights[1] > weights[2]
    ]
    found = [[holds(*world) for world in worlds] for holds in said]
    true = [E if all(truths) else U if any(truths) else C for truths in found]
    assert [labels[f"q{place}"] for place in range(6)] == true
    assert sorted(true) == sorted([U, U, E, E, C, C])
    assert all(text in asks.content for text in EXAMPLE_PREMISES)


def test_all_prompts_about_one_world_begin_alike() -> None:
    """So that a local model reads the premises once."""
    prompts = [asked(LAMPS[0], place=place).messages() for place in range(3)]
    heads = {(system.content, user.content.split("Statements:")[0]) for system, user in prompts}
    assert len(heads) == 1
    assert len({user.content for _, user in prompts}) == 3


@pytest.mark.parametrize("words", WORDS)
def test_the_schema_admits_every_full_answer_and_nothing_else(words: Words) -> None:
    admits = validator_for(label_schema(("q0", "q1"), words)).is_valid
    for name in WORDING[words].values():
        for sure in (0, 0.35, 1.0):
            good = {"label": name, "confidence": sure}
            reply = {"answers": {"q0": good, "q1": good}}
            assert admits(reply)
            assert read_labels(json.dumps(reply), ("q0", "q1"), words).confidence == {"q0": sure, "q1": sure}
        for bad in (
            {"label": name},
            {"label": name, "confidence": 1.05},
            {"label": name, "confidence": -0.05},
            {"label": name, "confidence": "0.5"},
            {"label": name.lower(), "confidence": 0.5},
            {"label": name, "confidence": 0.5, "why": "x"},
        ):
            assert not admits({"answers": {"q0": good, "q1": bad}})
        assert not admits({"answers": {"q0": good}})
        assert not admits({"answers": {"q0": good, "q1": good, "q2": good}})
        assert not admits({"q0": good, "q1": good})


@pytest.mark.parametrize("words", WORDS)
@pytest.mark.parametrize("ids", [(), ("q0",), ("q0", "q1")])
def test_a_hint_answers_nothing(ids: tuple[str, ...], words: Words) -> None:
    assert read_labels(label_hint(ids, words), ids, words).labels == {}


def test_retries_ask_the_same_again() -> None:
    system, user = label_format_retry("q0 is ENTAILED", ("q0", "q1"))
    assert "JSON" in system.content
    assert user.content.endswith("\n\nResponse:\nq0 is ENTAILED")
    assert label_hint(("q0", "q1"), "labels") in user.content
    assert label_hint(("q0",), "yes_no") in label_format_retry("x", ("q0",), "yes_no")[1].content
    prompt = asked(LAMPS[0], frame="cot").messages()
    again = truncation_retry(prompt)
    assert again[:-1] == prompt[:-1]
    assert again[-1].content.startswith(prompt[-1].content)
    assert "clipped" in again[-1].content


def test_templates_show_three_tasks_with_placeholders() -> None:
    templates = prompt_templates()
    assert list(templates) == ["multi_query_reasoning", "commitment_extraction", "repair"]
    assert "P1: {premise 1}" in templates["multi_query_reasoning"]
    assert "REPAIR REQUIRED" in templates["repair"]
    assert "REPAIR REQUIRED" not in templates["multi_query_reasoning"]
    assert "Sentence: {sentence}" in templates["commitment_extraction"]
    assert all(text.startswith("[system]\n") and "\n\n[user]\n" in text for text in templates.values())
