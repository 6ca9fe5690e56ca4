"""This module validates a benchmark.

It proves labels again by another engine, and checks counts, splits and dependencies.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from holdtrue.budget import Budget
from holdtrue.errors import FormulaError, RecordError
from holdtrue.kinds.labels.case import Case, Query
from holdtrue.record import Label
from holdtrue.solving.explain.classification import label_of
from holdtrue.solving.result import Inconsistent, Unknown
from holdtrue.solving.route import make_engine
from holdtrue_lab.kinds.labels.setup import label_shares
from holdtrue_lab.suites.cross_query.card import CARD, CASES, SIZES, UNIQUE, WITHIN, is_balanced
from holdtrue_lab.suites.cross_query.conflicts import wrong_dependencies
from holdtrue_lab.suites.cross_query.families import SUBDOMAINS
from holdtrue_lab.suites.cross_query.files import (
    FULL,
    SPLITS,
    case_to_json,
    read_benchmark,
    read_cases,
    split_file,
    statistics,
)
from holdtrue_lab.suites.cross_query.formal import read_statement, read_theory
from holdtrue_lab.suites.cross_query.subdomain import Subdomain


class Prover:
    """A `Prover` labels statements about one theory. Raises `FormulaError` for unreadable text."""

    def __init__(self, theory: str, budget: Budget) -> None:
        self._theory = read_theory(theory)
        self._engine = make_engine(tuple(self._theory.variables.values()), self._theory.formulas, prefer="z3")
        self._budget = budget

    def label(self, statement: str) -> Label | Unknown | Inconsistent:
        """Return the label of a statement, given as an SMT-LIB term; `Inconsistent` if the theory has no model."""
        return label_of(self._engine, {}, read_statement(statement, self._theory), self._budget)


Record = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Validation:
    """The result: `proved` counts the `queries` whose labels were proved again, and `problems` describe the faults."""

    cases: int
    queries: int
    proved: int
    problems: tuple[str, ...]


def validate(
    folder: Path, budget: Budget | None = None, *, subdomains: Mapping[str, Subdomain] = SUBDOMAINS
) -> Validation:
    """Check the benchmark in a folder. `budget` is for each question to z3.

    The data-set card has numbers of cases and queries, and about labels, unique texts and splits. They are checked only
    if the folder has at least as many cases as the card. Raises `RecordError` for a full benchmark that cannot be read.
    """
    record = read_benchmark(folder / FULL)
    cases = read_cases(record, FULL, subdomains)
    records: Sequence[Record] = record["cases"]
    if len(cases) != len(records):
        raise RecordError(f"{folder / FULL}: a case here has not one bundle, as all on the card have")
    problems = [*_totals(FULL, record, cases), *_splits(folder, records, cases, subdomains)]
    if len(cases) >= CASES:
        problems += _card(cases)
    proved = 0
    for case, own in zip(cases, records, strict=True):
        problems += _form(case, own)
        good, wrong = _labels(case, own, budget or Budget())
        proved += good
        # Interactions follow from labels, so they are checked only if all labels are right.
        problems += wrong or wrong_dependencies(case)
    return Validation(len(cases), sum(len(case.queries) for case in cases), proved, tuple(problems))


def _totals(name: str, record: Record, cases: Sequence[Case]) -> Iterator[str]:
    for key in ("num_cases", "num_bundles"):
        if record.get(key) != len(cases):
            yield f"{name}: {key} is {record.get(key)!r:.40}, and there are {len(cases)}"
    said = record.get("statistics")
    for key, value in statistics(cases).items():
        stated = said.get(key) if isinstance(said, dict) else None
        if stated != value:
            yield f"{name}: statistics.{key} is {stated!r:.80}, and should be {value!r:.80}"


def _splits(
    folder: Path, records: Sequence[Record], cases: Sequence[Case], subdomains: Mapping[str, Subdomain]
) -> Iterator[str]:
    """Yield a line for each fault in the files of the splits, compared with the full benchmark."""
    for split in SPLITS:
        name = split_file(split)
        try:
            record = read_benchmark(folder / name)
            own = read_cases(record, name, subdomains)
        except RecordError as error:
            yield str(error)
            continue
        yield from _totals(name, record, own)
        wanted = [record for case, record in zip(cases, records, strict=True) if case.split == split]
        ids = {case.id for case in own}
        yield from (f"{name}: case {case['id']} is missing" for case in wanted if case["id"] not in ids)
        wanted_ids = {case["id"] for case in wanted}
        yield from (f"{name}: case {id} does not belong here" for id in sorted(ids - wanted_ids))
        if ids == wanted_ids and record["cases"] != wanted:
            yield f"{name}: cases differ from those in {FULL}"
    for case in cases:
        if case.split not in SPLITS:
            yield f"{case.id}: split is {case.split!r}, none of {', '.join(SPLITS)}"
    yield from (f"{FULL}: the case {id} is there twice" for id in _repeated([case.id for case in cases]))


def _card(cases: Sequence[Case]) -> Iterator[str]:
    for name, row in CARD.items():
        own = [case for case in cases if case.domain == name]
        queries = sum(len(case.queries) for case in own)
        if (len(own), queries) != (row.cases, row.queries):
            yield f"{name}: {len(own)} cases with {queries} queries, and the card has {row.cases} with {row.queries}"
        for label, share in label_shares(own).items():
            if abs(share - row.labels[label]) > WITHIN:
                yield f"{name}: {share:.1%} are {label}, and the card has {row.labels[label]:.0%}"
        for split in SPLITS[1:]:
            held_out = sum(case.split == split for case in own)
            if held_out != round(row.cases / 10):
                yield f"{name}: {held_out} cases in {split}, and the card has {round(row.cases / 10)}"
    texts = [query.text for case in cases for query in case.queries]
    if len(set(texts)) < UNIQUE * len(texts):
        yield f"{len(set(texts)) / len(texts):.1%} of the queries' texts are different, and the card has {UNIQUE:.0%}"


def _form(case: Case, record: Record) -> Iterator[str]:
    """Yield the faults in a bundle's size, balance and repetitions, and in the texts that follow from constraints."""
    size = len(case.queries)
    if not SIZES[0] <= size <= SIZES[1]:
        yield f"{case.id}: {size} queries, not {SIZES[0]} to {SIZES[1]}"
    if size and not is_balanced([query.label for query in case.queries]):
        yield f"{case.id}: its labels are imbalanced"
    yield from (f"{case.id}: two queries say {text!r}" for text in _repeated([query.text for query in case.queries]))
    if case.instance is None:
        return
    asked = [case.instance.canonical(query.constraint) for query in case.queries if query.constraint]
    yield from (f"{case.id}: two queries ask for {made.type} {made.args}" for made in _repeated(asked))
    again = case_to_json(case)
    different = [key for key in again if key not in ("bundles", "split") and again[key] != record.get(key)]
    yield from (f"{case.id}: {key} is not what its constraints say" for key in different)
    for bundle, own in zip(again["bundles"], record["bundles"], strict=True):
        for key in ("num_queries", "label_distribution"):
            if own.get(key) != bundle[key]:
                yield f"{case.id}: {key} is {own.get(key)!r:.80}, and should be {bundle[key]!r:.80}"
        for query, saved in zip(bundle["queries"], own["queries"], strict=True):
            if saved.get("formal") != query["formal"]:
                yield f"{case.id}, {query['query_id']}: formal is not what its constraint says"


def _labels(case: Case, record: Record, budget: Budget) -> tuple[int, list[str]]:
    """Return the number of labels that were proved again from the texts, and the faults of the other labels."""
    queries = [query for bundle in record["bundles"] for query in bundle["queries"]]
    if not any("formal" in query for query in queries):
        return 0, [f"{case.id}: its queries have no formal, so that no label can be proved again"]
    try:
        prover = Prover(str(record.get("formal_representation", "")), budget)
    except FormulaError as error:
        return 0, [f"{case.id}: formal_representation: {error}"]
    faults = [_fault(prover, query, own.get("formal")) for query, own in zip(case.queries, queries, strict=True)]
    wrong = [f"{case.id}, {query.id}: {fault}" for query, fault in zip(case.queries, faults, strict=True) if fault]
    return len(faults) - len(wrong), wrong


def _fault(prover: Prover, query: Query, formal: object) -> str | None:
    """Return the reason why a label was not proved again, or None if it was."""
    if not isinstance(formal, str):
        return f"formal: a text is needed, got {formal!r:.40}"
    try:
        found = prover.label(formal)
    except FormulaError as error:
        return f"formal: {error}"
    if isinstance(found, Unknown):
        return f"the label could not be proved again: {found.reason}"
    if isinstance(found, Inconsistent):
        return "the premises are impossible together"
    return None if found is query.label else f"the label is {query.label}, and {found} is proved"


def _repeated(items: Sequence[Any]) -> list[Any]:
    return [item for item in dict.fromkeys(items) if items.count(item) > 1]
