"""A formula is chosen among its near variants, by most of several rounds, or it is refused."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Sequence

import pytest

from holdtrue.language.asking import Asking
from holdtrue.models.chat import Request
from holdtrue_claims.fol.english import say
from holdtrue_claims.kind.formula_choice import (
    Chosen,
    choose_formula,
    in_groups,
    near_variants,
    shuffled_with,
)
from holdtrue_claims.kind.prompts.choice import ITEM, NONE, WHICH
from holdtrue_claims.kind.settings import FormalSettings
from tests.claims.fol.test_english import VOCABULARY, read
from tests.recorder import Recorder

SETTINGS = FormalSettings(choice_rounds=3, choice_shown=3, choice_variants=4)
TEXT, FORMULA = "Ann likes Ben.", read("Likes(Ann, Ben)")
WORDS = say(FORMULA, VOCABULARY)


def shown(request: Request) -> list[str]:
    return [line.removeprefix(ITEM) for line in request.messages[-1].content.partition(f"{WHICH}\n")[2].split("\n")]


def play(judge: Callable[[Sequence[str], int], str], settings: FormalSettings = SETTINGS) -> tuple[Chosen, Recorder]:
    counted = iter(range(99))
    model = Recorder(lambda request: json.dumps({"says": judge(shown(request), next(counted))}))
    return asyncio.run(choose_formula(Asking(model), VOCABULARY, TEXT, FORMULA, settings)), model


def test_a_formula_that_is_always_chosen_is_accepted_after_most_rounds_of_each_group() -> None:
    found, model = play(lambda statements, _: WORDS)
    assert (found.accepted, found.words, found.shown, found.calls, found.reason) == (True, WORDS, 4, 4, None)
    assert len(model.requests) == 4
    for request in model.requests:
        statements = shown(request)
        assert statements[-1] == NONE and WORDS in statements and len(statements) == 4


def test_another_one_that_is_chosen_is_named() -> None:
    def judge(statements: Sequence[str], _: int) -> str:
        return next(text for text in statements if text != WORDS)

    found, _ = play(judge)
    assert (found.accepted, found.calls) == (False, 2)
    assert found.instead is not None and found.instead in (found.reason or "")


def test_one_slip_in_a_group_changes_nothing_and_none_of_these_is_no_choice() -> None:
    assert play(lambda statements, number: NONE if number == 0 else WORDS)[0].accepted
    found, _ = play(lambda statements, _: NONE)
    assert not found.accepted and found.instead is None and "none of the statements" in (found.reason or "")


@pytest.mark.parametrize("place", [0, 1, 2])
def test_whoever_always_takes_the_same_place_accepts_nothing(place: int) -> None:
    assert not play(lambda statements, _: statements[place])[0].accepted


def test_what_plainly_does_not_fit_costs_no_call() -> None:
    model = Recorder(lambda request: "{}")
    found = asyncio.run(choose_formula(Asking(model), VOCABULARY, "Ann is late.", read("not Late(Ann)"), SETTINGS))
    assert not found.accepted and not model.requests


def test_the_formula_stands_at_another_place_in_each_round() -> None:
    orders = [shuffled_with("own", ("a", "b"), TEXT, number) for number in range(3)]
    assert sorted(order.index("own") for order in orders) == [0, 1, 2]
    assert orders == [shuffled_with("own", ("a", "b"), TEXT, number) for number in range(3)]


def test_groups_are_few_and_of_one_size() -> None:
    assert [len(group) for group in in_groups("abcdefg", 3)] == [3, 2, 2]
    assert list(in_groups("", 3)) == [""]


def test_no_variant_is_equivalent_to_the_formula() -> None:
    strict = read("count x in guest (Came(x)) >= 3")
    words = {say(each, VOCABULARY) for each in near_variants(VOCABULARY, "", strict, 40)}
    assert "More than 3 guests came." in words and "More than 2 guests came." not in words
