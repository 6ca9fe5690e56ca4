"""Changes in wordings that nobody foresaw: what is named decides, and what is not named is never touched."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdtrue.language.inferred_changes import Change, infer_change
from holdtrue.language.matching import match_sentence
from holdtrue.language.reading import ActiveCommitment
from holdtrue.world.instance import Constraint
from tests.language.changes_by_name import make_instance, play, read_cases
from tests.slow import first_of

DATA = Path(__file__).parent / "data"
CASES = read_cases(DATA / "changes_in_any_wording.jsonl")
MANY_WAYS = read_cases(DATA / "changes_in_many_ways.jsonl")
AGREED = [
    "Gala is on day 3",
    "Demo is before Gala",
    "Retro is not on day 2",
    "Demo and Retro are at least 2 days apart",
]
WEEK = make_instance({"setting": "agenda", "names": ["Gala", "Demo", "Retro", "Lunch"], "agreed": AGREED, "new": []})


def stated(sentence: str) -> Constraint:
    made = match_sentence(WEEK, sentence)
    assert made is not None
    return WEEK.canonical(made)


HELD = [ActiveCommitment(f"C{number:03}", stated(sentence), number) for number, sentence in enumerate(AGREED, start=1)]


def as_sentences(change: Change | None) -> tuple[list[str], str | None] | None:
    """The ids of what ends, and in words what takes the place of it."""
    return (
        None
        if change is None
        else ([one.id for one in change.ends], WEEK.sentence(change.made) if change.made else None)
    )


@pytest.mark.parametrize("part", first_of(range(8), 1))
def test_most_changes_are_made_and_none_is_wrong(part: int) -> None:
    outcomes = [(case, play(case)) for case in CASES[part::8]]
    assert [case["message"] for case, outcome in outcomes if outcome.wrong] == []
    missed = [case["message"] for case, outcome in outcomes if not outcome.exact]
    assert len(missed) <= 0.1 * len(outcomes), missed


@pytest.mark.parametrize("part", first_of(range(2), 1))
def test_idioms_that_nothing_knows_change_nothing_that_they_do_not_name(part: int) -> None:
    outcomes = [(case, play(case)) for case in MANY_WAYS[part::2]]
    assert [case["message"] for case, outcome in outcomes if outcome.wrong] == []
    left = [(case, outcome) for case, outcome in outcomes if not (case["gone"] or case["new"])]
    assert left
    assert [case["message"] for case, outcome in left if not outcome.exact] == []


@pytest.mark.parametrize(
    ("sentence", "ends", "made"),
    [
        ("the gala isnt day 3 now its day 4", "C001", "Gala is on day 4"),
        ("Gala: day 5 is better than day 3, go with that", "C001", "Gala is on day 5"),
        ("gala to day 6 pls", "C001", "Gala is on day 6"),
        ("Oh, the demo and the gala: I had them the wrong way round", "C002", "Gala is before Demo"),
        ("retro may be on day 2 after all", "C003", None),
        ("the retro and demo gap, lose it", "C004", None),
        ("pull the gala, day 3 is a holiday", "C001", None),
        ("the 2 days between retro and demo should be 3 days", "C004", "Demo and Retro are at least 3 days apart"),
    ],
)
def test_names_decide(sentence: str, ends: str, made: str | None) -> None:
    assert as_sentences(infer_change(WEEK, sentence, HELD)) == ([ends], made)


@pytest.mark.parametrize(
    "sentence",
    [
        "Bob says the gala is off",
        "pull the gala if it rains",
        "don't move the gala to day 5",
        "should we scrap the gala on day 3?",
        "cancel the flowers for the gala",  # the flowers are nothing that is known
        "drop the retro",  # two are about it
        "lunch is off",
        "scrap Gala 2",
        "keep the gala on day 3, not day 4",
        "the gala on day 3 or the demo can go",
        "Karneval is off, not the gala",
        "I always forget the gala on day 3",
        "the gala was on day 3 last year",
    ],
)
def test_what_is_not_clear_changes_nothing(sentence: str) -> None:
    assert infer_change(WEEK, sentence, HELD) is None


WORDS = st.sampled_from(
    "the gala demo retro lunch day 1 2 3 4 is not off cancel move to instead of drop no longer before can now".split()
)


@given(st.lists(WORDS, min_size=1, max_size=10).map(" ".join))
def test_a_change_is_about_all_that_is_named_and_nothing_else(sentence: str) -> None:
    change = infer_change(WEEK, sentence, HELD)
    if change is None:
        return
    named = {name for name in WEEK.entities if name.casefold() in sentence.split()}
    touched = {name for one in change.ends for name in WEEK.entities_in(one.constraint)}
    assert named and named & touched
    assert named <= touched | (set(WEEK.entities_in(change.made)) if change.made else set())
    for one in change.ends:
        assert named & set(WEEK.entities_in(one.constraint))
    if change.made is not None:
        assert set(WEEK.entities_in(change.made)) <= named and change.made not in {one.constraint for one in HELD}
