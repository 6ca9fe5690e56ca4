"""Read files of items in every known form, with their sentences and gold logic as far as possible, and write items."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from holdtrue.errors import RecordError
from holdtrue.fields import by_id, expect, naming
from holdtrue_claims.kind.gold_logic import STATEMENT
from holdtrue_lab.kinds.claims.gold_json import gold_json, read_gold
from holdtrue_lab.kinds.claims.item import Item, read_item
from holdtrue_lab.kit.json_file import read_records, write_lines
from holdtrue_lab.suites.verge import ar_lsat, folio, logical_deduction, proofwriter, zebra


def load_verge(path: Path, dataset: str | None = None) -> list[Item]:
    """Return the items in a file, which is a JSON list or has one JSON object on each line.

    The form of each object follows from its fields. `dataset` may name the form that all must have (`folio`,
    `logical_deduction`, `proofwriter`, `zebralogic`, `ar_lsat`); any other name is the data set, in reports, of items
    that name none. Without `dataset`, an object that only looks like one of these forms is an item without gold logic.

    Raises `RecordError`, naming file and place, for what cannot be read, for a repeated id, and if there is no item.
    """
    found = (
        (where, _item(expect(value, dict, where), where, place, dataset))
        for place, (where, value) in enumerate(read_records(path), start=1)
    )
    return list(by_id(found, f"{path}: no items here").values())


def _item(record: dict[str, Any], where: str, place: int, dataset: str | None) -> Item:
    if record.get("gold") is not None:  # written by `write_items`
        item = read_item(record, where)
        premises = [f"P{number}" for number, _ in enumerate(item.sentences, start=1)]
        return replace(item, gold=read_gold(record["gold"], premises, [*item.options, STATEMENT], f"{where}.gold"))
    if dataset == folio.DATASET or "conclusion" in record:
        return folio.folio_item(record, where, place)
    if dataset == zebra.DATASET or {"domains", "constraints"} <= record.keys():
        return zebra.zebra_item(record, where)
    item = read_item(record, where)
    if dataset in _READERS:
        with naming(where):  # the reader names the item alone
            return _READERS[dataset](item)
    named = item if item.dataset or dataset is None else replace(item, dataset=dataset)
    if item.id.startswith(ar_lsat.DATASET):
        with suppress(RecordError):
            return ar_lsat.ar_lsat_item(named)
    for words, read in _FORMS.items():
        if words in item.context or words in item.question:
            # With these words and other sentences it is somebody else's, and has no gold logic.
            with suppress(RecordError):
                return read(named)
    return named


_READERS: Mapping[str | None, Callable[[Item], Item]] = {
    ar_lsat.DATASET: ar_lsat.ar_lsat_item,
    logical_deduction.DATASET: logical_deduction.deduction_item,
    proofwriter.DATASET: proofwriter.proofwriter_item,
}
_FORMS: Mapping[str, Callable[[Item], Item]] = {
    "arranged in a fixed order": logical_deduction.deduction_item,
    "true, false, or unknown?": proofwriter.proofwriter_item,
}
"""Words of the context or the question by which records are known that have the same fields."""


ITEMS = "items.jsonl"


def write_items(items: Iterable[Item], path: Path) -> None:
    """Write a file of items; the same items give the same bytes. Raises `RecordError` where it cannot be written."""
    write_lines(path, map(item_json, items))


def item_json(item: Item) -> dict[str, Any]:
    """The object of one item, without what it does not have."""
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
