"""Tables of words are the minimum of a loss, learn an order that a word says, and are crossed between families."""

from __future__ import annotations

import numpy as np
import pytest

from holdtrue.language.phrasing import phrasing_score
from holdtrue_lab.kinds.readings.phrasing_fitting import FEWEST, Phrased, crossed_scores, fit_table
from holdtrue_lab.kinds.readings.sentence_fitting import conditional_logit


def row(*names: str) -> frozenset[str]:
    return frozenset(names)


def sentence(number: int) -> Phrased:
    """A sentence in which 'after' makes the second name the first one, and 'before' does not."""
    word = "after" if number % 2 else "before"
    return Phrased(f"f{number}", (row(f"AB {word}", "x"), row(f"BA {word}", "x")), number % 2)


def test_a_table_is_near_what_a_naive_twin_finds() -> None:
    """The twin is Newton's method on dense tables (`conditional_logit`); rows are scaled alike."""
    generator = np.random.default_rng(7)
    names = [f"w{place}" for place in range(6)]
    examples = []
    for number in range(40):
        rows = [frozenset(generator.choice(names, size=3, replace=False).tolist()) for _ in range(3)]
        examples.append(Phrased(f"f{number}", rows, int(generator.integers(3))))
    dense = [np.array([[(name in one) / np.sqrt(3) for name in names] for one in own.features]) for own in examples]
    wanted = conditional_logit(dense, [own.right for own in examples], 0.5, len(names))
    found = fit_table(examples, 0.5)
    assert [found.get(name, 0.0) for name in names] == pytest.approx(list(wanted), abs=0.12)


def test_a_word_that_says_an_order_is_learned() -> None:
    table = fit_table([sentence(number) for number in range(8)])
    for number in (0, 1):
        own = sentence(number)
        scores = [phrasing_score(table, each) for each in own.features]
        assert scores.index(max(scores)) == own.right
    assert table["AB before"] > 0 > table["AB after"] and "x" not in table


def test_a_feature_of_too_few_sentences_is_not_learned() -> None:
    rare = Phrased("rare", (row("once"), row("never")), 0)
    assert FEWEST > 1 and not {"once", "never"} & fit_table([rare, *map(sentence, range(4))]).keys()
    assert fit_table([]) == {}


def test_no_sentence_is_scored_by_its_own_family() -> None:
    alone = [Phrased("one", (row("yes"), row("no")), 0) for _ in range(6)]
    assert fit_table(alone)["yes"] > 0
    assert crossed_scores(alone) == [(0.0, 0.0)] * 6
    told: list[str] = []
    assert all(first > second for first, second in crossed_scores([sentence(2 * n) for n in range(20)], told.append))
    assert len(told) == 8
