"""Engines of first-order sentences over a vocabulary, created at their first question."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

from holdtrue.logic.formula import Formula
from holdtrue.solving.engine import CountedEngine, Engine
from holdtrue_claims.fol.laws import stated_laws
from holdtrue_claims.fol.meaning import sentence_of
from holdtrue_claims.fol.vocabulary import Vocabulary


class SentenceEngineFactory(Protocol):
    """A `SentenceEngineFactory` makes an engine of first-order sentences; `closed` assumes that only named things
    exist.
    """

    def __call__(
        self, vocabulary: Vocabulary, /, background: Iterable[Formula] = (), *, closed: bool = False
    ) -> Engine: ...


def counted_sentences(
    vocabulary: Vocabulary, background: Iterable[Formula] = (), *, closed: bool = False
) -> CountedEngine:
    """Return the engine of `Stated` formulas over a vocabulary with its laws. Its questions are counted."""

    return CountedEngine.made(lambda: _sentence_engine(vocabulary, background, closed=closed))


def open_sentences(vocabulary: Vocabulary, background: Iterable[Formula] = ()) -> Engine:
    """Return an engine that only proves sentences over any number of things, to check the results of another engine."""
    return _sentence_engine(vocabulary, background, small=False)


def _sentence_engine(
    vocabulary: Vocabulary, background: Iterable[Formula], *, closed: bool = False, small: bool = True
) -> Engine:
    from holdtrue_claims.solving.sentence_engine import SentenceEngine

    sentences = (*stated_laws(vocabulary), *map(sentence_of, background))
    return SentenceEngine(vocabulary, sentences, closed=closed, small=small)


@dataclass(frozen=True, slots=True)
class SentenceSignature:
    """A `SentenceSignature` makes engines for first-order sentences over a vocabulary (`solving.engine.Signature`)."""

    vocabulary: Vocabulary

    def engine(self, background: Iterable[Formula] = ()) -> Engine:
        return counted_sentences(self.vocabulary, background)

    def second_engine(self, background: Iterable[Formula] = ()) -> Engine:
        return open_sentences(self.vocabulary, background)
