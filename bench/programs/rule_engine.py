"""Programs for a rule engine.

    Predicates:    Red($x, bool) ::: Is x red?
    Facts:         Red(Anne, True) ::: Anne is red.
    Rules:         Red($x, True) && Kind($x, True) >>> Big($x, True) ::: Red, kind things are big.
    Query:         Big(Anne, False) ::: Anne is not big.

The engine that they were written for only chains rules forwards; here they are sentences of classical logic.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from bench.programs.declared import read_declared
from bench.programs.formalization import Formalization
from bench.programs.grounding import Stated, grounded
from bench.programs.literals import NoRule, read_rule
from bench.programs.sections import Line, split_sections
from holdtrue_claims.fol.alert import Alert
from holdtrue_claims.fol.syntax import Bound, Constant, Implies, Sentence, walk

_TITLES = {"predicates": "predicates", "facts": "premises", "fact": "premises", "rules": "premises", "query": "queries"}
_TRUTHS = ("bool", "true", "false")
_VARIABLE_LIKE = re.compile(r"[u-z]|something|someone|anything|anyone", re.IGNORECASE)


def read_rule_engine(program: str) -> Formalization:
    """The program as formulas; raises nothing, and alerts tell what was not read. Queries are Q1, Q2..."""
    sections = split_sections(program, _TITLES, ("premises", "queries"))
    alerts = list(sections.alerts)
    declared = read_declared(sections.lines.get("predicates", ()), alerts)
    # The truth value at the end is no argument of the predicate.
    arities = {name: len(args) - (args[-1:] != () and args[-1].lower() in _TRUTHS) for name, args in declared.items()}
    premises = _stated("P", sections.lines.get("premises", ()), alerts)
    queries = _stated("Q", sections.lines.get("queries", ()), alerts)
    return grounded(premises, queries, arities, alerts)


def _stated(letter: str, lines: Sequence[Line], alerts: list[Alert]) -> list[Stated]:
    stated = []
    for number, line in enumerate(lines, start=1):
        sentence: Sentence | None = None
        try:
            sentence = read_rule(line.text)
        except NoRule as error:
            alerts.append(Alert("unparsed", str(error), line.text, error.position))
        else:
            alerts += _loose(sentence, line)
        stated.append(Stated(f"{letter}{number}", line, sentence))
    return stated


def _loose(sentence: Sentence, line: Line) -> list[Alert]:
    """Variables in what is no rule, which say something of all things, and names that look like variables."""
    terms = list(walk(sentence))
    variables = {term.name for term in terms if isinstance(term, Bound)}
    alerts = []
    if variables and not isinstance(sentence, Implies):
        alerts.append(Alert("free_variable", f"${min(variables)} stands for all things, with no condition", line.text))
    names = {term.name for term in terms if isinstance(term, Constant) and _VARIABLE_LIKE.fullmatch(term.name)}
    alerts += [Alert("free_variable", f"{name} has no $ and is read as a name", line.text) for name in sorted(names)]
    return alerts
