"""Write the benchmark's files under the names of the data-set card, and its statistics."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from holdtrue.kinds.labels.case import Case
from holdtrue.lab.kinds.labels.setup import label_counts, label_shares
from holdtrue.lab.kit.json_file import json_text, write_text
from holdtrue.lab.suites.cross_query.case_json import case_to_json
from holdtrue.lab.suites.cross_query.evaluation_schema import EVALUATION_SCHEMA

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
    yield SCHEMA, json_text(EVALUATION_SCHEMA)
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
