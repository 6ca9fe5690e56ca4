"""Sorts are declared only where no sentence can tell them from predicates of things."""

from __future__ import annotations

import pytest

from holdtrue.logic.fol import syntax as fol
from holdtrue.logic.fol.laws import stated_laws
from holdtrue.logic.fol.meaning import state
from holdtrue.logic.fol.notation import read_fol
from holdtrue.logic.fol.vocabulary import ANY, Entity, Function, Predicate, Vocabulary
from holdtrue.logic.smtlib.own_sorts import own_sorts
from holdtrue.logic.smtlib.sentence_printer import write_sentences
from tests.logic.smtlib.printed import z3_says
from tests.logic.smtlib.test_sentence_printer import engine_says

HOTEL = Vocabulary(
    (Entity("Ann", "guest"), Entity("Bob", "guest"), Entity("Suite", "room"), Entity("Desk")),
    (Predicate("Came", ("guest",)), Predicate("Old", (ANY,)), Predicate("Small", ("room",))),
    (
        Function("room", ("guest",), result="room"),
        Function("host", (ANY,), result="guest"),
        Function("price", (ANY,), result="EUR", low=0),
    ),
    closed=("room",),
    sorts=("dog",),
)


def said(text: str) -> fol.Sentence:
    found = read_fol(text).sentence
    assert found is not None, text
    return state(found, HOTEL).sentence


@pytest.mark.parametrize(
    "text, own",
    [
        ("forall x in guest (Came(x) -> Small(room(x)))", {"guest", "room"}),
        ("Old(Desk) and price(Desk) > 3 EUR", {"guest", "room"}),
        ("Came(host(Desk))", {"guest", "room"}),
        ("count x in guest (Came(x)) >= 2", {"guest", "room"}),
        ("Old(Suite)", {"guest"}),
        ("Came(Desk)", {"room"}),
        ("Ann = Desk", {"room"}),
        ("Ann = Suite", set()),
        ("forall x in dog (Old(x))", {"guest", "room"}),
        ("price(room(Ann)) > 3 EUR", {"guest"}),
        ("Small(room(Desk))", set()),
        ("Came(if(Old(Desk), Ann, Desk))", {"room"}),
        ("forall x (Old(x))", set()),
        ("count x (Old(x)) >= 2", set()),
    ],
)
def test_what_is_a_sort_of_its_own(text: str, own: set[str]) -> None:
    assert own_sorts(HOTEL, [said(text)], stated_laws(HOTEL)) == own


@pytest.mark.parametrize(
    "texts, verdict",
    [
        # The room of what is no guest is any thing, and not the one room that there is.
        (["not Small(Suite)", "Small(room(Desk))"], "sat"),
        (["not Small(Suite)", "Small(room(Ann))"], "unsat"),
        # A thing of no sort may be a guest; a thing of another sort is none.
        (["forall x in guest (Came(x))", "not Came(Desk)"], "sat"),
        (["forall x in guest (x != Desk)", "forall x in guest (Came(x))", "not Came(Desk)"], "sat"),
        (["exists x in guest (x = Suite)"], "unsat"),
        (["exists x in room (x = Desk)"], "unsat"),
        (["exists x in dog (x = Desk)", "forall x in dog (Old(x))", "not Old(Desk)"], "unsat"),
        (["forall x in dog (Old(x))", "forall x in dog (not Old(x))"], "sat"),
        (["forall x (x = Ann)"], "unsat"),
        (["forall x in guest (x = Ann)"], "unsat"),
        (["forall x in room (x = room(Ann))"], "sat"),
    ],
)
def test_either_way_the_verdict_is_the_same(texts: list[str], verdict: str) -> None:
    asked = [said(text) for text in texts]
    assert (engine_says(HOTEL, asked), z3_says(write_sentences(HOTEL, asked))) == (verdict, verdict)
