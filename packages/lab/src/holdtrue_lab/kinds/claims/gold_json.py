"""Write the gold logic of an item as JSON, and read it back: a vocabulary, and first-order formulas as text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from holdtrue.errors import FormulaError, RecordError
from holdtrue.fields import choice, expect, field, field_or, texts
from holdtrue_claims.fol.conventions import CONVENTIONS
from holdtrue_claims.fol.notation import write_fol
from holdtrue_claims.fol.syntax import Sentence
from holdtrue_claims.fol.vocabulary import ANY, Entity, Function, Predicate, Vocabulary
from holdtrue_claims.fol.vocabulary_check import check
from holdtrue_claims.kind.gold_logic import GoldLogic
from holdtrue_lab.kinds.claims.notations import READERS


def gold_json(gold: GoldLogic) -> dict[str, Any]:
    """Return the JSON object of an item's gold logic, as `read_gold` reads it."""
    return {
        "vocabulary": asdict(gold.vocabulary),
        "premises": {id: write_fol(sentence) for id, sentence in gold.premises.items()},
        "statements": {id: write_fol(sentence) for id, sentence in gold.statements.items()},
    }


def read_gold(value: object, premises: Sequence[str], statements: Sequence[str], where: str) -> GoldLogic:
    """Return the gold logic of a JSON object; `premises` and `statements` are the ids that may have a formula.

    `notation` may say what the formulas are written in: `fol`, which is FOLIO's and the default, `nltk` or `tptp`.
    Raises `RecordError`, naming the place, for whatever does not fit, such as a formula with an unknown name.
    """
    record = expect(value, dict, where)
    vocabulary = read_vocabulary(field(record, "vocabulary", dict, where), f"{where}.vocabulary")
    return GoldLogic(
        vocabulary,
        _sentences(record, "premises", premises, vocabulary, where),
        _sentences(record, "statements", statements, vocabulary, where),
    )


def _sentences(
    record: dict[str, Any], name: str, known: Sequence[str], vocabulary: Vocabulary, where: str
) -> Mapping[str, Sentence]:
    said = field(record, name, dict, where)
    notation = choice(field_or(record, "notation", str, where, "fol"), [*READERS], f"{where}.notation")
    found: dict[str, Sentence] = {}
    for id in said:
        place = f"{where}.{name}.{id}"
        if id not in known:
            raise RecordError(f"{place}: none of {', '.join(known) or 'nothing'}")
        text = field(said, id, str, f"{where}.{name}")
        read = READERS[notation](text)
        alerts = read.alerts or (() if read.sentence is None else check(vocabulary, read.sentence))
        if read.sentence is None or alerts:
            raise RecordError(f"{place}: {'; '.join(f'{alert.kind}: {alert.message}' for alert in alerts)}")
        found[id] = read.sentence
    return found


def read_vocabulary(record: dict[str, Any], where: str) -> Vocabulary:
    """Return the vocabulary of an object; raises `RecordError`, naming the place, for what does not fit.

    It has `entities`, `predicates` and `functions`, and may have `closed`, further `sorts` and the conventions that
    are `stated`, lists of texts.
    """
    vocabulary = Vocabulary(
        tuple(
            Entity(field(one, "name", str, place), field_or(one, "sort", str, place, ANY))
            for one, place in objects(record, "entities", where)
        ),
        tuple(
            Predicate(
                field(one, "name", str, place), texts(one, "sorts", place), field_or(one, "meaning", str, place, "")
            )
            for one, place in objects(record, "predicates", where)
        ),
        tuple(_function(one, place) for one, place in objects(record, "functions", where)),
        texts(record, "closed", where) if "closed" in record else (),
        texts(record, "sorts", where) if "sorts" in record else (),
        stated=tuple(
            choice(own, CONVENTIONS, f"{where}.stated") for own in field_or(record, "stated", list, where, [])
        ),
    )
    for at, function in enumerate(vocabulary.functions):
        try:
            vocabulary.value_sort(function.result)
        except FormulaError as error:
            raise RecordError(f"{where}.functions[{at}].result: {error}") from error
    return vocabulary


def _function(record: dict[str, Any], where: str) -> Function:
    low, high = (_end(record, name, where) for name in ("low", "high"))
    if low is not None and high is not None and low > high:
        raise RecordError(f"{where}: no number is from {low} to {high}")
    return Function(
        field(record, "name", str, where),
        texts(record, "sorts", where),
        low,
        high,
        field_or(record, "distinct", bool, where, False),
        field_or(record, "meaning", str, where, ""),
        field_or(record, "result", str, where, "whole"),
    )


def _end(record: dict[str, Any], name: str, where: str) -> int | None:
    """Return one end of a function's values; None where it is missing or null, which nobody stated."""
    return field(record, name, int, where) if record.get(name) is not None else None


def objects(record: dict[str, Any], name: str, where: str) -> list[tuple[dict[str, Any], str]]:
    """The objects of a list, which may be missing, each with its place."""
    listed = field_or(record, name, list, where, [])
    return [(expect(one, dict, place), place) for at, one in enumerate(listed) if (place := f"{where}.{name}[{at}]")]
