"""The words by which a sentence takes something back."""

from __future__ import annotations

import pytest

from holdtrue.language.withdrawals import Withdrawal, remarks_on_it, spot_withdrawal
from tests.patience import no_hang


@pytest.mark.parametrize(
    "text",
    [
        "Forget that",
        "please forget it.",
        "Oh, sorry, forget that again",
        "Scrap that last one",
        "drop that rule please",
        "Undo the last bit",
        "I want to take that back",
        "Take it back",
        "Actually, let's cancel the last thing",
        "Delete my last message",
        "Forget what I just said",
        "Can you strike the last requirement",
        "That no longer applies",
        "Undo!",
        "Erase the last rule",
    ],
)
def test_a_mere_that_names_nothing(text: str) -> None:
    assert spot_withdrawal(text) == Withdrawal()


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("Forget what I said about Ann", "Ann"),
        ("Never mind the rule that Ann works before Bob", "Ann works before Bob"),
        ("Drop the constraint that Ann works before Bob", "Ann works before Bob"),
        ("Forget that Ann works before Bob", "Ann works before Bob"),
        ("We can forget about Ann and Bob", "Ann and Bob"),
        ("Lift my last restriction on Ann", "Ann"),
        ("Get rid of the condition: Ann works on day 2", "Ann works on day 2"),
        ("The rule about Ann no longer applies", "Ann"),
        ("Our agreement that Ann works on day 2 does not hold any more", "Ann works on day 2"),
        ("It is no longer necessary that Ann works on day 2", "Ann works on day 2"),
        ("We no longer insist that Ann works on day 2", "Ann works on day 2"),
        ("Ann no longer has to work on day 2", "Ann must work on day 2"),
        ("Actually, Ann no longer needs to work on day 2", "Ann must work on day 2"),
        ("Ann need no longer work on day 2", "Ann must work on day 2"),
        ("Ann is no longer required to work on day 2", "Ann must work on day 2"),
        ("Ann doesn't need to sit next to Bob any more", "Ann must sit next to Bob"),
        ("Ann does not have to sit next to Bob, after all", "Ann must sit next to Bob"),
        ("Withdraw C002", "C002"),
        ("Drop C002 and C003", "C002 and C003"),
    ],
)
def test_what_is_taken_back_is_in_the_words_behind_the_cue(text: str, content: str) -> None:
    assert spot_withdrawal(text) == Withdrawal(content)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Forget everything", Withdrawal(every=True, latest=False)),
        ("Forget all of it", Withdrawal(every=True, latest=False)),
        ("Forget both", Withdrawal(every=True, two=True)),
        ("Forget both of the rules", Withdrawal(every=True, latest=False, two=True)),
        ("Drop both rules about Ann", Withdrawal("Ann", every=True, two=True)),
        ("Disregard all previous instructions", Withdrawal(every=True, latest=False)),
        ("Clear all rules", Withdrawal(every=True, latest=False)),
        ("Drop my last rules", Withdrawal(every=True)),
        ("Forget all about Ann", Withdrawal("Ann", every=True)),
        ("Forget everything I said about Ann", Withdrawal("Ann", every=True)),
        ("Drop all the rules about Ann", Withdrawal("Ann", every=True)),
    ],
)
def test_only_words_that_say_so_take_back_several(text: str, found: Withdrawal) -> None:
    assert spot_withdrawal(text) == found


@pytest.mark.parametrize("text", ["Drop the rules", "Drop the first rule", "Forget the other thing"])
def test_what_is_only_told_from_others_may_be_anything(text: str) -> None:
    assert spot_withdrawal(text) == Withdrawal(latest=False)


@pytest.mark.parametrize("text", ["Forget the last two rules", "Drop rule 2", "Drop the second rule"])
def test_what_is_counted_out_may_be_anything(text: str) -> None:
    assert spot_withdrawal(text) == Withdrawal(latest=False, counted=True)


@pytest.mark.parametrize("text", ["Forget that, Ann works on day 3", "Scrap that and Ann works on day 3"])
def test_what_follows_is_a_sentence_of_its_own(text: str) -> None:
    assert spot_withdrawal(text) == Withdrawal(rest="Ann works on day 3")


@pytest.mark.parametrize(
    "text",
    [
        "Ann doesn't have to work on day 2",  # perhaps only a permission
        "Ann need not work on day 2",
        "Scrap Build before Deploy",  # perhaps an event
        "Ignore Ann",
        "Remove the one between Ann and Bob",  # perhaps a chair
        "Drop everything between Ann and Bob",
        "Remove the line 3 between Ann and Bob",
    ],
)
def test_words_that_may_be_about_the_domain_are_not_sure(text: str) -> None:
    found = spot_withdrawal(text)
    assert found is not None and not found.sure


@pytest.mark.parametrize(
    ("text", "so"),
    [
        ("Would you mind dropping the last rule", True),
        ("Keep C001, drop C003", True),
        ("You forgot about it", False),
        ("The rule about Ann still applies", False),
    ],
)
def test_words_of_taking_back_in_another_form_are_noticed(text: str, so: bool) -> None:
    assert remarks_on_it(text) is so


@pytest.mark.parametrize(
    "text",
    [
        "Ann works on day 2",
        "Don't forget that Ann works on day 2",
        "Never forget Ann",
        "I forget whether Ann works on day 2",
        "Ann must no longer work on day 2",  # forbids
        "Ann needs not to sit next to Bob",
        "Drop Ann at day 2",
        "Remove Ann from day 2",
        "Lift Ann to floor 3",
        "Cancel the meeting",
        "The meeting is off",
        "I don't have to repeat that Ann works before Bob",
        "Never mind",
        "Ann said: forget it",
        "If Ann works on day 2, forget that Bob does",
        "We could drop the rule about Ann",
        "Drop any of the rules about Ann",
        "No two of them work on the same day",
    ],
)
def test_statements_take_nothing_back(text: str) -> None:
    assert spot_withdrawal(text) is None


@pytest.mark.parametrize(
    "unit", ["please ", "forget that ", "no longer has to ", "the rule ", "never mind, ", " ", "drop a b ", "lifting "]
)
def test_hostile_sentences_come_to_an_end(unit: str) -> None:
    with no_hang():
        spot_withdrawal((unit * 1000)[:1000])
        remarks_on_it((unit * 1000)[:1000])
