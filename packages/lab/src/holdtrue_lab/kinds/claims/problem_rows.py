"""The columns of questions about contexts in an exported data set."""

from __future__ import annotations

from holdtrue.wire import json_cell
from holdtrue_lab.kinds.claims.item import Item, gold_json
from holdtrue_lab.kit.export.problem_rows import TEXT, TEXTS, Column, ProblemRows, records


def _options(item: Item) -> list[dict[str, str]]:
    return [{"letter": letter, "text": text} for letter, text in item.options.items()]


def _gold(item: Item) -> str | None:
    return json_cell(None if item.gold is None else gold_json(item.gold))


ROWS = ProblemRows(
    "items",
    (
        Column("id", TEXT, "the question's id"),
        Column("dataset", TEXT, "the data set that it comes from"),
        Column("context", TEXT, "what is to be taken for true"),
        Column("sentences", TEXTS, "those of the context, where the data set has them one by one"),
        Column("question", TEXT, "what is asked"),
        Column("statement", TEXT, "what options true, false and unknown are about, or null"),
        Column("options", records(letter=TEXT, text=TEXT), "what there is to choose from", _options),
        Column("answer", TEXT, "the letter of the right option"),
        Column("gold", TEXT, "the context and the statement as logic, as JSON, or null", _gold),
        Column("perturbs", TEXT, "the id of the question that it is a changed form of, or null"),
        Column("perturbation", TEXT, "the way in which it was changed, or null"),
    ),
)
