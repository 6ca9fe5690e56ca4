"""The definitions of the metrics, as they are written beside the benchmark."""

from __future__ import annotations

from typing import Any

# P and C are used in the definitions below.
_NOTATION = {
    "P": "the premises of a case, with the laws of its setting; they always hold",
    "c_t": "the commitment of answer t: the statement for ENTAILED, its negation for CONTRADICTED, nothing for UNKNOWN",
    "C": "the commitments of all answers of a bundle",
}

EVALUATION_SCHEMA: dict[str, Any] = {
    "labels": {
        "ENTAILED": "the statement holds in everything that the premises allow",
        "CONTRADICTED": "the statement holds in nothing that the premises allow",
        "UNKNOWN": "the statement holds in some of what the premises allow, and not in all of it",
    },
    "notation": _NOTATION,
    "per_query": {
        "accuracy": "share of the queries that are answered with the right label",
        "macro_f1": "mean of the F1 of the three labels",
        "unknown_f1": "F1 of the label UNKNOWN",
    },
    "set_level": {
        "set_consistency": "share of bundles with P and C satisfiable",
        "epistemic_consistency": (
            "share of bundles with P and C satisfiable and, for each query q answered UNKNOWN, "
            "both P, C and q and P, C and not q satisfiable"
        ),
        "auc_prefix_consistency": "mean over bundles of the share of prefixes t with P and c_1 to c_t satisfiable",
        "revision_cost": (
            "the fewest commitments that have to be withdrawn until P and the rest are satisfiable: "
            "mean over all bundles, and over the inconsistent ones"
        ),
        "contradiction_density": (
            "share of steps t at which P, the commitments kept so far (in order, each that fits) and c_t "
            "are unsatisfiable"
        ),
    },
    "compute": {
        "overhead": "tokens and time (of calls and of the solver), relative to answering directly",
        "solver_calls": "questions to the solver per bundle",
    },
    "directions": {
        "higher_is_better": [
            "accuracy", "macro_f1", "unknown_f1", "set_consistency", "epistemic_consistency", "auc_prefix_consistency",
        ],
        "lower_is_better": ["revision_cost", "contradiction_density", "overhead", "solver_calls"],
    },
    "beware": (
        "Answering UNKNOWN to everything, and reading all answers off any one situation that the premises allow, "
        "both have a set_consistency of 1: quote it with accuracy beside it."
    ),
}  # fmt: skip
