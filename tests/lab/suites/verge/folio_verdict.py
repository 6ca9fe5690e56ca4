"""What a solver says of a FOLIO record, over the named things and some that have no name."""

from __future__ import annotations

from holdtrue.budget import Budget
from holdtrue.lab.suites.verge.folio import FolioRecord
from holdtrue.logic.fol.ground import ground, things_of, variables_of
from holdtrue.record import Label
from holdtrue.solving.explain.classification import classify
from holdtrue.solving.result import Entailed, Inconsistent, Independent, Refuted
from holdtrue.solving.route import make_engine
from tests.lab.suites.verge.records import complete

_LABELS = {Entailed: Label.ENTAILED, Refuted: Label.CONTRADICTED, Independent: Label.UNKNOWN}
INCONSISTENT = "INCONSISTENT"


def derived(record: FolioRecord, fresh: int = 2) -> str | None:
    """The label that follows from the formulas; None where one is not there or the budget ended."""
    if record.claim is None or record.claim.sentence is None or not complete(record):
        return None
    claim = record.claim.sentence
    stated = [read.sentence for read in record.sentences if read.sentence is not None]
    things = things_of([*stated, claim], fresh)
    formulas = [ground(sentence, things) for sentence in stated]
    query = ground(claim, things)
    engine = make_engine(variables_of([*formulas, query]))
    soft = {str(number): formula for number, formula in enumerate(formulas, start=1)}
    found = classify(engine, soft, query, Budget(timeout_s=5))
    return INCONSISTENT if isinstance(found, Inconsistent) else _LABELS.get(type(found))
