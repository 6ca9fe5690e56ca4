"""This module reads and writes the benchmark's files, which have the names on the data-set card. It also reads
published files.

A case is written in the card's JSON schema, with additional fields from which it can be read exactly. These are the
`setting` and the constraints, from which all formulas follow, and `cnf`, `interacts_with` and `split`. The field
`formal` has a statement over the symbols of `formal_representation`. Published cases have no `setting`, and their
queries have no `formal`; `formal.py` reads these cases as far as possible.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from holdtrue.errors import DomainError, FormulaError, RecordError
from holdtrue.fields import by_id, expect, field, field_or, naming, numbers, texts
from holdtrue.kinds.labels.case import Case, Premise, Query
from holdtrue.logic.smtlib.script import term_text
from holdtrue.logic.smtlib.theory_text import formula_term, theory_text
from holdtrue.solving.cnf import Statement, encode
from holdtrue.solving.encoding import NotEncodable
from holdtrue.world.instance import Constraint, Instance
from holdtrue_lab.kinds.labels.setup import label_counts, label_shares
from holdtrue_lab.kit.json_file import json_text, read_constraint, read_json, read_label, write_text
from holdtrue_lab.suites.cross_query import NAME
from holdtrue_lab.suites.cross_query.families import SUBDOMAINS
from holdtrue_lab.suites.cross_query.formal import read_published
from holdtrue_lab.suites.cross_query.subdomain import Subdomain

BUNDLE = "bundle_0"
"""The id of the single bundle (list of queries) of a case."""


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
    laws = [Statement("law", axiom.id, axiom.sentence, axiom.formula) for axiom in instance.axioms]
    theory = case.theory
    premises = {f"P{place}": premise.text for place, premise in enumerate(case.premises, 1)}
    return laws + [Statement("commitment", name, f"{name}: {premises[name]}", theory[name]) for name in theory]


def _cnf(case: Case, instance: Instance) -> dict[str, Any] | None:
    """Return laws and premises in DIMACS, with the meanings of the literals; None if they cannot become clauses."""
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
    return f"benchmark_{split}_v2.json"


def benchmark_files(folder: Path) -> list[Path]:
    """Return the files of the benchmark that exist in a folder."""
    names = (FULL, *map(split_file, SPLITS), SCHEMA, TEMPLATES)
    return [folder / name for name in names if (folder / name).exists()]


def write_benchmark(cases: Sequence[Case], folder: Path, templates: Mapping[str, Any]) -> list[Path]:
    """Write files with all cases, each split, the metrics' definitions and the prompt templates; return the files.

    The same cases give the same bytes. Raises `RecordError` if a file cannot be written.
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


def load_cases(place: Path, *, subdomains: Mapping[str, Subdomain] = SUBDOMAINS) -> list[Case]:
    """Return the cases of a file or folder. A folder's split files are read only if its full benchmark is missing.

    If a case names no split, it belongs to the split whose file lists it. A query has no formula if its statement
    cannot be read. Raises `RecordError` for malformed data, with file and place. Raises it also for a repeated id, and
    if there is no benchmark.
    """
    if not place.is_dir():
        return read_cases(read_benchmark(place), str(place), subdomains)
    members = _members(place)
    if (place / FULL).exists():
        cases = load_cases(place / FULL, subdomains=subdomains)
    else:
        found = [place / split_file(split) for split in SPLITS if (place / split_file(split)).exists()]
        if not found:
            files = ", ".join(map(split_file, SPLITS))
            raise RecordError(f"{place}: no benchmark here ({FULL}, or {files}); make one by generate cross_query")
        cases = [case for path in found for case in load_cases(path, subdomains=subdomains)]
    named = by_id((str(place), case) for case in cases)
    return [replace(case, split=case.split or members.get(case.id)) for case in named.values()]


def read_benchmark(path: Path) -> dict[str, Any]:
    """Return the JSON object in a file of the benchmark; raises `RecordError`."""
    return expect(read_json(path), dict, str(path))


def read_cases(record: Mapping[str, Any], where: str, subdomains: Mapping[str, Subdomain] = SUBDOMAINS) -> list[Case]:
    """Return the cases of a benchmark's JSON object; `where` names it in errors. Raises `RecordError`."""
    cases: list[Case] = []
    for place, item in enumerate(field(record, "cases", list, where)):
        own = expect(item, dict, f"{where}: cases[{place}]")
        here = f"{where}: case {own.get('id', place)}"
        with naming(here, DomainError):  # the parts may be readable, but not fit together
            cases += _read_case(own, here, subdomains)
    return cases


def _members(folder: Path) -> dict[str, str]:
    """Return the splits of the cases by their ids, from the split files."""
    members: dict[str, str] = {}
    for split in SPLITS:
        path = folder / split_file(split)
        if path.exists():
            for place, item in enumerate(field(read_benchmark(path), "cases", list, str(path))):
                own = expect(item, dict, f"{path}: cases[{place}]")
                members[field(own, "id", str, f"{path}: cases[{place}]")] = split
    return members


def _read_case(record: Mapping[str, Any], where: str, subdomains: Mapping[str, Subdomain]) -> list[Case]:
    """Return the case, once for each of its bundles; a case of the benchmark has one bundle."""
    read = _bare_case(record, where)
    bundles = field(record, "bundles", list, where)
    cases: list[Case] = []
    for place, item in enumerate(bundles):
        at = f"{where}: bundles[{place}]"
        bundle = expect(item, dict, at)
        listed = field(bundle, "queries", list, at)
        own = [(expect(query, dict, f"{at}.queries[{i}]"), f"{at}.queries[{i}]") for i, query in enumerate(listed)]
        id = read.id if len(bundles) == 1 else f"{read.id}/{bundle.get('bundle_id', place)}"
        case = replace(read, id=id, queries=tuple(_bare_query(query, there) for query, there in own))
        if "setting" not in record:
            cases.append(read_published(case, record))
            continue
        try:
            cases.append(_ours(case, record, own, where, subdomains))
        except (AttributeError, FormulaError, LookupError, TypeError, ValueError) as error:
            # A subdomain assumes a context that it has drawn itself, but a file may have any context.
            raise RecordError(f"{where}.setting: no {case.subdomain} has this setting ({error!r:.80})") from error
    return cases


def _bare_case(record: Mapping[str, Any], where: str) -> Case:
    return Case(
        id=field(record, "id", str, where),
        suite=NAME,
        domain=field(record, "domain", str, where),
        subdomain=field(record, "subdomain", str, where),
        logic_type=field(record, "logic_type", str, where),
        entities=texts(record, "entities", where),
        variables=(),
        laws=(),
        premises=tuple(map(Premise, texts(record, "premises", where))),
        queries=(),
        split=field_or(record, "split", str, where, "") or None,
    )


def _bare_query(record: Mapping[str, Any], where: str) -> Query:
    return Query(
        id=field(record, "query_id", str, where),
        text=field(record, "query", str, where),
        label=read_label(record, where),
        type=field(record, "query_type", str, where),
        reasoning=field_or(record, "reasoning", str, where, ""),
        depends_on=numbers(record, "depends_on", where),
        interacts_with=numbers(record, "interacts_with", where),
    )


def _ours(
    case: Case,
    record: Mapping[str, Any],
    queries: Sequence[tuple[Mapping[str, Any], str]],
    where: str,
    subdomains: Mapping[str, Subdomain],
) -> Case:
    subdomain = subdomains.get(case.subdomain)
    if subdomain is None:
        raise RecordError(f"{where}.subdomain: {case.subdomain!r} is none of {', '.join(subdomains)}")
    setting = field(record, "setting", dict, where)
    entities = texts(setting, "entities", f"{where}.setting")
    context = field(setting, "context", dict, f"{where}.setting")
    with naming(f"{where}.setting", DomainError):
        instance = subdomain.declaration.instance(entities, context)
    constraints = field(record, "premise_constraints", list, where)
    if len(constraints) != len(case.premises):
        raise RecordError(f"{where}.premise_constraints: {len(constraints)} for {len(case.premises)} premises")
    premises: list[Premise] = []
    for place, (premise, item) in enumerate(zip(case.premises, constraints, strict=True)):
        if item is None:
            premises.append(replace(premise, setting=True))
            continue
        made = read_constraint(instance, item, f"{where}.premise_constraints[{place}]")
        premises.append(Premise(premise.text, instance.formula(made), made))
    asked: list[Query] = []
    for query, (own, there) in zip(case.queries, queries, strict=True):
        made = read_constraint(instance, own.get("constraint"), f"{there}.constraint")
        asked.append(replace(query, formula=instance.formula(made), constraint=made))
    return replace(
        case,
        entities=instance.entities,
        variables=tuple(instance.variables.values()),
        laws=instance.background,
        premises=tuple(premises),
        queries=tuple(asked),
        instance=instance,
    )
