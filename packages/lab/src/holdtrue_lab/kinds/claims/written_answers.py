"""Read answers that models gave to items earlier, so that they can be checked without asking for them again."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from holdtrue.fields import by_id, expect, field, field_or
from holdtrue_claims.kind.prompts.questions import Answer
from holdtrue_lab.kit.json_file import read_records

_LETTER = re.compile(r"\(?([A-Z])\)?\.?")


def load_answers(path: Path) -> Mapping[str, Answer]:
    """The answers in a file by their items' ids: a JSON list, or one JSON object a line.

    The option is the letter that was chosen, None where none was; there may be no words. Two forms: `id`,
    `predicted_reasoning` and `predicted_answer` (whose `answer` is the gold one, and is not read), or `id` and `answer`
    (the text) with an `option` where it is known. Raises `RecordError`, naming file and place.
    """
    found = ((where, _read(expect(value, dict, where), where)) for where, value in read_records(path))
    return {id: written.answer for id, written in by_id(found, f"{path}: no answers here").items()}


@dataclass(frozen=True, slots=True)
class _Written:
    """An answer with the id of its item."""

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
    """Return the letter if the text is nothing else, because a model that did not stop may write anything after it."""
    match = _LETTER.fullmatch(text.strip())
    return match[1] if match else None
