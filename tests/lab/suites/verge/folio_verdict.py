"""Solvers' verdicts on FOLIO records: over any number of things, and over the named things and some unnamed ones."""

from __future__ import annotations

from bench.programs.grounding import variables_of
from holdtrue.budget import Budget
from holdtrue.errors import FormulaError
from holdtrue.record import Label
from holdtrue.solving.explain.classification import classify
from holdtrue.solving.result import Entailed, Inconsistent, Independent, Refuted
from holdtrue.solving.route import make_engine
from holdtrue_claims.fol.meaning import state
from holdtrue_claims.fol.signature import signature
from holdtrue_claims.solving.sentence_grounding import ground
from holdtrue_claims.solving.sentence_route import counted_sentences
from holdtrue_lab.suites.verge.folio import FolioRecord
from holdtrue_lab.suites.verge.gold_logic import vocabulary_of
from tests.claims.fol.named_things import Things
from tests.lab.suites.verge.records import complete

BUDGET = Budget(timeout_s=5)
_LABELS = {Entailed: Label.ENTAILED, Refuted: Label.CONTRADICTED, Independent: Label.UNKNOWN}
INCONSISTENT = "INCONSISTENT"


def proved(record: FolioRecord) -> str | None:
    """Return the label that follows over any number of things; None if a formula is missing or it is not proved."""
    if record.claim is None or record.claim.sentence is None or not complete(record):
        return None
    stated = [read.sentence for read in record.sentences if read.sentence is not None]
    vocabulary = vocabulary_of([*stated, record.claim.sentence], lambda name, arity: "")
    try:
        soft = {str(number): state(sentence, vocabulary) for number, sentence in enumerate(stated, start=1)}
        query = state(record.claim.sentence, vocabulary)
    except FormulaError:  # a name with two arities
        return None
    found = classify(counted_sentences(vocabulary), soft, query, BUDGET)
    return INCONSISTENT if isinstance(found, Inconsistent) else _LABELS.get(type(found))


def derived(record: FolioRecord, fresh: int = 2) -> str | None:
    """Return the label that follows from the formulas; None if one is missing or the budget ended."""
    if record.claim is None or record.claim.sentence is None or not complete(record):
        return None
    claim = record.claim.sentence
    stated = [read.sentence for read in record.sentences if read.sentence is not None]
    things = Things(signature([*stated, claim]).constants, fresh)
    formulas = [ground(sentence, things) for sentence in stated]
    query = ground(claim, things)
    engine = make_engine(variables_of([*formulas, query]))
    soft = {str(number): formula for number, formula in enumerate(formulas, start=1)}
    found = classify(engine, soft, query, BUDGET)
    return INCONSISTENT if isinstance(found, Inconsistent) else _LABELS.get(type(found))
