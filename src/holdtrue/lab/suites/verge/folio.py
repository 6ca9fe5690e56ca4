"""FOLIO: premises in English and in first-order logic, a conclusion, and whether it follows.

Simeng Han et al., "FOLIO: Natural Language Reasoning with First-Order Logic", EMNLP 2024.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from holdtrue.errors import RecordError
from holdtrue.lab.kit.fields import expect, field, texts
from holdtrue.lab.kit.json_file import read_records
from holdtrue.logic.fol.alert import Alert
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

    @property
    def readings(self) -> tuple[Read, ...]:
        """What was read of every formula, the conclusion's last."""
        return self.sentences if self.claim is None else (*self.sentences, self.claim)

    @property
    def stated(self) -> tuple[Sentence, ...]:
        """The premises that could be read."""
        return tuple(read.sentence for read in self.sentences if read.sentence is not None)

    @property
    def complete(self) -> bool:
        """Whether every formula could be read, so that what they say can be told from them."""
        return all(read.sentence is not None for read in self.readings)

    @property
    def alerts(self) -> tuple[Alert, ...]:
        """What is wrong with single formulas, each with its text and the place in it, and with all of them together."""
        single = [alert for read in self.readings for alert in read.alerts]
        found = signature(read.sentence for read in self.readings if read.sentence is not None)
        # A free variable is told with its place already.
        return (*single, *(alert for alert in found.alerts if alert.kind not in {told.kind for told in single}))


def load_folio(path: Path) -> list[FolioRecord]:
    """The records of a file, one JSON object a line, in order.

    Raises `RecordError`, naming the place, for what cannot be read; formulas that cannot be are alerts instead.
    """
    return [read_folio(value, where) for where, value in read_records(path)]


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
