"""The records of the published files with the logic that they have, before they become items."""

from __future__ import annotations

from pathlib import Path

from holdtrue_claims.fol.alert import Alert
from holdtrue_claims.fol.notation import Read
from holdtrue_claims.fol.signature import signature
from holdtrue_lab.kinds.claims.item import read_item
from holdtrue_lab.kit.json_file import read_records
from holdtrue_lab.suites.verge.folio import FolioRecord, read_folio
from holdtrue_lab.suites.verge.proofwriter import ProofWriterRecord, read_proofwriter


def load_folio(path: Path) -> list[FolioRecord]:
    return [read_folio(value, where, place) for place, (where, value) in enumerate(read_records(path), start=1)]


def load_proofwriter(path: Path) -> list[ProofWriterRecord]:
    return [read_proofwriter(read_item(value, where)) for where, value in read_records(path)]


def readings(record: FolioRecord) -> tuple[Read, ...]:
    """What was read of every formula, the conclusion's last."""
    return record.sentences if record.claim is None else (*record.sentences, record.claim)


def complete(record: FolioRecord) -> bool:
    """Whether every formula could be read, so that what they say can be told from them."""
    return all(read.sentence is not None for read in readings(record))


def alerts(record: FolioRecord) -> tuple[Alert, ...]:
    """What is wrong with single formulas, each with its text and the place in it, and with all of them together."""
    single = [alert for read in readings(record) for alert in read.alerts]
    found = signature(read.sentence for read in readings(record) if read.sentence is not None)
    # A free variable is told with its place already.
    return (*single, *(alert for alert in found.alerts if alert.kind not in {one.kind for one in single}))
