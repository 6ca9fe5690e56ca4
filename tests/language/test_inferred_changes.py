"""Changes in wordings that nobody foresaw: what is named decides, and what is not named is never touched."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdtrue.language.inferred_changes import infer_change
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
