"""The engine of sentences against the plain meaning: nothing that holds somewhere is called impossible."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from itertools import pairwise, product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.budget import NEVER, Budget
from holdtrue.errors import FormulaError
from holdtrue.logic.formula import Variable
from holdtrue.logic.sorts import IntSort
from holdtrue.solving.result import Core, Satisfiable, Unknown
from holdtrue_claims.fol import syntax as fol
from holdtrue_claims.fol.fragment import marks_in
from holdtrue_claims.fol.meaning import Stated, state
from holdtrue_claims.fol.notation import read_fol, write_fol
from holdtrue_claims.fol.structure import Structure
from holdtrue_claims.fol.vocabulary import ANY, Entity, Function, Predicate, Vocabulary
from holdtrue_claims.solving.sentence_engine import SentenceEngine
from holdtrue_claims.solving.sentence_world import SentenceWorld
from tests.claims.fol.test_fragment import unnamed_needed
from tests.claims.fol.typed import WORDS, holds, sentences, structures
from tests.slow import first_of

AMPLE = Budget(timeout_s=60.0)
SHORT = Budget(timeout_s=0.5)


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
@settings(max_examples=30)
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
    """Yield every structure of up to three things in which n is 0 or 1. Ann is a guest, Desk and `?1` may be guests."""
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


@pytest.mark.parametrize("seed", first_of(range(60), 12))
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


# --- one case after the other ----------------------------------------------------------------------------------------

GUESTS = Vocabulary(
    (Entity("Ann", "guest"), Entity("Bob", "guest"), Entity("Desk")),
    (Predicate("Came", ("guest",)), Predicate("Near", ("date",)), Predicate("Big", ("room",))),
    (
        Function("n", ("guest",), result="whole"),
        Function("w", (ANY,), result="kg"),
        Function("fee", ("guest",), result="EUR(2)"),
        Function("room", ("guest",), result="room"),
        Function("boss", ("guest",), result="guest"),
        Function("g", ("guest",), result="whole g"),
    ),
)
CLOSED = Vocabulary(GUESTS.entities, GUESTS.predicates, GUESTS.functions, ("guest",))
ALL = Vocabulary(GUESTS.entities, GUESTS.predicates, GUESTS.functions, (ANY,))
EMPTY = Vocabulary((Entity("Ann", "guest"),), (Predicate("P", ("room",)),), (), ("room",))
NOBODY = Vocabulary((), (Predicate("P", (ANY,)), Predicate("Open", ())), ())


@pytest.mark.parametrize(
    ("vocabulary", "texts", "expected"),
    [
        # Things of any number, unless somebody says otherwise.
        (GUESTS, ("count x in guest (Came(x)) >= 3",), Satisfiable),
        (CLOSED, ("count x in guest (Came(x)) >= 3",), Core),
        (GUESTS, ("forall x in guest (x = Ann or x = Bob)", "count x in guest (Came(x)) >= 3"), Core),
        (GUESTS, ("Came(Ann)", "Came(Bob)", "exists x in guest (not Came(x))"), Satisfiable),
        (CLOSED, ("Came(Ann)", "Came(Bob)", "exists x in guest (not Came(x))"), Core),
        (GUESTS, ("count x in guest (Came(x)) = 20",), Satisfiable),
        # A thing of no sort may be of any, but not of a closed one.
        (GUESTS, ("exists x in guest (x = Desk)",), Satisfiable),
        (CLOSED, ("exists x in guest (x = Desk)",), Core),
        (GUESTS, ("exists x in room (x = Ann)",), Core),
        # What is closed as a whole has nothing else.
        (ALL, ("exists x (x != Ann and x != Bob and x != Desk)",), Core),
        (ALL, ("forall x (x = Ann or x = Bob or x = Desk)",), Satisfiable),
        (ALL, ("sum x (w(x)) = 4 kg", "forall x (w(x) = 1 kg)"), Core),
        # Closed sorts without things, and worlds in which nothing is named.
        (EMPTY, ("exists x in room P(x)",), Core),
        (EMPTY, ("forall x in room (P(x) and not P(x))",), Satisfiable),
        (EMPTY, ("count x in room (x = x) = 0",), Satisfiable),
        (NOBODY, ("forall x P(x)", "forall x (not P(x))"), Core),
        (NOBODY, ("exists x P(x)", "exists x (not P(x))"), Satisfiable),
        (Vocabulary(), ("forall x (x != x)",), Core),
        (Vocabulary(), ("exists x exists y (x != y)",), Satisfiable),
        # A function to things of which nobody speaks has a value too, and so there are rooms.
        (GUESTS, ("forall x in room (x != x)",), Core),
        (GUESTS, ("not Came(Ann)", "Came(Bob)"), Satisfiable),
        (CLOSED, ("forall x in guest (boss(x) != x)", "boss(Ann) != Bob"), Core),
        (CLOSED, ("forall x in guest (boss(boss(x)) != x)", "forall x in guest (boss(x) != x)"), Core),
        (GUESTS, ("forall x in guest (boss(boss(x)) != x)", "forall x in guest (boss(x) != x)"), Satisfiable),
        (GUESTS, ("exists x in guest (boss(x) = Ann)", "forall x in guest (boss(x) = Bob)"), Core),
        # Steps and units.
        (GUESTS, ("fee(Ann) > 9.99 EUR", "fee(Ann) < 10 EUR"), Core),
        (GUESTS, ("fee(Ann) + fee(Bob) = 0.03 EUR", "fee(Ann) = fee(Bob)"), Core),
        (GUESTS, ("w(Ann) > 9.99 kg", "w(Ann) < 10 kg"), Satisfiable),
        (GUESTS, ("g(Ann) > 1 g", "g(Ann) < 2 g"), Core),
        (GUESTS, ("g(Ann) > 0.001 kg", "g(Ann) < 3 g", "g(Ann) = 2 g"), Satisfiable),
        # Division rounds so that no remainder is negative, whatever the signs.
        (GUESTS, ("n(Ann) = -7", "div(n(Ann), -2) = 4", "mod(n(Ann), -2) = 1"), Satisfiable),
        (GUESTS, ("n(Ann) = -7", "div(n(Ann), 2) != -4"), Core),
        (GUESTS, ("mod(n(Ann), -3) < 0",), Core),
        (GUESTS, ("g(Ann) = -7 g", "mod(g(Ann), 2 g) = 1 g", "div(g(Ann), -2 g) = 4"), Satisfiable),
        # Facts about values.
        (GUESTS, ("Near(2026-03-01)", "not Near(2026-02-28 + 1 day)"), Core),
        (GUESTS, ("Near(2026-03-01)", "not Near(2026-03-02)"), Satisfiable),
        # Totals with what is bound outside, in each other, with a choice inside, and the same one twice.
        (GUESTS, ("exists x in guest (count y in guest (boss(y) = x) > n(x))", "forall x in guest (n(x) >= 0)",
                  "forall y in guest (forall x in guest (boss(y) != x))"), Core),
        (CLOSED, ("count x in guest (count y in guest (boss(y) = x) >= 2) >= 2",), Core),
        (CLOSED, ("sum x in guest (if(Came(x), 2, 1)) = 3", "Came(Ann)", "Came(Bob)"), Core),
        (GUESTS, ("sum x in guest (n(x)) > 3", "sum x in guest (n(x)) < 3"), Core),
        (GUESTS, ("sum x in guest (n(x)) > 3", "sum y in guest (n(y)) < 0"), Core),
        (GUESTS, ("count x in guest (Came(x)) > n(Ann)", "n(Ann) >= 0", "forall x in guest (not Came(x))"), Core),
        (GUESTS, ("n(Ann) = 5", "forall x in guest (n(x) >= 0)", "sum x in guest (n(x)) < 5"), Core),
        (GUESTS, ("n(Ann) = 5", "sum x in guest (n(x)) < 5"), Satisfiable),
    ],
)  # fmt: skip
def test_each_case_is_decided(
    vocabulary: Vocabulary, texts: tuple[str, ...], expected: type[Satisfiable | Core]
) -> None:
    found = ask(vocabulary, *texts)
    assert type(found) is expected
    if isinstance(found, Satisfiable):
        check_found(found, [said(text, vocabulary).sentence for text in texts])


def test_an_irrational_number_is_not_known() -> None:
    vocabulary = Vocabulary((Entity("Ann"),), (), (Function("r", (ANY,), result="number"),))
    assert isinstance(ask(vocabulary, "r(Ann) * r(Ann) = 2"), Unknown)
    assert isinstance(ask(vocabulary, "r(Ann) * r(Ann) = 4"), Satisfiable)
    assert isinstance(ask(vocabulary, "r(Ann) * r(Ann) < 0"), Core)


def test_what_is_named_can_be_taken_for_all() -> None:
    texts = ("Came(Ann)", "Came(Bob)", "exists x in guest (not Came(x))", "not exists x in guest (x = Desk)")
    assert isinstance(ask(GUESTS, *texts), Satisfiable)
    assert isinstance(ask(GUESTS, *texts, closed=True), Core)
    assert isinstance(ask(NOBODY, "exists x P(x)", closed=True), Satisfiable)


def test_a_core_names_what_closes_the_list() -> None:
    found = ask(GUESTS, "Came(Ann)", "forall x in guest (x = Ann or x = Bob)", "count x in guest (Came(x)) >= 3")
    assert isinstance(found, Core)
    assert set(found.ids) == {"S2", "S3"}


def test_a_total_of_totals_is_another_number_than_these() -> None:
    text = "sum x in guest (count y in guest (Open)) = sum x in guest (count y in guest (Open))"
    soft = {str(place): said(own, WORDS).sentence for place, own in enumerate((text, "Open"))}
    assert not isinstance(SentenceWorld(WORDS, (), None).check(soft, Budget(timeout_s=5).start()), Core)


@given(st.lists(sentences, min_size=1, max_size=3))
@settings(max_examples=20)
@pytest.mark.slow
def test_worlds_do_not_contradict_each_other(drawn: list[fol.Sentence]) -> None:
    """The open world proves nothing that a finite one shows to be possible; where so many are enough, all agree."""
    soft = {str(place): sentence for place, sentence in enumerate(drawn)}
    needed = unnamed_needed(drawn, WORDS)
    limit = Budget(timeout_s=1.0)
    found = [SentenceWorld(WORDS, (), unnamed).check(soft, limit.start()) for unnamed in (1, 3, None)]
    confirmed = any(isinstance(own, Structure) and all(map(own.truth, drawn)) for own in found)
    assert not (isinstance(found[-1], Core) and confirmed)
    if needed is not None and needed <= 3:
        assert not (isinstance(found[1], Core) and confirmed)
        larger = found[1]
        exact = SentenceWorld(WORDS, (), needed).check(soft, limit.start())
        if not isinstance(larger, Unknown) and not isinstance(exact, Unknown):
            assert isinstance(larger, Core) == isinstance(exact, Core)


# --- limits ----------------------------------------------------------------------------------------------------------


def deep(levels: int) -> str:
    text = "Came(Ann)"
    for level in range(levels):
        text = f"not ({text})" if level % 2 else f"({text}) and Came(Bob)"
    return text


def quantified(number: int) -> str:
    names = [f"v{place}" for place in range(number)]
    differ = " or ".join(f"{one} != {other}" for one, other in pairwise(names))
    body = f"{differ} or P({names[0]})"
    for place, name in enumerate(reversed(names)):
        body = f"{'forall' if place % 2 else 'exists'} {name} ({body})"
    return body


MANY = Vocabulary(
    tuple(Entity(f"T{place}", "guest") for place in range(60)),
    (Predicate("P", (ANY,)), Predicate("R", (ANY,) * 4)),
    (Function("f", (ANY,), result=ANY), Function("n", (ANY,), result="whole"), Function("m", (ANY,), result="whole")),
)
HARD = {
    "deep": deep(25).replace("Came(Ann)", "P(T1)").replace("Came(Bob)", "P(T2)"),
    "twelve quantifiers": quantified(12),
    "arity four": "forall x forall y forall z exists w (R(x, y, z, w) and not R(w, z, y, x) and f(w) != x)",
    "cubes": "n(T1) * n(T1) * n(T1) + n(T2) * n(T2) * n(T2) + n(T3) * n(T3) * n(T3) = 42 and n(T1) > 3",
    "growth": "forall x (n(f(x)) > n(x) * m(x) and m(f(x)) > m(x) * m(x) + n(x) and m(x) > 1)",
    "surjection": "forall x exists y (f(y) = x) and exists x forall y (f(y) != x or f(x) = y) and exists x (f(x) != x)",
    "nested counts": "count x (count y (count z (R(x, y, z, x)) > n(x)) > m(x)) > sum x (n(x) * m(x))",
}


@pytest.mark.parametrize("name", HARD)
def test_a_limit_binds_whatever_is_asked(name: str) -> None:
    """Generous enough for a busy machine: without a limit these take minutes, or never end."""
    started = time.monotonic()
    found = ask(MANY, HARD[name], budget=Budget(timeout_s=1.0))
    assert isinstance(found, Satisfiable | Core | Unknown)
    assert time.monotonic() - started < 20.0


def test_a_long_series_of_questions_leaves_nothing_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("holdtrue_claims.solving.sentence_world.MOST_TRACKED", 20)
    engine = SentenceEngine(GUESTS)
    kept = 0
    for number in range(90):
        found = engine.check({"S": said(f"n(Ann) = {number}", GUESTS), "T": said("n(Ann) < 50", GUESTS)}, AMPLE)
        assert isinstance(found, Satisfiable) == (number < 50)
        kept = max(kept, *(len(world.trackers) for world in engine.worlds.values()))
    assert kept <= 24


def test_variables_cannot_be_fixed() -> None:
    with pytest.raises(FormulaError, match="no variables"):
        SentenceEngine(GUESTS).check({}, AMPLE, fixed={"x": 1})


def test_other_formulas_are_refused() -> None:
    with pytest.raises(FormulaError, match="no first-order sentence"):
        SentenceEngine(GUESTS).check({"S": Variable("x", IntSort(0, 1)).eq(1)}, AMPLE)


@pytest.mark.parametrize(
    "sentence",
    [
        fol.Holds("Gone", ()),
        fol.Holds("Came", (fol.Constant("Eve"),)),
        fol.Holds("Came", (fol.Number(3),)),
        fol.Compare("<", fol.Constant("Ann"), fol.Constant("Bob")),
        fol.Compare("=", fol.Choice(fol.And(()), fol.Constant("Ann"), fol.Number(3)), fol.Constant("Bob")),
        fol.Holds("Came", (fol.Bound("x"),)),
        fol.Quantified("forall", "x", fol.Holds("Came", (fol.Bound("x"),)), "nobody"),
    ],
)
def test_what_has_no_meaning_is_refused_in_words(sentence: fol.Sentence) -> None:
    for closed in (False, True):
        with pytest.raises(FormulaError, match=r"\w+ \w+"):
            SentenceEngine(GUESTS, closed=closed).check({"S": Stated(sentence)}, AMPLE)


# --- unnamed things that are counted by kind ------------------------------------------------------------------------

MARKED = Vocabulary((Entity("Ann", "guest"), Entity("Desk")), (Predicate("P", ("guest",)), Predicate("Q", (ANY,))), ())
MARKED_PARTS = (
    "P(Ann)",
    "Q(Desk)",
    "forall x in guest (P(x) -> Q(x))",
    "exists x in guest (P(x) and not Q(x))",
    "count x in guest (P(x)) = 2",
    "count x (Q(x)) > count x in guest (P(x))",
    "count x in guest (not P(x)) >= 2",
    "exists x in guest (x = Desk)",
    "count x in guest (x != Ann) = count x (Q(x))",
    "forall x (P(x) or Q(x))",
    "count x in guest (P(x)) + count x (Q(x)) = 3",
)


def marked_structures() -> Iterator[Structure]:
    """Every structure of Ann, Desk and up to two more."""
    for more in (0, 1, 2):
        for sorts_of in product((0, 1), repeat=more + 1):
            labels = ["Ann", "Desk", "?1", "?2"][: more + 2]
            things = {
                label: frozenset({"guest"} if of else ()) for label, of in zip(labels, (1, *sorts_of), strict=True)
            }
            for truths in product((0, 1), repeat=2 * len(labels)):
                names = [(predicate, (label,)) for predicate in "PQ" for label in labels]
                yield Structure(MARKED, things, dict(zip(names, truths, strict=True)))


@pytest.mark.parametrize("seed", range(40))
def test_things_that_are_counted_by_kind_decide_as_small_structures_do(seed: int) -> None:
    drawn = dict.fromkeys(MARKED_PARTS[(seed * 5 + step * (seed % 4 + 1)) % len(MARKED_PARTS)] for step in range(4))
    texts = [text if (seed >> place) & 1 else f"not ({text})" for place, text in enumerate(drawn)]
    asked = [said(text, MARKED).sentence for text in ("count x (x = x) <= 4", *texts)]
    marks = marks_in(asked, MARKED)
    assert marks is not None
    found = SentenceWorld(MARKED, (), marks).check({str(place): own for place, own in enumerate(asked)}, NEVER)
    possible = any(all(holds(own, where, {}) for own in asked) for where in marked_structures())
    assert isinstance(found, Structure if possible else Core), texts
    if isinstance(found, Structure):
        assert all(found.truth(own) for own in asked)


NEITHER = "Came(Ann) and not Came(Ann)"
SHARES = [("200%", 2), ("100%", 1), ("50 %", None), ("0%", 0)]


@pytest.mark.parametrize("op", first_of(["=", "<", "!=", "<=", ">", ">="], 2))
@pytest.mark.parametrize(("share", "number"), SHARES)
@pytest.mark.parametrize("closed", [(), ("guest",)], ids=["open", "closed"])
@pytest.mark.parametrize("beside", ["weight(Ann) > 3.5 kg", "Came(Bob)"], ids=["z3", "sat"])
def test_a_count_held_against_a_share_is_held_against_its_number(
    op: str, share: str, number: int | None, closed: tuple[str, ...], beside: str
) -> None:
    words = Vocabulary(
        tuple(Entity(name, "guest") for name in ("Ann", "Bob", "Cleo")),
        (Predicate("Came", ("guest",)),),
        (Function("weight", ("guest",), result="kg"),),
        closed,
    )
    count = "count x in guest (Came(x))"
    written, turned = f"{count} {op} {share}", f"{share} {TURNED[op]} {count}"
    if number is None:
        plain = {"=": NEITHER, "!=": f"not ({NEITHER})", "<": f"{count} < 1", "<=": f"{count} < 1"}.get(
            op, f"{count} >= 1"
        )
    else:
        plain = f"{count} {op} {number}"
    for one in (written, turned):
        assert verdict(words, beside, one, f"not ({plain})") == "Core", one
        assert verdict(words, beside, plain, f"not ({one})") == "Core", one


TURNED = {"=": "=", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}


@pytest.mark.parametrize(
    "text",
    [
        "exists x in guest (x != Ann and x = if(P(Ann), x, Ann))",
        "forall x in guest (P(x) -> x = if(P(x), x, Ann))",
        "exists x in guest (boss(Ann) = x and x != Ann)",
        "exists x in guest (P(if(Open, x, Ann)) and x != Ann)",
    ],
)
def test_among_many_alike_a_thing_that_is_chosen_may_be_itself(text: str) -> None:
    words = Vocabulary(
        (Entity("Ann", "guest"),),
        (Predicate("P", ("guest",)), Predicate("Open", ())),
        (Function("boss", ("guest",), result="guest"),),
    )
    assert verdict(words, "count x in guest (P(x)) >= 20", text) != "Core"
