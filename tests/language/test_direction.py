"""The words of a sentence decide which of two entities comes first, also on a scale of numbers."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.language.direction import first_argument, first_on_scale, lacks_side, names_side
from holdtrue.world.domain import ConstraintType
from holdtrue.world.instance import Constraint, Instance
from holdtrue.world.registry import BUILTIN, find_domain
from tests.data import read_jsonl

KINDS = {kind.name: kind for domain in BUILTIN.values() for kind in domain.constraint_types}
LEFT, BEFORE, ORDERED = KINDS["left_of"], KINDS["before"], KINDS["ordered"]
OWN = Path(__file__).parent / "paraphrases"


@pytest.mark.parametrize(
    ("kind", "sentence", "first"),
    [
        (BEFORE, "Nora before Omar", "Nora"),
        (BEFORE, "Nora after Omar", "Omar"),
        (BEFORE, "After Omar comes Nora", "Omar"),
        (BEFORE, "Before Omar comes Nora", "Nora"),
        (BEFORE, "Nora must not come after Omar", "Nora"),
        (BEFORE, "Nora can't start until Omar is done", "Omar"),
        (BEFORE, "Nora, then Omar", "Nora"),
        (BEFORE, "Nora before or after Omar", None),
        (BEFORE, "Nora and Omar", None),
        (BEFORE, "Before that, Nora", None),
        (BEFORE, "Nora before noon, Omar", "Nora"),
        (LEFT, "Nora is left of Omar", "Nora"),
        (LEFT, "Nora is to the right of Omar", "Omar"),
        (LEFT, "Nora's left neighbour is Omar", "Omar"),
        (LEFT, "Nora has Omar on her right", "Nora"),
        (LEFT, "On the left of Nora, Omar", "Omar"),
        (LEFT, "Nora on the left, Omar on the right", None),
        (LEFT, "Nora is not left of Omar", None),
        (LEFT, "Nora right beside Omar", None),
        (ORDERED, "Nora\u2019s pet is further down than Omar\u2019s", "Omar"),
        (KINDS["adjacent"], "Nora after Omar", None),
    ],
)
def test_cues(kind: ConstraintType, sentence: str, first: str | None) -> None:
    assert first_argument(kind, sentence, ["Nora", "Omar"]) == first
    assert first_argument(kind, sentence, ["Omar", "Nora"]) == first


def test_sides() -> None:
    assert lacks_side(LEFT, "Nora by Omar")
    assert not lacks_side(LEFT, "Nora on the left")
    assert not lacks_side(BEFORE, "Nora by Omar")
    assert names_side(LEFT, "Nora left of Omar", ["Nora", "Omar"])
    assert not names_side(LEFT, "Nora on the left, Omar", ["Nora", "Omar"])
    assert not names_side(BEFORE, "Nora before Omar", ["Nora", "Omar"])


@given(st.text(alphabet="NoraOm 'lefthisrgb,of", max_size=80))
@settings(deadline=None, max_examples=100)
def test_no_text_is_too_odd(text: str) -> None:
    for kind in (LEFT, BEFORE, ORDERED):
        assert first_argument(kind, text, ["Nora", "Omar"]) in (None, "Nora", "Omar")


def test_clear_cues_are_right_on_own_paraphrases() -> None:
    """Silence is allowed, a wrong direction is not."""
    outcomes: Counter[str] = Counter()
    for record in read_jsonl(OWN / "sentences.jsonl"):
        if KINDS[record["type"]].cues:
            first = first_argument(KINDS[record["type"]], record["sentence"], record["args"][:2])
            outcomes["silent" if first is None else "right" if first == record["args"][0] else json.dumps(record)] += 1
    assert set(outcomes) == {"right", "silent"}
    assert outcomes["silent"] <= 8


def test_a_denial_of_another_clause_turns_nothing_round() -> None:
    kind = KINDS["before"]
    said = "there is no point in waiting, so get Deploy over with before Testing begins"
    assert first_argument(kind, said, ("Deploy", "Testing")) == "Deploy"
    assert first_argument(kind, "Deploy must not, please, come before Testing", ("Deploy", "Testing")) is not None


GRID = Instance(
    find_domain("logic_grid"),
    ["Ann", "Bob"],
    {
        "categories": {
            "floor": ["1", "2", "3"],
            "price": ["$30", "$20", "$10"],
            "pet": ["Cat", "Dog"],
            "coat": ["Small", "Large"],
            "place": ["First", "Second"],
        }
    },
)


@pytest.mark.parametrize(
    ("sentence", "attribute", "first"),
    [
        ("Ann lives below Bob", "floor", "Ann"),
        ("Ann's flat is on a higher floor than Bob's", "floor", "Bob"),
        ("Ann paid more than Bob", "price", "Ann"),
        ("Ann spent less than Bob", "price", "Bob"),
        ("A lower floor for Ann than for Bob", "floor", "Ann"),
        ("Ann's floor > Bob's", "floor", "Bob"),
        ("Ann went and got herself a bigger coat than Bob", "coat", "Bob"),
        ("Ann ranks above Bob", "pet", None),  # no numbers
        ("Ann does not live above Bob", "floor", None),
        ("Ann and Bob live above", "floor", None),
        ("Ann lives with Bob", "floor", None),
        ("above is Ann", "floor", None),
    ],
)
def test_the_smaller_number_comes_first_in_a_list_that_counts_up(
    sentence: str, attribute: str, first: str | None
) -> None:
    for args in (("Ann", "Bob", attribute), ("Bob", "Ann", attribute)):
        assert first_on_scale(GRID, sentence, Constraint("ordered", args)) == first
