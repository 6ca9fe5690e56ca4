from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdtrue.language.asking_back import Answered, Confirmation, Question, ask_about, read_confirmation, still_open
from holdtrue.language.reading import Reading
from tests.language.rota import WEEK, made

DOUBTFUL = Reading("Ann could do day 2", "doubtful", made("on_day", "Ann", 2), 0.4, "readings differ")
CERTAIN = Reading("Bob works on day 3", "accepted", made("on_day", "Bob", 3))


@pytest.mark.parametrize(
    ("message", "answer", "rest"),
    [
        ("Yes", True, ""),
        ("yes please!", True, ""),
        ("That's right, thanks", True, ""),
        ("Oh, yes, exactly. Put Ann at 3", True, "Put Ann at 3"),
        ("Yes - but Tom in seat 4", True, "Tom in seat 4"),
        ("Genau", True, ""),
        ("sí", True, ""),
        ("Ok", True, ""),
        ("No, Ann is left of Bob", False, "Ann is left of Bob"),
        ("Nein.", False, ""),
        ("not quite", False, ""),
    ],
)
def test_yes_and_no_answer_and_what_stands_behind_them_is_still_to_be_read(
    message: str, answer: bool, rest: str
) -> None:
    assert read_confirmation(message, 1).answers == (answer,)
    assert read_confirmation(message, 1).rest == rest


@pytest.mark.parametrize(
    "message",
    [
        "No idea",
        "Not sure",
        "no problem",
        "Right next to Ann",
        "Yes, if it fits",
        "yes, I think so",
        "Yes, but only on Mondays",
        "Yes?",
        "yes and no",
        "Ok, maybe",
        "Okay, now put Ann on day 3",
        "Correct the plan",
        "I don't want Ann on day 2",
        "No Audit until after Budget",
        "",
    ],
)
def test_what_only_begins_like_an_answer_leaves_the_question_open(message: str) -> None:
    told = read_confirmation(message, 1)
    assert (told.answers, told.rest) == ((None,), message)


def test_several_questions_are_told_apart() -> None:
    assert read_confirmation("yes", 2).answers == (True, True)
    assert read_confirmation("the first yes, the second no", 2).answers == (True, False)
    assert read_confirmation("only the second one", 2).answers == (False, True)
    assert read_confirmation("just 1", 3).answers == (True, False, False)
    assert read_confirmation("the third", 2).answers == (None, None)


@given(st.text(max_size=40), st.integers(0, 3))
def test_whatever_is_said_is_an_answer_or_all_of_it_is_still_to_be_read(message: str, asked: int) -> None:
    told = read_confirmation(message, asked)
    assert len(told.answers) == asked
    assert message.endswith(told.rest)
    assert told.rest == message or any(answer is not None for answer in told.answers)


def test_only_doubtful_commitments_that_are_new_are_asked_about() -> None:
    asked, others = ask_about(WEEK, [DOUBTFUL, CERTAIN, DOUBTFUL], [], turn=3)
    assert [one.id for one in asked] == ["q3.1"] and others == (CERTAIN,)
    assert asked[0].text(WEEK) == 'By "Ann could do day 2", did you mean: Ann works on day 2?'
    assert ask_about(WEEK, [DOUBTFUL], [made("on_day", "Ann", 2)], turn=3) == ((), ())


def test_a_bare_yes_speaks_of_what_was_asked_just_before() -> None:
    old, new = Question("q1.1", 1, DOUBTFUL), Question("q4.1", 4, replace(DOUBTFUL, constraint=made("on_day", "Cy", 1)))
    answered = Answered.of([old, new], "Yes.", turn=5)
    assert [one.constraint for one in answered.confirmed] == [made("on_day", "Cy", 1)]
    assert [(one.status, one.confidence) for one in answered.confirmed] == [("accepted", 1.0)]
    assert answered.open == (old,) and answered.rest == ""


def test_a_plain_statement_about_the_same_settles_a_question() -> None:
    question = Question("q1.1", 1, DOUBTFUL)
    corrected = Reading("Ann works on day 4", "accepted", made("on_day", "Ann", 4))
    assert still_open([question], [corrected]) == ()
    assert still_open([question], [CERTAIN, replace(corrected, status="doubtful")]) == (question,)


def test_answers_that_are_told_apart_may_be_followed_by_more() -> None:
    heard = read_confirmation("The first yes, the second no. Ann must sit at position 2.", asked=2)
    assert heard == Confirmation((True, False), "Ann must sit at position 2.")
    assert read_confirmation("The first one starts early. Ann has seat 2.", asked=2).answers == (None, None)


def test_what_was_not_understood_is_asked_about_and_no_yes_answers_it() -> None:
    lost = Reading("Ann must not work near Bob", "rejected", None, 0.0, "no constraint can be made from what it names")
    asked, others = ask_about(WEEK, [lost], [], turn=3)
    assert [one.asks_to_rephrase for one in asked] == [True] and others == (lost,)
    assert asked[0].text(WEEK) == 'I did not understand "Ann must not work near Bob". What shall hold?'
    assert asked[0].record(WEEK).type is None and asked[0].record(WEEK).joins is None
    assert Answered.of(asked, "Yes.", 4).open == asked and Answered.of(asked, "Yes.", 4).confirmed == ()
    assert Answered.of(asked, "No.", 4).open == ()
    anew = Reading("Ann works on day 2", "accepted", made("on_day", "Ann", 2))
    assert still_open(asked, [anew]) == () and still_open(asked, [CERTAIN]) == ()
    other = Reading("Cy works on day 2", "accepted", made("on_day", "Cy", 2))
    assert still_open(asked, [other]) == asked


@pytest.mark.parametrize(
    "lost",
    [
        Reading("Must Ann work?", "rejected", None, 0.0, "a question states nothing"),
        Reading("Ann must work if Bob does", "rejected", None, 0.0, "a condition", held_back=True),
        Reading("What a day!", "rejected", None, 0.0, "it names nothing that is known here"),
        Reading("Forget Ann's shift", "rejected", None, 0.0, "which of them", act="withdraws"),
    ],
)
def test_what_demands_nothing_is_not_asked_about(lost: Reading) -> None:
    assert ask_about(WEEK, [lost], [], turn=3) == ((), (lost,))
