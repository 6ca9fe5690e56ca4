"""Write a case in the JSON schema of the data-set card, with fields of our own from which it can be read back exactly.

These are `setting` and the constraints, from which all formulas follow, `formal` (each statement over the symbols of
`formal_representation`), `cnf`, `interacts_with` and `split`.
"""

from __future__ import annotations

from typing import Any

from holdtrue.errors import RecordError
from holdtrue.kinds.labels.case import Case, Query
from holdtrue.lab.kinds.labels.setup import label_counts
from holdtrue.logic.smtlib.printer import term_text
from holdtrue.logic.smtlib.theory_text import formula_term, theory_text
from holdtrue.solving.cnf import Statement, encode
from holdtrue.solving.encoding import NotEncodable
from holdtrue.world.instance import Constraint, Instance

BUNDLE = "bundle_0"
"""One case has one bundle."""


def case_to_json(case: Case) -> dict[str, Any]:
    """Return a case as a JSON object; raises `RecordError` for a case without an instance."""
    instance = case.instance
    if instance is None:
        raise RecordError(f"{case.id}: only cases whose instance is known can be written")
    return {
        "id": case.id,
        "domain": case.domain,
        "subdomain": case.subdomain,
        "logic_type": case.logic_type,
        "split": case.split,
        "premises": [premise.text for premise in case.premises],
        "premise_constraints": [_constraint(premise.constraint) for premise in case.premises],
        "formal_representation": theory_text(
            case.variables, [(own.words, own.formula) for own in _stated(case, instance)]
        ),
        "cnf": _cnf(case, instance),
        "entities": list(case.entities),
        "setting": {"entities": list(instance.entities), "context": dict(instance.given_context)},
        "bundles": [
            {
                "bundle_id": BUNDLE,
                "num_queries": len(case.queries),
                "label_distribution": label_counts([case]),
                "queries": [_query(query) for query in case.queries],
            }
        ],
    }


def _query(query: Query) -> dict[str, Any]:
    return {
        "query_id": query.id,
        "query": query.text,
        "label": query.label.value,
        "reasoning": query.reasoning,
        "query_type": query.type,
        "depends_on": list(query.depends_on),
        "interacts_with": list(query.interacts_with),
        "constraint": _constraint(query.constraint),
        "formal": None if query.formula is None else term_text(formula_term(query.formula)),
    }


def _constraint(constraint: Constraint | None) -> dict[str, Any] | None:
    return None if constraint is None else constraint.to_json()


def _stated(case: Case, instance: Instance) -> list[Statement]:
    """The laws with their sentences, and what the premises demand."""
    laws = [Statement("law", axiom.id, axiom.sentence, axiom.formula) for axiom in instance.axioms]
    theory = case.theory
    premises = {f"P{place}": premise.text for place, premise in enumerate(case.premises, 1)}
    return laws + [Statement("commitment", name, f"{name}: {premises[name]}", theory[name]) for name in theory]


def _cnf(case: Case, instance: Instance) -> dict[str, Any] | None:
    """Laws and premises in DIMACS, and what its literals say; None for what has no clauses worth writing."""
    try:
        cnf = encode(case.variables, _stated(case, instance))
    except NotEncodable:
        return None
    return {"dimacs": cnf.dimacs(), "literals": {str(meaning.literal): meaning.words for meaning in cnf.meanings}}
