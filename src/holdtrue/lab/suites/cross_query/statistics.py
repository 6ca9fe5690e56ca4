"""What a benchmark is like, in numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from holdtrue.kinds.labels.case import Case
from holdtrue.lab.kinds.labels.shares import label_counts, label_shares


def statistics(cases: Sequence[Case]) -> dict[str, Any]:
    """Counts, labels and shares over all cases and by domain; a case has one bundle."""
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
