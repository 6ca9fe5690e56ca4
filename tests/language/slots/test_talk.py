"""What a message does in a talk."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdtrue.language.slots.talk import is_asked_about, last_question, only_asks, sentences, talk_of, with_ends


@pytest.mark.parametrize(
    "message", ["Sounds good to me", "ja, das passt", "sí, perfecto", "Yes please", "I'll take it"]
)
def test_a_yes_in_three_languages_accepts(message: str) -> None:
    assert talk_of(message, None).accepts


@pytest.mark.parametrize("message", ["Is there another one?", "nein danke", "mejor otro", "No, a different one, okay?"])
def test_what_refuses_does_not_accept(message: str) -> None:
    assert not talk_of(message, None).accepts and talk_of(message, None).no


def test_the_question_is_what_was_asked_last() -> None:
    assert last_question("I found 2. In which town? And when?") == "In which town? And when?"
    assert last_question("Done. It costs 5.") == "It costs 5."
    assert last_question(None) == ""


def test_a_question_about_what_is_so_states_nothing() -> None:
    text = "Great. Do they have wifi?"
    assert is_asked_about(text, text.index("wifi") + 4)
    assert not is_asked_about("I want wifi. Can you find it?", 11)


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("Do you also have a sauna?", True),
        ("oh and is Jo any good with poodles?", True),
        ("What does the sunset one cost?", True),
        ("would A3 be a lot dearer?", True),
        ("How about Thursday?", False),
        ("What about a compact car?", False),
        ("Can I come on Thursday?", False),
        ("Is Thursday possible?", False),
        ("Do you have Thursday instead?", False),
        ("What do you have if I need it on Thursday?", False),
        ("I like the sauna.", False),
    ],
)
def test_a_question_of_what_is_so_wishes_nothing(text: str, asks: bool) -> None:
    assert only_asks(text) is asks


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("Dr. Moss is free. Shall I book?", ["Dr. Moss is free.", "Shall I book?"]),
        ("At 5 p.m. on Friday. Or not?", ["At 5 p.m. on Friday.", "Or not?"]),
        ("We open at 5 p.m. Is that late?", ["We open at 5 p.m.", "Is that late?"]),
        ("No. Friday please.", ["No.", "Friday please."]),
        ("Try Susan M. Greene today. Ok?", ["Try Susan M. Greene today.", "Ok?"]),
        ("I take category C. Shall we?", ["I take category C.", "Shall we?"]),
    ],
)
def test_the_dot_of_a_short_form_ends_no_sentence(text: str, parts: list[str]) -> None:
    assert sentences(text) == parts


@given(st.text(alphabet="DrMs. pmaAB?!", max_size=40))
def test_a_text_keeps_its_length_and_its_words(text: str) -> None:
    marked = with_ends(text)
    assert len(marked) == len(text) and marked.replace(" ", "").replace(".", "") == text.replace(" ", "").replace(
        ".", ""
    )
