"""Load the benchmark: our own files, from which cases come back exactly, and published ones.

Published cases have no `setting`, and their queries no `formal`; `published.py` reads what it can of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from holdtrue.errors import DomainError, FormulaError, RecordError
from holdtrue.fields import by_id, expect, field, field_or, naming, numbers, texts
from holdtrue.kinds.labels.case import Case, Premise, Query
from holdtrue_lab.kit.json_file import read_constraint, read_json, read_label
from holdtrue_lab.suites.cross_query import NAME
from holdtrue_lab.suites.cross_query.published import read_published
from holdtrue_lab.suites.cross_query.subdomain import Subdomain
from holdtrue_lab.suites.cross_query.subdomains import SUBDOMAINS
from holdtrue_lab.suites.cross_query.write import FULL, SPLITS, split_file


def load_cases(place: Path, *, subdomains: Mapping[str, Subdomain] = SUBDOMAINS) -> list[Case]:
    """Return the cases of a file, or of a folder: those of its full benchmark file, or else of its split files.

    The split of a case that does not name one follows from the split files in the same folder. Raises `RecordError`,
    naming file and place, for what cannot be read, for a repeated id, and if there is no benchmark. A statement that
    cannot be read is no error: its query has no formula.
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
        with naming(here, DomainError):  # each part can be read, and together they cannot be meant
            cases += _read_case(own, here, subdomains)
    return cases


def _members(folder: Path) -> dict[str, str]:
    """The splits of the cases, by the files in which they are."""
    members: dict[str, str] = {}
    for split in SPLITS:
        path = folder / split_file(split)
        if path.exists():
            for place, item in enumerate(field(read_benchmark(path), "cases", list, str(path))):
                own = expect(item, dict, f"{path}: cases[{place}]")
                members[field(own, "id", str, f"{path}: cases[{place}]")] = split
    return members


def _read_case(record: Mapping[str, Any], where: str, subdomains: Mapping[str, Subdomain]) -> list[Case]:
    """The case, once for each of its bundles: on the card it has one."""
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
            # A subdomain reads its context as it has drawn it, and a file may hold anything.
            raise RecordError(f"{where}.setting: no {case.subdomain} has this setting ({error!r:.80})") from error
    return cases


def _bare_case(record: Mapping[str, Any], where: str) -> Case:
    """Return a case with what every case has, without formulas and queries."""
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
    """The case with its instance, and all formulas by their constraints."""
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
