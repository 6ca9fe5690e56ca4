"""Certify the verdict on a ledger for other programs, recheck it by another engine, and write a ledger as SMT-LIB."""

from __future__ import annotations

from collections.abc import Mapping

from holdtrue.budget import Budget
from holdtrue.ledger.ledger import Ledger
from holdtrue.logic.smtlib.theory_text import theory_text
from holdtrue.solving.certificate import (
    Certificate,
    NoCertificate,
    WitnessCertificate,
    certificate,
    witness_certificate,
)
from holdtrue.solving.engine import Engine
from holdtrue.solving.explain.mus import mus
from holdtrue.solving.recheck import Confirmed, recheck
from holdtrue.solving.result import BackgroundConflict, Satisfiable, Unknown
from holdtrue.verification.ledger_theory import Theory
from holdtrue.verification.words import Names, quote


def ledger_text(ledger: Ledger, names: Mapping[str, str] | None = None) -> str:
    """Return commitments and laws as SMT-LIB 2.6, with their sentences as comments. `names` replaces ids."""
    laws = [(axiom.sentence, axiom.formula) for axiom in ledger.instance.axioms]
    agreed = zip(quote(ledger.active, ledger.soft, names), ledger.soft.values(), strict=True)
    return theory_text(tuple(ledger.instance.variables.values()), [*laws, *agreed])


def certify(
    theory: Theory, engine: Engine, budget: Budget, names: Names | None = None
) -> Certificate | WitnessCertificate | NoCertificate:
    """Return a witness of all active entries, or the proof of a conflict among them. Both quote the entries' sentences.

    `solving.certificate.write_certificate` writes the result to files. The budget is for finding the conflict, and a
    second time for its proof. `names` replaces the ids of entries, and the sentences are then quoted with it.
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

    The budget is for finding the conflict, and a second time for the other engine. Raises `EngineFault` if the engines
    disagree.
    """
    found = mus(engine, theory.formulas, budget)
    if isinstance(found, Unknown):
        return found
    second = None if theory.signature is None else theory.signature.second_engine(theory.laws)
    return recheck(found, theory.variables, theory.laws, theory.formulas, budget, engine=second)
