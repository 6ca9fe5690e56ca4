"""An `Item` is a context, a question about it, and options to choose from: the form that many data sets share."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping
from dataclasses import dataclass
from string import ascii_uppercase
from types import MappingProxyType

from holdtrue.errors import RecordError
from holdtrue.fields import expect, field, field_or, texts
from holdtrue_claims.fol.alert import Alert
from holdtrue_claims.kind.gold_logic import GoldLogic

TRUTH_QUESTION = "Based on the above information, is the following statement true, false, or uncertain?"
TRUTH_OPTIONS: Mapping[str, str] = MappingProxyType({"A": "True", "B": "False", "C": "Uncertain"})

_LETTERED = re.compile(r"\s*([A-Z])\s*[).:]\s*(.*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Item:
    """One question about a context.

    `options` map letters to texts, in order, and `answer` is the letter of the right one. `sentences` are those of the
    context, if the data set has them one by one. If the options are true, false and unknown, `statement` is what they
    are about. `dataset` groups items in reports. `perturbs` is the id of the item that this one is a changed form of,
    and `perturbation` the way in which it was changed. `alerts` say what of the gold logic was doubtful or left
    out when it was read; they are neither compared nor written.
    """

    id: str
    context: str
    question: str
    options: Mapping[str, str]
    answer: str
    sentences: tuple[str, ...] = ()
    statement: str | None = None
    dataset: str = ""
    gold: GoldLogic | None = None
    perturbs: str | None = None
    perturbation: str | None = None
    alerts: tuple[Alert, ...] = dataclasses.field(default=(), compare=False)

    @property
    def domain(self) -> str:
        """Return what groups items in a run, as domains do in other suites: the data set, where it is known."""
        return self.dataset or "items"


def read_item(value: object, where: str) -> Item:
    """Return the item of a JSON object, whose keys are the fields of `Item`; raises `RecordError` naming the place.

    Options without letters get them in order, and the answer may be a letter or the text of an option. Gold logic is
    not read here; `load_verge` does that.
    """
    record = expect(value, dict, where)
    options = _options(texts(record, "options", where), f"{where}.options")
    label = field(record, "answer", str, where).strip()
    answer = label if label in options else next((letter for letter, text in options.items() if text == label), None)
    if answer is None:
        raise RecordError(f"{where}.answer: {label!r:.60} is none of the options {', '.join(options)}")
    return Item(
        field(record, "id", str, where),
        field(record, "context", str, where),
        field(record, "question", str, where),
        options,
        answer,
        sentences=() if record.get("sentences") is None else texts(record, "sentences", where),
        statement=field_or(record, "statement", str, where, "") or None,
        dataset=field_or(record, "dataset", str, where, ""),
        perturbs=field_or(record, "perturbs", str, where, "") or None,
        perturbation=field_or(record, "perturbation", str, where, "") or None,
    )


def _options(listed: tuple[str, ...], where: str) -> dict[str, str]:
    if not 0 < len(listed) <= len(ascii_uppercase):
        raise RecordError(f"{where}: 1 to {len(ascii_uppercase)} options are needed, got {len(listed)}")
    own = [_LETTERED.fullmatch(option) for option in listed]
    # Letters count only where every option has one: a text may begin like one by chance.
    pairs = [(match[1], match[2].strip()) for match in own if match is not None]
    if len(pairs) < len(listed):
        pairs = list(zip(ascii_uppercase, (option.strip() for option in listed), strict=False))
    options = dict(pairs)
    if len(options) < len(listed):
        raise RecordError(f"{where}: a letter is there twice")
    return options
