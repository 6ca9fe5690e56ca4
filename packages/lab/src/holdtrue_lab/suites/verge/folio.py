"""This module reads FOLIO: premises in English and in first-order logic, and a conclusion that may follow.

Simeng Han et al., "FOLIO: Natural Language Reasoning with First-Order Logic", EMNLP 2024.

The human-written formulas are an item's gold logic; a record may name another `notation` than FOLIO's. An item is named
by the record's number (`FOLIO_dev_12`), so that files with answers of models can refer to it. A record without a
number, as in the first release, is named by its place in the file (`FOLIO_12`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from holdtrue.errors import RecordError
from holdtrue.fields import choice, expect, field, field_or, texts
from holdtrue.record import Label
from holdtrue_claims.fol.alert import Alert
from holdtrue_claims.fol.naming import stem
from holdtrue_claims.fol.notation import Read, write_fol
from holdtrue_claims.fol.signature import signature
from holdtrue_claims.fol.syntax import And, Sentence
from holdtrue_claims.kind.gold_logic import STATEMENT, GoldLogic
from holdtrue_lab.kinds.claims.item import TRUTH_OPTIONS, TRUTH_QUESTION, Item
from holdtrue_lab.kinds.claims.notations import READERS
from holdtrue_lab.suites.verge.gold_logic import vocabulary_of

_LABELS = {
    "True": Label.ENTAILED,
    "False": Label.CONTRADICTED,
    "Uncertain": Label.UNKNOWN,
    "Unknown": Label.UNKNOWN,
}
DATASET = "folio"
_SPLITS = {"index": "dev_", "example_id": "train_"}
"""Each field that may hold a record's number, with the prefix that ids have in files with this field."""
_LETTERS = {Label.ENTAILED: "A", Label.CONTRADICTED: "B", Label.UNKNOWN: "C"}
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_MOST_LEFT_OUT = 2
_BACKGROUND = "[BG] "
"""The mark of background knowledge in the file; it is no part of the sentence."""
_MEANINGLESS = {"free_variable", "function", "sort_clash"}


@dataclass(frozen=True, slots=True)
class FolioRecord:
    """A `FolioRecord` is a conclusion and its premises, as people wrote them in English and in logic.

    `premises` are English sentences. `sentences` are their formulas, which may be more or fewer. `claim` is the
    conclusion's formula, or None. `index` is the record's number or place.
    """

    index: int
    premises: tuple[str, ...]
    sentences: tuple[Read, ...]
    conclusion: str
    claim: Read | None
    label: Label


def read_folio(value: object, where: str, place: int) -> FolioRecord:
    """Return the record of a JSON object; `place` is its position from 1. Raises `RecordError`, which names `where`."""
    record = expect(value, dict, where)
    number = next((name for name in _SPLITS if name in record), None)
    label = field(record, "label", str, where)
    if label not in _LABELS:
        raise RecordError(f"{where}.label: {label!r:.60} is none of {', '.join(_LABELS)}")
    read = READERS[choice(field_or(record, "notation", str, where, "fol"), [*READERS], f"{where}.notation")]
    has_claim = record.get("conclusion-FOL") is not None
    return FolioRecord(
        field(record, number, int, where) if number else place,
        _lines(record, "premises", where),
        tuple(read(text) for text in _lines(record, "premises-FOL", where)),
        field(record, "conclusion", str, where),
        read(field(record, "conclusion-FOL", str, where)) if has_claim else None,
        _LABELS[label],
    )


def _lines(record: Mapping[str, Any], name: str, where: str) -> tuple[str, ...]:
    """Return the texts of a field, which is a list or has one text on each line."""
    if isinstance(record.get(name), str):
        return tuple(line for line in record[name].splitlines() if line.strip())
    return texts(record, name, where)


def folio_item(value: Mapping[str, Any], where: str, place: int) -> Item:
    """Return the item of a record; `place` is its position from 1. Raises `RecordError`, which names `where`."""
    record = read_folio(value, where, place)
    sentences = tuple(premise.strip().removeprefix(_BACKGROUND) for premise in record.premises)
    statement = record.conclusion.strip()
    gold, alerts = _gold(record)
    split = next((split for number, split in _SPLITS.items() if number in value), "")
    return Item(
        id=f"FOLIO_{split}{record.index}",
        context="\n".join(sentences),
        question=f"{TRUTH_QUESTION} {statement}",
        options=TRUTH_OPTIONS,
        answer=_LETTERS[record.label],
        sentences=sentences,
        statement=statement,
        dataset=DATASET,
        gold=gold,
        alerts=alerts,
    )


def _gold(record: FolioRecord) -> tuple[GoldLogic | None, tuple[Alert, ...]]:
    """Return the gold logic, and alerts about doubtful or missing parts of it.

    The gold logic is None if formulas cannot be matched with premises, or a name has different numbers of arguments.
    """
    claims = () if record.claim is None else (record.claim,)
    alerts = [alert for read in (*record.sentences, *claims) for alert in read.alerts]
    readings = _by_premise(record.premises, record.sentences)
    if readings is None:
        number = f"{len(record.sentences)} formulas for {len(record.premises)} premises"
        return None, (*alerts, Alert("unsupported", f"{number}: it cannot be told which are whose"))
    without = [id for place in range(len(record.premises)) if (id := f"P{place + 1}") not in readings]
    if record.claim is None:
        without.append("the conclusion")
    if without:
        alerts.append(Alert("unparsed", f"without a formula in the record: {', '.join(without)}"))
    for id, reads in readings.items():
        said = ", ".join("an empty one" if read.sentence is None else write_fol(read.sentence) for read in reads)
        if len(reads) > 1:
            alerts.append(Alert("extra_formula", f"more formulas than premises: all of {id} are {said}"))
    premises = {id: whole for id, reads in readings.items() if (whole := _whole(id, reads, alerts)) is not None}
    claim = None if record.claim is None else _whole("the conclusion", [record.claim], alerts)
    statements = {} if claim is None else {STATEMENT: claim}
    said_of_all = [*premises.values(), *statements.values()]
    clashes = [alert for alert in signature(said_of_all).alerts if alert.kind == "arity_clash"]
    if clashes:
        return None, (*alerts, *clashes)
    return GoldLogic(vocabulary_of(said_of_all, _meaning), premises, statements), tuple(alerts)


def _whole(id: str, reads: Sequence[Read], alerts: list[Alert]) -> Sentence | None:
    """Return the conjunction of all meaningful formulas, and add an alert for each other formula that could be read."""
    meant: list[Sentence] = []
    for sentence in (read.sentence for read in reads):
        if sentence is None:
            continue
        found = signature([sentence])
        faults = [alert.message for alert in found.alerts if alert.kind in _MEANINGLESS]
        faults += [f"{name} is a function" for name in found.functions]
        if faults:
            alerts.append(Alert("unsupported", f"a formula of {id} is left out: {faults[0]}", write_fol(sentence)))
        else:
            meant.append(sentence)
    return None if not meant else meant[0] if len(meant) == 1 else And(tuple(meant))


def _by_premise(premises: Sequence[str], readings: Sequence[Read]) -> Mapping[str, list[Read]] | None:
    """Return the formulas of each premise: matched in order, and by shared words if their numbers differ.

    A surplus formula belongs to the same premise as the formula before it, or to the first premise.
    """
    missing = len(premises) - len(readings)
    if missing > _MOST_LEFT_OUT or not premises:
        return None
    words = [_stems(premise.split()) for premise in premises]
    names = [_named(read) for read in readings]
    if missing >= 0:
        kept = _best(words, names)
        return {f"P{place + 1}": [read] for place, read in zip(kept, readings, strict=True)}
    # With many surplus formulas, there are too many combinations to try.
    own = _best(names, words) if -missing <= _MOST_LEFT_OUT else tuple(range(len(premises)))
    found: dict[str, list[Read]] = {f"P{place + 1}": [] for place in range(len(premises))}
    for place, read in enumerate(readings):
        found[f"P{max(1, sum(first <= place for first in own))}"].append(read)
    return found


def _best(more: Sequence[frozenset[str]], fewer: Sequence[frozenset[str]]) -> tuple[int, ...]:
    """Return the places among `more` that share the most words with `fewer`, in order."""
    return max(
        combinations(range(len(more)), len(fewer)),
        key=lambda kept: sum(len(more[place] & said) for place, said in zip(kept, fewer, strict=True)),
    )


def _named(read: Read) -> frozenset[str]:
    if read.sentence is None:
        return frozenset()
    found = signature([read.sentence])
    return _stems(word for name in (*found.predicates, *found.constants) for word in _WORD.findall(name))


def _stems(words: Iterable[str]) -> frozenset[str]:
    return frozenset(map(stem, words))


def _meaning(name: str, arity: int) -> str:
    """Return a meaning made from the words of a name, such as "x talent shows" for `TalentShows(x)`."""
    said = " ".join(_WORD.findall(name)).lower() or name
    subject, *others = ("x", "y", "z", "u", "v", "w")[:arity] or ("",)
    return " ".join(filter(None, (subject, said, ", ".join(others))))
