"""The columns of cases in an exported data set: premises, and queries with their labels."""

from __future__ import annotations

from holdtrue_lab.kit.export.problem_rows import TEXT, TEXTS, TRUTH, WHOLES, Column, ProblemRows, records

_QUERIES = records(
    id=TEXT,
    text=TEXT,
    label=TEXT,
    type=TEXT,
    formula=TEXT,
    constraint=TEXT,
    reasoning=TEXT,
    depends_on=WHOLES,
    interacts_with=WHOLES,
)
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
            _QUERIES,
            "statements in the order in which they are asked, with their `label`: ENTAILED, CONTRADICTED or UNKNOWN; "
            "`depends_on` and `interacts_with` are places of earlier ones, counted from 0",
        ),
    ),
)
