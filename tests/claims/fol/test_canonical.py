"""`same_tree` ignores the names of bound variables and the order of operands, and nothing else."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue_claims.fol.canonical import renamed, same_tree, tree_key
from holdtrue_claims.fol.notation import read_fol
from holdtrue_claims.fol.signature import signature
from holdtrue_claims.fol.syntax import (
    And,
    Bound,
    Compare,
    Constant,
    Holds,
    Iff,
    Implies,
    Not,
    Or,
    Quantified,
    Sentence,
    Term,
    Xor,
)
from tests.claims.fol.sentences import closed, open_sentences

P, Q = Holds("P"), Holds("Q")


def sentence(text: str) -> Sentence:
    read = read_fol(text).sentence
    assert read is not None
    return read


small_things: st.SearchStrategy[Term] = st.sampled_from([Bound("x"), Bound("y"), Constant("a")])
small = st.recursive(
    st.builds(Holds, st.just("P"), st.tuples(small_things))
    | st.builds(Compare, st.sampled_from(["=", "<", ">"]), small_things, small_things),
    lambda inner: (
        st.builds(Quantified, st.just("forall"), st.sampled_from(["x", "y"]), inner)
        | st.builds(Xor, inner, inner)
        | st.builds(Implies, inner, inner)
        | st.builds(And, st.lists(inner, min_size=2, max_size=3).map(tuple))
    ),
    max_leaves=3,
)
"""Of so few words that two of them are the same tree now and then."""


@settings(deadline=None, max_examples=300)
@given(small, small)
def test_same_tree_agrees_with_trying_every_order(one: Sentence, other: Sentence) -> None:
    assert same_tree(one, other) == matches(one, other, ())


def matches(one: Sentence, other: Sentence, pairs: tuple[tuple[str, str], ...]) -> bool:
    """Whether some order of operands makes the two alike; `pairs` are variables bound together, the innermost first."""

    def alike(these: tuple[Sentence, ...], those: tuple[Sentence, ...]) -> bool:
        return len(these) == len(those) and all(matches(*both, pairs) for both in zip(these, those, strict=True))

    def same(this: Term, that: Term) -> bool:
        if isinstance(this, Bound) and isinstance(that, Bound):
            first = next((pair for pair in pairs if this.name == pair[0] or that.name == pair[1]), None)
            return this == that if first is None else first == (this.name, that.name)
        return this == that

    match one, other:
        case Holds(args=(this,)), Holds(args=(that,)):
            return same(this, that)
        case Compare(), Compare():
            straight = one.op == other.op and same(one.left, other.left) and same(one.right, other.right)
            turned = {"=": "=", "<": ">", ">": "<"}[one.op] == other.op
            return straight or (turned and same(one.left, other.right) and same(one.right, other.left))
        case Quantified(), Quantified():
            return matches(one.body, other.body, ((one.variable, other.variable), *pairs))
        case Implies(), Implies():
            return alike((one.left, one.right), (other.left, other.right))
        case Xor(), Xor():
            return any(alike((one.left, one.right), order) for order in permutations((other.left, other.right)))
        case And(), And():
            return any(alike(one.operands, order) for order in permutations(other.operands))
    return False


def test_different_connectives_are_different_trees() -> None:
    made: list[Sentence] = [Xor(P, Q), Implies(P, Q), Iff(P, Q), And((P, Q)), Or((P, Q)), Not(P), P]
    assert len({tree_key(one) for one in made}) == len(made)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("∀x ∀y Likes(x, y)", "∀y ∀x Likes(y, x)", True),
        ("∀x ∀y Likes(x, y)", "∀x ∀y Likes(y, x)", False),
        ("∀x ∃y Likes(x, y)", "∃y ∀x Likes(x, y)", False),
        ("P ∧ Q ∧ R", "R ∧ P ∧ Q", True),
        ("P ∧ (Q ∧ R)", "P ∧ Q ∧ R", False),
        ("¬P ∨ Q ∨ R", "R ∨ Q ∨ ¬P", True),
        ("P ↔ (Q ↔ R)", "(R ↔ Q) ↔ P", True),
        ("∀x P(f(x, a))", "∀y P(f(y, a))", True),
        ("∀x P(f(x, a))", "∀y P(f(a, y))", False),
        ("∀x ∈ dog P(x)", "∀x ∈ cat P(x)", False),
        ("min(f(a), g(a)) = 2", "min(g(a), f(a)) = 2", True),
        ("P → Q", "Q → P", False),
        ("P ⊕ Q", "Q ⊕ P", True),
        ("a = b", "b = a", True),
        ("age(a) > 3", "3 < age(a)", True),
        ("age(a) > 3", "age(a) < 3", False),
        ("age(a) - age(b) ≥ 1", "1 ≤ -1*age(b) + age(a)", True),
        ("P(x)", "P(y)", False),
        ("∀x P(x, y)", "∀z P(z, y)", True),
        ("∀x ∈ S P(x)", "∀x P(x)", False),
        ("∀x P(x)", "∃x P(x)", False),
    ],
)
def test_what_counts_as_the_same(one: str, other: str, same: bool) -> None:
    assert same_tree(sentence(one), sentence(other)) is same


def test_renamed_changes_names_and_no_variables() -> None:
    given_ = sentence("∀x (Platypuses(x) → ¬x = perry ∧ age(x) + age(perry) > 3)")
    names = {"Platypuses": "Platypus", "perry": "Perry", "age": "years", "x": "nobody"}
    assert renamed(given_, names) == sentence("∀x (Platypus(x) → ¬x = Perry ∧ years(x) + years(Perry) > 3)")


@settings(deadline=None, max_examples=60)
@given(open_sentences)
def test_renaming_there_and_back_changes_nothing(body: Sentence) -> None:
    used = signature([closed(body)])
    there = {name: f"{name}_new" for name in (*used.predicates, *used.functions, *used.constants)}
    back = {new: old for old, new in there.items()}
    assert renamed(renamed(body, there), back) == body
