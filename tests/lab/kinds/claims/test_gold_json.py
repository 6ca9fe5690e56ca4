from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.errors import RecordError
from holdtrue_claims.fol.notation import read_fol
from holdtrue_claims.fol.vocabulary import ANY, Entity, Function, Predicate, Vocabulary
from holdtrue_claims.kind.gold_logic import GoldLogic
from holdtrue_lab.kinds.claims.gold_json import gold_json, read_gold

NAMES = st.text(min_size=1, max_size=8)
LOW, HIGH = st.none() | st.integers(-9, 9), st.none() | st.integers(11, 29)
RESULTS = st.sampled_from(["whole", "kg", "EUR(2)", "date", "thing"])
VOCABULARIES = st.builds(
    Vocabulary,
    st.lists(st.builds(Entity, NAMES, NAMES), max_size=3).map(tuple),
    st.lists(st.builds(Predicate, NAMES, st.lists(NAMES, max_size=2).map(tuple), NAMES), max_size=3).map(tuple),
    st.lists(
        st.builds(Function, NAMES, st.just(("thing",)), LOW, HIGH, st.booleans(), NAMES, RESULTS),
        max_size=2,
    ).map(tuple),
    st.lists(NAMES, max_size=2).map(tuple),
    st.lists(NAMES, max_size=2).map(tuple),
)
RECORD: dict[str, Any] = {
    "vocabulary": {"entities": [{"name": "tom"}], "predicates": [{"name": "Cat", "sorts": ["thing"]}]},
    "premises": {"P1": "Cat(tom)"},
    "statements": {"A": "¬Cat(tom)"},
}


def read(record: object) -> GoldLogic:
    return read_gold(record, ["P1", "P2"], ["A", "statement"], "here")


@given(VOCABULARIES)
@settings(deadline=None, max_examples=40)
def test_what_is_written_is_read_again(vocabulary: Vocabulary) -> None:
    gold = GoldLogic(vocabulary, {}, {})
    assert read(json.loads(json.dumps(gold_json(gold)))) == gold


def test_formulas_are_written_and_read_again() -> None:
    vocabulary = Vocabulary(
        (Entity("old tom"), Entity("kim", "cat")), (Predicate("Cat", (ANY,)),), (Function("age", (ANY,), 0, 20),)
    )
    texts = {"P1": "∀x ∈ cat (Cat(x) → (age(x) + 2) ≥ 3)", "P2": '"old tom" ≠ kim'}
    said = {id: sentence for id, text in texts.items() if (sentence := read_fol(text).sentence) is not None}
    gold = GoldLogic(vocabulary, said, {"A": said["P1"]})
    assert set(said) == set(texts) and read(json.loads(json.dumps(gold_json(gold)))) == gold


def test_what_may_be_left_out() -> None:
    assert read(RECORD).vocabulary == Vocabulary((Entity("tom"),), (Predicate("Cat", ("thing",)),))


def test_a_function_may_have_one_end_or_none_and_values_of_any_sort() -> None:
    functions = [{"name": "f", "sorts": []}, {"name": "g", "sorts": ["thing"], "low": 1, "high": None, "result": "kg"}]
    words = read({**RECORD, "vocabulary": {**RECORD["vocabulary"], "functions": functions}}).vocabulary
    assert words.functions == (Function("f", ()), Function("g", ("thing",), 1, result="kg"))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"vocabulary": []}, "here.vocabulary: an object is needed"),
        ({"vocabulary": {"entities": ["tom"]}}, r"here.vocabulary.entities\[0\]: an object"),
        ({"vocabulary": {"functions": [{"name": "f", "sorts": [], "low": 3, "high": 2}]}}, "from 3 to 2"),
        ({"vocabulary": {"functions": [{"name": "f", "sorts": [], "low": "3"}]}}, "low"),
        ({"vocabulary": {"functions": [{"name": "f", "sorts": [], "result": "3 kg!"}]}}, "0..result: .*no unit"),
        ({"vocabulary": {"closed": "guest"}}, "closed: a list is needed"),
        ({"premises": {"P3": "Cat(tom)"}}, "here.premises.P3: none of P1, P2"),
        ({"premises": {"P1": 3}}, "here.premises.P1: a text is needed"),
        ({"statements": {"A": "Cat(tom"}}, "here.statements.A: brackets_repaired"),
        ({"statements": {"A": "∀x"}}, "here.statements.A: unparsed"),
        ({"statements": {"A": "Cat(y)"}}, "here.statements.A: free_variable"),
        ({"statements": {"A": "Cat(kim)"}}, "here.statements.A: undeclared: kim"),
        ({"statements": {"A": "Cat(tom, tom)"}}, "here.statements.A: arity_clash"),
    ],
)
def test_what_is_no_gold_logic_is_named(change: dict[str, object], message: str) -> None:
    with pytest.raises(RecordError, match=message):
        read({**RECORD, **change})
