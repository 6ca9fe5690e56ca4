"""A prompt shows examples that suit its vocabulary, and each example is a formula of the example's vocabulary."""

from __future__ import annotations

import pytest

from holdtrue_claims.fol.notation import read_fol
from holdtrue_claims.fol.vocabulary import Function, Vocabulary
from holdtrue_claims.fol.vocabulary_check import check
from holdtrue_claims.kind.prompts.formalization import EXAMPLES, Examples, examples_for, formula_messages


def functions(*results: str) -> Vocabulary:
    return Vocabulary(functions=tuple(Function(f"f{at}", ("x",), result=own) for at, own in enumerate(results)))


def kinds(shown: tuple[Examples, ...]) -> list[int]:
    return [next(at for at, own in enumerate(EXAMPLES) if own[0] == vocabulary) for vocabulary, _ in shown]


@pytest.mark.parametrize(("vocabulary", "pairs"), EXAMPLES)
def test_every_example_is_a_formula_of_its_vocabulary(
    vocabulary: Vocabulary, pairs: tuple[tuple[str, str], ...]
) -> None:
    for text, formula in pairs:
        read = read_fol(formula)
        assert read.sentence is not None and not read.alerts, text
        assert not check(vocabulary, read.sentence, formula), text


def test_only_what_can_be_said_is_shown() -> None:
    assert kinds(examples_for(Vocabulary())) == [0]
    assert kinds(examples_for(functions("whole"))) == kinds(examples_for(functions("number"))) == [0, 1]
    assert kinds(examples_for(functions("EUR"))) == kinds(examples_for(functions("date", "person"))) == [0, 2]
    assert kinds(examples_for(functions("whole", "kg"))) == [0, 1, 2]


def test_all_that_vocabularies_of_a_kind_are_asked_begins_alike() -> None:
    one, two = functions("EUR"), functions("day", "kg")
    first, second = formula_messages(one, "It costs 3 euros."), formula_messages(two, "It takes 2 days.")
    assert first[:-1] == second[:-1]
    assert first[-1] != second[-1]
