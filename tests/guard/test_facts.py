"""Facts as a value, the paths of records, and the words of users that may be ids."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdtrue.guard.facts import Facts, fact_path, not_seen
from holdtrue.logic.value_sorts import DATE, MOMENT, WHOLE
from holdtrue.rules.types import COUNT, TEXT, Number, Record
from holdtrue.rules.values import FactKey, field_path, is_within


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("My id is mia_li_3668, thanks!", ("mia_li_3668",)),
        ("Order #W123, or (W124)?", ("W123", "W124")),
        ("it's 'a-1' and <b.2>.", ("a-1", "b.2")),
        ("Cancel AB and not ab", ("AB",)),
        ("on 2026-03-02", ("2026-03-02",)),
        ("me@example.com.", ("me@example.com",)),
        ("no ids here", ()),
        ("", ()),
        ("x1 x1 x1", ("x1",)),
    ],
)
def test_words_of_users_that_may_be_ids_are_kept_as_they_were_written(text: str, words: tuple[str, ...]) -> None:
    facts = Facts.none().with_words(text)
    assert facts.written == words
    assert facts.listened


@given(st.text(alphabet="aabBZI1.,-@!é\u2003ДдI \n_#+ß\x85'"))
def test_words_that_may_be_ids_are_all_that_are_no_plain_words(text: str) -> None:
    parts = (word.strip("._@+-") for part in text.split() for word in re.findall(r"[\w.@+-]+", part))
    assert Facts.none().with_words(text).written == tuple(
        dict.fromkeys(own for own in parts if own and (not own.isalpha() or own.isupper()))
    )


def test_nobody_listened_until_there_were_words() -> None:
    assert not Facts.none().listened
    facts = Facts.none().with_words("hello").with_words("it is A1").with_words("and B2, and A1")
    assert facts.listened and facts.written == ("A1", "B2")


def test_millions_of_plain_words_are_looked_through_once() -> None:
    for end in ("", " ", "\n", "!", " X7"):
        found = Facts.none().with_words("words " * 400_000 + "so" + end)
        assert found.listened and found.written == (("X7",) if end == " X7" else ())


def test_a_record_is_written_as_rules_write_it() -> None:
    assert fact_path("user", ("x",), [TEXT]) == "facts.user('x')"
    assert fact_path("flight", ("HAT1", 739677), [TEXT, DATE]) == "facts.flight('HAT1', 2026-03-02)"
    assert fact_path("seat", (3,), [COUNT]) == "facts.seat(3)"
    record = Record({})
    assert not_seen("user", ("x",), record, [TEXT]) == not_seen("user", ("x",), record)
    assert not_seen("user", ("x",), record).fact == FactKey("user", ("x",))


@given(st.lists(st.tuples(st.text(max_size=8), st.integers(-3, 3)), min_size=2, max_size=8, unique=True))
def test_paths_of_any_keys_differ(keys: list[tuple[str, int]]) -> None:
    paths = [fact_path("k", key, [TEXT, Number(WHOLE)]) for key in keys]
    for one, other in combinations(paths, 2):
        assert one != other
        assert not is_within(one, other) and not is_within(field_path(one, "n"), other)


@given(st.integers() | st.fractions(), st.integers() | st.fractions())
def test_paths_of_any_moments_differ(one: int | Fraction, other: int | Fraction) -> None:
    same = fact_path("k", (one,), [MOMENT]) == fact_path("k", (other,), [MOMENT])
    assert same is (one == other)
    if isinstance(one, int) and isinstance(other, int):
        assert (fact_path("k", (one,), [DATE]) == fact_path("k", (other,), [DATE])) is (one == other)


def test_what_is_in_a_value_is_known_by_its_path() -> None:
    whole = "facts.user('x')"
    assert all(is_within(f"{whole}{rest}", whole) for rest in ("", ".n", "[0]", "['a b'].n"))
    assert not any(is_within(own, whole) for own in ("facts.user('xy')", "facts.user('x')y", "facts.user(", "x"))
