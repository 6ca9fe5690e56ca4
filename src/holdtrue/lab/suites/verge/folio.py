"""FOLIO: premises in English and in first-order logic, a conclusion, and whether it follows.

Simeng Han et al., "FOLIO: Natural Language Reasoning with First-Order Logic", EMNLP 2024.

What people wrote as logic is an item's gold logic. An item is named by the record's own number
(`FOLIO_dev_12`), as files of models' answers name it, not by its place.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from holdtrue.errors import RecordError
from holdtrue.kinds.claims.gold_logic import STATEMENT, GoldLogic
from holdtrue.lab.kinds.claims.item import TRUTH_OPTIONS, TRUTH_QUESTION, Item
from holdtrue.lab.kit.fields import expect, field, texts
from holdtrue.lab.suites.verge.gold_logic import vocabulary_of
from holdtrue.logic.fol.naming import stem
from holdtrue.logic.fol.notation import Read, read_fol
from holdtrue.logic.fol.signature import signature
from holdtrue.logic.fol.syntax import Sentence
from holdtrue.record import Label

_LABELS = {
    "True": Label.ENTAILED,
    "False": Label.CONTRADICTED,
    "Uncertain": Label.UNKNOWN,
    "Unknown": Label.UNKNOWN,
}
DATASET = "folio"
_LETTERS = {Label.ENTAILED: "A", Label.CONTRADICTED: "B", Label.UNKNOWN: "C"}
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_MOST_LEFT_OUT = 2
_BACKGROUND = "[BG] "
"""The file puts this before what is known beside what is told; it is no part of the sentence."""
_MEANINGLESS = {"free_variable", "function", "sort_clash"}


@dataclass(frozen=True, slots=True)
class FolioRecord:
    """One conclusion and its premises, as people wrote them in both languages.

    `premises` are English; `sentences` are what was read of their formulas, of which there may be more or fewer.
    `claim` is what was read of the conclusion's formula, where the file has one. `index` is the record's number.
    """

    index: int
    premises: tuple[str, ...]
    sentences: tuple[Read, ...]
    conclusion: str
    claim: Read | None
    label: Label


def read_folio(value: object, where: str) -> FolioRecord:
    """The record of one JSON object; raises `RecordError` naming the place."""
    record = expect(value, dict, where)
    number = "index" if "index" in record else "example_id"
    label = field(record, "label", str, where)
    if label not in _LABELS:
        raise RecordError(f"{where}.label: {label!r:.60} is none of {', '.join(_LABELS)}")
    has_claim = record.get("conclusion-FOL") is not None
    return FolioRecord(
        field(record, number, int, where),
        texts(record, "premises", where),
        tuple(read_fol(text) for text in texts(record, "premises-FOL", where)),
        field(record, "conclusion", str, where),
        read_fol(field(record, "conclusion-FOL", str, where)) if has_claim else None,
        _LABELS[label],
    )


def folio_item(value: object, where: str) -> Item:
    """The item of one record; raises `RecordError` naming the place."""
    record = read_folio(value, where)
    sentences = tuple(premise.strip().removeprefix(_BACKGROUND) for premise in record.premises)
    statement = record.conclusion.strip()
    split = "dev" if isinstance(value, dict) and "index" in value else "train"
    return Item(
        id=f"FOLIO_{split}_{record.index}",
        context="\n".join(sentences),
        question=f"{TRUTH_QUESTION} {statement}",
        options=TRUTH_OPTIONS,
        answer=_LETTERS[record.label],
        sentences=sentences,
        statement=statement,
        dataset=DATASET,
        gold=_gold(record),
    )


def _gold(record: FolioRecord) -> GoldLogic | None:
    """None where it cannot be told which premise a formula is of, or how many arguments a name has."""
    readings = _by_premise(record.premises, record.sentences)
    if readings is None:
        return None
    premises = {id: sentence for id, read in readings.items() if (sentence := _meant(read)) is not None}
    claim = None if record.claim is None else _meant(record.claim)
    statements = {} if claim is None else {STATEMENT: claim}
    said = [*premises.values(), *statements.values()]
    if any(alert.kind == "arity_clash" for alert in signature(said).alerts):
        return None
    return GoldLogic(vocabulary_of(said, _meaning), premises, statements)


def _meant(read: Read) -> Sentence | None:
    """The sentence, where it can be given a meaning: no free variable, and nothing but predicates of things."""
    if read.sentence is None:
        return None
    found = signature([read.sentence])
    return None if found.functions or _MEANINGLESS & {alert.kind for alert in found.alerts} else read.sentence


def _by_premise(premises: Sequence[str], readings: Sequence[Read]) -> Mapping[str, Read] | None:
    """The formulas by the premises that they are of: in order, and where some premises have none, by shared words."""
    missing = len(premises) - len(readings)
    if not 0 <= missing <= _MOST_LEFT_OUT:
        return None
    words = [_stems(premise.split()) for premise in premises]
    names = [_named(read) for read in readings]
    choices = combinations(range(len(premises)), len(readings))
    chosen = max(
        choices,
        key=lambda kept: sum(len(words[place] & said) for place, said in zip(kept, names, strict=True)),
    )
    return {f"P{place + 1}": read for place, read in zip(chosen, readings, strict=True)}


def _named(read: Read) -> frozenset[str]:
    if read.sentence is None:
        return frozenset()
    found = signature([read.sentence])
    return _stems(word for name in (*found.predicates, *found.constants) for word in _WORD.findall(name))


def _stems(words: Iterable[str]) -> frozenset[str]:
    return frozenset(map(stem, words))


def _meaning(name: str, arity: int) -> str:
    """All that can be told is what the name says: `TalentShows(x)` is "x talent shows"."""
    said = " ".join(_WORD.findall(name)).lower() or name
    subject, *others = ("x", "y", "z", "u", "v", "w")[:arity] or ("",)
    return " ".join(filter(None, (subject, said, ", ".join(others))))
