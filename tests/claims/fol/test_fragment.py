"""How many unnamed things are enough, and where no number is known to be."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from holdtrue_claims.fol.fragment import closures, needed_beside, needed_by
from holdtrue_claims.fol.meaning import state
from holdtrue_claims.fol.notation import read_fol
from holdtrue_claims.fol.syntax import Sentence
from holdtrue_claims.fol.vocabulary import Entity, Function, Predicate, Vocabulary

WORDS = Vocabulary(
    (Entity("Ann", "guest"), Entity("Bob", "guest"), Entity("R1", "room")),
    (Predicate("P", ("guest",)), Predicate("R", ("guest", "guest"))),
    (
        Function("n", ("guest",), result="whole"),
        Function("boss", ("guest",), result="guest"),
        Function("room", ("guest",), result="room"),
    ),
    ("room",),
)


def unnamed_needed(sentences: Iterable[Sentence], vocabulary: Vocabulary) -> int | None:
    """Return how many unnamed things decide whether the sentences can all hold, or None where no number is known."""
    sentences = tuple(sentences)
    known = tuple(found for sentence in sentences for found in closures(sentence))
    least = needed_beside(known, vocabulary)
    needed = [needed_by(sentence, known, vocabulary) for sentence in sentences]
    return None if None in needed else least + sum(one for one in needed if one is not None)


@pytest.mark.parametrize(
    ("text", "needed"),
    [
        ("P(Ann)", 0),
        ("forall x in guest P(x)", 0),
        ("exists x in guest P(x)", 1),
        ("not (forall x in guest P(x))", 1),
        ("exists x in guest (exists y in guest R(x, y))", 2),
        ("exists x in guest (forall y in guest R(x, y))", 1),
        ("forall x in guest (exists y in guest R(x, y))", None),
        ("not (exists x in guest (forall y in guest R(x, y)))", None),
        ("forall x in room (exists y in guest (room(y) = x))", 1),
        ("(exists x in guest P(x)) <-> P(Ann)", 1),
        ("count x in guest P(x) >= 3".replace("P(x)", "(P(x))"), 3),
        ("count x in guest (P(x)) <= 3", 0),
        ("not (count x in guest (P(x)) <= 3)", 4),
        ("count x in guest (P(x)) = 2", 2),
        ("count x in guest (P(x)) != 2", 3),
        ("count x in guest (P(x)) = n(Ann)", None),
        ("count x in guest (exists y in guest R(x, y)) >= 1", None),
        ("sum x in guest (n(x)) = 3", None),
        ("sum x in guest (n(x)) = 3 and (forall x in guest (x = Ann or Bob = x))", 0),
        ("sum x in guest (n(x)) = 3 and count x in guest (x = x) <= 4", 4),
        ("boss(Ann) = Bob", 1),
        ("forall x in guest (P(boss(x)))", None),
        ("forall x in guest (room(x) = R1)", 0),
        ("forall x (room(x) = R1)", None),
        ("forall x in guest (x = Ann or x = boss(Ann))", 1),
    ],
)
def test_so_many_unnamed_things_are_enough(text: str, needed: int | None) -> None:
    sentence = read_fol(text).sentence
    assert sentence is not None
    assert unnamed_needed([state(sentence, WORDS).sentence], WORDS) == needed
