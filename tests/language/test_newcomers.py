from __future__ import annotations

import pytest

from holdtrue.language.asking_back import Answered, ask_to_join, find_newcomers, still_open
from holdtrue.language.reading import Reading
from holdtrue.world.domain import Domain
from holdtrue.world.logic_grid import LOGIC_GRID
from holdtrue.world.scheduling import SCHEDULING
from holdtrue.world.seating import SEATING
from tests.language.rota import ROTA, WEEK, made


@pytest.mark.parametrize(
    ("sentence", "names"),
    [
        ("Zoe works on day 2.", ["Zoe"]),
        ("Ann works before Zoe", ["Zoe"]),
        ("Ann and Zoe work at least 2 days apart", ["Zoe"]),
        ("Zoe is on day 2", ["Zoe"]),
        ("Zoe's day is 3", ["Zoe"]),
        ("Put Zoe on day 3 please", ["Zoe"]),
        ("Also, Zoe can't work on day 2", ["Zoe"]),
        ("Maybe Zoe works on day 2", ["Zoe"]),
        ("Tomorrow Zoe works on day 2", ["Zoe"]),
        ("Zoe Miller works on day 4", ["Zoe Miller"]),
        ("Anne-Marie and O\u2019Neil work at least 2 days apart", ["Anne-Marie", "O'Neil"]),
        ("Zoe works before Max", ["Zoe", "Max"]),
        ("Tim works on day 2", ["Tim"]),
        ("Zo\u00eb works on day 2", ["Zo\u00eb"]),
        ("Anne works on day 2", ["Anne"]),
        ("Max must work before Max and Ann", ["Max"]),
    ],
)
def test_a_name_that_the_sentence_says_something_about_is_found(sentence: str, names: list[str]) -> None:
    assert list(find_newcomers(WEEK, sentence)) == names


@pytest.mark.parametrize(
    "sentence",
    [
        "Ann works on day 2",
        "Thanks, Zoe!",
        "Did Zoe work on day 2?",
        "If Zoe agrees, Ann works on day 2",
        "Zoe or Max works on day 2",
        "Let Zoe start early",
        "My friend Zoe would like to come too",
        "Customers work on day 2",
        "Everyone works on day 2",
        "Monday is day 2",
        "In June, Ann works on day 2",
        "ZOE WORKS ON DAY 2",
        "zoe works on day 2",
        "Put Zoe, Max, Kim and Lou on day 2",
        "Zoe works on day 9",
        "",
    ],
)
def test_what_says_nothing_about_anybody_unknown_names_no_newcomer(sentence: str) -> None:
    assert find_newcomers(WEEK, sentence) == ()


def test_other_domains_have_newcomers_too() -> None:
    grid = LOGIC_GRID.instance(["Ida", "Jonas"])
    assert find_newcomers(grid, "Lena's pet is the Cat") == ("Lena",)
    events = SCHEDULING.instance(["Audit", "Demo"])
    assert find_newcomers(events, "Put the Quarterly Review before Audit") == ("Quarterly Review",)


def test_nobody_is_found_whom_the_domain_cannot_take_in() -> None:
    closed = Domain(ROTA.name, ROTA.attributes, ROTA.constraint_types, joining=False).instance(["Ann", "Bob"])
    assert find_newcomers(closed, "Zoe works on day 2") == ()
    assert find_newcomers(SEATING.instance(["Ann", "Bob"]), "Zoe must sit next to Ann") == ()


UNREAD = [
    Reading("Zoe works on day 2", "rejected", None, 0.0),
    Reading("Zoe works before Max", "rejected", None, 0.0),
    Reading("Forget Kim on day 2", "rejected", None, 0.0, act="withdraws"),
    Reading("Ann works on day 2", "accepted", made("on_day", "Ann", 2)),
]


def test_each_newcomer_is_asked_about_once_with_all_that_names_them() -> None:
    questions = ask_to_join(WEEK, UNREAD, (), 3, 2)
    assert [(one.id, one.text(WEEK), one.reading.sentence) for one in questions] == [
        ("q3.2", "I do not know Zoe. Shall Zoe join?", "Zoe works on day 2. Zoe works before Max."),
        ("q3.3", "I do not know Max. Shall Max join?", "Zoe works before Max."),
    ]
    record = questions[0].record(WEEK)
    assert (record.joins, record.type, record.args, record.turn) == ("Zoe", None, (), 3)
    assert [one.joins for one in ask_to_join(WEEK, UNREAD, ("ZOE",), 3, 1)] == ["Max"]


@pytest.mark.parametrize("message", ["Yes.", "yes, add them", "Let them join, please", "Sure"])
def test_a_yes_lets_them_join_and_confirms_no_reading(message: str) -> None:
    questions = ask_to_join(WEEK, UNREAD, (), 3, 1)
    answered = Answered.of(questions, message, 4)
    assert (answered.joining, answered.confirmed, answered.open, answered.rest) == (questions, (), (), "")
    one_of_two = Answered.of(questions, "The first yes, the second no.", 4)
    assert one_of_two.joining == questions[:1] and one_of_two.open == ()


def test_nothing_but_an_answer_settles_the_question() -> None:
    questions = ask_to_join(WEEK, UNREAD, (), 3, 1)
    assert still_open(questions, UNREAD) == questions
    assert Answered.of(questions, "Bob works on day 1", 4).open == questions
