from __future__ import annotations

import pytest

from holdtrue_claims.kind.prompts.statements import clauses, clean_statement, refers_back
from tests.patience import no_hang


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("The owl is old. The crow is young.", ["The owl is old", "The crow is young"]),
        ("The owl is old, so the crow is young.", ["The owl is old", "the crow is young"]),
        ("Since the owl is old, the crow is young.", ["the owl is old", "the crow is young"]),
        # Two commas: nobody knows which of them ends the reason.
        ("Since the owl, the wren are old, it is so.", ["Since the owl, the wren are old, it is so"]),
        ("The owl is old, which means that the crow is young", ["The owl is old", "the crow is young"]),
        ("The owl is old, which directly answers the question.", ["The owl is old"]),
        ("The owl is old and the crow is young.", ["The owl is old", "the crow is young"]),
        # These are not split, because their halves would have another meaning.
        ("If the owl is old and the crow is young, it rains.", ["If the owl is old and the crow is young, it rains"]),
        ("Either the owl is old and the crow is young or not.", ["Either the owl is old and the crow is young or not"]),
        ("The owl and the crow are old.", ["The owl and the crow are old"]),
        ("The owl is so old that it sleeps.", ["The owl is so old that it sleeps"]),
        ("", []),
    ],
)
def test_reasons_and_conclusions_come_apart(text: str, parts: list[str]) -> None:
    assert clauses(text) == parts


@pytest.mark.parametrize(
    ("text", "statement"),
    [
        ("Therefore, the owl is old", "The owl is old."),
        ("so, therefore it follows that the owl is old.", "The owl is old."),
        ("This means the owl is old", "The owl is old."),
        ("- According to the text, the owl is old", "The owl is old."),
        ("The context clearly states that the owl is old", "The owl is old."),
        ("According to the premises, the owl is old", "The owl is old."),
        (
            "According to the second rule in the text the owl is old",
            "According to the second rule in the text the owl is old.",
        ),
        ("We know that the owl is old", "The owl is old."),
        ("Premise 2 says that the owl is old", "The owl is old."),
        ("From P1 and P2, we can infer that the owl is old", "The owl is old."),
        ("It can be concluded that the owl is old", "The owl is old."),
        ("You told me that the owl is old", "The owl is old."),
        ("As you requested, the owl is old", "The owl is old."),
        ("I'm not sure, but I think the owl is old", "The owl is old."),
        ("No, the owl is old", "The owl is old."),
        ("Step 2: the owl is old", "The owl is old."),
        ("Hope is older than Ann", "Hope is older than Ann."),
        ("If you have a dog, you stay here", "If you have a dog, you stay here."),
        ("The rules of the house are old", "The rules of the house are old."),
        ("It is not the case that owls fly", "It is not the case that owls fly."),
        ("Is the owl old?", None),
        ("I hope this helps!", None),
        ("Let me know if you need the owl", None),
        ("As requested", None),
        ("If you need more, just ask", None),
        ("Thanks for your question", None),
        ("Great question!", None),
        ("You are right to ask.", None),
        ("Here are the reasons:", None),
        ("The context does not say whether the owl is old", None),
        ("Let's look at the owl.", None),
        ("The answer is B.", None),
        ("Option A is incorrect", None),
        ("This directly answers the question", None),
        ("The statement is uncertain.", None),
        # Nobody knows what it is.
        ("It cannot be the oldest", None),
        ("They are old", None),
        ("so", None),
        ("Reasons:", None),
        ("", None),
    ],
)
def test_statements_stand_for_themselves(text: str, statement: str | None) -> None:
    assert clean_statement(text) == statement


def test_pronouns_refer_back() -> None:
    assert refers_back("he is the youngest")
    assert refers_back("both are old")
    assert refers_back("you drive two hours there")
    assert not refers_back("the owl is old")
    assert not refers_back("neither the owl nor the crow is old")
    assert not refers_back("there is an owl")


@pytest.mark.parametrize(
    "text",
    [
        "so " * 5000,
        "the a is " * 3000,
        "since a, " * 3000,
        " and the" * 4000,
        "a, b and " * 3000,
        "the text says, " * 3000,
        "The choice of " + "tea and cake or " * 20 + "tea.",
    ],
)
def test_long_texts_take_no_long_time(text: str) -> None:
    with no_hang():
        for clause in clauses(text):
            clean_statement(clause)


@pytest.mark.parametrize(
    "text", ["The choice of wine is red.", "Option pricing is hard.", "The answer given can help."]
)
def test_only_letters_are_options(text: str) -> None:
    assert clean_statement(text) == text


@pytest.mark.parametrize(
    ("text", "statement"),
    [
        ("The statement 'Ann may swim' is true based on the given context.", "Ann may swim."),
        ('So the statement "Ann may swim." is therefore correct', "Ann may swim."),
        ("The statement 'Ann may swim' is false.", "The statement 'Ann may swim' is false."),
    ],
)
def test_a_quoted_statement_that_is_called_true_is_the_statement(text: str, statement: str) -> None:
    assert clean_statement(text) == statement
