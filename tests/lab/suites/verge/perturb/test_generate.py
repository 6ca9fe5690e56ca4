from __future__ import annotations

from collections import Counter, defaultdict
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.errors import SettingsError
from holdtrue_claims.fol.notation import write_fol
from holdtrue_lab.kinds.claims.item import Item
from holdtrue_lab.suites.verge.perturb.drawing import WORDS
from holdtrue_lab.suites.verge.perturb.generate import PERTURBATIONS, generate_pairs, make_pair
from tests.lab.suites.verge.gold_verdict import gives_the_answer
from tests.lab.suites.verge.grounded import grounded_option


@pytest.fixture(scope="module")
def items() -> list[Item]:
    return generate_pairs(7, 40)


def pairs(items: list[Item]) -> list[tuple[Item, Item]]:
    return list(zip(items[::2], items[1::2], strict=True))


def test_a_pair_differs_in_one_sentence_and_in_its_logic(items: list[Item]) -> None:
    for original, changed in pairs(items):
        places = [n for n, (a, b) in enumerate(zip(original.sentences, changed.sentences, strict=True), 1) if a != b]
        assert len(places) == 1, original.id
        assert original.gold is not None and changed.gold is not None
        assert original.gold.statements == changed.gold.statements
        assert original.gold.vocabulary == changed.gold.vocabulary
        differ = [id for id, one in original.gold.premises.items() if one != changed.gold.premises[id]]
        assert differ == [f"P{place}" for place in places]


@pytest.mark.slow
def test_every_answer_is_proved_in_two_ways(items: list[Item]) -> None:
    for item in items:
        assert gives_the_answer(item), item.id
        assert grounded_option(item) == item.answer, item.id


@pytest.mark.slow
def test_the_same_words_say_the_same_and_opposites_are_in_the_same_order() -> None:
    said: dict[str, set[str]] = defaultdict(set)
    for item in generate_pairs(2, 400):
        assert item.gold is not None
        for text, sentence in zip(item.sentences, item.gold.premises.values(), strict=True):
            said[text].add(write_fol(sentence))
    assert all(len(formulas) == 1 for formulas in said.values())
    assert max(Counter(formula for (formula,) in said.values()).values()) > 2  # the same in several wordings
    rulings, groups = WORDS["inversion"], WORDS["exclusion"]
    assert len(rulings["permitted"]) == len(rulings["forbidden"])
    assert len(groups["apart"]) == len(groups["together"])


@given(st.sampled_from(list(PERTURBATIONS)), st.integers(0, 10**6))
@settings(deadline=None, max_examples=20)
def test_most_draws_give_a_pair_and_every_pair_is_proved(kind: str, seed: int) -> None:
    rng = Random(seed)
    made = [pair for _ in range(5) if (pair := make_pair(PERTURBATIONS[kind](rng), "own", kind))]
    assert len(made) >= 1
    assert all(gives_the_answer(item) for pair in made for item in pair)


def test_no_pairs_cannot_be_made() -> None:
    with pytest.raises(SettingsError, match="one pair"):
        generate_pairs(7, 0)
