"""Random theories over variables of any width, and the memory that a call on one of them needs."""

from __future__ import annotations

import gc
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from holdtrue.ledger.ledger import Ledger, Proposal
from holdtrue.logic.formula import (
    AllDifferent,
    Compare,
    Comparison,
    Constant,
    Count,
    Element,
    Formula,
    Ite,
    Sum,
    Term,
    Variable,
)
from holdtrue.world.domain import Attribute, Axiom, ConstraintType, Domain, Entity
from holdtrue.world.instance import Instance
from tests.logic.formulas import ends

Result = TypeVar("Result")
WIDEST = 10**12
FACTORS = (1, 1, 1, 1, -1, -1, 2, 3, -5, 17, 100, 7_919, -104_729, 15_485_863)
"""With large primes, so that equations are not solved by looking at them."""


@dataclass(frozen=True, slots=True)
class WideCase:
    """A domain with laws, a ledger, and an answer that may break both."""

    instance: Instance
    ledger: Ledger
    answer: Mapping[str, int]

    @property
    def formulas(self) -> tuple[Formula, ...]:
        return (*self.instance.background, *self.ledger.soft.values())


def draw_case(seed: int, *, widest: int = WIDEST, most_variables: int = 6) -> WideCase:
    """Return the case of a seed: two variables or more, up to three laws, one to six commitments."""
    return _Draw(random.Random(seed), widest, most_variables).case()


@dataclass
class _Draw:
    rng: random.Random
    widest: int
    most_variables: int
    at: dict[str, int] = field(default_factory=dict)
    """A hidden assignment; most formulas are drawn so that it keeps them."""

    def case(self) -> WideCase:
        rng = self.rng
        attributes = [self.attribute(f"v{number}") for number in range(rng.randint(2, self.most_variables))]
        laws, said = rng.randint(0, 3), rng.randint(1, 6)
        made: dict[str, Formula] = {}

        def law(number: int) -> Callable[..., Formula]:
            return lambda instance, entity: made[f"c{number}"]

        def axioms(instance: Instance) -> list[Axiom]:
            variables = list(instance.variables.values())
            if not made:
                self.at = {one.name: rng.choice(one.sort.values) for one in variables}
                made.update({f"{kind}{n}": self.formula(variables) for kind in "ac" for n in range(6)})
            return [Axiom(f"a{number}", f"law {number}", made[f"a{number}"]) for number in range(laws)]

        kinds = [ConstraintType(f"c{n}", (Entity(),), f"rule {n} of {{0}} holds", law(n)) for n in range(said)]
        instance = Domain("wide", attributes, kinds, axioms=axioms).instance(["A"])
        ledger = Ledger(instance)
        for number in range(said):
            proposal = Proposal(instance.constraint(f"c{number}", ["A"]))
            ledger.enter(ledger.draft(proposal, number + 1), number + 1)
        answer = {}
        for name, variable in instance.variables.items():
            if rng.random() < 0.85:
                near = rng.random() < 0.5
                answer[name] = self.at[name] if near else rng.choice(variable.sort.values)
        return WideCase(instance, ledger, answer)

    def attribute(self, name: str) -> Attribute:
        rng = self.rng
        width = round(2 ** rng.uniform(1, self.widest.bit_length() - 0.2))
        low = rng.choice([0, 0, 1, -width // 2, rng.randint(-1000, 1000)])
        if width <= 8 and rng.random() < 0.5:
            return Attribute(name, values=[f"{name} {chr(65 + place)}" for place in range(max(2, width))])
        return Attribute(name, low, low + min(width, self.widest) - 1)

    def formula(self, variables: list[Variable]) -> Formula:
        rng, kind = self.rng, self.rng.random()
        if kind < 0.62 or len(variables) < 2:
            return self.comparison(variables)
        if kind < 0.72:
            return AllDifferent(tuple(rng.sample(variables, rng.randint(2, len(variables)))))
        parts = tuple(self.comparison(variables) for _ in range(rng.randint(2, 3)))
        if kind < 0.80:
            return Count(rng.choice([">=", "==", "<="]), sum(part.holds(self.at) for part in parts), parts)
        if kind < 0.90:
            return parts[0] | parts[1]
        return parts[0].implies(parts[1]) if kind < 0.95 else ~(parts[0] & ~parts[1])

    def comparison(self, variables: list[Variable]) -> Formula:
        left = self.term(variables)
        value = Compare("==", left, Constant(0))  # a formula, to evaluate the term by
        number = _value(left, self.at)
        assert value is not None
        rng = self.rng
        op: Comparison = rng.choice(["<=", "<", ">=", ">", "==", "!="])
        if rng.random() < 0.85:  # so that the hidden assignment keeps it
            low, high = ends(left)
            slack = rng.choice([0, 1, rng.randint(0, max(1, (high - low) // 10))])
            bound = number + slack if op in ("<=", "<") else number - slack if op in (">=", ">") else number
            if op == "!=" or (op in ("<", ">") and slack == 0):
                bound += 1 if op != ">" else -1
        else:
            bound = rng.randint(*ends(left))
        return Compare(op, left, Constant(bound))

    def term(self, variables: list[Variable]) -> Term:
        rng, kind = self.rng, self.rng.random()
        chosen = rng.sample(variables, rng.randint(1, min(4, len(variables))))
        if kind < 0.25:
            return chosen[0]
        if kind < 0.45 and len(chosen) > 1:
            return abs(chosen[0] - chosen[1])
        if kind < 0.52:
            return Ite(chosen[0] <= self.at[chosen[0].name], chosen[-1], Constant(rng.randint(0, 100)))
        values = chosen[0].sort.values
        if kind < 0.60 and len(values) <= 50:
            table = tuple(rng.randint(0, 100) for _ in values)
            return Element(table, chosen[0] - values[0])
        return Sum(tuple((rng.choice(FACTORS), one) for one in chosen))


def _value(term: Term, values: Mapping[str, int]) -> int:
    """The value of a term, found by comparing it with constants: the only way that a formula is evaluated."""
    low, high = ends(term)
    while low < high:
        middle = (low + high) // 2
        if Compare("<=", term, Constant(middle)).holds(values):
            high = middle
        else:
            low = middle + 1
    return low


def measure(call: Callable[[], Result]) -> tuple[Result, float]:
    """Return the result of a call, and the MiB that it held at most above the level before."""
    clear = Path("/proc/self/clear_refs")
    clear.write_text("5")  # the high-water mark begins anew
    gc.freeze()  # otherwise each collection looks through the objects of other tests, which takes a second
    try:
        before = _status("VmRSS")
        return call(), (_status("VmHWM") - before) / 1024
    finally:
        gc.unfreeze()


def _status(key: str) -> int:
    """A figure of this process, in KiB."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(f"{key}:"):
            return int(line.split()[1])
    raise LookupError(key)
