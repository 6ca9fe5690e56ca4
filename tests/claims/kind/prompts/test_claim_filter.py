from __future__ import annotations

import pytest

from holdtrue_claims.kind.prompts.covered_clauses import is_in_answer, statement_key

PAT = ("And why does nobody hear from Pat?", "Kim works in the old mill.")


@pytest.mark.parametrize(
    ("claim", "clauses", "around"),
    [
        ("Pat is suspended.", ["She is suspended"], PAT),
        ("Api imports the ledger.", ["It imports the ledger"], ["Write the head of api."]),
        ("The head of the api imports the ledger.", ["It imports the ledger"], ["Write the head of the api."]),
        ("Kim's room is on the left.", ["Her room is on the left"], PAT),
        ("You drive two hours to the old mill.", ["You drive two hours there"], PAT),
        ("Mia is a dancer.", ["Mia came", "she is a dancer"], ()),
        ("Room 12 is locked.", ["It is locked"], ["What about room 12?"]),
        ("The van costs 1100 euros.", ["The van costs 1,100 euros"], ()),
        ("They drive 3 hours.", ["You drive three hours"], ()),
        ("Nobody but Kim plays chess.", ["Nobody but Kim plays chess"], ()),
        ("She is refunded.", ["She is refunded, small sums need no papers"], ()),
        ("The deposit for S12 is not lost.", ["it is not lost"], ["Is the deposit for S12 lost?"]),
        ("Lea pays nothing for a transit visa.", ["Lea pays nothing"], ["What does Lea pay for a transit visa?"]),
    ],
)
def test_what_an_answer_says(claim: str, clauses: list[str], around: tuple[str, ...]) -> None:
    assert is_in_answer(claim, clauses, around)


@pytest.mark.parametrize(
    ("claim", "clauses", "around"),
    [
        # Sentences of the context or the question that the answer does not repeat.
        ("Nobody hears from Pat.", ["She is suspended"], PAT),
        ("Kim works in the old mill.", ["She is suspended"], PAT),
        ("The museum opens at ten.", ["It closes at ten"], ["When does the museum open?"]),
        ("Ann is a vegetarian.", ["She likes fish"], ["Is Ann a vegetarian?"]),
        # Numbers, names, and denials.
        ("The room on the left costs 80 euros.", ["The room on the left costs 90 euros"], ()),
        ("Vera plays golf with Otto.", ["Vera plays golf with Nils"], ()),
        ("The bus is not the lightest.", ["The bus is the lightest"], ()),
        ("The bus is the lightest.", ["The bus isn't the lightest"], ()),
        ("The stool is older than the desk.", ["The lamp is older", "the stool is green", "the desk is new"], ()),
        # The 'this' of a connection is no name that the reader has to look for.
        ("The harp is not new.", ["The harp is new", "This means that the flute is not new"], ()),
    ],
)
def test_what_an_answer_does_not_say(claim: str, clauses: list[str], around: tuple[str, ...]) -> None:
    assert not is_in_answer(claim, clauses, around)


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
    assert statement_key(one) == statement_key(other)


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
    assert statement_key(one) != statement_key(other)
