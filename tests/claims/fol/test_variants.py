"""Near variants of a sentence: of all kinds, each with a meaning, none the sentence itself."""

from __future__ import annotations

import pytest

from holdtrue.logic.units import ONE
from holdtrue_claims.fol import syntax as fol
from holdtrue_claims.fol.canonical import tree_key
from holdtrue_claims.fol.meaning import state
from holdtrue_claims.fol.notation import read_fol
from holdtrue_claims.fol.variants import DIFFERENCES, Mentions, choose_variants, variants
from tests.claims.fol.test_english import VOCABULARY, read

SENTENCES = (
    "Came(Ann)",
    "Likes(Ann, Ben) and not Late(Ben)",
    "forall x in guest (Came(x) -> Likes(x, Ann))",
    "exists x in guest (forall y in guest (Likes(x, y)))",
    "count x in guest (Late(x)) >= 3",
    "weight(Ann) >= weight(Ben) + 5 kg",
    "delivered(Order4711) <= 2026-03-01",
    "Open xor Came(Ann)",
    "not (Open <-> Came(manager(Ann)))",
    "total(Order4711) = 15% * total(Order4711) + 12.50 EUR",
)


@pytest.mark.parametrize("text", SENTENCES)
def test_variants_have_a_meaning_and_are_other_trees(text: str) -> None:
    sentence = read(text)
    found = variants(sentence, VOCABULARY)
    keys = [tree_key(each.sentence) for each in found]
    assert len(set(keys)) == len(keys) >= 3
    assert tree_key(sentence) not in keys
    for each in found:
        state(each.sentence, VOCABULARY)
    assert variants(sentence, VOCABULARY) == found


def test_there_are_variants_of_every_kind() -> None:
    kinds = {each.kind for text in SENTENCES for each in variants(read(text), VOCABULARY)}
    assert kinds == set(DIFFERENCES)


@pytest.mark.parametrize(
    ("kind", "text", "slip"),
    [
        ("argument_order", "Likes(Ann, Ben)", "Likes(Ben, Ann)"),
        ("argument_order", "Came(Ann) and not Came(Ben)", "Came(Ben) and not Came(Ann)"),
        ("direction", "weight(Ann) > weight(Ben)", "weight(Ann) < weight(Ben)"),
        ("direction", "weight(Ann) = weight(Ben) + 5 kg", "weight(Ann) = weight(Ben) - 5 kg"),
        ("number", "total(Order4711) = 48 EUR", "total(Order4711) = 84 EUR"),
        ("number", "delivered(Order4711) = 2026-03-05", "delivered(Order4711) = 2026-05-03"),
        ("unit", "weight(Ann) < 70 kg", "weight(Ann) < 70 g"),
        ("quantifier", "forall x in guest (Came(x))", "exists x in guest (Came(x))"),
        ("quantifier", "exists x (Came(x) and Late(x))", "forall x (Came(x) -> Late(x))"),
        ("converse", "Open -> Came(Ann)", "Came(Ann) -> Open"),
        ("converse", "Open -> Came(Ann)", "Open <-> Came(Ann)"),
        ("and_or", "Open or Came(Ann)", "Open xor Came(Ann)"),
        ("and_or", "Open and (Came(Ann) or Came(Ben))", "Open and Came(Ann) or Came(Ben)"),
        ("negation", "not (Open and Came(Ann))", "not Open and not Came(Ann)"),
        ("negation", "not forall x in guest (Came(x))", "forall x in guest (not Came(x))"),
        ("cardinality", "count x in guest (Came(x)) >= 3", "count x in guest (Came(x)) = 3"),
        ("cardinality", "count x in guest (Came(x)) >= 3", "count x in guest (Came(x)) >= 4"),
        ("other_argument", "Likes(Ann, manager(Ben))", "Likes(Ann, manager(Ann))"),
        ("other_argument", "Came(Ann)", "Late(Ann)"),
        ("part", "Open and Came(Ann)", "Came(Ann)"),
    ],
)
def test_slips_of_each_kind_are_found(kind: str, text: str, slip: str) -> None:
    wanted = tree_key(read(slip))
    assert [each.kind for each in variants(read(text), VOCABULARY) if tree_key(each.sentence) == wanted] == [kind]


def test_what_a_text_mentions_comes_first() -> None:
    mentions = Mentions((fol.Number(42, ONE),), frozenset({"Came", "Ben"}))
    first, *_ = variants(read("Came(Ann)"), VOCABULARY, mentions)
    assert first.sentence == read("Came(Ben)")
    numbers = [each for each in variants(read("weight(Ann) = 5 kg"), VOCABULARY, mentions) if each.kind == "number"]
    assert numbers[0].sentence == read("weight(Ann) = 42 kg")


def test_only_what_is_known_to_differ_is_chosen() -> None:
    found = variants(read("Open and Came(Ann)"), VOCABULARY)
    assert choose_variants(found, 3, lambda sentence: isinstance(sentence, fol.Or)) == tuple(
        each for each in found if isinstance(each.sentence, fol.Or)
    )
    assert read_fol("Open").sentence is not None
