"""An `Inquiry` finds a call that keeps some rules and breaks others, or proves that there is none.

A `Demand` says of some rules whether the call has to keep or break them. A found call counts only if the rules,
evaluated on it, confirm it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from holdtrue.budget import OUT_OF_TIME, Budget, Deadline
from holdtrue.errors import FormulaError
from holdtrue.guard.analysis.call_shapes import Shapes
from holdtrue.guard.analysis.list_sizes import short_lists_suffice
from holdtrue.guard.analysis.rule_formulas import SPELLINGS, Demand, RuleFormulas, Shown, does
from holdtrue.guard.analysis.sample_values import SampleValues
from holdtrue.guard.policy_parts import RuleOnTool
from holdtrue.logic.formula import Formula
from holdtrue.solving.explain.mus import mus
from holdtrue.solving.result import Core, Mus, Satisfiable, Unknown

LISTS = (3, 6, 12)
"""The maximum lengths that are tried for lists without a stated maximum, until a call is found."""
TRIES = 4
"""The search stops after this many calls that satisfy the formulas but not the rules."""


@dataclass(frozen=True)
class Impossible:
    """No call satisfies the demands.

    Attributes:
        formulas: The formulas that prove it.
        assumptions: Assumptions of the proof beyond the schema.
        bounded: The largest number of items of lists in the proof, or None if it holds for lists of any length.
    """

    formulas: RuleFormulas
    demands: tuple[Demand, ...]
    assumptions: tuple[str, ...] = ()
    bounded: int | None = None


@dataclass(frozen=True, slots=True)
class NotDecided:
    """Nothing was proved, for this reason."""

    reason: str


Answer = Shown | Impossible | NotDecided


class Inquiry:
    """An `Inquiry` answers questions about rules. One question may take a third of the remaining time."""

    def __init__(
        self,
        shapes: Shapes,
        rules: Mapping[str, RuleOnTool],
        budget: Budget,
        deadline: Deadline,
        samples: SampleValues | None = None,
    ) -> None:
        self.rules = {id: shapes.rule(rule) for id, rule in rules.items()}
        self._shapes, self._budget, self._deadline, self._samples = shapes, budget, deadline, samples
        self._formulas: dict[tuple[int | None, tuple[str, ...]], RuleFormulas | NotDecided] = {}
        self._known: list[Shown] = []
        """Calls that were found so far. They may answer other questions, too."""

    @property
    def late(self) -> bool:
        return self._deadline.passed

    @property
    def limit(self) -> Budget:
        """Return the time limit of one question."""
        return self._budget.until(self._deadline, 3)

    def half_time(self) -> Deadline:
        """Return a deadline after half of the remaining time."""
        return self._budget.until(self._deadline, 2).start()

    def ask(self, *demands: Demand) -> Answer:
        """Return a call that satisfies all demands, or the proof that there is none."""
        return self._from_known(demands) or self._sought(demands, usual=False)

    def _from_known(self, demands: Sequence[Demand]) -> Shown | NotDecided | None:
        for known in self._known:
            if self.late:
                return NotDecided(OUT_OF_TIME)
            if all(does(own, self.rules, known.env) for own in demands):
                return known
        return None

    def example(self, *demands: Demand) -> Shown | None:
        """Return a call that satisfies all demands, with typical days and short lists, or None if none was found."""
        found = self._sought(demands, usual=True)
        return found if isinstance(found, Shown) else None

    def within(self, items: int, *demands: Demand, usual: bool = False) -> Answer:
        """Return a call with lists of so many items at most, or the proof that there is none with such lists."""
        if not usual and (known := self._from_known(demands)) is not None:
            return known
        formulas = self.formulas(items)
        found = formulas if isinstance(formulas, NotDecided) else self._at(formulas, demands, usual)
        if isinstance(found, Shown):
            self._known.append(found)
        return replace(found, bounded=items) if isinstance(found, Impossible) else found

    def minimal(self, found: Impossible) -> tuple[tuple[Demand, ...], bool]:
        """Return demands that are impossible together, and whether all of them are necessary for that."""
        core = mus(found.formulas.engine, found.formulas.soft(found.demands), self.limit)
        if not isinstance(core, Core | Mus):
            return found.demands, False
        return tuple(found.demands[int(own)] for own in core.ids), isinstance(core, Mus)

    def _sought(self, demands: Sequence[Demand], *, usual: bool) -> Answer:
        nodes = [node for own in demands for node in own.nodes(self.rules)]
        bounded: Impossible | None = None
        if self.late:
            return NotDecided(OUT_OF_TIME)
        for place, items in enumerate(LISTS):
            formulas = self.formulas(items, None if place == 0 else demands)
            found = formulas if isinstance(formulas, NotDecided) else self._at(formulas, demands, usual)
            if isinstance(found, Shown):
                self._known.append(found)
                return found
            if isinstance(found, NotDecided):
                return bounded or found
            if short_lists_suffice(nodes, items):
                return found
            needed, _ = self.minimal(found)
            if short_lists_suffice([node for own in needed for node in own.nodes(self.rules)], items):
                return replace(found, demands=needed)  # The other demands play no part.
            if bounded is not None:
                open_lists = self.formulas(None, demands)
                own = open_lists if isinstance(open_lists, NotDecided) else self._at(open_lists, demands, usual)
                if isinstance(own, Impossible | Shown):
                    return own
            bounded = replace(found, bounded=items)
        return bounded or NotDecided("there was nothing to look at")

    def formulas(self, items: int | None, demands: Sequence[Demand] | None = None) -> RuleFormulas | NotDecided:
        """Return the formulas of all rules, or only of those in the demands."""
        wanted = self.rules.keys() if demands is None else {id for own in demands for id in own.rules}
        ids = tuple(id for id in self.rules if id in wanted)
        if (items, ids) not in self._formulas:
            if self.late:
                return NotDecided(OUT_OF_TIME)
            rules = {id: self.rules[id] for id in ids}
            try:
                self._formulas[items, ids] = RuleFormulas(self._shapes, rules, items, self._deadline, self._samples)
            except FormulaError as error:
                self._formulas[items, ids] = NotDecided(f"no formula says this: {error}")
        return self._formulas[items, ids]

    def _at(self, formulas: RuleFormulas, demands: Sequence[Demand], usual: bool) -> Answer:
        soft: dict[str, Formula] = formulas.soft(demands)
        used, limit = formulas.used(demands), self.limit
        for attempt in range(TRIES):
            # On typical days rules and formulas agree most: local clocks of the far future are unknown.
            found = formulas.usual(soft, limit) if usual or attempt else formulas.engine.check(soft, limit)
            if isinstance(found, Unknown):
                return NotDecided(found.reason)
            if not isinstance(found, Satisfiable):
                if attempt:
                    break
                names = formulas.unknowns.assumptions
                taken = (names[own.name] for own in sorted(used, key=str) if own.name in names)
                told = (own for own in taken if not own.endswith("items at most"))
                return Impossible(formulas, tuple(demands), tuple(dict.fromkeys(told)))
            for spell in SPELLINGS:
                shown = formulas.completed(found.witness, spell)
                if formulas.does(demands, shown):
                    return shown
                if not formulas.unknowns.left_open:
                    break
            soft[f"another {attempt}"] = formulas.another(used, found.witness)
        reasons = dict.fromkeys(own.name.partition(" ")[2] for own in used if own.name[:1] == "#")
        return NotDecided(f"no formula says all of it: {'; '.join(reasons) or 'no call was found that shows it'}")
