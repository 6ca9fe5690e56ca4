"""The columns of problems about assignments in an exported data set."""

from __future__ import annotations

from typing import Any

from holdtrue.wire import json_cell
from holdtrue_lab.kinds.assignment.problem import Problem
from holdtrue_lab.kit.export.problem_rows import TEXT, TEXTS, WHOLE, Column, ProblemRows, records


def _turns(problem: Problem) -> list[dict[str, Any]]:
    instance = problem.make_instance()
    stated = problem.gold_by_turn(instance)
    return [
        {
            "number": turn.number,
            "message": turn.message,
            "constraints": [
                {"type": own.type, "args": json_cell(list(own.args)), "sentence": instance.sentence(own)}
                for own in stated[turn.number]
            ],
            "witness": turn.witness,
        }
        for turn in problem.turns
    ]


_CONSTRAINTS = records(type=TEXT, args=TEXT, sentence=TEXT)
ROWS = ProblemRows(
    "problems",
    (
        Column("id", TEXT, "the problem's id"),
        Column("domain", TEXT, "what the conversation is about"),
        Column("entities", TEXTS, "the names that constraints speak of"),
        Column("context", TEXT, "the setting, as JSON"),
        Column(
            "turns",
            records(number=WHOLE, message=TEXT, constraints=_CONSTRAINTS, witness=TEXT),
            "what is said: `message`, the `constraints` that it newly states (`type`, `args` as JSON, `sentence`), and "
            "a `witness`, values as JSON that keep all so far, where one is known",
            _turns,
        ),
    ),
)
