"""A ledger as SMT-LIB, for any other solver."""

from __future__ import annotations

from collections.abc import Mapping

from holdtrue.ledger.ledger import Ledger
from holdtrue.logic.smtlib.theory import theory_text
from holdtrue.verification.words import quote


def ledger_text(ledger: Ledger, names: Mapping[str, str] | None = None) -> str:
    """What holds now, and the laws, as declarations and assertions of SMT-LIB 2.6, with their sentences as comments.

    `names` gives commitments other names than their ids.
    """
    laws = [(axiom.sentence, axiom.formula) for axiom in ledger.instance.axioms]
    agreed = zip(quote(ledger.active, ledger.soft, names), ledger.soft.values(), strict=True)
    return theory_text(tuple(ledger.instance.variables.values()), [*laws, *agreed])
