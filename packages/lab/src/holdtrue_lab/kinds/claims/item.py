"""Questions about a context, with options to choose from: the form that many data sets share.

Gold logic is the meaning of an item as people wrote it down. Its JSON form has a vocabulary, and formulas as text.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from string import ascii_uppercase
from types import MappingProxyType
from typing import Any

from holdtrue.errors import FormulaError, RecordError
from holdtrue.fields import choice, expect, field, field_or, naming, texts
from holdtrue_claims.fol.alert import Alert
from holdtrue_claims.fol.conventions import CONVENTIONS
from holdtrue_claims.fol.notation import write_fol
from holdtrue_claims.fol.syntax import Sentence
from holdtrue_claims.fol.vocabulary import Vocabulary
from holdtrue_claims.fol.vocabulary_check import check
from holdtrue_claims.kind.gold_logic import GoldLogic
from holdtrue_lab.kinds.claims.notations import READERS
from holdtrue_lab.kit.json_file import read_as

TRUTH_QUESTION = "Based on the above information, is the following statement true, false, or uncertain?"
TRUTH_OPTIONS: Mapping[str, str] = MappingProxyType({"A": "True", "B": "False", "C": "Uncertain"})

_LETTERED = re.compile(r"\s*([A-Z])\s*[).:]\s*(.*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Item:
    """One question about a context.

    Attributes:
        options: Texts of the options by letter, in order.
        answer: The letter of the right option.
        sentences: The sentences of the context, if the data set has them one by one.
        statement: The sentence that the question is about, if the options are true, false and unknown.
        dataset: The data set, which groups items in reports.
        perturbs: The id of the original item, if this item was made by changing it.
        perturbation: The way in which the original was changed.
        alerts: Doubts about the gold logic and parts of it that were left out. Alerts are neither compared nor written.
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
        """Return the data set, if it is known. It groups items in a run, as domains do in other suites."""
        return self.dataset or "items"


def read_item(value: object, where: str) -> Item:
    """Return the item of a JSON object, whose keys are the fields of `Item`. Raises `RecordError`, which names the
    place.

    Options without letters get letters in order. The answer may be a letter, or the text of an option. Gold logic is
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
    # Letters count only if every option begins with one, because a single text may do so by chance.
    pairs = [(match[1], match[2].strip()) for match in own if match is not None]
    if len(pairs) < len(listed):
        pairs = list(zip(ascii_uppercase, (option.strip() for option in listed), strict=False))
    options = dict(pairs)
    if len(options) < len(listed):
        raise RecordError(f"{where}: a letter is there twice")
    return options


def gold_json(gold: GoldLogic) -> dict[str, Any]:
    """Return the JSON object of an item's gold logic, which `read_gold` reads."""
    return {
        "vocabulary": asdict(gold.vocabulary),
        "premises": {id: write_fol(sentence) for id, sentence in gold.premises.items()},
        "statements": {id: write_fol(sentence) for id, sentence in gold.statements.items()},
    }


def read_gold(value: object, premises: Sequence[str], statements: Sequence[str], where: str) -> GoldLogic:
    """Return the gold logic of a JSON object. `premises` and `statements` are the ids that may have a formula.

    `notation` names the notation of the formulas: `fol`, FOLIO's and the default, or `nltk`. Raises `RecordError`,
    which names the place, for instance of a formula with an unknown name.
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
    """Return the vocabulary of an object, whose keys are the fields of `Vocabulary`. All of them may be missing.

    Raises `RecordError`, which names the place of a fault.
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
    """Return the objects of a list, each with its place. The list may be missing."""
    listed = field_or(record, name, list, where, [])
    return [(expect(one, dict, place), place) for at, one in enumerate(listed) if (place := f"{where}.{name}[{at}]")]
