"""Programs of first-order sentences.

Predicates:    Student(x) ::: x is a student.
Premises:      ∀x (Student(x) → Reads(x)) ::: All students read.
Conclusion:    Reads(ann) ::: Ann reads.
"""

from __future__ import annotations

from collections.abc import Sequence

from bench.programs.declared import read_declared
from bench.programs.formalization import Formalization
from bench.programs.grounding import Stated, grounded
from bench.programs.sections import Line, split_sections
from holdtrue_claims.fol.alert import Alert
from holdtrue_claims.fol.notation import read_fol

_TITLES = {"predicates": "predicates", "premises": "premises", "conclusion": "queries", "conclusions": "queries"}


def read_first_order(program: str) -> Formalization:
    """The program as formulas; raises nothing, and alerts tell what was not read. Queries are Q1, Q2..."""
    sections = split_sections(program, _TITLES, ("premises", "queries"))
    alerts = list(sections.alerts)
    declared = read_declared(sections.lines.get("predicates", ()), alerts)
    arities = {name: len(args) for name, args in declared.items()}
    premises = _stated("P", sections.lines.get("premises", ()), alerts)
    queries = _stated("Q", sections.lines.get("queries", ()), alerts)
    return grounded(premises, queries, arities, alerts)


def _stated(letter: str, lines: Sequence[Line], alerts: list[Alert]) -> list[Stated]:
    stated = []
    for number, line in enumerate(lines, start=1):
        read = read_fol(line.text)
        alerts += read.alerts
        stated.append(Stated(f"{letter}{number}", line, read.sentence))
    return stated
