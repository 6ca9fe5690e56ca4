"""Programs over enumerations, with an option for each answer and what makes it right.

# Declarations
boys = EnumSort([Fred, Juan])
lockers = EnumSort([1, 2, 3])
assigned = Function([boys] -> [lockers])
# Constraints
ForAll([b:boys], assigned(b) != 2) ::: no boy has locker 2
# Options
Question ::: Which one of the following could be true?
is_sat(assigned(Fred) == 1) ::: (A)
is_exception(is_sat(assigned(Juan) == 2)) ::: (B)

Sorts are closed, so that all of it is a formula over listed values, and unmentioned names are no things.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from bench.programs.arithmetic import Fault
from bench.programs.call_grammar import Call, read_call
from bench.programs.enumeration_meaning import Declared, Meaning, Members
from bench.programs.formalization import Check, CheckKind, Formalization, Statement
from bench.programs.sections import Line, split_sections
from bench.programs.stated_ranges import stated_range
from holdtrue.logic.formula import Formula
from holdtrue_claims.fol.alert import Alert

_TITLES = {"declarations": "declarations", "constraints": "constraints", "options": "queries"}
_SORT = re.compile(r"(\w+)\s*=\s*EnumSort\(\s*\[(.*)\]\s*\)")
_FUNCTION = re.compile(r"(\w+)\s*=\s*Function\(\s*\[(.*)\]\s*->\s*\[(.*)\]\s*\)")
_LETTER = re.compile(r"\(?([A-E])\)?(?:\W.*)?")
_CHECKS: dict[str, CheckKind] = {"is_sat": "sat", "is_valid": "valid", "is_unsat": "unsat"}
MOST_MEMBERS = 100
"""Members of all sorts; real programs have a dozen."""


def read_enumerations(program: str) -> Formalization:
    """The program as formulas; raises nothing, and alerts tell what was not read. Queries are the options' letters."""
    sections = split_sections(program, _TITLES, ("declarations", "constraints", "queries"))
    reading = _Reading(list(sections.alerts))
    lines = [*sections.lines.get("declarations", ()), *sections.lines.get("constraints", ())]
    premises = reading.premises(reading.declared(lines))
    queries = reading.queries([line for line in sections.lines.get("queries", ()) if line.text != "Question"])
    meaning = reading.meaning
    return Formalization(
        tuple(meaning.variables.values()),
        tuple(meaning.laws),
        tuple(premises),
        tuple(queries),
        tuple(reading.alerts),
        reading.checks,
    )


class _Reading:
    """Reads one program, line by line."""

    def __init__(self, alerts: list[Alert]) -> None:
        self.alerts = alerts
        self.checks: dict[str, Check] = {}
        self.meaning = Meaning({}, {})

    def declared(self, lines: Sequence[Line]) -> list[Line]:
        """Take in the declarations, and return all other lines."""
        sorts: dict[str, Members] = {}
        names: dict[str, int] = {}
        others: list[Line] = []
        functions: list[tuple[Line, re.Match[str]]] = []
        for line in lines:
            if match := _SORT.fullmatch(line.text):
                self._sort(line, match, sorts, names)
            elif match := _FUNCTION.fullmatch(line.text):
                functions.append((line, match))
            else:
                others.append(line)
        self.meaning = Meaning(sorts, names)
        for line, match in functions:
            try:
                self._function(match)
            except Fault as fault:
                self._alert(fault, line)
        return others

    def _sort(self, line: Line, match: re.Match[str], sorts: dict[str, Members], names: dict[str, int]) -> None:
        members = [member.strip().strip("\"'") for member in match[2].split(",")]
        numbers = [member.isdecimal() and len(member) < 7 for member in members]
        if match[1] in sorts:
            self.alerts.append(Alert("name_clash", f"{match[1]} is declared twice; the first counts", line.text))
        elif "" in members or len(set(members)) < len(members) or any(numbers) != all(numbers):
            self.alerts.append(Alert("unparsed", "different names or numbers are needed, one by one", line.text))
        elif len(names) + len(members) > MOST_MEMBERS:
            self.alerts.append(Alert("unsupported", f"more than {MOST_MEMBERS} members of sorts", line.text))
        elif all(numbers):
            sorts[match[1]] = Members(tuple(map(int, members)), named=False)
        else:
            sorts[match[1]] = Members(tuple(names.setdefault(name, len(names)) for name in members), named=True)

    def _function(self, match: re.Match[str]) -> None:
        name, listed, result = match[1], [part.strip() for part in match[2].split(",")], match[3].strip()
        if name in self.meaning.functions:
            raise Fault("name_clash", f"{name} is declared twice; the first counts", 0)
        arguments = tuple(None if part == "int" else self._united(part) for part in listed)
        if result == "int":
            # Its range is looked for once all constraints are read.
            self.meaning.unranged.add(name)
        values = None if result == "bool" else Members((0,), named=False) if result == "int" else self._united(result)
        self.meaning.functions[name] = Declared(name, arguments, values)

    def _united(self, text: str) -> Members:
        """The members of a sort, or of several with + between them. Raises `Fault`."""
        parts = [part.strip() for part in text.split("+")]
        for part in parts:
            if part not in self.meaning.sorts:
                raise Fault("undeclared", f"{part or 'nothing'} is no declared sort", 0)
        found = [self.meaning.sorts[part] for part in parts]
        if len({members.named for members in found}) > 1:
            raise Fault("sort_clash", f"{text} are names and numbers", 0)
        return Members(tuple(dict.fromkeys(value for one in found for value in one.values)), found[0].named)

    def premises(self, lines: Sequence[Line]) -> list[Statement]:
        calls: list[Call | None] = []
        for line in lines:
            try:
                calls.append(read_call(line.text, self.meaning.names))
            except Fault as fault:
                self._alert(fault, line)
                calls.append(None)
        for name in sorted(self.meaning.unranged):
            function = self.meaning.functions[name]
            found = stated_range(function, [call for call in calls if call is not None], self.meaning.sorts)
            if found is not None:
                self.meaning.functions[name] = Declared(name, function.arguments, Members(found, named=False))
                self.meaning.unranged.discard(name)
        return [
            Statement(f"P{number}", line.text, line.words, None if call is None else self._formula(call, line))
            for number, (line, call) in enumerate(zip(lines, calls, strict=True), start=1)
        ]

    def queries(self, lines: Sequence[Line]) -> list[Statement]:
        found: dict[str, Statement] = {}
        for line in lines:
            letter = _LETTER.fullmatch(line.words)
            if letter is None or letter[1] in found:
                message = "an option needs a letter of its own behind :::"
                self.alerts.append(Alert("unparsed", message, line.text))
                id = f"Q{len(found) + 1}"
            else:
                id = letter[1]
            try:
                check, call = _check(read_call(line.text, self.meaning.names))
                formula = self._formula(call, line)
            except Fault as fault:
                self._alert(fault, line)
                check, formula = Check("sat"), None
            self.checks[id] = check
            found[id] = Statement(id, line.text, line.words, formula)
        return [*found.values()]

    def _formula(self, call: Call, line: Line) -> Formula | None:
        try:
            return self.meaning.formula(call)
        except Fault as fault:
            self._alert(fault, line)
            return None

    def _alert(self, fault: Fault, line: Line) -> None:
        self.alerts.append(Alert(fault.kind, str(fault), line.text, fault.position))


def _check(call: Call) -> tuple[Check, Call]:
    """What makes an option right, and of which formula. Raises `Fault`."""
    negated = False
    while call.name == "is_exception" and len(call.parts) == 1:
        negated, call = not negated, call.parts[0]
    if call.name not in _CHECKS or len(call.parts) != 1:
        raise Fault("unsupported", f"{call.name} is none of {', '.join(_CHECKS)} of one formula", call.at)
    return Check(_CHECKS[call.name], negated), call.parts[0]
