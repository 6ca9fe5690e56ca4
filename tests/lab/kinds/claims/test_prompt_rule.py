"""What a prompt of a claim method may hold: the frame, context, question, options, the model's own output, and verdicts
about it. Never what people wrote as logic, the right letter, what the solver proves of options, or a witness.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

import pytest

from holdtrue.models.chat import Request
from holdtrue_claims.conversation.claim_session import ClaimSession
from holdtrue_claims.kind.gold_logic import GoldLogic
from holdtrue_lab.kinds.claims.method import METHODS
from tests.claims.kind.world import OPTIONS, QUESTION, SENTENCES, gold, said, scripted
from tests.lab.kinds.claims.baselines.lightened import light
from tests.recorder import Recorder

ASKING = [name for name, method in METHODS.items() if method.answerer == "model"]
VERIFYING = [name for name in ASKING if METHODS[name].verifies]
WRITING = [name for name in ASKING if METHODS[name].writes_programs]
ANSWERING = {"answer", "critique", "thought", "rate", "program"}
LOGIC = re.compile(r"forall|exists|->|<->|\b[A-Z]\w*\([^)]*\)|\b[01]\b(?! )")
OWN = ("Rex is a dog", "Rex does not bark", "Tom sleeps", "The dog is lovely")
"""The model's claims: told, contradicted, possible, and nothing for a solver."""


def replies() -> Callable[[Request], str]:
    """Wrong in every round, and never twice the same."""
    counted = iter(range(10, 1000))

    def reply(request: Request) -> str:
        number = next(counted)
        by_purpose = {
            "critique": '{"ok": false, "problems": ["A step is missing."]}',
            "thought": json.dumps({"thought": f"Thought {number}."}),
            "rate": '{"rating": 5}',
        }
        return by_purpose.get(request.purpose) or said("A", *OWN, f"That is the {number} try")

    return reply


async def run(name: str, logic: GoldLogic | None = None, *, measure: bool = True) -> Recorder:
    model = scripted(replies())
    method = replace(light(name), converge=None)
    session = ClaimSession(SENTENCES, model=model, method=method, gold=logic or gold(), measure=measure)
    await session.turn(QUESTION, OPTIONS)
    return model


def asked(model: Recorder) -> list[Request]:
    """The requests for answers, and for what leads to them."""
    return [request for request in model.requests if request.purpose in ANSWERING]


@pytest.mark.parametrize("name", [name for name in ASKING if name not in WRITING])
async def test_no_logic_and_no_witness(name: str) -> None:
    model = await run(name)
    assert asked(model)
    texts = [message.content for request in asked(model) for message in request.messages]
    bare = [text.split("Answer with JSON")[0] for text in texts if not text.startswith(("{", "You "))]
    assert not [found for text in bare if (found := LOGIC.search(text.replace("from 0 to 1", "")))]


@pytest.mark.parametrize("name", WRITING)
async def test_a_prompt_for_a_program_holds_the_question_the_model_s_own_program_and_its_faults(name: str) -> None:
    model = await run(name)
    programs = [request for request in model.requests if request.purpose == "program"]
    frames = {request.messages[:-1] for request in programs if request.messages[-1].content.startswith("Sentences:")}
    [frame] = frames
    task = programs[0].messages[-1].content
    told = [f"{place}) {text}" for place, text in enumerate(SENTENCES, start=1)]
    assert task.splitlines() == [
        "Sentences:",
        *told,
        f"Question: {QUESTION}",
        "Statements:",
        *(f"{letter}) {text}" for letter, text in OPTIONS.items()),
    ]
    assert not any(text in message.content for message in frame for text in (*SENTENCES, *OPTIONS.values()))
    for before, request in pairwise(programs):
        if request.messages[-1].content == task:
            assert request.messages == before.messages and request.sample != before.sample
            continue
        *same, own, report = request.messages
        assert tuple(same) == (*frame, programs[0].messages[-1])
        assert own.role == "assistant" and "That is the" in own.content
        first, *faults, last = report.content.splitlines()
        assert (first, last[:17]) == ("The program could not be run:", "Write the whole p")
        assert faults == ["- there is no JSON object with formulas of the sentences and of the statements"]


@pytest.mark.parametrize("name", ASKING)
async def test_what_options_say_as_logic_changes_no_prompt(name: str) -> None:
    truth = gold()
    letters = list(truth.statements)
    turned = dict(zip(letters, [truth.statements[letter] for letter in letters[1:] + letters[:1]], strict=True))
    one, other = await run(name, truth), await run(name, replace(truth, statements=turned))
    assert one.prompts == other.prompts
    assert [request.schema for request in one.requests] == [request.schema for request in other.requests]


@pytest.mark.parametrize("name", [name for name in ASKING if name not in VERIFYING])
async def test_measuring_changes_no_prompt(name: str) -> None:
    measured, plain = await run(name), await run(name, measure=False)
    assert [request.messages for request in asked(measured)] == [request.messages for request in plain.requests]


@pytest.mark.parametrize("name", VERIFYING)
async def test_feedback_quotes_the_context_and_the_model_s_own_claims_alone(name: str) -> None:
    model = await run(name)
    repairs = [request.messages[-1].content for request in asked(model)][1:]
    assert len(repairs) == METHODS[name].rounds - 1
    for text in repairs:
        report = text.split("VERIFICATION REPORT")[1].split("Write your answer again")[0]
        quoted = [line.strip(" -") for line in report.splitlines() if line.strip().startswith("- ")]
        plain = {re.sub(r" \([^()]*\)$", "", line).strip(" .") for line in quoted}
        tries = {line for line in plain if re.fullmatch(r"That is the \d+ try", line)}
        assert plain - tries <= {sentence.strip(".") for sentence in SENTENCES} | set(OWN)
        refuted = re.findall(r"contradicted by what was said: (.*)", report)
        assert {claim.strip(".") for claim in refuted} <= {"Rex does not bark"}


@pytest.mark.parametrize("name", VERIFYING)
async def test_a_repair_holds_the_last_answer_and_none_before_it(name: str) -> None:
    model = await run(name)
    texts = [request.messages[-1].content for request in asked(model)]
    answers = [
        re.findall(r"That is the (\d+) try", text.split("You answered:")[-1].splitlines()[1]) for text in texts[1:]
    ]
    assert all(len(found) == 1 for found in answers)
    assert len({found[0] for found in answers}) == len(answers)


@pytest.mark.parametrize("name", ["verge", "cot", "self_refine"])
async def test_later_turns_change_no_earlier_prompt(name: str) -> None:
    prompts = []
    for later in ("Tom is not a dog.", "Does Rex sleep?"):
        model = scripted(replies())
        session = ClaimSession(SENTENCES, model=model, method=light(name), gold=gold())
        await session.turn("What is true?")
        first = len(model.requests)
        await session.turn(later)
        prompts.append(model.prompts[:first])
        assert later in model.prompts[-1] or any(later in prompt for prompt in model.prompts[first:])
    assert prompts[0] == prompts[1]
