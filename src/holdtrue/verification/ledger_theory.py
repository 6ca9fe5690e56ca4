"""The theory of a conversation of any kind: its active entries as formulas, and an explanation of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from holdtrue.budget import Budget
from holdtrue.ledger.entries import Entry
from holdtrue.ledger.ledger import Ledger
from holdtrue.logic.formula import Formula, Variable
from holdtrue.record import Satisfiability
from holdtrue.solving.engine import Engine, Signature
from holdtrue.solving.explain.mus import smallest_mus
from holdtrue.solving.explain.relaxation import minimum_mcs
from holdtrue.solving.result import (
    BackgroundConflict,
    Core,
    Id,
    MinimumMcs,
    Mus,
    Satisfiable,
    Unknown,
)
from holdtrue.solving.route import make_engine, reason_for
from holdtrue.verification.explanation_results import Conflict, Correction, Explained, proof_of
from holdtrue.verification.explanation_words import tell


@dataclass(frozen=True, slots=True)
class Theory:
    """The active entries of a conversation as formulas over `variables`, together with `laws`.

    `formulas` and `entries` are by id. An entry that could not be read has no formula. `law_sentences` has a sentence
    for each law, or is empty. With a `signature`, the formulas have no variables, and the signature makes their engine.
    """

    variables: Sequence[Variable]
    laws: Sequence[Formula]
    formulas: Mapping[Id, Formula]
    entries: Mapping[Id, Entry]
    law_sentences: Sequence[str] = ()
    signature: Signature | None = None

    @classmethod
    def of(cls, ledger: Ledger) -> Theory:
        """Return the theory of a ledger's active commitments."""
        world = ledger.instance
        sentences = [axiom.sentence for axiom in world.axioms]
        return cls(tuple(world.variables.values()), world.background, ledger.soft, ledger.active, sentences)

    def engine(self) -> Engine:
        """Return a new engine, for a conversation that keeps none for such questions."""
        if self.signature is not None:
            return self.signature.engine(self.laws)
        return make_engine(list(self.variables), tuple(self.laws))


def explain_theory(theory: Theory, budget: Budget) -> Explained:
    """Explain whether all entries can be kept. If not, name a conflict and a correction.

    The budget is for all of this together. Only for ledgers of commitments are the remaining answers known
    (`explanation.explain_ledger`).
    """
    engine, deadline, entries = theory.engine(), budget.start(), dict(theory.entries)
    found = smallest_mus(engine, theory.formulas, budget.until(deadline, 2))
    match found:
        case Satisfiable():
            explained = Explained(Satisfiability.SAT, entries)
        case Unknown(reason):
            explained = Explained(Satisfiability.UNKNOWN, entries, reason=reason)
        case BackgroundConflict():
            explained = Explained(Satisfiability.UNSAT, entries, setting_impossible=True)
        case Mus() | Core():
            conflict = Conflict(found.ids, proof_of(found))
            explained = Explained(Satisfiability.UNSAT, entries, conflicts=(conflict,))
            explained = _corrected(explained, engine, theory, budget.until(deadline))
    explained = replace(explained, engine=reason_for(engine))
    return replace(explained, sentences=tuple(tell(explained)))


def _corrected(explained: Explained, engine: Engine, theory: Theory, budget: Budget) -> Explained:
    """Add the entries to take back, the newest first."""
    found = minimum_mcs(engine, theory.formulas, budget, list(theory.formulas))
    if isinstance(found, Unknown):
        return replace(explained, reason=found.reason)
    if isinstance(found, BackgroundConflict):
        return explained
    return replace(explained, correction=Correction(found.set_aside, isinstance(found, MinimumMcs)))
