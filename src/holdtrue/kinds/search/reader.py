"""Read a candidate: values for all variables, or the claim that there is no solution.

Answers in a conversation are read leniently (`world.reader`). A candidate is read strictly: nothing is mended, guessed
or converted, and the reason for a rejection names the place.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from holdtrue.world.answer import Assignment, Unparsed
from holdtrue.world.lenient_json import JsonObject, exact, strip_thinking

# The most characters of a name in a reason, which goes to models and records.
_LONGEST_SHOWN = 40


@dataclass(frozen=True, slots=True)
class Infeasible:
    """The claim that no values within the bounds satisfy all constraints."""


Candidate = Assignment | Infeasible | Unparsed


def read_candidate(names: Sequence[str], text: str) -> Candidate:
    """Return the candidate in a model's text. This takes linear time and never raises.

    Without the model's thinking, the text from its first to its last bracket must be one strict JSON object. It is
    `{"status": "sat", "assignment": {name: integer}}` with no other names than `names`, or `{"status": "unsat"}`. An
    assignment may lack names; it then has missing values.
    """
    found = exact(strip_thinking(text))
    if not isinstance(found, JsonObject):
        return Unparsed("there is no strict JSON object that is all from the first bracket to the last")
    members = found.members
    for place, (key, _) in enumerate(members):
        if key not in ("status", "assignment"):
            return Unparsed(f"there is {_shown(key)} beside the status")
        if any(key == earlier for earlier, _ in members[:place]):
            return Unparsed(f"{_shown(key)} is given twice")
    return _read(names, found)


def _read(names: Sequence[str], candidate: JsonObject) -> Candidate:
    match candidate.get("status"):
        case "unsat":
            return Unparsed("the status is unsat, with an assignment") if "assignment" in candidate else Infeasible()
        case "sat":
            assignment = candidate.get("assignment")
            if not isinstance(assignment, JsonObject):
                return Unparsed("the status is sat, without an object of values as the assignment")
            return _assignment(names, assignment)
    return Unparsed('the status is neither "sat" nor "unsat"')


def _assignment(names: Sequence[str], given: JsonObject) -> Assignment | Unparsed:
    known = frozenset(names)
    values: dict[str, int] = {}
    for name, value in given.members:
        if name not in known:
            return Unparsed(f"there is no variable {_shown(name)} to give a value to")
        if name in values:
            return Unparsed(f"{_shown(name)} is given twice")
        if isinstance(value, bool) or not isinstance(value, int):
            return Unparsed(f"the value of {_shown(name)} is no integer")
        values[name] = value
    return Assignment({name: values[name] for name in names if name in values})


def _shown(name: str) -> str:
    return repr(name if len(name) <= _LONGEST_SHOWN else name[: _LONGEST_SHOWN - 3] + "...")
