"""Declarations of predicates, such as `Sees(x, y) ::: x sees y.`"""

from __future__ import annotations

import re
from collections.abc import Iterable

from bench.programs.sections import Line
from holdtrue_claims.fol.alert import Alert

_DECLARED = re.compile(r"([^\s()]+)\s*\(([^()]*)\)")


def read_declared(lines: Iterable[Line], alerts: list[Alert]) -> dict[str, tuple[str, ...]]:
    """The arguments of each predicate as it is declared first; a line that declares none becomes an alert."""
    declared: dict[str, tuple[str, ...]] = {}
    for line in lines:
        match = _DECLARED.fullmatch(line.text)
        if match is None:
            alerts.append(Alert("unparsed", "a name and its arguments are needed", line.text))
            continue
        args = tuple(arg.strip() for arg in match[2].split(",")) if match[2].strip() else ()
        declared.setdefault(match[1], args)
    return declared
