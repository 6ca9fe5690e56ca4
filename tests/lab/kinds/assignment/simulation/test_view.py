from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.kinds.assignment.prompts import AnswerPrompt, Exchange, RepairSignal, format_retry
from holdtrue.language.asking import truncation_retry
from holdtrue.language.readers import Protocol
from holdtrue.models.chat import Message, assistant, system, user
from holdtrue_lab.kinds.assignment.simulation.view import AnswerTask, ChooseTask, ReadTask, view
from holdtrue_lab.kit.simulation.model import FormatTask
from tests.lab.kinds.assignment.simulation.chats import extraction
from tests.lab.suites.drift.instances import INSTANCES

TABLE = INSTANCES[0]
ANSWER = '{"solution": {"Ann": 1, "Bob": 2, "Cy": 3, "Dee": 4, "Eva": 5, "Flo": 6}}'
HISTORY = (Exchange("Ann must sit next to Bob.", ANSWER), Exchange("Hello\nthere.", ANSWER, projected=True))
PROMPT = AnswerPrompt(TABLE, "repair", "stated", HISTORY, "Cy is new.\nReally.", ledger=("Ann must sit next to Bob",))
SIGNAL = RepairSignal(issues=(("answer_ledger_conflict", "wrong"),), answer=ANSWER, change=("Ann",))


def answer_task(messages: tuple[Message, ...]) -> AnswerTask:
    task = view(messages)
    assert isinstance(task, AnswerTask)
    return task


@pytest.mark.parametrize("protocol", ["stated", "upstream"])
@pytest.mark.parametrize("frame", ["direct", "cot", "ledger", "repair"])
def test_sees_what_was_said_in_the_prompts_of_both_protocols(protocol: Protocol, frame: str) -> None:
    prompt = replace(PROMPT, protocol=protocol, frame=frame)
    task = answer_task(prompt.messages())
    assert task.said == ("Ann must sit next to Bob.", "Hello\nthere.", "Cy is new.\nReally.")
    assert task.feedback == ""
    assert task.instance.setup_lines() == TABLE.setup_lines()


def test_a_history_of_whole_prompts_says_the_same_as_one_of_bare_messages() -> None:
    first = replace(PROMPT, history=(), message="Ann must sit next to Bob.").messages()
    task = answer_task((*first, assistant(ANSWER), user("Hello\nthere."), assistant(ANSWER), PROMPT.messages()[-1]))
    assert task == replace(answer_task(PROMPT.messages()), instance=task.instance)


def test_feedback_tells_repairs_from_first_attempts() -> None:
    repair = answer_task(replace(PROMPT, repair=SIGNAL).messages())
    clipped = answer_task(truncation_retry(PROMPT.messages()))
    follow_up = answer_task((*PROMPT.messages(), assistant(ANSWER), user("Try again.")))
    whole = answer_task((*PROMPT.messages(), assistant(ANSWER), PROMPT.messages()[-1]))
    first = answer_task(PROMPT.messages())
    assert {task.said for task in (repair, clipped, follow_up, whole)} == {first.said}
    assert len({task.feedback for task in (repair, clipped, follow_up, whole, first)}) == 5
    assert "REPAIR REQUIRED" in repair.feedback


def test_the_setting_of_the_first_prompt_serves_where_later_ones_have_none() -> None:
    first = replace(PROMPT, protocol="upstream", history=(), message="Ann must sit next to Bob.").messages()
    later = replace(PROMPT, protocol="upstream").messages()[-1]
    task = answer_task((*first, assistant("no JSON"), later))
    assert task.instance.setup_lines() == TABLE.setup_lines()


def test_reads_extraction_prompts() -> None:
    taught = (system("You read."), user("Sentence: x"), assistant("{}"))
    task = view((*taught, *extraction(TABLE, "Ann must sit next to Bob")))
    assert isinstance(task, ReadTask)
    assert task.text == "Ann must sit next to Bob"
    assert task.instance.setup_lines() == TABLE.setup_lines()
    published = [
        "Domain: seating",
        "Source turn: 3",
        TABLE.setup_lines()[1],
        "Latest user message: One.\nTwo.",
        f"Assistant response: {ANSWER}",
    ]
    task = view((user("\n".join(published)),))
    assert isinstance(task, ReadTask)
    assert task.text == "One.\nTwo."
    assert task.instance.setup_lines() == TABLE.setup_lines()


def test_reads_questions_of_direction() -> None:
    task = view(extraction(TABLE, "Ann is left of Bob", "1: Bob sits immediately left of Ann", "2: The other way"))
    assert isinstance(task, ChooseTask)
    assert task.choices == ("Bob sits immediately left of Ann", "The other way")
    assert task.sentence == "Ann is left of Bob"


def test_reads_format_retries() -> None:
    assert view(format_retry("{'a': 1,}\nso there")) == FormatTask("{'a': 1,}\nso there")


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["system", "user", "assistant"]),
            st.lists(
                st.sampled_from(
                    [
                        "Domain: seating", "Domain: logic_grid", "Entities: a, b, c", "Entities: ,,", "Seats: 1 to 99",
                        "Table: round", "Category x: a", "New constraints from user: ", "Sentence: ", "1: ", "2: x",
                        "Latest user message: a", "Assistant response: ", "REPAIR REQUIRED", "{", '{"solution": [',
                        'Answer with JSON of this shape: {"solution": {"a": <seat>}}', "\n", "é\ud800",
                        "a must sit next to b",
                    ]
                ),
                max_size=8,
            ).map("\n".join),
        ),
        max_size=6,
    )
)  # fmt: skip
@settings(deadline=None, max_examples=200)
def test_odd_chats_do_not_crash_it(parts: list[tuple[str, str]]) -> None:
    roles = {"system": system, "user": user, "assistant": assistant}
    task = view([roles[role](text) for role, text in parts])
    assert task is None or isinstance(task, AnswerTask | ReadTask | ChooseTask | FormatTask)
