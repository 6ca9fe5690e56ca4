"""Write the benchmark's files under the names of the data-set card: cases, statistics, and definitions of the metrics.

A case is written in the card's JSON schema, with fields of our own from which it can be read back exactly: `setting`
and the constraints, from which all formulas follow, `formal` (each statement over the symbols of
`formal_representation`), `cnf`, `interacts_with` and `split`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from holdtrue.errors import RecordError
from holdtrue.kinds.labels.case import Case, Query
from holdtrue.logic.smtlib.script import term_text
from holdtrue.logic.smtlib.theory_text import formula_term, theory_text
from holdtrue.solving.cnf import Statement, encode
from holdtrue.solving.encoding import NotEncodable
from holdtrue.world.instance import Constraint, Instance
from holdtrue_lab.kinds.labels.setup import label_counts, label_shares
from holdtrue_lab.kit.json_file import json_text, write_text

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


SPLITS = ("train", "dev", "test")
FULL = "benchmark_full_v2.json"
SCHEMA = "evaluation_schema_v2.json"
TEMPLATES = "prompt_templates_v2.json"


def statistics(cases: Sequence[Case]) -> dict[str, Any]:
    """Return counts, labels and shares over all cases and by domain."""
    domains = dict.fromkeys(case.domain for case in cases)
    texts = [query.text for case in cases for query in case.queries]
    return {
        "total_cases": len(cases),
        "total_bundles": len(cases),
        "total_queries": len(texts),
        "unique_queries": len(set(texts)),
        "unique_share": round(len(set(texts)) / max(1, len(texts)), 4),
        **_labels(cases),
        "domains": {name: _domain([case for case in cases if case.domain == name]) for name in domains},
    }


def _domain(cases: Sequence[Case]) -> dict[str, Any]:
    queries = sum(len(case.queries) for case in cases)
    return {"cases": len(cases), "bundles": len(cases), "queries": queries, **_labels(cases)}


def _labels(cases: Sequence[Case]) -> dict[str, Any]:
    shares = {label.value: round(share, 4) for label, share in label_shares(cases).items()}
    return {"label_distribution": label_counts(cases), "label_shares": shares}


def split_file(split: str) -> str:
    """The name of the file that holds a split."""
    return f"benchmark_{split}_v2.json"


def benchmark_files(folder: Path) -> list[Path]:
    """Those files of the benchmark that are in a folder."""
    names = (FULL, *map(split_file, SPLITS), SCHEMA, TEMPLATES)
    return [folder / name for name in names if (folder / name).exists()]


def write_benchmark(cases: Sequence[Case], folder: Path, templates: Mapping[str, Any]) -> list[Path]:
    """Write all cases, each split, the definitions of the metrics and the prompt templates; return the files in order.

    The same cases give the same bytes. Raises `RecordError` where a file cannot be written.
    """
    written: list[Path] = []
    for name, text in _files(cases, templates):
        path = folder / name
        write_text(path, text)
        written.append(path)
    return written


def _files(cases: Sequence[Case], templates: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    records = {case.id: case_to_json(case) for case in cases}
    yield FULL, _benchmark(cases, records)
    for split in SPLITS:
        yield split_file(split), _benchmark([case for case in cases if case.split == split], records)
    yield SCHEMA, (Path(__file__).parent / SCHEMA).read_text(encoding="utf-8")
    yield TEMPLATES, json_text(templates)


def _benchmark(cases: Sequence[Case], records: Mapping[str, Mapping[str, Any]]) -> str:
    return json_text(
        {
            "num_cases": len(cases),
            "num_bundles": len(cases),
            "statistics": statistics(cases),
            "cases": [records[case.id] for case in cases],
        }
    )
