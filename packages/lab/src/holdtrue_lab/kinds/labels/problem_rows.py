"""Cases as rows of a data set: premises, and queries with their labels."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from holdtrue.kinds.labels.case import Case
from holdtrue.wire import json_cell
from holdtrue.world.instance import Constraint
from holdtrue_lab.kit.export.problem_rows import (
    TEXT,
    TEXTS,
    TRUTH,
    WHOLES,
    Column,
    ProblemRows,
    records,
)


def _row(case: Case) -> Mapping[str, Any]:
    return {
        "id": case.id,
        "domain": case.domain,
        "subdomain": case.subdomain,
        "logic_type": case.logic_type,
        "entities": list(case.entities),
        "laws": list(map(str, case.laws)),
        "premises": [
            {
                "text": own.text,
                "formula": _formula(own.formula),
                "constraint": _constraint(own.constraint),
                "setting": own.setting,
            }
            for own in case.premises
        ],
        "queries": [
            {
                "id": own.id,
                "text": own.text,
                "label": own.label.value,
                "type": own.type,
                "formula": _formula(own.formula),
                "constraint": _constraint(own.constraint),
                "reasoning": own.reasoning,
                "depends_on": list(own.depends_on),
                "interacts_with": list(own.interacts_with),
            }
            for own in case.queries
        ],
    }


def _formula(formula: object) -> str | None:
    return None if formula is None else str(formula)


def _constraint(constraint: Constraint | None) -> str | None:
    return json_cell(None if constraint is None else constraint.to_json())


ROWS = ProblemRows(
    "cases",
    (
        Column("id", TEXT, "the case's id"),
        Column("domain", TEXT, "the group that reports show the case in"),
        Column("subdomain", TEXT, "the kind of world that it is about"),
        Column("logic_type", TEXT, "what its formulas are made of"),
        Column("entities", TEXTS, "the names that sentences speak of"),
        Column("laws", TEXTS, "what holds beside the premises, as formulas"),
        Column(
            "premises",
            records(text=TEXT, formula=TEXT, constraint=TEXT, setting=TRUTH),
            "sentences: `text`, `formula` and `constraint` (JSON) where they are known; one that only tells the "
            "`setting` demands nothing more",
        ),
        Column(
            "queries",
            records(
                id=TEXT,
                text=TEXT,
                label=TEXT,
                type=TEXT,
                formula=TEXT,
                constraint=TEXT,
                reasoning=TEXT,
                depends_on=WHOLES,
                interacts_with=WHOLES,
            ),
            "statements in the order in which they are asked, with their `label`: ENTAILED, CONTRADICTED or UNKNOWN; "
            "`depends_on` and `interacts_with` are places of earlier ones, counted from 0",
        ),
    ),
    _row,
)
