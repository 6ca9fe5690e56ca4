"""A claim that is proved without conventions holds even if several names denote one thing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.budget import Budget
from holdtrue_claims.claim_record import ClaimVerdict
from holdtrue_claims.fol import syntax as fol
from holdtrue_claims.fol.conventions import CONVENTIONS, IN_WORDS, Convention, aliases, without
from holdtrue_claims.fol.meaning import state
from holdtrue_claims.fol.notation import read_fol
from holdtrue_claims.fol.vocabulary import ANY, Entity, Function, Predicate, Vocabulary
from holdtrue_claims.kind.context import Context
from holdtrue_claims.kind.entailment import ClaimFinding, verify_claim

NAMES = ("Ann", "Bob", "Cem")
LIKED = Vocabulary(tuple(Entity(name) for name in NAMES), (Predicate("Calm", (ANY,)),))
ATOMS = [
    *(f"Calm({name})" for name in NAMES),
    "Ann = Bob",
    "Bob = Cem",
    "forall x (Calm(x))",
    "exists x (Calm(x))",
    "forall x (Calm(x) -> x = Ann)",
    "forall x (x = Ann or x = Bob)",
    "count x (Calm(x)) >= 2",
    "count x (Calm(x)) = 1",
    "count x (x = x) <= 2",
]


def said(text: str, vocabulary: Vocabulary = LIKED) -> fol.Sentence:
    return state(read_fol(text).sentence, vocabulary).sentence


sentences = st.recursive(
    st.sampled_from(ATOMS).map(said),
    lambda inner: st.one_of(
        inner.map(fol.Not), st.tuples(inner, inner).map(fol.Or), st.builds(fol.Implies, inner, inner)
    ),
    max_leaves=3,
)


def holds(
    node: fol.Sentence,
    names: dict[str, int],
    calm: Sequence[bool],
    kinds: Mapping[str, Sequence[bool]] | None = None,
    bound: Mapping[str, int] | None = None,
) -> bool:
    """The naive twin: things are numbers, several names may be of one thing, and a thing may be of several kinds."""
    known = bound or {}

    def thing(term: fol.Term) -> int:
        assert isinstance(term, fol.Constant | fol.Bound)
        return known[term.name] if isinstance(term, fol.Bound) else names[term.name]

    def within(body: fol.Sentence) -> bool:
        return holds(body, names, calm, kinds, known)

    def each(variable: str, body: fol.Sentence, sort: str | None) -> list[bool]:
        among = [own for own in range(len(calm)) if sort is None or (kinds or {})[sort][own]]
        return [holds(body, names, calm, kinds, {**known, variable: own}) for own in among]

    match node:
        case fol.Holds(_, (one,)):
            return calm[thing(one)]
        case fol.Compare(op, fol.Count(variable, body, sort), fol.Number(value)):
            found = sum(each(variable, body, sort))
            return {"=": found == value, ">=": found >= value, "<=": found <= value}[op]
        case fol.Compare("=", left, right):
            return thing(left) == thing(right)
        case fol.Not(operand):
            return not within(operand)
        case fol.Or(operands):
            return any(map(within, operands))
        case fol.Implies(left, right):
            return not within(left) or within(right)
        case fol.Quantified(quantifier, variable, body, sort):
            return (all if quantifier == "forall" else any)(each(variable, body, sort))
    raise AssertionError(node)


def situations(*, apart: bool) -> Iterator[tuple[dict[str, int], tuple[bool, ...]]]:
    for size in range(1, 6):
        for places in product(range(size), repeat=len(NAMES)):
            if not apart or len(set(places)) == len(NAMES):
                for calm in product((False, True), repeat=size):
                    yield dict(zip(NAMES, places, strict=True)), calm


LOOSE = list(situations(apart=False))


@settings(deadline=None, max_examples=150)
@given(st.lists(sentences, max_size=3), sentences)
def test_a_proof_holds_whatever_names_share_a_thing_and_else_says_that_it_needs_names_apart(
    told: list[fol.Sentence], claim: fol.Sentence
) -> None:
    premises = {f"P{place}": state(own, LIKED) for place, own in enumerate(told)}
    found = verify_claim(Context(premises, LIKED, Budget(20)), state(claim, LIKED))
    truths = {holds(claim, names, calm) for names, calm in LOOSE if all(holds(own, names, calm) for own in told)}
    match found.verdict:
        case ClaimVerdict.ENTAILED:
            assert truths == {True}
        case ClaimVerdict.CONTRADICTORY:
            assert truths == {False}
        case ClaimVerdict.INCONSISTENT_CONTEXT:
            assert not truths or "Different names" in str(found.reason)
        case ClaimVerdict.ASSUMED:
            assert IN_WORDS["names"] in found.assumptions
            equated = {frozenset(pair) for group in aliases(told) for pair in combinations(group, 2)}
            apart = {
                holds(claim, names, calm)
                for names, calm in LOOSE
                if all(names[a] != names[b] for a, b in combinations(NAMES, 2) if frozenset((a, b)) not in equated)
                and all(holds(own, names, calm) for own in told)
            }
            assert apart == {found.assuming is ClaimVerdict.ENTAILED}
        case _:
            assert found.verdict is not ClaimVerdict.POSSIBLE or truths == {False, True}


STAFF = Vocabulary(
    (Entity("Ann", "guest"), Entity("Bob", "guest"), Entity("Cem", "cook")), (Predicate("Calm", (ANY,)),)
)
SORTED = [
    *(f"Calm({name})" for name in NAMES),
    *(f"{quantifier} x in {sort} (Calm(x))" for quantifier in ("forall", "exists") for sort in ("guest", "cook")),
    *(f"forall x in {sort} (x = Ann or x = Bob)" for sort in ("guest", "cook")),
    *(f"count x in {sort} (Calm(x)) {op}" for sort in ("guest", "cook") for op in ("<= 1", ">= 2")),
    "exists x in guest (x = Cem)",
]


def of_kinds() -> Iterator[tuple[dict[str, int], tuple[bool, ...], dict[str, tuple[bool, ...]]]]:
    for size in range(1, 4):
        masks = list(product((False, True), repeat=size))
        for places, calm, guest, cook in product(product(range(size), repeat=3), masks, masks, masks):
            if guest[places[0]] and guest[places[1]] and cook[places[2]]:
                yield dict(zip(NAMES, places, strict=True)), calm, {"guest": guest, "cook": cook}


KINDS = list(of_kinds())


@settings(deadline=None, max_examples=60)
@given(st.lists(st.sampled_from(SORTED).map(lambda text: said(text, STAFF)), max_size=3), st.sampled_from(SORTED))
def test_a_proof_holds_whatever_kinds_things_are_of(told: list[fol.Sentence], text: str) -> None:
    claim = said(text, STAFF)
    premises = {f"P{place}": state(own, STAFF) for place, own in enumerate(told)}
    found = verify_claim(Context(premises, STAFF, Budget(20)), state(claim, STAFF)).verdict
    if found in (ClaimVerdict.ENTAILED, ClaimVerdict.CONTRADICTORY):
        truths = {holds(claim, *own) for own in KINDS if all(holds(one, *own) for one in told)}
        assert truths <= {found is ClaimVerdict.ENTAILED}


FAMILY = Vocabulary(
    (Entity("Ann", "person"), Entity("Bob", "person"), Entity("Rex", "dog")),
    (Predicate("Calm", ("person",)),),
    (
        Function("child", ("person",), result="person"),
        Function("weight", ("person",), result="whole kg"),
        Function("born", ("person",), result="date"),
        Function("seen", ("person",), result="moment"),
    ),
)


def verified(told: Sequence[str], claim: str, *, stated: tuple[Convention, ...] = ()) -> ClaimFinding:
    vocabulary = Vocabulary(FAMILY.entities, FAMILY.predicates, FAMILY.functions, stated=stated)
    premises = {f"P{place}": state(read_fol(text).sentence, vocabulary) for place, text in enumerate(told, 1)}
    return verify_claim(Context(premises, vocabulary, Budget(20)), state(read_fol(claim).sentence, vocabulary))


CASES: list[tuple[list[str], str, str, tuple[Convention, ...]]] = [
    ([], "count x in person (child(Ann) = x) = 1", "entailed", ("values",)),
    ([], "exists x in person (child(Ann) = x)", "entailed", ("values",)),
    (["child(Ann) = Bob"], "child(Ann) = Bob", "entailed", ()),
    (["child(Ann) = Bob", "Calm(Bob)"], "Calm(child(Ann))", "entailed", ()),
    (["forall x in person (Calm(child(x)))", "child(Ann) = Bob"], "Calm(Bob)", "entailed", ()),
    (["child(Ann) = Bob"], "child(Ann) = Ann", "contradictory", ("names", "values")),
    (["weight(Ann) > 50 kg", "weight(Ann) < 52 kg"], "weight(Ann) = 51 kg", "entailed", ("steps",)),
    (["weight(Ann) > 50 kg"], "weight(Ann) > 49 kg", "entailed", ()),
    (["born(Ann) = 2024-02-29"], "born(Ann) + 1 year = 2025-02-28", "entailed", ("month_ends",)),
    (["born(Ann) = 2024-02-28"], "born(Ann) + 1 year = 2025-02-28", "entailed", ()),
    (
        ["born(Ann) = 2024-02-29"],
        "forall d in date (born(Ann) = d -> d + 1 year = 2025-02-28)",
        "entailed",
        ("month_ends",),
    ),
    (
        ["exists d in date (born(Ann) = d and d + 6 month >= 2026-10-01)"],
        "born(Ann) = 2026-03-31",
        "contradictory",
        ("month_ends",),
    ),
    (["seen(Ann) = 2026-03-28T20:00"], "seen(Ann) + 12 hour = 2026-03-29T08:00", "entailed", ("clocks",)),
    (["Calm(Ann)", "Calm(Bob)"], "count x in person (Calm(x)) >= 2", "entailed", ("names",)),
]


@pytest.mark.parametrize(("told", "claim", "verdict", "needed"), CASES)
def test_a_verdict_names_the_conventions_that_it_needs(
    told: list[str], claim: str, verdict: str, needed: tuple[Convention, ...]
) -> None:
    found = verified(told, claim)
    assert set(found.assumptions) == {IN_WORDS[own] for own in needed}
    assert (found.assuming if needed else found.verdict) == verdict
    if needed:
        assert found.verdict is ClaimVerdict.ASSUMED
        assert verified(told, claim, stated=needed).verdict == verdict


def test_a_stated_alias_wins_over_names_apart() -> None:
    told = ["Ann = Bob", "Calm(Ann)"]
    assert verified(told, "Calm(Bob)").verdict is ClaimVerdict.ENTAILED
    assert verified(told, "Ann != Bob").verdict is ClaimVerdict.CONTRADICTORY
    assert verified(told, "count x in person (Calm(x)) >= 2").verdict is ClaimVerdict.POSSIBLE


def test_sentences_that_need_no_convention_stay_as_they_are() -> None:
    ground = {"P": said("Calm(Ann)")}
    assert without(CONVENTIONS, LIKED, ground) == (LIKED, ground)
