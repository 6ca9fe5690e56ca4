"""The records of the published files with their logic, before they become items."""

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
    """Return the reading of every formula, the conclusion's last."""
    return record.sentences if record.claim is None else (*record.sentences, record.claim)


def complete(record: FolioRecord) -> bool:
    """Return whether every formula could be read."""
    return all(read.sentence is not None for read in readings(record))


def alerts(record: FolioRecord) -> tuple[Alert, ...]:
    """Return the alerts about single formulas, each with its text and place, and about all of them together."""
    single = [alert for read in readings(record) for alert in read.alerts]
    found = signature(read.sentence for read in readings(record) if read.sentence is not None)
    # An alert about a free variable already has its place.
    return (*single, *(alert for alert in found.alerts if alert.kind not in {one.kind for one in single}))
