from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue_claims.kind.prompts.options import denial, spell_options, spell_truth
from tests.patience import no_hang

OPTIONS = {
    "A": "The owl is the oldest.",
    "B": "Finn the crow is third from the left.",
    "C": "If it rains, the wren stays.",
}


@pytest.mark.parametrize(
    ("answer", "spelled"),
    [
        (
            "So options A and B are incorrect.",
            "So the owl is not the oldest and Finn the crow is not third from the left.",
        ),
        ("Option B is correct.", "Finn the crow is third from the left."),
        ("Hence option C cannot be true.", "Hence it is not the case that if it rains, the wren stays."),
        ("The answer is A.", "the owl is the oldest."),
        ("Therefore the correct answer is (A)", "Therefore the owl is the oldest"),
        ("so option A) The owl is the oldest is true", "so the owl is the oldest"),
        ("The answer is: A) The owl is the oldest.", "The owl is the oldest."),
        # The answer's own words count, whatever the letter before them says.
        ("The answer is: A) The wren is the oldest.", "The wren is the oldest."),
        (
            "Option (A) and option (B) can be ruled out",
            "the owl is not the oldest and Finn the crow is not third from the left",
        ),
        # A letter that is no option's, or no letter of an option at all.
        ("Option E is incorrect.", "Option E is incorrect."),
        ("A wren is right here.", "A wren is right here."),
        ("The owl sits beside B.", "The owl sits beside B."),
    ],
)
def test_letters_become_statements(answer: str, spelled: str) -> None:
    assert spell_options(answer, OPTIONS).casefold() == spelled.casefold()


@pytest.mark.parametrize(
    ("answer", "spelled"),
    [
        ("So the statement is true.", "So the owl is old."),
        ("Therefore, this conclusion must be false.", "Therefore, the owl is not old."),
        ("The statement is not true", "the owl is not old"),
        ("The answer is A.", "the owl is old."),
        ("The correct answer is: B) False", "the owl is not old"),
        ("The answer is false.", "the owl is not old."),
        ("The answer is C.", "The answer is C."),
        ("The statement is uncertain.", "The statement is uncertain."),
        ("Whether the statement is true or false is open.", "Whether the statement is true or false is open."),
        ("The wren is old.", "The wren is old."),
    ],
)
def test_truth_becomes_the_statement(answer: str, spelled: str) -> None:
    assert spell_truth(answer, {"A": "True", "B": "False", "C": "Uncertain"}, "The owl is old.") == spelled


def test_truth_values_state_nothing() -> None:
    assert spell_options("The answer is B.", {"A": "True", "B": "False"}) == "The answer is B."
    assert spell_options("The answer is B.", {}) == "The answer is B."


@pytest.mark.parametrize(
    ("statement", "denied"),
    [
        ("The owl is old", "The owl is not old"),
        ("The owls were not here", "It is not the case that the owls were not here"),
        ("All owls are old", "It is not the case that all owls are old"),
        ("Finn sleeps", "It is not the case that Finn sleeps"),
        ("The owl that is old is here", "It is not the case that the owl that is old is here"),
    ],
)
def test_denials(statement: str, denied: str) -> None:
    assert denial(statement) == denied


@settings(deadline=None, max_examples=60)
@given(st.text(alphabet="AB C().:,isaretrue\\[", max_size=40), st.text(max_size=20))
def test_nothing_raises_and_an_answer_that_names_no_option_stays(answer: str, option: str) -> None:
    options = {"A": option, "(": "a b c", "B": "The owl is old."}
    spelled = spell_options(answer, options)
    assert spelled == answer or {*"AB("} & {*answer}
    assert spell_truth(answer, options, option) == answer, "nothing here is said of 'the statement'"


@pytest.mark.parametrize("text", ["A, " * 20_000, "option A and " * 5000, "the answer is A or " * 5000])
def test_long_answers_take_no_long_time(text: str) -> None:
    with no_hang():
        spell_options(text, OPTIONS)
