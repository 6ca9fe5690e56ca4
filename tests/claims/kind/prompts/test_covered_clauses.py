"""Claims cover every clause of an answer in full, or the clause is reported as uncovered."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdtrue_claims.kind.prompts.covered_clauses import is_composed, uncovered
from holdtrue_claims.kind.prompts.decomposition import read_decomposition
from tests.claims.kind.prompts.test_decomposition import reply
from tests.slow import first_of

OWLS = "The owl is older than the crow"


@pytest.mark.parametrize(
    ("clause", "claims", "is_covered"),
    [
        (f"Please note that {OWLS[0].lower()}{OWLS[1:]}", [f"{OWLS}."], True),
        ("neither the owl nor the crow is old", ["The owl is not old.", "The crow is not old."], True),
        ("She is suspended", ["Pat is suspended."], True),
        ("If Mia sings, she dances", ["If Mia sings, Mia dances."], True),
        ("A dose for him is three quarters of a gram", ["A dose for Pat is 0.75 g."], True),
        ("Every nurse who is on it is paid", ["Every nurse on the shift of 3 May is paid."], True),
        ("Ann pays 5 EUR, and so does Ben", ["Ann pays 5 EUR.", "Ben pays 5 EUR."], True),
        # The claims leave out a part of the clause, or say the opposite.
        ("Ann has a key and is a thief", ["Ann has a key."], False),
        ("The crow is older than the owl", [f"{OWLS}."], False),
        ("All guests have keys", ["Guests have keys."], False),
        ("Only guests have keys", ["Guests have keys."], False),
        ("Guests may pay in cash", ["Guests pay in cash."], False),
        ("The pool must be open", ["The pool is open."], False),
        ("The pool opens when it rains", ["The pool opens.", "It rains."], False),
        ("They have to pay", ["The guests pay."], False),
        ("There is nothing but tea", ["There is no tea."], False),
        ("The key is under the mat", ["The key is on the mat."], False),
        ("In June the pool opens at 9", ["The pool opens at 9 in June."], False),
        ("Ann is not old and Ben is young", ["Ann is old.", "Ben is not young."], False),
        ("Ann and Ben came late", ["Ann came late.", "Ben came late."], True),
        ("Ann and Ben came late", ["Ann came.", "Ben came late."], False),
        ("Ann and Ben came late", ["Ann came late.", "Ben came."], False),
        ("Tea and milk cost 5 and 6 EUR", ["Tea costs 6 EUR.", "Milk costs 5 EUR."], False),
        ("It is older than the crow", ["The crow is older than the owl."], False),
        ("The owl is not old", ["The owl is old."], False),
        ("The owl costs 20 euros", ["The owl costs 30 euros."], False),
        ("Is the owl old?", ["The owl is old."], False),
        # Openings say nothing, unless they name a rule.
        ("According to rule 7, guests pay", ["Guests pay."], False),
        ("Thanks, I am happy to help", [], False),
    ],
)
def test_a_clause_is_covered_by_claims_that_say_all_of_it(clause: str, claims: list[str], is_covered: bool) -> None:
    assert [*uncovered([clause], claims)] == ([] if is_covered else [clause])


MEANT = st.sampled_from(
    "owl crow old may must can will not only or if unless under before when than was all some".split()
)


@given(st.lists(MEANT, min_size=2, max_size=9), st.data())
def test_a_claim_that_lacks_any_word_of_meaning_covers_no_clause(words: list[str], data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(words) - 1))
    clause = " ".join(words)
    assert not uncovered([clause], [f"{clause}."])
    assert uncovered([clause], [" ".join((*words[:place], *words[place + 1 :]))])


@pytest.mark.parametrize(
    ("word", "question", "claim", "is_covered"),
    [
        ("No", "Does Rosa pay?", "Rosa does not pay.", True),
        ("Yes", "Does Rosa pay?", "Rosa pays.", True),
        ("Yes", "Does Rosa pay?", "Rosa does not pay.", False),
        ("Yes", "May Rosa fly?", "Rosa passed the check.", False),
        ("No", "", "Rosa does not pay.", False),
        ("Yes", "Is the owl older than the wren?", "The wren is older than the owl.", False),
    ],
)
def test_yes_and_no_have_the_words_of_the_question(word: str, question: str, claim: str, is_covered: bool) -> None:
    for clauses in ([word, claim.rstrip(".")], [f"{word}: {claim}"]):
        assert (clauses[0] in uncovered(clauses, [claim], "", question)) != is_covered


def test_what_another_clause_says_covers_no_pronoun() -> None:
    clauses = ["The pie costs 5 EUR", "The soup is fine", "It costs 5 EUR"]
    claims = ["The pie costs 5 EUR.", "The soup is fine."]
    assert [*uncovered(clauses, claims)] == clauses[2:]
    assert not uncovered(clauses, [*claims, "The soup costs 5 EUR."])


@pytest.mark.parametrize(
    ("clause", "is_doubtful"),
    [
        ("I see", True),
        ("Good morning Ms Dove", True),
        ("Why I say so:", True),
        ("In that case the owl is old", True),
        ("Shall I feed the owl for you?", True),
        ("Enjoy your evening with the owl", True),
        ("The owl is not old", True),
        ("Not Ms Dove", True),
        # It can be a claim.
        ("The owl is old today", False),
        ("The owl costs 20 euros", False),
        ("The owl is old and a thief", False),
    ],
)
def test_doubtful_is_what_has_no_value_and_says_no_part_of_a_claim(clause: str, is_doubtful: bool) -> None:
    assert uncovered([clause], ["The owl is old."], "Every thief pays.") == {clause: is_doubtful}


@pytest.mark.parametrize(
    ("whole", "others", "found"),
    [
        ("Neither Ben nor Nora is old.", ["Ben is not old.", "Nora is not old."], True),
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
        ("Only Ben and Nora are old.", ["Ben is old.", "Nora is old."], False),
        ("Ben is older than Nora.", ["Ben is older.", "Nora is older."], False),
    ],
)
def test_a_statement_of_several_is_made_up_of_those_of_each(whole: str, others: list[str], found: bool) -> None:
    assert is_composed(whole, others) is found


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
        told = reply(*({"text": f"{own}.", "type": "logical"} for own in kept))
        # By clauses, and by sentences in their places, as where only proof is accepted.
        modes: tuple[list[str] | None, ...] = (None, [])
        for idle in modes:
            found = read_decomposition(told, answer, idle=idle)
            lines = [*(claim.text for claim in found.claims), *found.untested]
            for own in said:
                assert sum(own in line.casefold() for line in lines) == 1, (answer, kept, lines)
