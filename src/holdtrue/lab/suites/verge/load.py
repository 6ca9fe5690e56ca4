"""Items of every form that is known, each with its sentences and its gold logic where they can be had."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from holdtrue.errors import RecordError
from holdtrue.kinds.claims.gold_logic import STATEMENT
from holdtrue.lab.kinds.claims.gold_json import read_gold
from holdtrue.lab.kinds.claims.item import Item, read_item
from holdtrue.lab.kit.fields import expect
from holdtrue.lab.kit.json_file import read_records
from holdtrue.lab.suites.verge import folio, logical_deduction, proofwriter, zebra


def load_verge(path: Path, dataset: str | None = None) -> list[Item]:
    """The items in a file: a JSON list, or one JSON object a line; what form each has is told from its fields.

    `dataset` names the form that all must have (`folio`, `logical_deduction`, `proofwriter`, `zebralogic`); any other
    name is what items are called in reports that do not say themselves where they are from. Without it, a context that
    only looks like one of these forms is an item without gold logic.

    Raises `RecordError`, naming file and place, for what cannot be read, for an id met twice, and where there is none.
    """
    items: dict[str, Item] = {}
    for where, value in read_records(path):
        item = _item(expect(value, dict, where), where, dataset)
        if item.id in items:
            raise RecordError(f"{where}: id: {item.id!r} is there twice")
        items[item.id] = item
    if not items:
        raise RecordError(f"{path}: no items here")
    return list(items.values())


def _item(record: dict[str, Any], where: str, dataset: str | None) -> Item:
    if record.get("gold") is not None:  # written by `write_items`
        item = read_item(record, where)
        premises = [f"P{number}" for number, _ in enumerate(item.sentences, start=1)]
        return replace(item, gold=read_gold(record["gold"], premises, [*item.options, STATEMENT], f"{where}.gold"))
    if dataset == folio.DATASET or "conclusion" in record:
        return folio.folio_item(record, where)
    if dataset == zebra.DATASET or {"domains", "constraints"} <= record.keys():
        return zebra.zebra_item(record, where)
    item = read_item(record, where)
    if dataset in _READERS:
        try:
            return _READERS[dataset](item)
        except RecordError as error:  # it names the item alone
            raise RecordError(f"{where}: {error}") from error
    named = item if item.dataset or dataset is None else replace(item, dataset=dataset)
    for words, read in _FORMS.items():
        if words in item.context or words in item.question:
            # With these words and other sentences it is somebody else's, and has no gold logic.
            with suppress(RecordError):
                return read(named)
    return named


_READERS: Mapping[str | None, Callable[[Item], Item]] = {
    logical_deduction.DATASET: logical_deduction.deduction_item,
    proofwriter.DATASET: proofwriter.proofwriter_item,
}
_FORMS: Mapping[str, Callable[[Item], Item]] = {
    "arranged in a fixed order": logical_deduction.deduction_item,
    "true, false, or unknown?": proofwriter.proofwriter_item,
}
"""Words of the context or the question by which records are known that have the same fields."""
