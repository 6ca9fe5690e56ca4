"""This module writes items, and reads files of items in every known form.

It also reads the sentences of the context and the gold logic of each item, if possible.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from holdtrue.errors import RecordError
from holdtrue.fields import by_id, expect, field, field_or, naming
from holdtrue_claims.kind.gold_logic import STATEMENT
from holdtrue_claims.kind.prompts.questions import Answer
from holdtrue_lab.kinds.claims.item import Item, gold_json, read_gold, read_item
from holdtrue_lab.kit.json_file import read_records, write_lines
from holdtrue_lab.suites.verge import folio, logical_deduction, proofwriter, zebra

AR_LSAT = "ar_lsat"
_LETTERS = "ABCDE"
_OPENED = r"""\s+(?=[A-Z"\u201c\u2018])"""
# A colon after an announcement of conditions ends a sentence. A semicolon never does: "if so, ...; otherwise, ...".
_BETWEEN = re.compile(rf"""(?<=[.!?]){_OPENED}|(?<=[.!?]["\u201d\u2019]){_OPENED}|(?<=:){_OPENED}""")
_ANNOUNCED = re.compile(r"\b(?:follow(?:ing|s)|conditions|constraints|restrictions|requirements)\b")


def _ar_lsat_item(item: Item) -> Item:
    """Return the item with its context split into sentences.

    Raises `RecordError` if the options are not the first letters of A to E, and for a context without sentences.
    """
    letters = "".join(item.options)
    if not _LETTERS.startswith(letters):
        raise RecordError(f"{item.id}: the options are {letters}, not {_LETTERS}")
    sentences = _sentences(item.context)
    if not sentences:
        raise RecordError(f"{item.id}: the context has no sentence")
    return replace(item, sentences=sentences, dataset=item.dataset or AR_LSAT)


def _sentences(context: str) -> tuple[str, ...]:
    found: list[str] = []
    for part in _BETWEEN.split(context.strip()):
        if found and found[-1].endswith(":") and not _ANNOUNCED.search(found[-1]):
            found[-1] += f" {part}"
        elif part:
            found.append(part)
    return tuple(found)


def load_verge(path: Path, dataset: str | None = None) -> list[Item]:
    """Return the items in a file, which is a JSON list or has one JSON object on each line.

    The fields of each object determine its form. `dataset` may name the form that all objects must have (`folio`,
    `logical_deduction`, `proofwriter`, `zebralogic`, `ar_lsat`). Any other name is the data set in reports, for items
    that name none. Without `dataset`, an object that only resembles one of these forms is an item without gold logic.

    Raises `RecordError` for malformed data, with file and place. Raises it also for a repeated id, and if there is no
    item.
    """
    found = (
        (where, _item(expect(value, dict, where), where, place, dataset))
        for place, (where, value) in enumerate(read_records(path), start=1)
    )
    return list(by_id(found, f"{path}: no items here").values())


def _item(record: dict[str, Any], where: str, place: int, dataset: str | None) -> Item:
    if record.get("gold") is not None:  # `write_items` has written this record
        item = read_item(record, where)
        premises = [f"P{number}" for number, _ in enumerate(item.sentences, start=1)]
        return replace(item, gold=read_gold(record["gold"], premises, [*item.options, STATEMENT], f"{where}.gold"))
    if dataset == folio.DATASET or "conclusion" in record:
        return folio.folio_item(record, where, place)
    if dataset == zebra.DATASET or {"domains", "constraints"} <= record.keys():
        return zebra.zebra_item(record, where)
    item = read_item(record, where)
    if dataset in _READERS:
        with naming(where):  # the errors of the reader name only the item
            return _READERS[dataset](item)
    named = item if item.dataset or dataset is None else replace(item, dataset=dataset)
    if item.id.startswith(AR_LSAT):
        with suppress(RecordError):
            return _ar_lsat_item(named)
    for words, read in _FORMS.items():
        if words in item.context or words in item.question:
            # An item with these words but other sentences belongs to another data set, and has no gold logic.
            with suppress(RecordError):
                return read(named)
    return named


_READERS: Mapping[str | None, Callable[[Item], Item]] = {
    AR_LSAT: _ar_lsat_item,
    logical_deduction.DATASET: logical_deduction.deduction_item,
    proofwriter.DATASET: proofwriter.proofwriter_item,
}
_FORMS: Mapping[str, Callable[[Item], Item]] = {
    "arranged in a fixed order": logical_deduction.deduction_item,
    "true, false, or unknown?": proofwriter.proofwriter_item,
}
"""Functions that read forms with the same fields. The keys are words of the context or the question."""


ITEMS = "items.jsonl"


def write_items(items: Iterable[Item], path: Path) -> None:
    """Write a file of items; the same items give the same bytes. Raises `RecordError` if it cannot be written."""
    write_lines(path, map(item_json, items))


def item_json(item: Item) -> dict[str, Any]:
    """Return the object of one item without empty fields."""
    record = {
        "id": item.id,
        "dataset": item.dataset,
        "context": item.context,
        "sentences": list(item.sentences),
        "question": item.question,
        "options": [f"{letter}) {text}" for letter, text in item.options.items()],
        "answer": item.answer,
        "statement": item.statement,
        "perturbs": item.perturbs,
        "perturbation": item.perturbation,
        "gold": None if item.gold is None else gold_json(item.gold),
    }
    return {name: value for name, value in record.items() if value or name == "context"}


_LETTER = re.compile(r"\(?([A-Z])\)?\.?")


def load_answers(path: Path) -> Mapping[str, Answer]:
    """Return the answers in a file, a JSON list or JSON lines, by their items' ids.

    The option of an answer is the chosen letter, or None; the text may be empty. There are two forms. One has `id`,
    `predicted_reasoning` and `predicted_answer`; its `answer` is the gold answer, and is ignored. The other has `id`,
    `answer` (the text) and an optional `option`. Raises `RecordError` with file and place.
    """
    found = ((where, _read(expect(value, dict, where), where)) for where, value in read_records(path))
    return {id: written.answer for id, written in by_id(found, f"{path}: no answers here").items()}


@dataclass(frozen=True, slots=True)
class _Written:
    id: str
    answer: Answer


def _read(record: Mapping[str, Any], where: str) -> _Written:
    id = field(record, "id", str, where)
    if "predicted_reasoning" in record:
        text, chosen = "predicted_reasoning", "predicted_answer"
    else:
        text, chosen = "answer", "option"
    return _Written(id, Answer(field(record, text, str, where), _letter(field_or(record, chosen, str, where, ""))))


def _letter(text: str) -> str | None:
    """Return the letter if the text is only a letter. A longer text may be an unfinished reply, so return None."""
    match = _LETTER.fullmatch(text.strip())
    return match[1] if match else None
