from __future__ import annotations

from collections import Counter, defaultdict
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.errors import SettingsError
from holdtrue_claims.fol.notation import write_fol
from holdtrue_lab.kinds.claims.item import Item
from holdtrue_lab.suites.verge.files import load_verge, write_items
from holdtrue_lab.suites.verge.perturb.drawing import WORDS
from holdtrue_lab.suites.verge.perturb.generate import PERTURBATIONS, generate_pairs, make_pair
from tests.lab.suites.verge.gold_verdict import gives_the_answer
from tests.lab.suites.verge.grounded import grounded_option


@pytest.fixture(scope="module")
def items() -> list[Item]:
    return generate_pairs(7, 40)


def pairs(items: list[Item]) -> list[tuple[Item, Item]]:
    return list(zip(items[::2], items[1::2], strict=True))


def test_all_kinds_are_there_alike_and_every_answer_flips(items: list[Item]) -> None:
    assert Counter(changed.perturbation for _, changed in pairs(items)) == dict.fromkeys(PERTURBATIONS, 10)
    for original, changed in pairs(items):
        assert (changed.perturbs, original.perturbs, original.perturbation) == (original.id, None, None)
        assert original.answer != changed.answer
        assert (original.question, original.options) == (changed.question, changed.options)
    assert len({item.id for item in items}) == len({(item.context, item.question) for item in items}) == 80


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


def test_every_sentence_has_a_premise_and_context_and_sentences_say_the_same(items: list[Item]) -> None:
    for item in items:
        assert item.gold is not None
        assert list(item.gold.premises) == [f"P{number}" for number in range(1, len(item.sentences) + 1)]
        assert item.context == " ".join(item.sentences)
        assert all(text.endswith(".") and text[0].isupper() and "{" not in text for text in item.sentences)
        for entity in item.gold.vocabulary.entities:
            assert entity.name.lower() in item.context.lower()


@pytest.mark.slow
def test_answers_and_wordings_are_of_many_kinds() -> None:
    drawn = generate_pairs(1, 200)
    print("\nkind                original   changed    pairs")
    table = Counter(
        (str(changed.perturbation), *(item.options[item.answer] if item.statement else "option" for item in pair))
        for pair in pairs(drawn)
        for changed in pair[1:]
    )
    for (kind, one, other), count in sorted(table.items()):
        print(f"{kind:19} {one:10} {other:10} {count:5}")
    truths = {(kind, one) for kind, one, _ in table if kind != "sequence_swap"}
    assert {(kind, truth) for kind in PERTURBATIONS for truth in ("True", "False") if kind != "sequence_swap"} <= truths
    options = Counter(item.answer for item in drawn if item.statement is None)
    assert set(options) == set("ABCDE")
    assert len({item.context for item in drawn}) > 390


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


def test_a_pair_is_the_same_however_many_are_made(items: list[Item], tmp_path: Path) -> None:
    assert generate_pairs(7, 6) == items[:12]
    assert generate_pairs(8, 6) != items[:12]
    write_items(items, tmp_path / "items.jsonl")
    assert load_verge(tmp_path / "items.jsonl") == items


def test_no_pairs_cannot_be_made() -> None:
    with pytest.raises(SettingsError, match="one pair"):
        generate_pairs(7, 0)
