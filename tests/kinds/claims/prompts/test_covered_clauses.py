"""Every clause of an answer is said in full by claims, or told as left."""

from __future__ import annotations

from random import Random

import pytest

from holdtrue.kinds.claims.prompts.covered_clauses import uncovered
from holdtrue.kinds.claims.prompts.decomposition import read_decomposition
from tests.kinds.claims.prompts.test_decomposition import reply
from tests.slow import first_of

OWLS = "The owl is older than the crow"


@pytest.mark.parametrize(
    ("clause", "claims", "is_covered"),
    [
        (f"Please note that {OWLS[0].lower()}{OWLS[1:]}", [f"{OWLS}."], True),
        ("neither the owl nor the crow is old", ["The owl is not old.", "The crow is not old."], True),
        ("She is suspended", ["Pat is suspended."], True),
        ("If Mia sings, she dances", ["If Mia sings, Mia dances."], True),
        ("Thanks, I am happy to help", [], True),
        ("A dose for him is three quarters of a gram", ["A dose for Pat is 0.75 g."], True),
        ("Every nurse who is on it is paid", ["Every nurse on the shift of 3 May is paid."], True),
        ("In June the pool opens at 9", ["The pool opens at 9 in June."], True),
        # What is left out of a clause, or said the other way round.
        ("Ann has a key and is a thief", ["Ann has a key."], False),
        ("The crow is older than the owl", [f"{OWLS}."], False),
        ("All guests have keys", ["Guests have keys."], False),
        ("Only guests have keys", ["Guests have keys."], False),
        ("Guests may pay in cash", ["Guests pay in cash."], False),
        ("The owl is not old", ["The owl is old."], False),
        ("The owl costs 20 euros", ["The owl costs 30 euros."], False),
        ("Is the owl old?", ["The owl is old."], False),
        # Words of courtesy, where the context uses them itself.
        ("Help is free", [], False),
    ],
)
def test_a_clause_is_covered_by_claims_that_say_all_of_it(clause: str, claims: list[str], is_covered: bool) -> None:
    question = "Is help free on Sundays?" if clause.startswith("Help") else ""
    assert [own.place for own in uncovered([clause], claims, "", question)] == ([] if is_covered else [0])


@pytest.mark.parametrize(
    ("word", "question", "claim", "is_covered"),
    [
        ("No", "Does Rosa pay?", "Rosa does not pay.", True),
        ("Yes", "Does Rosa pay?", "Rosa pays.", True),
        ("Yes", "Does Rosa pay?", "Rosa does not pay.", False),
        ("Yes", "May Rosa fly?", "Rosa passed the check.", False),
        ("No", "", "Rosa does not pay.", False),
    ],
)
def test_yes_and_no_have_the_words_of_the_question(word: str, question: str, claim: str, is_covered: bool) -> None:
    for clauses in ([word, claim.rstrip(".")], [f"{word}: {claim}"]):
        assert any(own.place == 0 for own in uncovered(clauses, [claim], "", question)) != is_covered


def test_what_another_clause_says_covers_no_pronoun() -> None:
    clauses = ["The pie costs 5 EUR", "The soup is fine", "It costs 5 EUR"]
    claims = ["The pie costs 5 EUR.", "The soup is fine."]
    assert [own.place for own in uncovered(clauses, claims)] == [2]
    assert not uncovered(clauses, [*claims, "The soup costs 5 EUR."])


@pytest.mark.parametrize(
    ("clause", "is_doubtful"),
    [
        ("I see", True),
        ("In that case the owl is old", True),
        ("The owl costs 20 euros", False),
        ("The owl is not old", False),
        ("The owl is old and a thief", False),
        ("Ask Ms Dove", False),
        ("Is that so?", False),
    ],
)
def test_doubtful_is_only_what_has_nothing_of_the_matter(clause: str, is_doubtful: bool) -> None:
    (left,) = uncovered([clause], ["The owl is old."], "Every thief pays.")
    assert left.doubtful is is_doubtful


OPENINGS = ("Please note that", "Sorry,", "You are right,", "Here is the rule:", "Remember:", "Of course,", "Indeed,")
ANIMALS = ("owl", "crow", "wren", "heron")


def clause(dice: Random) -> str:
    one, other = dice.sample(ANIMALS, 2)
    said = [f"is older than the {other}", f"likes the {other}", "is not grey", f"weighs {dice.randint(2, 9)} kg"]
    return f"the {one} {dice.choice(said)}"


@pytest.mark.parametrize("start", first_of(range(0, 5_000, 500), 1))
def test_every_clause_has_a_line_whatever_it_begins_with_and_whatever_a_model_leaves_out(start: int) -> None:
    for seed in range(start, start + 500):
        dice = Random(seed)
        said = list(dict.fromkeys(clause(dice) for _ in range(dice.randint(1, 6))))
        openings = [dice.choice((*OPENINGS, "")) for _ in said]
        answer = " ".join(
            f"{opening} {own}. ".lstrip().capitalize() for opening, own in zip(openings, said, strict=True)
        )
        kept = [own for own in said if dice.random() < 0.6]
        found = read_decomposition(reply(*({"text": f"{own}.", "type": "logical"} for own in kept)), answer)
        lines = [*(claim.text for claim in found.claims), *found.untested]
        for own in said:
            assert sum(own in line.casefold() for line in lines) == 1, (answer, kept, lines)
