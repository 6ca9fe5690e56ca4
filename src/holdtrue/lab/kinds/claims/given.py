"""Answers that models gave to items earlier: read to be checked, without asking a model for them again."""

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
    """What a model answered, in words (there may be none), and the letter that it chose; None where it chose none."""

    text: str
    option: str | None = None


def load_answers(path: Path) -> Mapping[str, GivenAnswer]:
    """The answers in a file by their items' ids: a JSON list, or one JSON object a line.

    Two forms: `id`, `predicted_reasoning` and `predicted_answer` (whose `answer` is the gold one, and is not read), or
    `id` and `answer` (the text) with an `option` where it is known. Raises `RecordError`, naming file and place.
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
    """The letter, where there is nothing else: a model that did not stop may have written anything there."""
    match = _LETTER.fullmatch(text.strip())
    return match[1] if match else None
