"""Write the gold logic of an item as JSON, and read it back: a vocabulary, and first-order formulas as text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from holdtrue.errors import FormulaError, RecordError
from holdtrue.fields import choice, expect, field, field_or, naming
from holdtrue.kinds.claims.gold_logic import GoldLogic
from holdtrue.lab.kinds.claims.notations import READERS
from holdtrue.lab.kit.json_file import read_as
from holdtrue.logic.fol.conventions import CONVENTIONS
from holdtrue.logic.fol.notation import write_fol
from holdtrue.logic.fol.syntax import Sentence
from holdtrue.logic.fol.vocabulary import Vocabulary
from holdtrue.logic.fol.vocabulary_check import check


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
    """Return the vocabulary of an object, whose keys are the fields of `Vocabulary`, all of which may be missing.

    Raises `RecordError`, naming the place, for what does not fit.
    """
    vocabulary = read_as(Vocabulary, record, where)
    for convention in vocabulary.stated:
        choice(convention, CONVENTIONS, f"{where}.stated")
    for at, function in enumerate(vocabulary.functions):
        place, low, high = f"{where}.functions[{at}]", function.low, function.high
        if low is not None and high is not None and low > high:
            raise RecordError(f"{place}: no number is from {low} to {high}")
        with naming(f"{place}.result", FormulaError):
            vocabulary.value_sort(function.result)
    return vocabulary


def objects(record: dict[str, Any], name: str, where: str) -> list[tuple[dict[str, Any], str]]:
    """The objects of a list, which may be missing, each with its place."""
    listed = field_or(record, name, list, where, [])
    return [(expect(one, dict, place), place) for at, one in enumerate(listed) if (place := f"{where}.{name}[{at}]")]
