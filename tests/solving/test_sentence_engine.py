"""The engine of sentences against the plain meaning: nothing that holds somewhere is called impossible."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.budget import Budget
from holdtrue.logic.fol import syntax as fol
from holdtrue.logic.fol.meaning import state
from holdtrue.logic.fol.notation import read_fol, write_fol
from holdtrue.logic.fol.stated import Stated
from holdtrue.logic.fol.structure import Structure
from holdtrue.logic.fol.vocabulary import ANY, Entity, Function, Predicate, Vocabulary
from holdtrue.solving.result import Core, Satisfiable, Unknown
from holdtrue.solving.sentence_engine import SentenceEngine
from holdtrue.solving.sentence_world import SentenceWorld
from tests.logic.fol.typed import WORDS, holds, sentences, structures

AMPLE = Budget(timeout_s=60.0)
SHORT = Budget(timeout_s=2.0)


def said(text: str, vocabulary: Vocabulary = WORDS) -> Stated:
    sentence = read_fol(text).sentence
    assert sentence is not None, text
    return state(sentence, vocabulary)


def ask(
    vocabulary: Vocabulary, *texts: str, budget: Budget = AMPLE, closed: bool = False
) -> Satisfiable | Core | Unknown:
    soft = {f"S{place}": said(text, vocabulary) for place, text in enumerate(texts, 1)}
    return SentenceEngine(vocabulary, closed=closed).check(soft, budget)


def verdict(vocabulary: Vocabulary, *texts: str, closed: bool = False) -> str:
    return type(ask(vocabulary, *texts, closed=closed)).__name__


def is_one(where: Structure) -> bool:
    """Whether a structure is one of its vocabulary: sorts of things, steps of values, sorts of functions' values."""
    for own in where.vocabulary.entities:
        if own.sort != ANY and where.things[own.name] != {own.sort}:
            return False
    for sort in where.vocabulary.closed:
        named = {own.name for own in where.vocabulary.entities if sort in (ANY, own.sort)}
        if any(label not in named for label, of in where.things.items() if sort == ANY or sort in of):
            return False
    for function in where.vocabulary.functions:
        wanted = where.vocabulary.value_sort(function.result)
        if any(where.vocabulary.value_sort(sort) is not None for sort in function.sorts):
            continue
        for args in product(where.things, repeat=len(function.sorts)):
            value = where.facts[function.name, args]
            if wanted is None:
                given = all(s == ANY or s in where.things[a] for s, a in zip(function.sorts, args, strict=True))
                if value not in where.things:
                    return False
                if given and function.result != ANY and function.result not in where.things[str(value)]:
                    return False
            elif getattr(wanted, "step", None) is not None and (value / wanted.step).denominator != 1:  # type: ignore[operator, union-attr]
                return False
    return bool(where.things)


def check_found(found: Satisfiable, asked: Sequence[fol.Sentence]) -> None:
    where: Any = found.witness
    assert isinstance(where, Structure)
    # Facts about numbers are read from the model when they are asked for.
    assert all(holds(sentence, where, {}) for sentence in asked)
    assert is_one(where)


@given(structures(unnamed=2), st.lists(sentences, min_size=1, max_size=4))
@settings(max_examples=120)
def test_what_holds_somewhere_is_never_impossible(where: Structure, drawn: list[fol.Sentence]) -> None:
    asked = []
    for sentence in drawn:
        try:
            asked.append(sentence if holds(sentence, where, {}) else fol.Not(sentence))
        except KeyError:  # a number that the structure has no fact about
            return
    soft = {f"S{place}": Stated(sentence) for place, sentence in enumerate(asked)}
    found = SentenceEngine(WORDS).check(soft, SHORT)
    assert not isinstance(found, Core), "; ".join(map(write_fol, asked))
    if isinstance(found, Satisfiable):
        check_found(found, asked)
    for unnamed in (2, None):
        shown = SentenceWorld(WORDS, (), unnamed).check({id: own.sentence for id, own in soft.items()}, SHORT.start())
        assert not isinstance(shown, Core), unnamed


# --- all small structures --------------------------------------------------------------------------------------------

TINY = Vocabulary(
    (Entity("Ann", "guest"), Entity("Desk")),
    (Predicate("P", ("guest",)), Predicate("Open", ())),
    (Function("n", ("guest",), result="whole"), Function("boss", ("guest",), result="guest")),
)


def tiny_structures() -> Iterator[Structure]:
    """Every structure of up to three things in which n is 0 or 1: Ann, Desk that may be a guest, and one more."""
    for more, desk_guest, other_guest in product((0, 1), (0, 1), (0, 1)):
        if other_guest and not more:
            continue
        things = {"Ann": frozenset({"guest"}), "Desk": frozenset({"guest"} if desk_guest else ())}
        if more:
            things["?1"] = frozenset({"guest"} if other_guest else ())
        guests = [thing for thing, of in things.items() if of]
        for truths in product((0, 1), repeat=len(things) + 1):
            for values in product((0, 1), repeat=len(guests)):
                for bosses in product(guests, repeat=len(guests)):
                    facts: dict[Any, Any] = {("P", (t,)): v for t, v in zip(things, truths, strict=False)}
                    facts["Open", ()] = truths[-1]
                    facts |= {("n", (thing,)): 0 for thing in things} | {("boss", (thing,)): thing for thing in things}
                    facts |= {("n", (g,)): v for g, v in zip(guests, values, strict=True)}
                    facts |= {("boss", (g,)): b for g, b in zip(guests, bosses, strict=True)}
                    yield Structure(TINY, things, facts)


EVERY = tuple(tiny_structures())
AXIOMS = ("forall x in guest (n(x) >= 0 and n(x) <= 1)", "count x (x = x) <= 3")
PARTS = (
    "P(Ann)",
    "Open",
    "n(Ann) = 1",
    "boss(Ann) = Ann",
    "boss(Ann) = Desk",
    "forall x in guest P(x)",
    "exists x in guest (not P(x))",
    "forall x in guest (P(x) <-> n(x) = 1)",
    "forall x in guest (boss(x) != x)",
    "forall x in guest (exists y in guest (boss(x) = y and P(y)))",
    "exists x in guest (forall y in guest (boss(y) = x))",
    "count x in guest (P(x)) = 2",
    "count x in guest (P(x)) > count x in guest (not P(x))",
    "sum x in guest (n(x)) = 2",
    "sum x in guest (n(x) where P(x)) >= 1",
    "count x in guest (n(x) = n(boss(x))) >= 2",
    "forall x (x = Ann or x = Desk)",
    "exists x (x != Ann and x != Desk)",
    "if(Open, n(Ann), 1 - n(Ann)) = 1",
    "count x in guest (count y in guest (boss(y) = x) >= 2) = 1",
    "forall x in guest (n(boss(x)) > n(x) or n(x) = 1)",
    "sum x in guest (if(P(x), 2, -1)) = count x in guest (x = x)",
)


@pytest.mark.parametrize("seed", range(60))
def test_the_engine_agrees_with_all_small_structures(seed: int) -> None:
    drawn = [PARTS[(seed * 7 + step * (seed % 5 + 3)) % len(PARTS)] for step in range(4)]
    texts = [text if (seed >> place) & 1 else f"not ({text})" for place, text in enumerate(dict.fromkeys(drawn))]
    asked = [said(text, TINY).sentence for text in (*AXIOMS, *texts)]
    possible = any(all(holds(sentence, where, {}) for sentence in asked) for where in EVERY)
    found = ask(TINY, *AXIOMS, *texts)
    if isinstance(found, Satisfiable):
        check_found(found, asked)
        assert possible
    if isinstance(found, Core):
        assert not possible
    assert not isinstance(found, Unknown), texts


def test_small_structures_make_both_answers_possible() -> None:
    asked = [said(text, TINY).sentence for text in PARTS]
    for sentence in asked:
        truths = {holds(sentence, where, {}) for where in EVERY}
        assert truths == {True, False}, write_fol(sentence)
