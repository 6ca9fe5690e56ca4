"""Read answers that models gave to items earlier, so that they can be checked without asking for them again."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from holdtrue.errors import RecordError
from holdtrue.lab.kit.fields import expect, field, field_or
from holdtrue.lab.kit.json_file import read_records

_LETTER = re.compile(r"\(?([A-Z])\)?\.?")


@dataclass(frozen=True, slots=True)
class GivenAnswer:
    """The `text` that a model answered with, which may be empty, and the letter of its `option` if it has one."""

    text: str
    option: str | None = None


def load_answers(path: Path) -> Mapping[str, GivenAnswer]:
    """Return the answers in a file, by the ids of their items; the file is a JSON list, or has one object on each line.

    An object has either `id` and `answer`, which is the text, and perhaps `option`; or `id`, `predicted_reasoning` and
    `predicted_answer`, and then its `answer` is gold and is not read. Raises `RecordError`, naming file and place.
    """
    answers: dict[str, GivenAnswer] = {}
    for where, value in read_records(path):
        record = expect(value, dict, where)
        id = field(record, "id", str, where)
        if id in answers:
            raise RecordError(f"{where}: id: {id!r} is there twice")
        if "predicted_reasoning" in record:
            text, chosen = "predicted_reasoning", "predicted_answer"
        else:
            text, chosen = "answer", "option"
        answers[id] = GivenAnswer(field(record, text, str, where), _letter(field_or(record, chosen, str, where, "")))
    if not answers:
        raise RecordError(f"{path}: no answers here")
    return answers


def _letter(text: str) -> str | None:
    """Return the letter if the text is nothing else, because a model that did not stop may write anything after it."""
    match = _LETTER.fullmatch(text.strip())
    return match[1] if match else None
