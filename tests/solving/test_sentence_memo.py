from __future__ import annotations

import pytest

from holdtrue.logic.fol import syntax as fol
from holdtrue.solving.memos import SentenceMemo


def test_each_sentence_is_made_once() -> None:
    made: list[fol.Sentence] = []

    def make(sentence: fol.Sentence) -> int:
        made.append(sentence)
        return len(made)

    memo = SentenceMemo(make)
    one, same, other = fol.Holds("P"), fol.Holds("P"), fol.Holds("Q")
    assert [memo[one], memo[same], memo[other], memo[one], memo[same]] == [1, 1, 2, 1, 1]
    assert made == [one, other]


def test_nothing_is_kept_of_a_failure() -> None:
    known: dict[fol.Sentence, int] = {fol.Holds("P"): 1}
    memo = SentenceMemo(known.__getitem__)
    with pytest.raises(KeyError):
        memo[fol.Holds("Q")]
    assert len(memo) == 0


def test_a_long_series_leaves_little_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("holdtrue.solving.memos.MOST_KEPT", 5)
    memo = SentenceMemo(str)
    for number in range(50):
        assert memo[fol.Holds(f"P{number}")] == memo[fol.Holds(f"P{number}")]
        assert len(memo) <= 5
