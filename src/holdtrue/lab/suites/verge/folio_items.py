"""FOLIO as items: a statement that is true, false or uncertain, and what people wrote for it as logic.

An item is named by the record's own number (`FOLIO_dev_12`), as files of models' answers name it, not by its place.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations

from holdtrue.kinds.claims.gold_logic import STATEMENT, GoldLogic
from holdtrue.lab.kinds.claims.item import TRUTH_OPTIONS, TRUTH_QUESTION, Item
from holdtrue.lab.suites.verge.folio import FolioRecord, read_folio
from holdtrue.lab.suites.verge.gold_vocabulary import vocabulary_of
from holdtrue.logic.fol.naming import stem
from holdtrue.logic.fol.notation import Read
from holdtrue.logic.fol.signature import signature
from holdtrue.logic.fol.syntax import Sentence
from holdtrue.record import Label

DATASET = "folio"
_LETTERS = {Label.ENTAILED: "A", Label.CONTRADICTED: "B", Label.UNKNOWN: "C"}
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_MOST_LEFT_OUT = 2
_BACKGROUND = "[BG] "
"""How the file marks what is known beside what is told; no part of the sentence."""
_MEANINGLESS = {"free_variable", "function", "sort_clash"}


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
