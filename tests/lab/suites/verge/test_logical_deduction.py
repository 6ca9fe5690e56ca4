from __future__ import annotations

from itertools import permutations

import pytest

from holdtrue.errors import RecordError
from holdtrue_claims.fol.naming import thing_text
from holdtrue_claims.solving.sentence_grounding import fact_name
from holdtrue_lab.kinds.claims.item import Item, read_item
from holdtrue_lab.kit.json_file import read_records
from holdtrue_lab.suites.verge.logical_deduction import deduction_item
from tests.data import DATA
from tests.lab.suites.verge.gold_verdict import gives_the_answer, grounded

FILE = DATA / "logical_deduction" / "shared.json"
needs_deduction = pytest.mark.skipif(
    not FILE.exists(), reason="the LogicalDeduction records are not beside the repository"
)


def record(text: str, **options: str) -> Item:
    context = f"Objects in a fixed order. All is consistent.\n\n{text}"
    return deduction_item(Item("own", context, "Which of the following is true?", options, "A"))


def places(item: Item) -> list[str]:
    """Return the variables of the things' places, in the order of the list."""
    assert item.gold is not None
    return [fact_name("place", (thing_text(entity.name),)) for entity in item.gold.vocabulary.entities]


def true_options(item: Item) -> list[str]:
    """Return the options that hold in every order that the sentences allow, by trying all orders."""
    names = places(item)
    premises, options, _ = grounded(item)
    orders = [dict(zip(names, order, strict=True)) for order in permutations(range(1, len(names) + 1))]
    allowed = [order for order in orders if all(formula.holds(order) for formula in premises.values())]
    assert allowed
    return [letter for letter, formula in options.items() if all(map(formula.holds, allowed))]


SHELF = "On a shelf, there are three books: a red book, a blue book, and an orange book."
FRUITS = "A fruit stand sells five fruits: kiwis, plums, pears, apples, and mangoes."
GOLF = "In a golf tournament, there were three golfers: Ada, Bob, and Cy."
CARS = "In an antique car show, there are three vehicles: a bus, a station wagon, and a truck."


@pytest.mark.parametrize(
    ("list_", "said", "place"),
    [
        (SHELF, "The red book is the leftmost.", 1),
        (SHELF, "The red book is the second from the left.", 2),
        (SHELF, "The red book is the rightmost.", 3),
        (SHELF, "The red book is the second from the right.", 2),
        (SHELF, "The red book is the third from the right.", 1),
        (FRUITS, "The kiwis are the cheapest.", 1),
        (FRUITS, "The kiwis are the second-cheapest.", 2),
        (FRUITS, "The kiwis are the most expensive.", 5),
        (FRUITS, "The kiwis are the second-most expensive.", 4),
        (GOLF, "Ada finished first.", 1),
        (GOLF, "Ada finished second.", 2),
        (GOLF, "Ada finished last.", 3),
        (GOLF, "Ada finished third-to-last.", 1),
        (CARS, "The bus is the oldest.", 1),
        (CARS, "The bus is the second-newest.", 2),
        (CARS, "The bus is the newest.", 3),
    ],
)
def test_places(list_: str, said: str, place: int) -> None:
    item = record(f"{list_} {said}", A=said)
    formula, name = grounded(item)[0]["P2"], places(item)[0]
    assert [value for value in range(1, 6) if formula.holds({name: value})] == [place]


@pytest.mark.parametrize(
    ("list_", "said", "before"),
    [
        (SHELF, "The red book is to the left of the blue book.", True),
        (SHELF, "The red book is to the right of the blue book.", False),
        (FRUITS, "The kiwis are less expensive than the plums.", True),
        (FRUITS, "The kiwis are more expensive than the plums.", False),
        (GOLF, "Ada finished above Bob.", True),
        (GOLF, "Ada finished below Bob.", False),
        (CARS, "The bus is older than the station wagon.", True),
        (CARS, "The bus is newer than the station wagon.", False),
    ],
)
def test_comparisons(list_: str, said: str, before: bool) -> None:
    one = record(f"{list_} {said}", A=said)
    first, second = places(one)[:2]
    formula = grounded(one)[0]["P2"]
    assert [formula.holds({first: 1, second: 2}), formula.holds({first: 2, second: 1})] == [before, not before]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("There is a red book.", "does not list"),
        ("On a shelf, there are three books: a red book, and a blue book.", "2 listed"),
        (f"{SHELF} The red book is heavy.", "no place"),
        (f"{SHELF} The red book is the fourth from the left.", "no place"),
        (f"{SHELF} The green book is the leftmost.", "none of red book"),
        (f"{SHELF} Nobody reads.", "nothing of a place"),
    ],
)
def test_other_sentences_are_refused(text: str, message: str) -> None:
    with pytest.raises(RecordError, match=message) as raised:
        record(text, A="The red book is the leftmost.")
    assert str(raised.value).startswith("own: ")


@needs_deduction
@pytest.mark.parametrize("step", [15, pytest.param(1, marks=pytest.mark.slow)])
def test_every_record_is_read_and_has_one_true_option(step: int) -> None:
    records = [read_item(value, where) for where, value in read_records(FILE)]
    assert len(records) == 150
    for item in list(map(deduction_item, records))[::step]:
        assert gives_the_answer(item), item.id
        if len(places(item)) < 7:
            assert true_options(item) == [item.answer]
    print(f"\nLogicalDeduction: {len(records)} read; the gold option is entailed, and all others are refuted, in each")
