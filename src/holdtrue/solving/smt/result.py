"""What was found out about a script; `solving.result.Unknown` is the third possibility."""

from __future__ import annotations

from dataclasses import dataclass

from holdtrue.logic.smtlib.structure import Structure
from holdtrue.solving.result import Unsatisfiable


@dataclass(frozen=True, slots=True)
class ScriptSatisfiable:
    """The assertions can hold together: in the `witness`, as far as it can be written down.

    `confirmed` where direct evaluation of the witness agrees about every assertion; else z3's word stands alone
    (quantifiers over numbers, irrational values, division by zero).
    """

    witness: Structure
    confirmed: bool


@dataclass(frozen=True, slots=True)
class ScriptCore(Unsatisfiable):
    """These assertions (indices into `Script.assertions`) cannot hold together; not known to be minimal."""

    assertions: tuple[int, ...]
