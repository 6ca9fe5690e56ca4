"""The words by which a sentence puts one thing in the place of another."""

from __future__ import annotations

import pytest

from holdtrue.language.amendments import Amendment, spot_amendment
from tests.patience import no_hang


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Ann works on day 3 instead", Amendment("Ann works on day 3")),
        ("Actually, put Ann on day 3 instead.", Amendment("put Ann on day 3")),
        ("Instead, Ann works on day 3", Amendment("Ann works on day 3")),
        ("Ann should instead work on day 3", Amendment("Ann should work on day 3")),
        ("Never mind, Ann works on day 3 instead", Amendment("Ann works on day 3")),
        ("Ann works on day 3 instead of day 2", Amendment("Ann works on day 3", "day 2")),
        ("Ann works on day 3 rather than on day 2", Amendment("Ann works on day 3", "on day 2")),
        ("Instead of Bob, Ann works on day 3", Amendment("Ann works on day 3", "Bob")),
        ("Change Ann's day to 3", Amendment("Change Ann's day to 3")),
        ("Please change Ann's day from 2 to 3", Amendment("change Ann's day to 3", "2")),
        ("Replace C001 with: Ann works on day 3", Amendment("Ann works on day 3", "C001")),
        ("Replace Bob by Ann", Amendment("Ann", "Bob")),
        ("Move Ann from day 2 to day 3", Amendment("Move Ann to day 3", "day 2")),
        ("Move Ann to day 3", Amendment("Move Ann to day 3", kind="correction")),
        ("Ann on day 3, not day 2", Amendment("Ann on day 3", "day 2", "contrast")),
        ("Ann works not on day 2 but on day 3", Amendment("Ann works on day 3", "on day 2", "contrast")),
        ("Actually, Ann works on day 3", Amendment("Ann works on day 3", kind="correction")),
        ("On second thought: Ann works on day 3", Amendment("Ann works on day 3", kind="correction")),
        ("Sorry, I meant Ann works on day 3", Amendment("Ann works on day 3", kind="correction")),
        ("No, wait, Ann works on day 3", Amendment("Ann works on day 3", kind="correction")),
    ],
)
def test_what_is_to_hold_and_what_it_replaces(text: str, found: Amendment) -> None:
    assert spot_amendment(text) == found


@pytest.mark.parametrize(
    "text",
    [
        "Ann works on day 3",
        "Omar would rather not have Rosa as a neighbour",
        "Move Ann and Bob together",
        "Ann cannot sit next to Bob",
        "Wait until Audit is over",
        "No two of them work on the same day",
        "Instead of Bob",
        "The actual day is 3",
    ],
)
def test_statements_change_nothing(text: str) -> None:
    assert spot_amendment(text) is None


def test_a_no_that_belongs_to_the_statement_stays() -> None:
    assert spot_amendment("No two of them work on day 3 instead") == Amendment("No two of them work on day 3")


@pytest.mark.parametrize(
    "unit", ["instead of ", "change to ", "from to ", "not but ", "actually ", ", not a", "replace a with "]
)
def test_hostile_sentences_come_to_an_end(unit: str) -> None:
    with no_hang():
        spot_amendment(("change " + unit * 1000)[:1000])
