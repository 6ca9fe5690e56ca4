"""The fixed frames of prompts that ask for values which satisfy all constraints.

A prompt holds the frame, the problem, the model's earlier candidates, and verdicts about these. A verdict says how a
candidate failed, and names the constraints and variables concerned. A prompt can hold nothing else, because these are
the only parameters here. A solver's solution is a parameter only for runs that reveal it on purpose, as the original
study did.
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
"""A variable's name, its least and its greatest value. An open end is None."""

SEARCH_SYSTEM: dict[str, str] = {
    "direct": "You find values for variables that satisfy all constraints, or say that none do. Return only JSON.",
}
# The lines that introduce the parts of a prompt. Simulated models read them too.
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
# The most variables in the sample reply. The prompt lists all names anyway.
_SHOWN = 12
# The largest number in a schema. Without a limit, small models would write endless digits of a number.
_WIDEST = 10**15 - 1


@dataclass(frozen=True, slots=True)
class SearchSignal:
    """A `SearchSignal` is all that a prompt may say about a failed candidate.

    `given` are the values of the model's candidate, or None for a claim and for an unreadable reply. `details` say why
    it could not be read, or which values are outside which bounds. `core`, `violated` and `conflict` are ids of
    constraints: those of a solver's core, all broken ones, and a minimal conflict. `revise` and `keep` are names of
    variables. `refuted` are other failed candidates of the model. `witness` is a solver's solution, or None unless a
    run reveals it.
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

    `variables` have their bounds, and `constraints` are (id, sentence). `asked` names the variables to give values for,
    or is () for all. `kept` are the model's values of the others.
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
        """Return the variables to give values for."""
        return self.asked or tuple(name for name, _, _ in self.variables)

    def messages(self) -> tuple[Message, ...]:
        """Return the chat messages: the system prompt, and one message that begins the same in every round."""
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
        """Return the JSON schema of a reply. It does not enforce the bounds, so that values can exceed them."""
        return search_schema(self.names)


def problem_lines(
    setting: Sequence[str], variables: Sequence[Bounds], constraints: Sequence[tuple[str, str]]
) -> tuple[str, ...]:
    """Return the lines that describe a problem to a model: setting, variables with bounds, and constraints by id."""
    return (*setting_lines(setting), *variable_lines(variables), *constraint_lines(constraints))


def setting_lines(setting: Sequence[str]) -> list[str]:
    """Return the setting's sentences, each on one line."""
    return [one_line(sentence) for sentence in setting]


def variable_lines(variables: Sequence[Bounds]) -> list[str]:
    """Return one line for every run of variables with the same bounds: `x1, x2: integers from 0 to 9`."""
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
    """Return one line for every constraint: `c1: x1 + x2 <= 9`."""
    return [f"{id}: {one_line(text)}" for id, text in constraints]


def search_schema(names: Iterable[str]) -> dict[str, Any]:
    """Return the JSON schema of `{"status": "sat", "assignment": {name: integer}}` with all names, or of `CLAIM`."""
    value = {"type": "integer", "minimum": -_WIDEST, "maximum": _WIDEST}
    assignment = object_schema(dict.fromkeys(names, value))
    return {
        "anyOf": [
            object_schema({"status": {"type": "string", "enum": ["sat"]}, "assignment": assignment}),
            object_schema({"status": {"type": "string", "enum": ["unsat"]}}),
        ]
    }


def search_hint(names: Sequence[str]) -> str:
    """Return one line in the shape of an assignment, with placeholders for the values."""
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
