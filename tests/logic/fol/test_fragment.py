"""How many unnamed things are enough, and where no number is known to be."""

from __future__ import annotations

import pytest

from holdtrue.logic.fol.fragment import unnamed_needed
from holdtrue.logic.fol.meaning import state
from holdtrue.logic.fol.notation import read_fol
from holdtrue.logic.fol.vocabulary import Entity, Function, Predicate, Vocabulary

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
