"""Let a model write formulas for the premises and queries of a case that has only sentences.

As for claims, the model finds the things, fixes a vocabulary, and writes each sentence as a formula over it. The solver
must then find the premises satisfiable; otherwise no formula counts. The labels of queries are never used.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from holdtrue.budget import Budget
from holdtrue.kinds.labels.case import Case
from holdtrue.kinds.labels.formalizer import CaseReading
from holdtrue.language.asking import Asking
from holdtrue.models.chat import ChatModel
from holdtrue.models.sampling import Sampling
from holdtrue.record import ReadingRecord
from holdtrue.solving.result import Satisfiable
from holdtrue_claims.kind.context import CANNOT_HOLD, InconsistentContext
from holdtrue_claims.kind.premise_preparation import prepare
from holdtrue_claims.kind.premises import Premise as Read
from holdtrue_claims.kind.premises import Premises
from holdtrue_claims.kind.settings import FormalSettings
from holdtrue_claims.solving.sentence_route import SentenceSignature

_NOTHING = "no formula was found"


async def read_case(
    case: Case,
    model: ChatModel,
    *,
    sampling: Sampling | None = None,
    budget: Budget | None = None,
) -> CaseReading:
    """Return the model calls, and the case with the formulas that a model writes for its premises and queries.

    Formulas that the case already has are ignored. A sentence without a formula gets a rejected reading with the
    reason. If the premises cannot all hold together, no sentence gets a formula. Raises `ModelError`.
    """
    bare = replace(
        case,
        variables=(),
        laws=(),
        premises=tuple(replace(each, formula=None, constraint=None, setting=False) for each in case.premises),
        queries=tuple(replace(each, formula=None, constraint=None) for each in case.queries),
        instance=None,
    )
    asking = Asking(model, Sampling() if sampling is None else sampling)
    premises = await prepare(
        asking,
        FormalSettings(),
        [each.text for each in case.premises],
        budget=Budget() if budget is None else budget,
        options={each.id: each.text for each in case.queries},
    )
    calls = asking.take_calls()
    if not isinstance(premises.context.status, Satisfiable):
        return CaseReading(bare, calls, tuple(_refused(premises)))
    read = replace(
        bare,
        signature=SentenceSignature(premises.vocabulary),
        premises=tuple(
            replace(each, formula=entry.formula) for each, entry in zip(bare.premises, premises.entries, strict=True)
        ),
        queries=tuple(replace(each, formula=premises.statements[each.id].formula) for each in bare.queries),
    )
    return CaseReading(read, calls, tuple(_unread(premises)))


def _unread(premises: Premises) -> Iterator[ReadingRecord]:
    """Yield a rejected reading for each sentence without a formula."""
    for entry in _entries(premises):
        if entry.formula is None:
            why = "; ".join(alert.message for alert in entry.alerts) or _NOTHING
            yield ReadingRecord(entry.text, "rejected", reason=why)


def _refused(premises: Premises) -> Iterator[ReadingRecord]:
    """Yield a rejected reading for each sentence, because the premises cannot be used together."""
    status = premises.context.status
    if isinstance(status, InconsistentContext):
        why = f"as they were read, {CANNOT_HOLD}: {', '.join(status.premises)}"
    else:
        why = "whether the premises can hold as they were read is not known"
    return (ReadingRecord(entry.text, "rejected", reason=why) for entry in _entries(premises))


def _entries(premises: Premises) -> tuple[Read, ...]:
    return (*premises.entries, *premises.statements.values())
