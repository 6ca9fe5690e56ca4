"""Minimal pairs: a sentence with its formula, and a near sentence with a formula that differs in one place."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from holdtrue.errors import FormulaError, RecordError
from holdtrue.fields import expect, field, field_or, texts
from holdtrue_claims.fol.meaning import state
from holdtrue_claims.fol.notation import read_fol
from holdtrue_claims.fol.syntax import Sentence
from holdtrue_claims.fol.vocabulary import ANY, Entity, Function, Predicate, Vocabulary


@dataclass(frozen=True, slots=True)
class MinimalPair:
    """A `MinimalPair` has two formulas that differ in one `kind` of thing, and sentences that say each of them.

    `sentence` and `paraphrase` say `formula`, and `near_sentence` says `near_miss`.
    """

    id: str
    kind: str
    vocabulary: Vocabulary
    sentence: str
    paraphrase: str
    near_sentence: str
    formula: Sentence
    near_miss: Sentence

    @property
    def said(self) -> Mapping[str, Sentence]:
        """Return what each of the three sentences says."""
        return {self.sentence: self.formula, self.paraphrase: self.formula, self.near_sentence: self.near_miss}


def read_pairs(path: Path) -> tuple[MinimalPair, ...]:
    """Return the pairs of a JSON file, a list of objects; raises `RecordError`, naming the place, for what is wrong."""
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, json.JSONDecodeError) as error:
        raise RecordError(f"{path}: {error}") from error
    found = tuple(
        _pair(expect(one, dict, f"{path}[{at}]"), f"{path}[{at}]")
        for at, one in enumerate(expect(value, list, str(path)))
    )
    if not found:
        raise RecordError(f"{path}: there is no pair in it")
    return found


def _pair(record: dict[str, Any], where: str) -> MinimalPair:
    vocabulary = _vocabulary(field(record, "vocabulary", dict, where), f"{where}.vocabulary")
    return MinimalPair(
        field(record, "id", str, where),
        field(record, "kind", str, where),
        vocabulary,
        field(record, "sentence", str, where),
        field(record, "paraphrase", str, where),
        field(record, "near_sentence", str, where),
        _formula(record, "formula", vocabulary, where),
        _formula(record, "near_miss", vocabulary, where),
    )


def _formula(record: dict[str, Any], name: str, vocabulary: Vocabulary, where: str) -> Sentence:
    text = field(record, name, str, where)
    read = read_fol(text)
    if read.sentence is None:
        raise RecordError(f"{where}.{name}: {'; '.join(alert.message for alert in read.alerts)}")
    try:
        return state(read.sentence, vocabulary).sentence
    except FormulaError as error:
        raise RecordError(f"{where}.{name}: {error}") from error


def _vocabulary(record: dict[str, Any], where: str) -> Vocabulary:
    """Return the vocabulary of `things`, `closed`, `predicates` (`of`, `meaning`) and `functions` (also `is`)."""

    def listed(name: str) -> list[tuple[dict[str, Any], str]]:
        found = field_or(record, name, list, where, [])
        return [(expect(one, dict, place), place) for at, one in enumerate(found) if (place := f"{where}.{name}[{at}]")]

    return Vocabulary(
        tuple(
            Entity(field(one, "name", str, place), field_or(one, "sort", str, place, ANY))
            for one, place in listed("things")
        ),
        tuple(
            Predicate(field(one, "name", str, place), texts(one, "of", place), field_or(one, "meaning", str, place, ""))
            for one, place in listed("predicates")
        ),
        tuple(
            Function(
                field(one, "name", str, place),
                texts(one, "of", place),
                meaning=field_or(one, "meaning", str, place, ""),
                result=field(one, "is", str, place),
            )
            for one, place in listed("functions")
        ),
        texts(record, "closed", where) if "closed" in record else (),
    )
