"""Sentences in words: readable, and never the same for two of them."""

from __future__ import annotations

from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.errors import FormulaError
from holdtrue.logic.units import ONE, unit
from holdtrue.logic.value_sorts import DATE, TIME, Instant
from holdtrue_claims.fol import syntax as fol
from holdtrue_claims.fol.canonical import Key, tree_key
from holdtrue_claims.fol.english import Teller, say
from holdtrue_claims.fol.meaning import settled
from holdtrue_claims.fol.notation import read_fol, write_fol
from holdtrue_claims.fol.variants import Variant, variants
from holdtrue_claims.fol.vocabulary import Entity, Function, Predicate, Vocabulary

VOCABULARY = Vocabulary(
    (Entity("Ann", "guest"), Entity("Ben", "guest"), Entity("Order4711", "order")),
    (
        Predicate("Came", ("guest",), "x came"),
        Predicate("Late", ("guest",), "x is late"),
        Predicate("Likes", ("guest", "guest"), "x likes y"),
        Predicate("Open", (), "the office is open"),
        Predicate("Excused", ("guest",), "x is ill or away"),
    ),
    (
        Function("weight", ("guest",), result="kg", meaning="weight of x"),
        Function("delivered", ("order",), result="date", meaning="the date on which x was delivered"),
        Function("manager", ("guest",), result="guest", meaning="manager of x"),
        Function("total", ("order",), result="EUR", meaning="total price of x"),
    ),
)
# Meanings that are alike, hold words of logic, lack a variable, or read like a sentence of another name.
TRICKY = Vocabulary(
    (Entity("Ann", "guest"), Entity("Ben", "guest"), Entity("RedLamp", "lamp"), Entity("Red_Lamp", "lamp")),
    (
        Predicate("Came", ("guest",), "x came"),
        Predicate("Arrived", ("guest",), "x came"),
        Predicate("AnnCame", (), "Ann came"),
        Predicate("Likes", ("guest", "guest"), "x likes y"),
        Predicate("Like", ("guest", "guest"), "x like y"),
        Predicate("Dislikes", ("guest", "guest"), "x does not like y"),
        Predicate("Both", ("guest", "guest"), "x came and y came"),
        Predicate("Same", ("guest", "guest"), "x is y"),
        Predicate("Lost", ("guest",), ""),
        Predicate("All", (), "every guest came"),
        Predicate("Weighs", ("guest", "kg"), "x weighs y"),
        Predicate("Heavy", ("guest",), "x weighs 70 kg"),
        Predicate("Between", ("guest", "guest", "guest", "guest"), "x is between y and z, and w"),
    ),
    (
        Function("weight", ("guest",), result="kg", meaning="weight of x"),
        Function("mass", ("guest",), result="kg", meaning="the weight of x"),
        Function("net", ("guest",), result="kg", meaning="weight of x minus 1 kg"),
        Function("manager", ("guest",), result="guest", meaning="x's manager"),
    ),
)
VARIABLES = ("x", "y", "p")
VALUES = ("date", "time", "moment Z", "whole", "number", "kg", "g", "EUR(2)", "whole kg")


def numbers(name: str) -> st.SearchStrategy[fol.Term]:
    values = st.one_of(st.integers(-3, 12), st.fractions(0, 3, max_denominator=8))
    return st.builds(fol.Number, values, st.just(unit(name) if name else ONE))


def names_of(vocabulary: Vocabulary) -> st.SearchStrategy[fol.Term]:
    named = st.sampled_from([fol.Constant(own.name) for own in vocabulary.entities])
    return st.one_of(named, st.sampled_from([fol.Bound(name) for name in VARIABLES]))


def terms(vocabulary: Vocabulary, sentences: st.SearchStrategy[fol.Sentence]) -> st.SearchStrategy[fol.Term]:
    """Terms of all shapes; not all of them have a sort, which words do not ask for."""
    first = st.one_of(names_of(vocabulary), numbers(""), numbers("kg"), numbers("day"), instants())

    def deeper(inner: st.SearchStrategy[fol.Term]) -> st.SearchStrategy[fol.Term]:
        applied = st.sampled_from(vocabulary.functions).flatmap(
            lambda own: st.builds(fol.Apply, st.just(own.name), st.tuples(*[inner] * len(own.sorts)))
        )
        parts = st.lists(st.tuples(st.sampled_from((1, -1, 2)), inner), min_size=1, max_size=3).map(tuple)
        sorts = st.sampled_from((None, "guest", "order", *VALUES))
        return st.one_of(
            applied,
            st.builds(fol.Plus, parts),
            st.builds(fol.Times, inner, inner),
            st.builds(fol.Operation, st.sampled_from(("min", "max")), st.tuples(inner, inner)),
            st.builds(fol.Operation, st.sampled_from(("div", "mod")), st.tuples(inner, inner)),
            st.builds(fol.Operation, st.just("abs"), st.tuples(inner)),
            st.builds(fol.Choice, sentences, inner, inner),
            st.builds(fol.Count, st.sampled_from(VARIABLES), sentences, sorts),
            st.builds(fol.Total, st.sampled_from(VARIABLES), inner, sentences, sorts),
        )

    return st.recursive(first, deeper, max_leaves=4)


def instants() -> st.SearchStrategy[fol.Term]:
    return st.one_of(
        st.builds(Instant, st.integers(738000, 740000), st.just(DATE)),
        st.builds(Instant, st.integers(0, 86399), st.just(TIME)),
    )


def sentences_of(vocabulary: Vocabulary) -> st.SearchStrategy[fol.Sentence]:
    def atoms(arguments: st.SearchStrategy[fol.Term]) -> st.SearchStrategy[fol.Sentence]:
        held = st.sampled_from(vocabulary.predicates).flatmap(
            lambda own: st.builds(fol.Holds, st.just(own.name), st.tuples(*[arguments] * len(own.sorts)))
        )
        operators = st.sampled_from(("=", "!=", "<", "<=", ">", ">="))
        counted = st.builds(fol.Count, st.sampled_from(VARIABLES), held, st.sampled_from((None, "guest")))
        return st.one_of(
            held,
            st.builds(fol.Compare, operators, arguments, arguments),
            st.builds(fol.Compare, operators, counted, numbers("")),
        )

    simple = atoms(names_of(vocabulary))

    def deeper(inner: st.SearchStrategy[fol.Sentence]) -> st.SearchStrategy[fol.Sentence]:
        lists = st.lists(inner, min_size=2, max_size=3).map(tuple)
        quantifiers = st.sampled_from(("forall", "exists"))
        return st.one_of(
            st.builds(fol.Not, inner),
            st.builds(fol.And, lists),
            st.builds(fol.Or, lists),
            st.builds(fol.Xor, inner, inner),
            st.builds(fol.Implies, inner, inner),
            st.builds(fol.Iff, inner, inner),
            st.builds(
                fol.Quantified,
                quantifiers,
                st.sampled_from(VARIABLES),
                inner,
                st.sampled_from((None, "guest", "lamp", *VALUES)),
            ),
            atoms(terms(vocabulary, inner)),
        )

    return st.recursive(simple, deeper, max_leaves=5)


def read(text: str) -> fol.Sentence:
    found = read_fol(text)
    assert found.sentence is not None and not found.alerts, found.alerts
    return settled(found.sentence, VOCABULARY)


@pytest.mark.parametrize(
    ("formula", "words"),
    [
        ("Likes(Ann, Ben)", "Ann likes Ben."),
        ("not Came(Ann)", "It is not true that Ann came."),
        ("Came(Ann) and not Late(Ben)", "Ann came and Ben is not late."),
        ("not Likes(Ann, Ben)", "Ann does not like Ben."),
        ("not not Late(Ann)", "It is not true that Ann is not late."),
        ("Open -> Came(Ann) and Came(Ben)", "If the office is open, then Ann came and Ben came."),
        ("Came(Ann) xor Came(Ben)", "Either Ann came or Ben came, but not both."),
        ("Open <-> Came(Ann)", "The office is open if and only if Ann came."),
        ("Excused(Ann)", '"Ann is ill or away".'),
        ("forall x in guest (Came(x))", "Every guest came."),
        ("forall x in guest (not Late(x))", "No guest is late."),
        ("exists x in guest (Likes(Ann, x))", "Ann likes some guest."),
        ("forall x in guest (Came(x) -> Likes(x, Ann))", "For every guest x: if x came, then x likes Ann."),
        ("exists y in guest (forall x in guest (Likes(x, y)))", "For some guest x: every guest likes x."),
        ("forall x in guest (exists y in guest (Likes(x, y)))", "For every guest x: x likes some guest."),
        ("count x in guest (Late(x)) >= 3", "At least 3 guests are late."),
        ("count x in guest (Likes(x, Ann)) = 1", "Exactly 1 guest likes Ann."),
        ("2 > count x in guest (Came(x) and Late(x))", "For fewer than 2 guests x: x came and x is late."),
        ("weight(Ann) >= weight(Ben) + 5 kg", "The weight of Ann is at least 5 kg more than the weight of Ben."),
        ("manager(manager(Ann)) = Ben", "The manager of (the manager of Ann) is Ben."),
        (
            "delivered(Order4711) <= 2026-03-01",
            "The date on which Order 4711 was delivered is no later than 1 March 2026.",
        ),
        (
            "abs(weight(Ann) - weight(Ben)) < 500 g",
            "(the difference between (the weight of Ann) and (the weight of Ben)) is less than 500 g.",
        ),
        (
            "forall x in date (weekday_of(x) <= 5)",
            "For every date x: (the day of the week of x) is at most 5.",
        ),
        ("exists x in EUR(2) (x > 3 EUR)", 'For some amount x in "EUR(2)": x is more than 3 EUR.'),
        (
            "count x in whole (x > 1 and x < 5) = 3",
            "For exactly 3 whole numbers x: x is more than 1 and x is less than 5.",
        ),
        (
            "sum x in order (total(x)) > 240.50 EUR",
            "(the sum of (the total price of x) over all orders x) is more than 240.5 EUR.",
        ),
    ],
)
def test_sentences_read_like_english(formula: str, words: str) -> None:
    assert say(read(formula), VOCABULARY) == words


def test_every_operator_and_every_pair_of_them_has_words_of_its_own() -> None:
    two = ("div", "mod", "min", "max")

    def applied(op: fol.Operator, inner: fol.Term) -> fol.Term:
        return fol.Operation(op, (inner, fol.Number(2)) if op in two else (inner,))

    base = fol.Apply("weight", (fol.Constant("Ann"),))
    operators: tuple[fol.Operator, ...] = get_args(fol.Operator)
    terms = [applied(op, base) for op in operators]
    terms += [applied(op, applied(other, base)) for op in operators for other in operators]
    words = {say(fol.Compare("=", term, fol.Number(3)), VOCABULARY) for term in terms}
    assert len(words) == len(terms) == len(operators) * (len(operators) + 1)


def test_what_goes_through_values_has_words_of_its_own_for_every_sort() -> None:
    said: list[fol.Sentence] = []
    for sort in (None, "guest", *VALUES):
        body = fol.Compare("=", fol.Bound("x"), fol.Bound("x"))
        said += [fol.Quantified(quantifier, "x", body, sort) for quantifier in get_args(fol.Quantifier)]
        said.append(fol.Compare("=", fol.Count("x", body, sort), fol.Number(3)))
        said.append(fol.Compare("=", fol.Total("x", fol.Number(1), body, sort), fol.Number(3)))
    assert len({say(sentence, VOCABULARY) for sentence in said}) == len(said)
    assert all(read_fol(write_fol(sentence)).sentence == sentence for sentence in said)


def test_names_that_would_read_alike_are_told_apart() -> None:
    told = Teller(TRICKY)
    ann, ben = fol.Constant("Ann"), fol.Constant("Ben")
    assert told.say(fol.Holds("Came", (ann,))) == "Ann came [Came]."
    assert told.say(fol.Holds("Lost", (ann,))) == "Lost(Ann)."
    assert told.say(fol.Holds("Both", (ann, ben))) == '"Ann came and Ben came".'
    assert told.say(fol.Compare("=", ann, ben)) != told.say(fol.Holds("Same", (ann, ben)))


def has_text(sentence: fol.Sentence) -> bool:
    """Return whether no connective in it has a single operand, since that is said like its operand."""
    lone = (fol.And, fol.Or)
    return not any(isinstance(node, lone) and len(node.operands) == 1 for node in fol.walk(sentence))


@settings(max_examples=15)
@given(st.data())
@pytest.mark.parametrize("vocabulary", [VOCABULARY, TRICKY], ids=["plain", "tricky"])
def test_two_sentences_never_have_the_same_words(vocabulary: Vocabulary, data: st.DataObject) -> None:
    one = data.draw(sentences_of(vocabulary).filter(has_text))
    told = Teller(vocabulary)
    trees: dict[str, Key] = {told.say(one): tree_key(one)}
    for other in (data.draw(sentences_of(vocabulary)), *near(one), *(each.sentence for each in slips(one, vocabulary))):
        if has_text(other):
            assert trees.setdefault(told.say(other), tree_key(other)) == tree_key(other)


def slips(sentence: fol.Sentence, vocabulary: Vocabulary) -> tuple[Variant, ...]:
    """Return the near variants of a sentence, or none if it has no meaning."""
    try:
        return variants(sentence, vocabulary)
    except FormulaError:
        return ()


def near(sentence: fol.Sentence) -> list[fol.Sentence]:
    """Sentences that differ in how their parts are put together: the likeliest to be said alike."""
    found: list[fol.Sentence] = [fol.Not(sentence)]
    match sentence:
        case fol.And((first, fol.Or((second, *rest)))):
            found.append(fol.Or((fol.And((first, second)), *rest)))
        case fol.And((first, *rest)):
            found += [fol.Or((first, *rest)), fol.And((first, fol.And(tuple(rest)))) if len(rest) > 1 else first]
        case fol.Implies(left, right):
            found += [fol.Implies(right, left), fol.Implies(left, fol.Not(right))]
        case fol.Not(fol.And((first, *rest))):
            found.append(fol.And((fol.Not(first), *rest)))
        case fol.Not(fol.Implies(left, right)):
            found.append(fol.Implies(fol.Not(left), right))
        case fol.Quantified(quantifier, variable, fol.And((first, *rest)), sort):
            found.append(fol.And((fol.Quantified(quantifier, variable, first, sort), *rest)))
        case fol.Quantified(quantifier, variable, fol.Not(inner), sort):
            found.append(fol.Not(fol.Quantified(quantifier, variable, inner, sort)))
        case fol.Quantified(quantifier, variable, body, _):
            found += [fol.Quantified(quantifier, variable, body, sort) for sort in (None, "thing", "guest")]
        case fol.Holds(name, (first, second)):
            found.append(fol.Holds(name, (second, first)))
        case fol.Compare(op, left, right):
            found += [fol.Compare(op, right, left), fol.Compare("=", left, right)]
            found.append(fol.Compare(op, fol.Plus(((1, left), (-1, right))), fol.Number(0)))
    return found
