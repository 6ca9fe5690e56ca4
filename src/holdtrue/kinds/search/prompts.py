"""The fixed frames of prompts that ask for values within bounds that satisfy all constraints.

A prompt holds the frame, the problem, the model's own earlier candidates, and verdicts about these: how they failed,
and which constraints and variables that concerns, by name. Nothing else can get in, because nothing else is a
parameter here. A solver's solution is one, for runs that repeat the original's leak on purpose.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any, Literal

from holdtrue.language.asking import one_line
from holdtrue.models.chat import Message, system, user
from holdtrue.world.answer_shape import object_schema

Fault = Literal["not_json", "outside_bounds", "not_satisfied", "false_unsat_claim"]
Bounds = tuple[str, int | None, int | None]
"""The name of a variable, and the least and the greatest value that it may have; None for an open end."""
"""A variable's name, its least and its greatest value."""

SEARCH_SYSTEM: dict[str, str] = {
    "direct": "You find values for variables that satisfy all constraints, or say that none do. Return only JSON.",
}
# The lines by which a prompt's parts are told apart; simulated models read them too.
VARIABLES = "Variables:"
CONSTRAINTS = "Constraints:"
FAILED = "YOUR PREVIOUS ANSWER FAILED"
GIVEN = "You answered: "
CORE = "The solver finds a conflict between your answer and:"
VIOLATED = "Your answer breaks these constraints:"
CONFLICT = "Repair this conflict first:"
REVISE = "Revise first: "
KEEP = "Keep: "
REFUTED = "These failed too, do not repeat them:"
WITNESS = "A solution is: "
KEPT = "These values stay as they are: "
ASKED = "Now give only: "
SHAPE = "Answer with JSON of this shape: "
CLAIM = '{"status": "unsat"}'
FAULTS: dict[Fault, str] = {
    "not_json": "It was not the JSON that was asked for.",
    "outside_bounds": "Some of its values are outside their bounds.",
    "not_satisfied": "It does not satisfy all constraints.",
    "false_unsat_claim": "You said that no values satisfy all constraints. This claim is wrong.",
}
# A shape shows so many variables before it breaks off; their names are listed in the prompt anyway.
_SHOWN = 12
# No bound of a problem, but an end: where a schema is enforced, small models write digits of a free number without one.
_WIDEST = 10**15 - 1


@dataclass(frozen=True, slots=True)
class SearchSignal:
    """A `SearchSignal` is all that a prompt may say about a candidate that failed.

    `given` are the values of the model's own candidate, None for a claim and for what could not be read. `details` say
    in words what could not be read, or which values are outside which bounds. `core`, `violated` and `conflict` are
    ids of constraints: those of a solver's core, all that the candidate breaks, and a minimal conflict. `revise` and
    `keep` are names of variables; `refuted` are other candidates of the model that failed. `witness` is a solver's own
    solution, None unless a run reveals it.
    """

    kind: Fault
    given: Mapping[str, int] | None = None
    details: tuple[str, ...] = ()
    core: tuple[str, ...] = ()
    violated: tuple[str, ...] = ()
    conflict: tuple[str, ...] = ()
    revise: tuple[str, ...] = ()
    keep: tuple[str, ...] = ()
    refuted: tuple[Mapping[str, int], ...] = ()
    witness: Mapping[str, int] | None = None


@dataclass(frozen=True, slots=True)
class SearchPrompt:
    """All that a prompt for a candidate may depend on.

    `variables` have their bounds, `constraints` are (id, sentence). `asked` names the variables whose
    values are asked for, () for all of them; `kept` are the values that the others have, which are the model's own.
    """

    frame: str
    setting: tuple[str, ...]
    variables: tuple[Bounds, ...]
    constraints: tuple[tuple[str, str], ...]
    feedback: SearchSignal | None = None
    asked: tuple[str, ...] = ()
    kept: Mapping[str, int] = field(default_factory=dict)

    @property
    def names(self) -> tuple[str, ...]:
        """The variables whose values are asked for."""
        return self.asked or tuple(name for name, _, _ in self.variables)

    def messages(self) -> tuple[Message, ...]:
        """The chat messages: the system prompt, and one message that begins the same in every round."""
        blocks = [
            "\n".join(setting_lines(self.setting)),
            "\n".join([VARIABLES, *variable_lines(self.variables)]),
            "\n".join([CONSTRAINTS, *constraint_lines(self.constraints)]),
            _feedback(self, self.feedback) if self.feedback is not None else "",
            _rest_is_kept(self) if self.asked else "",
            f"{SHAPE}{search_hint(self.names)}\nIf no values satisfy all constraints: {CLAIM}",
        ]
        return (system(SEARCH_SYSTEM[self.frame]), user("\n\n".join(block for block in blocks if block)))

    def schema(self) -> dict[str, Any]:
        """The JSON schema of a reply: its shape alone, so that values can leave their bounds."""
        return search_schema(self.names)


def problem_lines(
    setting: Sequence[str], variables: Sequence[Bounds], constraints: Sequence[tuple[str, str]]
) -> tuple[str, ...]:
    """The lines that a model is told of a problem: its setting, variables with their bounds, constraints by id."""
    return (*setting_lines(setting), *variable_lines(variables), *constraint_lines(constraints))


def setting_lines(setting: Sequence[str]) -> list[str]:
    """The setting's sentences, each on a line."""
    return [one_line(sentence) for sentence in setting]


def variable_lines(variables: Sequence[Bounds]) -> list[str]:
    """One line for every run of variables with the same bounds: `x1, x2: integers from 0 to 9`."""
    lines = []
    for (low, high), run in groupby(variables, key=lambda variable: variable[1:]):
        names = [name for name, _, _ in run]
        lines.append(f"{', '.join(names)}: {'integers' if len(names) > 1 else 'integer'} {_between(low, high)}")
    return lines


def _between(low: int | None, high: int | None) -> str:
    if low is None:
        return "of any size" if high is None else f"up to {high}"
    return f"from {low} on" if high is None else f"from {low} to {high}"


def constraint_lines(constraints: Sequence[tuple[str, str]]) -> list[str]:
    """One line for every constraint: `c1: x1 + x2 <= 9`."""
    return [f"{id}: {one_line(text)}" for id, text in constraints]


def search_schema(names: Iterable[str]) -> dict[str, Any]:
    """The JSON schema of `{"status": "sat", "assignment": {name: integer}}` with all names, or of `CLAIM`."""
    value = {"type": "integer", "minimum": -_WIDEST, "maximum": _WIDEST}
    assignment = object_schema(dict.fromkeys(names, value))
    return {
        "anyOf": [
            object_schema({"status": {"type": "string", "enum": ["sat"]}, "assignment": assignment}),
            object_schema({"status": {"type": "string", "enum": ["unsat"]}}),
        ]
    }


def search_hint(names: Sequence[str]) -> str:
    """One line in the shape of an assignment, with placeholders for the values."""
    slots = [f"{json.dumps(name, ensure_ascii=False)}: <integer>" for name in names[:_SHOWN]]
    rest = ", ..." if len(names) > _SHOWN else ""
    shown = f'{{"status": "sat", "assignment": {{{", ".join(slots)}{rest}}}}}'
    return f"{shown} with a value for all {len(names)} variables" if rest else shown


def _feedback(prompt: SearchPrompt, signal: SearchSignal) -> str:
    texts = dict(prompt.constraints)
    given = signal.given or {}
    parts = [FAILED]
    if signal.given is not None:
        parts.append(f"{GIVEN}{_values(signal.given)}")
    parts += [FAULTS[signal.kind], *(f"- {one_line(detail)}" for detail in signal.details)]
    for title, ids in ((CORE, signal.core), (VIOLATED, signal.violated), (CONFLICT, signal.conflict)):
        if ids:
            parts += [title, *(f"- {id}: {one_line(texts[id])}" for id in ids)]
    if signal.revise:
        parts.append(f"{REVISE}{', '.join(signal.revise)}")
    if signal.keep:
        parts.append(f"{KEEP}{', '.join(f'{name} = {given[name]}' for name in signal.keep)}")
    if signal.refuted:
        parts += [REFUTED, *(f"- {_values(values)}" for values in signal.refuted)]
    if signal.witness is not None:
        parts.append(f"{WITNESS}{_values(signal.witness)}")
    return "\n".join(parts)


def _rest_is_kept(prompt: SearchPrompt) -> str:
    kept = ", ".join(f"{name} = {value}" for name, value in prompt.kept.items())
    return f"{KEPT}{kept}.\n{ASKED}{', '.join(prompt.asked)}"


def _values(values: Mapping[str, int]) -> str:
    return json.dumps(dict(values), ensure_ascii=False)
