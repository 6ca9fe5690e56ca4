from __future__ import annotations

import pytest

from holdtrue.kinds.claims.prompts.repeats import made_up, same_key


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The owl cannot be the oldest.", "the owl is not the oldest"),
        ("The owl can't be the oldest.", "The owl isn't the oldest."),
        ("The owl must therefore be new.", "The owl is thus new"),
        ("The owls have to be new.", "The owls are clearly new."),
        ("The owl is also new.", "The owl is new."),
    ],
)
def test_forms_of_one_statement_have_one_key(one: str, other: str) -> None:
    assert same_key(one) == same_key(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The owl is older than the wren.", "The wren is older than the owl."),
        ("All owls are old.", "Some owls are old."),
        ("The owl is old.", "The owl is not old."),
        ("The owl is so old that it sleeps.", "The owl is old that it sleeps."),
    ],
)
def test_other_statements_have_other_keys(one: str, other: str) -> None:
    assert same_key(one) != same_key(other)


@pytest.mark.parametrize(
    ("whole", "others", "found"),
    [
        ("Neither Ben nor Nora can be old.", ["Ben is not old.", "Nora is not old."], True),
        ("Both Vera and Nils play chess.", ["Vera plays chess.", "Nils plays chess."], True),
        ("Ben and Nora are old.", ["Ben is old.", "Ida is old.", "Nora is old."], True),
        ("Ben, Ida and Nora are old.", ["Ben is old.", "Ida is old.", "Nora is old."], True),
        # One is left out; something else is said; or they hold together only.
        ("Ben, Ida and Nora are old.", ["Ben is old.", "Ida is old."], False),
        ("Neither Ben nor Nora is old.", ["Ben is not old."], False),
        ("Neither Ben nor Nora is old.", ["Ben is old.", "Nora is old."], False),
        ("Either Ben or Nora is old.", ["Ben is old.", "Nora is old."], False),
        ("If Ben and Nora are old, Ida is.", ["Ben is old.", "Nora is old."], False),
        (
            "The room and the meal cost 90 euros together.",
            ["The room costs 90 euros.", "The meal costs 90 euros."],
            False,
        ),
        ("Ben is older than Nora.", ["Ben is older.", "Nora is older."], False),
    ],
)
def test_a_statement_of_several_is_made_up_of_those_of_each(whole: str, others: list[str], found: bool) -> None:
    assert made_up(whole, others) is found
