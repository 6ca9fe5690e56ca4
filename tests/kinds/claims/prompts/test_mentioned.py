"""Which things a sentence speaks of."""

from __future__ import annotations

import pytest

from holdtrue.kinds.claims.prompts.mentioned import mentioned, says_some
from holdtrue.logic.fol.vocabulary import Entity, Vocabulary

NAMES = (("TomBerg", "person"), ("RedBoat", "boat"), ("Boat", "boat"), ("1925", "year"))
WORDS = Vocabulary(tuple(Entity(name, sort) for name, sort in NAMES))


@pytest.mark.parametrize(
    "sentence, names",
    [
        ("Tom dances.", ["TomBerg"]),
        ("If people dance, they practise.", []),
        ("The red boat sank in 1925.", ["RedBoat", "Boat", "1925"]),
        ("Boats sink.", ["Boat"]),
        ("Berg's tutor sings.", ["TomBerg"]),
        ("He dances.", ["TomBerg", "RedBoat", "Boat", "1925"]),
        ("", []),
    ],
)
def test_things_that_are_named(sentence: str, names: list[str]) -> None:
    assert [entity.name for entity in mentioned(WORDS, sentence).entities] == names


@pytest.mark.parametrize(
    "sentence", ["Some dancers sing.", "There is a boat.", "At least three boats sank.", "A dog barks."]
)
def test_sentences_that_may_say_some(sentence: str) -> None:
    assert says_some(sentence)


@pytest.mark.parametrize("sentence", ["All dancers sing.", "People either dance or sing.", "No boats sank.", ""])
def test_sentences_that_speak_of_all(sentence: str) -> None:
    assert not says_some(sentence)
