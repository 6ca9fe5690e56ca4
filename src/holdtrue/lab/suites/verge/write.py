"""Writing items: one on each line, as `load_verge` reads them."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from holdtrue.lab.kinds.claims.gold_json import gold_json
from holdtrue.lab.kinds.claims.item import Item
from holdtrue.lab.kit.json_file import write_text

ITEMS = "items.jsonl"


def write_items(items: Iterable[Item], path: Path) -> None:
    """Write a file of items; the same items give the same bytes. Raises `RecordError` where it cannot be written."""
    write_text(path, "".join(json.dumps(item_json(item), ensure_ascii=False) + "\n" for item in items))


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
