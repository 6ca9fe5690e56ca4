"""Sentences for SAT over named things and unnamed ones: against z3 over the same things, and against all structures."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.budget import NEVER, Budget, Deadline
from holdtrue.errors import FormulaError
from holdtrue.logic.value_sorts import Value
from holdtrue.solving.result import Core, Satisfiable, Unknown
from holdtrue_claims.fol import syntax as fol
from holdtrue_claims.fol.evaluation import Fact
from holdtrue_claims.fol.laws import stated_laws
from holdtrue_claims.fol.meaning import state
from holdtrue_claims.fol.notation import read_fol
from holdtrue_claims.fol.structure import Structure
from holdtrue_claims.fol.vocabulary import ANY, Entity, Function, Predicate, Vocabulary
from holdtrue_claims.solving.grounded_world import GroundedWorld
from holdtrue_claims.solving.sentence_engine import SentenceEngine
from holdtrue_claims.solving.sentence_world import SentenceWorld
from tests.claims.fol.typed import holds
from tests.claims.solving.test_sentence_engine import is_one

AMPLE = Budget(timeout_s=60.0)
OPEN = Vocabulary(
    (Entity("Ann", "guest"), Entity("Desk")),
    (Predicate("P", ("guest",)), Predicate("R", (ANY, ANY)), Predicate("Wet", ())),
    (Function("n", ("guest",), 1, 3),),
)
GUESTS = replace(OPEN, closed=("guest",))
ALL = replace(OPEN, closed=(ANY,))
ROOMS = replace(
    OPEN,
    predicates=(*OPEN.predicates, Predicate("Big", ("room",))),
    functions=(*OPEN.functions, Function("room", ("guest",), result="room"), Function("w", (ANY,), result="kg")),
)
NOBODY = Vocabulary((), OPEN.predicates, OPEN.functions)
PARTS = (
    "P(Ann)",
    "Wet xor (exists x in guest P(x))",
    "forall x in guest (P(x) -> n(x) = 2)",
    "exists x in guest (P(x) and n(x) > 2)",
    "exists x in guest (x != Ann)",
    "exists x in guest (x = Desk)",
    "exists x (x != Ann and x != Desk)",
    "forall x (R(x, x) <-> x = Ann)",
    "forall x exists y R(x, y)",
    "forall x in guest forall y in guest (x != y -> n(x) != n(y))",
    "count x in guest (P(x)) >= 2",
    "count x (R(x, Ann)) != 1",
    "2 > count x in guest (n(x) >= 2)",
    "exists x in guest (2 * n(x) - n(Ann) = 3)",
    "forall x in guest (n(x) + 1 < 4)",
)


def said(text: str, vocabulary: Vocabulary) -> fol.Sentence:
    sentence = read_fol(text).sentence
    assert sentence is not None, text
    return state(sentence, vocabulary).sentence


def literals(vocabulary: Vocabulary) -> st.SearchStrategy[list[fol.Sentence]]:
    known = [text for text in PARTS if vocabulary.entities or not ("Ann" in text or "Desk" in text)]
    one = st.builds(
        lambda text, denied: fol.Not(said(text, vocabulary)) if denied else said(text, vocabulary),
        st.sampled_from(known),
        st.booleans(),
    )
    return st.lists(one, min_size=1, max_size=5)


@pytest.mark.parametrize("vocabulary", [OPEN, GUESTS, ALL, ROOMS, NOBODY])
@given(data=st.data())
@settings(max_examples=8)
def test_it_decides_as_z3_does_over_the_same_things(vocabulary: Vocabulary, data: st.DataObject) -> None:
    drawn = data.draw(literals(vocabulary))
    laws = stated_laws(vocabulary)
    for unnamed in (1, 2):
        soft = {f"S{place}": sentence for place, sentence in enumerate(drawn)}
        world = GroundedWorld(vocabulary, laws, unnamed)
        assert world.takes(drawn, NEVER.check)
        found = world.check(soft, AMPLE)
        expected = SentenceWorld(vocabulary, laws, unnamed).check(soft, NEVER)
        assert type(found) is type(expected)
        if isinstance(found, Structure):
            assert all(holds(sentence, found, {}) for sentence in (*laws, *drawn))
            assert is_one(found)
        elif isinstance(found, Core):
            core = {id: soft[id] for id in found.ids}
            assert isinstance(SentenceWorld(vocabulary, laws, unnamed).check(core, NEVER), Core)


SMALL = Vocabulary(
    (Entity("Ann", "guest"), Entity("Desk")), (Predicate("P", ("guest",)),), (Function("n", ("guest",), 1, 3),)
)
SMALL_PARTS = [text for text in PARTS if "R" not in text and "Wet" not in text]


def structures() -> Iterator[Structure]:
    """Every structure of Ann, Desk and up to one more."""
    for labels in (("Ann", "Desk"), ("Ann", "Desk", "?1")):
        for guests in product((0, 1), repeat=len(labels) - 1):
            of = zip(labels, (1, *guests), strict=True)
            things = {label: frozenset({"guest"} if is_guest else ()) for label, is_guest in of}
            for truths in product((0, 1), repeat=len(labels)):
                for values in product((1, 2, 3), repeat=len(labels)):
                    facts: dict[Fact, Value | str] = {
                        ("P", (label,)): truth for label, truth in zip(labels, truths, strict=True)
                    }
                    facts |= {("n", (label,)): value for label, value in zip(labels, values, strict=True)}
                    yield Structure(SMALL, things, facts)


@pytest.mark.parametrize("seed", range(30))
def test_it_finds_what_there_is_among_all_structures(seed: int) -> None:
    texts = dict.fromkeys(SMALL_PARTS[(seed * 3 + step * (seed % 5 + 1)) % len(SMALL_PARTS)] for step in range(4))
    asked = [said(text if (seed >> place) & 1 else f"not ({text})", SMALL) for place, text in enumerate(texts)]
    found = GroundedWorld(SMALL, stated_laws(SMALL), 1).check({str(at): own for at, own in enumerate(asked)}, AMPLE)
    possible = any(all(holds(own, where, {}) for own in asked) for where in structures())
    assert isinstance(found, Structure if possible else Core), texts


@pytest.mark.parametrize(
    "text",
    [
        "w(Ann) > 3 kg",
        "forall x (n(x) = 2)",  # a bound holds of guests alone
        "n(Desk) = 2",
        "room(Ann) = Desk",
        "count x in guest (P(x)) > n(Ann)",
        "sum x in guest (n(x)) > 3",
        "max(n(Ann), 2) = 2",
        "n(Ann) * n(Ann) = 4",
        "n(Ann) > 1.5",
    ],
)
def test_what_is_neither_boolean_nor_bounded_is_left_to_z3(text: str) -> None:
    sentence = said(text, ROOMS)
    world = GroundedWorld(ROOMS, stated_laws(ROOMS), 1)
    assert not world.takes([sentence], NEVER.check)
    with pytest.raises(FormulaError, match="cannot be grounded"):
        world.check({"S": sentence}, AMPLE)


def test_bounds_have_to_be_stated_in_the_background() -> None:
    sentence = said("n(Ann) > 3", OPEN)
    assert not GroundedWorld(OPEN, (), 1).takes([sentence], NEVER.check)
    assert isinstance(GroundedWorld(OPEN, stated_laws(OPEN), 1).check({"S": sentence}, AMPLE), Core)


def test_a_world_with_too_many_facts_is_left_to_z3() -> None:
    wide = Vocabulary((Entity("Ann"),), (Predicate("R", (ANY,) * 4),))
    assert GroundedWorld(wide, (), 2).takes([], NEVER.check)
    assert not GroundedWorld(wide, (), 9).takes([], NEVER.check)


def test_what_nobody_asks_about_has_a_value_of_its_sort() -> None:
    found = GroundedWorld(ROOMS, stated_laws(ROOMS), 2).check({"S": said("P(Ann)", ROOMS)}, AMPLE)
    assert isinstance(found, Structure)
    assert "room" in found.things[str(found["room(Ann)"])]
    assert found["w(Ann)"] == 0


def test_its_time_is_limited() -> None:
    world = GroundedWorld(OPEN, stated_laws(OPEN), 1)
    with pytest.raises(TimeoutError):
        world.takes([said("forall x R(x, x)", OPEN)], Deadline(0.0).check)
    assert isinstance(world.check({"S": said("forall x R(x, Ann)", OPEN)}, Budget(timeout_s=0.0)), Unknown)


def test_the_engine_of_sentences_uses_it() -> None:
    engine = SentenceEngine(OPEN, stated_laws(OPEN))
    asked = {"S": state(said("exists x in guest (P(x) and n(x) = 3)", OPEN), OPEN)}
    assert isinstance(engine.check(asked, AMPLE), Satisfiable)
    assert engine.grounded
    assert not engine.worlds
