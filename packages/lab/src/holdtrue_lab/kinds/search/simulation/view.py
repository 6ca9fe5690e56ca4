"""Read a prompt that asks for a candidate: the problem, what it reports of a failure, and which values it asks for.

A simulated model reads prompts with this; it is the inverse of `SearchPrompt.messages`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from holdtrue.kinds.search import prompts
from holdtrue.models.chat import Message
from holdtrue_lab.kit.simulation.model import last_message

# What tells the kinds of feedback apart (see `names.EFFECTS`), the most telling first.
_MARKS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("witness", (prompts.WITNESS,)),
    ("conflict", (prompts.VIOLATED, prompts.CONFLICT, prompts.REFUTED)),
    ("ranked", (prompts.REVISE, prompts.KEEP)),
    ("core", (prompts.CORE,)),
)
_VALUE = re.compile(r"(\S+) = (-?\d+)")


@dataclass(frozen=True, slots=True)
class SearchTask:
    """Find values. `lines` are the problem's lines as `problem_lines` gives them, `text` is the whole message.

    `feedback` is the kind of feedback about a failure, '' for none. `asked` names the variables whose values are
    wanted, () for all of them, and `kept` has the values of the others.
    """

    lines: tuple[str, ...]
    text: str
    feedback: str = ""
    asked: tuple[str, ...] = ()
    kept: Mapping[str, int] = field(default_factory=dict)


def view_search(messages: Sequence[Message]) -> SearchTask | None:
    """The task that the last user message sets; None where it poses no search problem."""
    last = last_message(messages)
    blocks = [block.split("\n") for block in last.split("\n\n")]
    titles = [block[0] for block in blocks]
    if prompts.VARIABLES not in titles or prompts.CONSTRAINTS not in titles:
        return None
    variables, constraints = titles.index(prompts.VARIABLES), titles.index(prompts.CONSTRAINTS)
    setting = [line for block in blocks[:variables] for line in block]
    lines = (*setting, *blocks[variables][1:], *blocks[constraints][1:])
    more = [line for block in blocks[constraints + 1 :] for line in block if not line.startswith(prompts.SHAPE)]
    asked, kept = _partial(more)
    return SearchTask(lines, last, _kind(more, asked), asked, kept)


def _kind(lines: Sequence[str], asked: Sequence[str]) -> str:
    for kind, marks in _MARKS:
        if any(line.startswith(marks) for line in lines) or (kind == "conflict" and asked):
            return kind
    return "generic" if prompts.FAILED in lines else ""


def _partial(lines: Sequence[str]) -> tuple[tuple[str, ...], dict[str, int]]:
    """Return the variables that a prompt asks for and the values that it keeps, or none where it asks for everything.

    The values stand in the line before.
    """
    for before, line in pairwise(lines):
        if line.startswith(prompts.ASKED):
            values = _VALUE.findall(before.rstrip("."))
            return tuple(line.removeprefix(prompts.ASKED).split(", ")), {name: int(value) for name, value in values}
    return (), {}
