"""Tests of vocabularies: how `merge` adds names, and how `check` finds sentences that use other names."""

from __future__ import annotations

from collections import Counter
from typing import Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.budget import Budget
from holdtrue.errors import FormulaError
from holdtrue_claims.fol.meaning import state
from holdtrue_claims.fol.notation import read_fol, write_fol
from holdtrue_claims.fol.syntax import Constant, Holds, Sentence
from holdtrue_claims.fol.vocabulary import ANY, Entity, Function, Predicate, Vocabulary, merge
from holdtrue_claims.fol.vocabulary_check import check
from holdtrue_claims.kind.context import Context, InconsistentContext
from holdtrue_claims.solving.sentence_engine import SentenceEngine
from holdtrue_claims.solving.sentence_grounding import ground
from tests.claims.fol.named_things import ranges_of, things_of
from tests.claims.fol.sentences import RANGES, SORTS, THINGS, closed, open_sentences

WORDS = Vocabulary(
    (Entity("Mia", "person"), Entity("Tom", "person"), Entity("Carmen", "work"), Entity("1925")),
    (Predicate("Dancer", ("person",)), Predicate("Teaches", ("person", "person")), Predicate("Rains", ())),
    (Function("rank", ("person",), 1, 3, distinct=True), Function("age", (ANY,), 0, 99)),
)


def kinds(text: str) -> list[tuple[str, int | None]]:
    sentence = read_fol(text).sentence
    assert sentence is not None
    return [(alert.kind, alert.position) for alert in check(WORDS, sentence, text)]


def test_sentences_that_keep_to_the_vocabulary() -> None:
    for text in (
        "forall x (Dancer(x) -> exists y (Teaches(x, y) and x != y))",
        "rank(Mia) < rank(Tom) + 1 and age(1925) = 3 or Rains",
        "∀x ∈ person (Dancer(x) → Teaches(Mia, x))",
        "forall x (x = Carmen or Dancer(x))",
    ):
        assert kinds(text) == []


def test_faults_have_their_places() -> None:
    assert kinds("Dancer(Mia) and Singer(Tom)") == [("undeclared", 16)]
    assert kinds("Dancer(Mia) and Dancer(Ann)") == [("undeclared", 23)]
    assert kinds("Dancer(Mia) and Teaches(Mia)") == [("arity_clash", 16)]
    assert kinds("Teaches(Mia, Carmen)") == [("sort_clash", 13)]
    assert kinds("Dancer(Mia) and Dancer(x)") == [("free_variable", 23)]
    assert kinds("∀x ∈ work Dancer(x)") == [("sort_clash", 17)]
    assert kinds("∀x ∈ city Dancer(x)") == [("undeclared", 5)]
    assert kinds("rank(Mia) < Tom") == [("sort_clash", 12)]
    assert kinds("rank(Mia) < 2 * height(Tom) + 1") == [("undeclared", 16)]
    assert kinds("Dancer(1926)") == [("undeclared", 7)]
    assert kinds("rank(Mia)") == [("undeclared", 0)]
    assert kinds("Singer(Mia) and Singer(Tom) and Singer(Tom, Mia)") == [("undeclared", 0)], "one fault is told once"
    sentence = read_fol("Singer(Mia)").sentence
    assert sentence is not None
    assert [alert.position for alert in check(WORDS, sentence)] == [None], "without a text there are no places"


@given(open_sentences)
@settings(max_examples=60, deadline=None)
def test_what_keeps_to_a_vocabulary_has_a_meaning(sentence: Sentence) -> None:
    # The other way round fails for sorts and for comparisons of a number with a name, and for nothing else.
    sentence = closed(sentence)
    used = Counter({"Tall": 1, "Likes": 2, "x": 0})
    vocabulary = Vocabulary(
        tuple(Entity(name, SORTS.get(name, ANY)) for name in THINGS),
        tuple(Predicate(name, (ANY,) * count) for name, count in used.items()),
        tuple(Function(name, (ANY,), *values) for name, values in RANGES.items()),
    )
    if not check(vocabulary, sentence, write_fol(sentence)):
        found = ground(sentence, things_of(vocabulary), ranges_of(vocabulary))
        named = {variable.name.partition("(")[0] for variable in found.variables}
        assert named <= {*used, *RANGES}


def test_merging_keeps_what_is_known_and_adds_what_is_new() -> None:
    merged, alerts = merge(
        WORDS, [Entity("Ann", "person")], [Predicate("Singer", (ANY,))], [Function("size", (ANY,), 0, 1)]
    )
    assert merged.entities == (*WORDS.entities, Entity("Ann", "person"))
    assert [predicate.name for predicate in merged.predicates] == ["Dancer", "Teaches", "Rains", "Singer"]
    assert [function.name for function in merged.functions] == ["rank", "age", "size"]
    assert alerts == ()


@pytest.mark.parametrize(
    ("new", "told", "says"),
    [
        (
            (Entity("mia", "girl"), Predicate("Dancers", (ANY,))),
            ["name_clash", "name_clash"],
            "Dancer and Dancers look like one name",
        ),
        ((Predicate("Dancer", (ANY, ANY)),), ["arity_clash"], ""),
        ((Predicate("Rank", (ANY,)), Function("dancer", (ANY,), 0, 1)), ["name_clash", "name_clash"], ""),
        ((*WORDS.entities, *WORDS.predicates, *WORDS.functions), [], ""),
    ],
)
def test_a_near_name_a_name_of_another_kind_and_a_known_name_add_nothing(
    new: tuple[Entity | Predicate | Function, ...], told: list[str], says: str
) -> None:
    parts = [[part for part in new if isinstance(part, kind)] for kind in (Entity, Predicate, Function)]
    merged, alerts = merge(WORDS, *cast("Any", parts))
    assert merged == WORDS
    assert [alert.kind for alert in alerts] == told
    assert says in " ".join(alert.message for alert in alerts)


def test_merging_keeps_closed_sorts_and_further_ones_but_for_a_sort_that_gets_one_more_thing() -> None:
    known = Vocabulary((Entity("Ann", "guest"), Entity("Red", "lamp")), closed=("guest", "lamp"), sorts=("room",))
    assert merge(known, (), [Predicate("Came", ("guest",))])[0].closed == ("guest", "lamp")
    assert merge(known, [Entity("Ann", "guest")])[0] == known
    wider = merge(known, [Entity("Ben", "guest")])[0]
    assert (wider.closed, wider.sorts) == (("lamp",), ("room",))
    nothing_else = Vocabulary((Entity("Ann", "guest"),), closed=(ANY,))
    assert merge(nothing_else, (), [Predicate("Came", (ANY,))])[0].closed == (ANY,)
    assert merge(nothing_else, [Entity("Ben", "lamp")])[0].closed == ()


def test_known_names_stay_even_where_they_are_near_each_other() -> None:
    known = Vocabulary((Entity("Platypus"), Entity("Platypuses")))
    assert merge(known, [Entity("platypus")])[0] == known


def test_a_thing_called_like_a_predicate_is_told_and_stays() -> None:
    merged, alerts = merge(WORDS, [Entity("Dancers")])
    assert merged.entities[-1] == Entity("Dancers")
    assert [alert.kind for alert in alerts] == ["name_clash"]


def test_laws_speak_of_the_facts_that_sentences_do() -> None:
    sentence = read_fol("rank(Mia) = 2 and rank(Tom) = 2").sentence
    assert sentence is not None
    context = Context({"P1": state(sentence, WORDS)}, WORDS, Budget())
    assert isinstance(context.status, InconsistentContext)


@given(st.lists(st.sampled_from(["Ann", "ann", "Anns", "Bob", "Bobs", "x"]), max_size=6))
@settings(max_examples=40, deadline=None)
def test_merging_never_repeats_a_name(names: list[str]) -> None:
    merged, _ = merge(Vocabulary(), [Entity(name) for name in names])
    again, _ = merge(merged, [Entity(name) for name in names])
    assert again == merged
    assert len({entity.name for entity in merged.entities}) == len(merged.entities)
    assert {entity.name for entity in merged.entities} <= set(names)


@pytest.mark.parametrize(
    ("parts", "says"),
    [
        ({"entities": (Entity("A"), Entity("A", "order"))}, "A is declared twice as a thing"),
        ({"predicates": (Predicate("Old", ()),), "functions": (Function("Old", ()),)}, "Old is declared twice"),
        ({"entities": (Entity("?1"),)}, "nobody named"),
        ({"predicates": (Predicate("Old", cast("Any", "thing")),)}, "Old: sorts are a tuple of texts, got 'thing'"),
        ({"entities": (Entity("A", "order"),), "closed": ("orders",)}, "'orders' is closed.* there are order, thing"),
    ],
)
def test_what_would_have_two_meanings_is_refused(parts: dict[str, Any], says: str) -> None:
    with pytest.raises(FormulaError, match=says):
        SentenceEngine(Vocabulary(**parts))


def test_a_number_that_two_things_look_like_is_neither() -> None:
    words = Vocabulary((Entity("1.1"), Entity("1.10"), Entity("9:00")), (Predicate("Out", (ANY,)),))
    for text in ("Out(1.1)", "Out(1.10)"):
        with pytest.raises(FormulaError, match=r"1\.1 without quotes, which may be one of several"):
            state(read_fol(text).sentence, words)
    for name in ("1.1", "1.10"):
        assert state(read_fol(f"Out('{name}')").sentence, words).sentence == Holds("Out", (Constant(name),))


@pytest.mark.parametrize(
    ("shown", "other"), [("10%", "10.0%"), ("09:00", "9:00"), ("2026-03-01T09:00", "2026-03-01T9:00"), ("7", "7.0")]
)
def test_whatever_two_names_look_like_needs_quotes(shown: str, other: str) -> None:
    words = Vocabulary((Entity(shown), Entity(other)), (Predicate("Out", (ANY,)),))
    with pytest.raises(FormulaError, match="without quotes, which may be one of several"):
        state(read_fol(f"Out({shown})").sentence, words)
    assert state(read_fol(f"Out('{other}')").sentence, words).sentence == Holds("Out", (Constant(other),))


def test_a_text_that_cannot_be_read_is_no_sentence() -> None:
    with pytest.raises(FormulaError, match="its text could not be read"):
        state(read_fol("2026-02-30 < 2026-03-01").sentence, Vocabulary())
