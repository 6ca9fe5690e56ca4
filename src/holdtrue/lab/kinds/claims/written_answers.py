"""Read answers that models gave to items earlier, so that they can be checked without asking for them again."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from holdtrue.errors import RecordError
from holdtrue.kinds.claims.prompts.questions import Answer
from holdtrue.lab.kit.fields import expect, field, field_or
from holdtrue.lab.kit.json_file import read_records

_LETTER = re.compile(r"\(?([A-Z])\)?\.?")


def load_answers(path: Path) -> Mapping[str, Answer]:
    """The answers in a file by their items' ids: a JSON list, or one JSON object a line.

    The option is the letter that was chosen, None where none was; there may be no words. Two forms: `id`,
    `predicted_reasoning` and `predicted_answer` (whose `answer` is the gold one, and is not read), or `id` and `answer`
    (the text) with an `option` where it is known. Raises `RecordError`, naming file and place.
    """
    answers: dict[str, Answer] = {}
    for where, value in read_records(path):
        record = expect(value, dict, where)
        id = field(record, "id", str, where)
        if id in answers:
            raise RecordError(f"{where}: id: {id!r} is there twice")
        if "predicted_reasoning" in record:
            text, chosen = "predicted_reasoning", "predicted_answer"
        else:
            text, chosen = "answer", "option"
        answers[id] = Answer(field(record, text, str, where), _letter(field_or(record, chosen, str, where, "")))
    if not answers:
        raise RecordError(f"{path}: no answers here")
    return answers


def _letter(text: str) -> str | None:
    """Return the letter if the text is nothing else, because a model that did not stop may write anything after it."""
    match = _LETTER.fullmatch(text.strip())
    return match[1] if match else None
