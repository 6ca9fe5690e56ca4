from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.programs.grounding import variables_of
from holdtrue.budget import Budget
from holdtrue.solving.explain.classification import equivalent
from holdtrue.solving.result import Different, Equivalent, Unknown
from holdtrue.solving.route import make_engine
from holdtrue_claims.fol.meaning import Stated
from holdtrue_claims.fol.syntax import (
    And,
    Apply,
    Bound,
    Compare,
    Constant,
    Holds,
    Iff,
    Implies,
    Not,
    Number,
    Or,
    Quantified,
    Quantifier,
    Sentence,
    Xor,
)
from holdtrue_claims.fol.vocabulary import Entity, Function, Predicate, Vocabulary
from holdtrue_claims.kind.equivalence import (
    SAME_MEANING,
    Agreement,
    Consensus,
    consensus,
    is_settled,
    maximal_cliques,
    same_meaning,
    strengthens,
)
from holdtrue_claims.solving.sentence_grounding import ground
from tests.claims.fol.named_things import Things

_ONE = ("P", "Cat", "cats", "Animal", "animal", "Dog")
WORDS = Vocabulary(
    (Entity("ann"), Entity("bob")),
    (*(Predicate(name, ("thing",)) for name in _ONE), Predicate("R", ("thing", "thing"))),
    (Function("age", ("thing",), 0, 5),),
)
"""Predicates that look alike are two, so that taking one for the other can be tried."""
ANN, X, Y = Constant("ann"), Bound("x"), Bound("y")


def sentences(variables: tuple[str, ...] = ()) -> st.SearchStrategy[Sentence]:
    """Closed sentences about two things, quantifiers up to two deep."""
    term = st.sampled_from([Constant("ann"), Constant("bob"), *map(Bound, variables)])
    leaves: st.SearchStrategy[Sentence] = (
        st.builds(lambda one: Holds("P", (one,)), term)
        | st.builds(lambda one, other: Holds("R", (one, other)), term, term)
        | st.builds(lambda one, other: Compare("=", one, other), term, term)
    )
    two = st.lists(leaves, min_size=2, max_size=2).map(tuple)
    parts: st.SearchStrategy[Sentence] = (
        leaves | st.builds(Not, leaves) | st.builds(And, two) | st.builds(Or, two) | st.builds(Implies, leaves, leaves)
    )
    if len(variables) == 2:
        return parts
    inner = sentences((*variables, "xy"[len(variables)]))
    bound = st.builds(Quantified, st.sampled_from(["forall", "exists"]), st.just("xy"[len(variables)]), inner)
    return parts | bound | st.builds(Iff, bound, parts) | st.builds(Xor, parts, bound)


def only(found: Consensus) -> Agreement:
    """How the two samples agree."""
    (agreement,) = found.pairs.values()
    return agreement


@settings(deadline=None, max_examples=25)
@given(sentences(), sentences(), st.sampled_from(["forall", "exists"]))
def test_the_same_in_other_words_is_equivalent(one: Sentence, other: Sentence, quantifier: Quantifier) -> None:
    ways: list[tuple[Sentence, Sentence]] = [
        (Implies(one, other), Or((Not(one), other))),
        (Not(And((one, other))), Or((Not(one), Not(other)))),
        (Xor(one, other), Not(Iff(one, other))),
    ]
    for left, right in ways:
        assert only(consensus([left, right], WORDS)) is Agreement.EQUIVALENT
    turned: Quantifier = "exists" if quantifier == "forall" else "forall"
    body = Implies(Holds("P", (X,)), other)
    found = consensus([Not(Quantified(quantifier, "x", body)), Quantified(turned, "x", Not(body))], WORDS)
    assert only(found) is Agreement.EQUIVALENT


def told_apart(one: Sentence, other: Sentence) -> bool:
    """Whether they differ among ann, bob and up to two others, as SAT has it of the sentences written out."""
    for others in range(3):
        things = Things(("ann", "bob"), others)
        left, right = ground(one, things), ground(other, things)
        engine = make_engine(variables_of((left, right)), prefer="sat")
        if isinstance(equivalent(engine, left, right, Budget()), Different):
            return True
    return False


@settings(deadline=None, max_examples=60)
@given(st.lists(sentences(), min_size=3, max_size=3))
def test_agreement_is_what_the_solver_says_of_the_formulas(samples: list[Sentence]) -> None:
    found = consensus(samples, WORDS)
    for (first, second), agreement in found.pairs.items():
        one, other = samples[first], samples[second]
        said = same_meaning(Stated(one), Stated(other), WORDS)
        expected = {Equivalent: SAME_MEANING, Different: {Agreement.DIFFERENT}, Unknown: {Agreement.UNKNOWN}}
        assert agreement in expected[type(said)]
        if told_apart(one, other):
            assert agreement not in SAME_MEANING
    alike = [*found.pairs.values()]
    assert Agreement.UNKNOWN in alike or sum(each in SAME_MEANING for each in alike) != 2


@settings(deadline=None, max_examples=40)
@given(sentences(), sentences())
def test_a_strengthened_sentence_entails_the_old_one(old: Sentence, more: Sentence) -> None:
    new = Stated(And((old, more)))
    vacuous = isinstance(same_meaning(new, Stated(And((old, Not(old)))), WORDS), Equivalent)
    assert strengthens(new, Stated(old), WORDS) is not vacuous


def all_cats(cat: str, animal: str = "Animal") -> Sentence:
    return Quantified("forall", "x", Implies(Holds(cat, (X,)), Holds(animal, (X,))))


NO_CAT = Quantified("forall", "x", Not(Holds("Cat", (X,))))
OTHERWISE = Not(Quantified("exists", "y", And((Holds("Cat", (Y,)), Not(Holds("Animal", (Y,)))))))
"""All cats are animals, in other words."""


def test_the_three_rates_are_told_apart() -> None:
    found = consensus([all_cats("Cat"), all_cats("Cat"), OTHERWISE, all_cats("cats"), NO_CAT], WORDS)
    kinds = [Agreement.SAME_TREE, Agreement.EQUIVALENT, Agreement.ALIGNED, Agreement.DIFFERENT, Agreement.UNKNOWN]
    assert [found.rate(kind) for kind in kinds] == [0.1, 0.2, 0.3, 0.4, 0.0]
    assert (found.clique, found.accepted) == ((0, 1, 2, 3), True)


def test_names_are_read_as_others_only_where_that_makes_them_agree() -> None:
    found = consensus([all_cats("Cat"), all_cats("animal", "cats")], WORDS)
    assert only(found) is Agreement.DIFFERENT


@pytest.mark.parametrize(
    ("samples", "clique", "accepted"),
    [
        ([all_cats("Cat")] * 3, (0, 1, 2), True),
        ([NO_CAT, OTHERWISE, all_cats("Cat")], (1, 2), True),
        ([NO_CAT, OTHERWISE, all_cats("Dog")], (0,), False),
        ([NO_CAT, NO_CAT, OTHERWISE, OTHERWISE], (0, 1), False),
        ([NO_CAT, NO_CAT, OTHERWISE, None], (0, 1), False),
        ([NO_CAT, NO_CAT, None], (0, 1), True),
        ([NO_CAT], (0,), True),
        ([None, None, NO_CAT], (2,), False),
        ([None], (), False),
        ([], (), False),
    ],
)
def test_more_than_half_have_to_agree(samples: list[Sentence | None], clique: tuple[int, ...], accepted: bool) -> None:
    found = consensus(samples, WORDS)
    assert (found.clique, found.accepted) == (clique, accepted)


def test_without_a_pair_there_is_no_rate() -> None:
    assert consensus([NO_CAT], WORDS).rate(Agreement.SAME_TREE) is None


@pytest.mark.parametrize(
    "sample",
    [
        None,
        Holds("Cat", (X,)),
        Holds("Cat", (Constant("zoe"),)),
        Compare("=", Apply("Cat", (ANN,)), Number(1)),
    ],
    ids=["unread", "free variable", "undeclared", "a function there"],
)
def test_what_cannot_be_compared_is_unknown(sample: Sentence | None) -> None:
    found = consensus([Holds("Cat", (ANN,)), sample], WORDS)
    assert only(found) is Agreement.UNKNOWN
    assert not found.accepted


def test_out_of_time_samples_do_not_agree() -> None:
    found = consensus([NO_CAT, NO_CAT, all_cats("Cat"), OTHERWISE], WORDS, budget=Budget(timeout_s=0.0))
    assert [*found.pairs.values()].count(Agreement.UNKNOWN) == 5
    assert (found.clique, found.accepted) == ((0, 1), False)


def test_two_largest_sets_that_agree_are_no_consensus() -> None:
    cat, cats = Holds("Cat", (ANN,)), Holds("cats", (ANN,))
    wordy = And((cats, Or((Holds("Cat", (Constant("bob"),)), Not(Holds("Cat", (Constant("bob"),)))))))
    found = consensus([cat, cats, wordy], WORDS)
    assert [*found.pairs.values()] == [Agreement.ALIGNED, Agreement.DIFFERENT, Agreement.EQUIVALENT]
    assert (found.clique, found.accepted) == ((0, 1), False)


PAIRS = list(combinations(range(6), 2))


@settings(deadline=None, max_examples=80)
@given(st.integers(0, 6), st.sets(st.sampled_from(PAIRS)))
def test_they_are_all_sets_that_are_linked_and_cannot_grow(count: int, links: set[tuple[int, int]]) -> None:
    linked = {
        place: {other for other in range(count) if (place, other) in links or (other, place) in links}
        for place in range(count)
    }
    agreeing = [
        set(places)
        for size in range(1, count + 1)
        for places in combinations(range(count), size)
        if all(other in linked[one] for one, other in combinations(places, 2))
    ]
    expected = [tuple(sorted(one)) for one in agreeing if not any(one < other for other in agreeing)]
    assert maximal_cliques(linked) == sorted(expected, key=lambda clique: (-len(clique), clique))


def test_many_that_agree_are_found_at_once() -> None:
    everyone = set(range(200))
    assert maximal_cliques({place: everyone - {place} for place in everyone}) == [tuple(range(200))]


@settings(deadline=None, max_examples=60)
@given(st.lists(st.sampled_from([all_cats("Cat"), all_cats("cats"), all_cats("Dog"), None]), min_size=1, max_size=5))
def test_what_is_settled_no_further_sample_changes(samples: list[Sentence | None]) -> None:
    whole = consensus(samples, WORDS)
    for drawn in range(1, len(samples)):
        found = consensus(samples[:drawn], WORDS)
        if is_settled(found, len(samples)):
            assert whole.accepted and found.accepted
            assert samples[whole.clique[0]] == samples[found.clique[0]]


@pytest.mark.parametrize(
    ("samples", "planned", "settled"),
    [
        ([all_cats("Cat")] * 2, 3, True),
        ([all_cats("Cat")] * 2, 4, False),
        ([all_cats("Cat")] * 3, 4, True),
        ([all_cats("Cat")] * 3, 5, False),  # two more could each agree with these, and not with each other
        ([all_cats("Cat")] * 4, 5, True),
        ([all_cats("Cat"), all_cats("cats")], 3, False),
        ([all_cats("Cat"), None], 3, False),
        ([None, None], 3, False),
        ([], 1, False),
    ],
)
def test_equal_samples_settle_it_if_they_are_most_of_all(
    samples: list[Sentence | None], planned: int, settled: bool
) -> None:
    assert is_settled(consensus(samples, WORDS), planned) == settled
