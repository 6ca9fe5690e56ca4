"""The theory of a conversation of any kind: its active entries as formulas, its explanation, and a proof to check."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from holdtrue.budget import Budget
from holdtrue.ledger.entries import Entry
from holdtrue.ledger.ledger import Ledger
from holdtrue.logic.formula import Formula, Variable
from holdtrue.logic.smtlib.theory_text import theory_text
from holdtrue.record import Satisfiability
from holdtrue.solving.certificate import (
    Certificate,
    NoCertificate,
    WitnessCertificate,
    certificate,
    witness_certificate,
)
from holdtrue.solving.engine import Engine, Signature
from holdtrue.solving.explain.mus import mus, smallest_mus
from holdtrue.solving.explain.relaxation import minimum_mcs
from holdtrue.solving.recheck import Confirmed, recheck
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
from holdtrue.verification.words import Names, quote


@dataclass(frozen=True, slots=True)
class Theory:
    """The active entries of a conversation as formulas over `variables`, together with `laws`.

    `formulas` and `entries` have the ids of entries as keys. An entry that could not be read has no formula.
    `law_sentences` has a sentence for each law, or is empty. With a `signature`, the formulas have no variables, and
    the signature makes their engine.
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
        """Return a new engine with the laws of this theory as its background."""
        if self.signature is not None:
            return self.signature.engine(self.laws)
        return make_engine(list(self.variables), tuple(self.laws))


def explain_theory(theory: Theory, budget: Budget) -> Explained:
    """Explain whether all entries can be kept. If not, name a conflict and a correction.

    The budget is for the whole explanation. `explanation.explain_ledger` also finds the answers that remain possible,
    but only for ledgers of commitments.
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


def ledger_text(ledger: Ledger, names: Mapping[str, str] | None = None) -> str:
    """Return commitments and laws as SMT-LIB 2.6, with their sentences as comments. `names` replaces ids."""
    laws = [(axiom.sentence, axiom.formula) for axiom in ledger.instance.axioms]
    agreed = zip(quote(ledger.active, ledger.soft, names), ledger.soft.values(), strict=True)
    return theory_text(tuple(ledger.instance.variables.values()), [*laws, *agreed])


def certify(
    theory: Theory, engine: Engine, budget: Budget, names: Names | None = None
) -> Certificate | WitnessCertificate | NoCertificate:
    """Return a witness of all active entries, or the proof of a conflict among them. Both quote the entries' sentences.

    `solving.certificate.write_certificate` writes the result to files. Finding the conflict may use the whole budget,
    and so may its proof. With `names`, each quoted sentence has the name of its entry in place of the id.
    """
    entries, laws = theory.entries, theory.law_sentences
    sentences = {id: entry.sentence for id, entry in entries.items()}
    if names:
        sentences = dict(zip(entries, quote(entries, entries, names), strict=True))
    if theory.signature is not None:
        return NoCertificate("sentences about things of any number have no proof by clauses; `recheck` asks again")
    found = mus(engine, theory.formulas, budget)
    if isinstance(found, Unknown):
        return NoCertificate(found.reason)
    if isinstance(found, Satisfiable):
        return witness_certificate(theory.variables, theory.laws, theory.formulas, found.witness, sentences, laws=laws)
    ids = () if isinstance(found, BackgroundConflict) else found.ids
    return certificate(theory.variables, theory.laws, theory.formulas, ids, sentences, budget, laws=laws)


def recheck_theory(theory: Theory, engine: Engine, budget: Budget) -> Confirmed | Unknown:
    """Ask another engine to confirm that all entries can be kept, or that the conflict is minimal.

    Finding the conflict may use the whole budget, and so may the other engine. Raises `EngineFault` if the engines
    disagree.
    """
    found = mus(engine, theory.formulas, budget)
    if isinstance(found, Unknown):
        return found
    second = None if theory.signature is None else theory.signature.second_engine(theory.laws)
    return recheck(found, theory.variables, theory.laws, theory.formulas, budget, engine=second)
