"""Files of TPTP: formulas with a name and a role, such as `fof(rule, axiom, ![X]: (dog(X) => barks(X))).`"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from bench.programs.linc import decide
from holdtrue.errors import FormulaError
from holdtrue_claims.fol.alert import Alert
from holdtrue_claims.fol.lexer import Fault
from holdtrue_claims.fol.notation import Read
from holdtrue_claims.fol.syntax import closed
from holdtrue_lab.kinds.claims.notations.tptp_notation import ROLES, TPTP, annotated, read_tptp

LONGEST_PROBLEM = 1_000_000
"""Characters of one file; longer ones are not read."""

_PREMISES = ROLES - {"conjecture", "negated_conjecture", "plain"}
_PIECE = re.compile(
    f"(?P<skipped>{TPTP.skipped})|(?P<quoted>{TPTP.quoted})|(?P<open>[(\\[])|(?P<close>[)\\]])"
    r"|(?P<number>[0-9]++\.[0-9]++)|(?P<stop>\.)|(?P<other>.)",
    re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class NamedFormula:
    """A `NamedFormula` is one formula of a file, and `at` is the offset of its text in the file."""

    name: str
    role: str
    text: str
    read: Read
    at: int


@dataclass(frozen=True, slots=True)
class Problem:
    """A `Problem` has the formulas of a file in order, and alerts about what of it is none; the file is their text."""

    formulas: tuple[NamedFormula, ...]
    alerts: tuple[Alert, ...] = ()

    @property
    def premises(self) -> tuple[NamedFormula, ...]:
        """The formulas that the file takes for true."""
        return tuple(formula for formula in self.formulas if formula.role in _PREMISES)

    @property
    def conjectures(self) -> tuple[NamedFormula, ...]:
        """The formulas of which the file asks whether they follow."""
        return tuple(formula for formula in self.formulas if formula.role == "conjecture")


def read_tptp_problem(text: str) -> Problem:
    """Read the formulas of a file. Never raises.

    Every statement that is no `fof` or `cnf` formula, such as an `include`, has an alert with its place. So has a role
    that is neither a premise nor a conjecture: a formula with it is kept, and counts as neither.
    """
    if len(text) > LONGEST_PROBLEM:
        message = f"longer than {LONGEST_PROBLEM} characters"
        return Problem((), (Alert("unsupported", message, text, LONGEST_PROBLEM),))
    formulas: list[NamedFormula] = []
    alerts: list[Alert] = []
    for start, end, ended in _statements(text):
        try:
            if not ended:
                raise Fault(start, "the full stop behind a statement is missing")
            found = _formula(text[start:end], start)
        except Fault as fault:
            alerts.append(Alert(fault.kind, fault.message, text, fault.at))
            continue
        formulas.append(found)
        if found.role not in {*_PREMISES, "conjecture"}:
            message = f"{found.name} has the role {found.role!r:.60}, which is neither a premise nor a conjecture"
            alerts.append(Alert("unsupported", message, text, start))
    return Problem(tuple(formulas), tuple(alerts))


def _statements(text: str) -> Iterator[tuple[int, int, bool]]:
    """The start and end of each statement, and whether a full stop ends it."""
    start, end, depth = -1, 0, 0
    for match in _PIECE.finditer(text):
        kind = match.lastgroup
        if kind == "skipped":
            continue
        if kind == "stop" and depth <= 0:
            yield (match.start() if start < 0 else start), match.start(), True
            start, depth = -1, 0
            continue
        if start < 0:
            start = match.start()
        depth += (kind == "open") - (kind == "close")
        end = match.end()
    if start >= 0:
        yield start, end, False


def _formula(statement: str, at: int) -> NamedFormula:
    """The formula of a statement; raises `Fault` where it is none."""
    try:
        found = annotated(statement)
    except Fault as fault:
        raise Fault(at + fault.at, fault.message, fault.kind) from None
    if found is None:
        raise Fault(at, "a statement such as fof(name, axiom, formula) is needed")
    text = statement[found.start : found.end].rstrip()
    return NamedFormula(found.name, found.role, text, read_tptp(statement), at + found.start)


def show_problem(name: str, problem: Problem) -> None:
    """Print the verdict on each conjecture of a file, and what of the file was not read."""
    alerts = [*problem.alerts, *(alert for one in problem.formulas for alert in one.read.alerts)]
    premises = [closed(one.read.sentence) for one in problem.premises if one.read.sentence is not None]
    print(f"\n{name}: {len(premises)} premises, {len(problem.conjectures)} conjectures, {len(alerts)} alerts")
    for alert in alerts:
        print(f"  {alert.kind} at {alert.position}: {alert.message}")
    for one in problem.conjectures:
        print(f"  {one.name}: {_verdict(problem, one)}")


def _verdict(problem: Problem, conjecture: NamedFormula) -> str:
    unread = [one.name for one in (*problem.premises, conjecture) if one.read.sentence is None]
    if unread or conjecture.read.sentence is None or any(alert.kind == "unsupported" for alert in problem.alerts):
        return "no verdict, as not all of the file was read"
    premises = [closed(one.read.sentence) for one in problem.premises if one.read.sentence is not None]
    try:
        return str(decide(premises, closed(conjecture.read.sentence)))
    except FormulaError as error:
        return f"no verdict: {error}"
