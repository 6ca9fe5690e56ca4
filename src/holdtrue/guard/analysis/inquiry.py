"""An `Inquiry` asks for a call that keeps these rules and breaks those: it shows one, or proves that there is none.

A call is shown only if the rules themselves, evaluated on it, do what was asked for.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from holdtrue.budget import OUT_OF_TIME, Budget, Deadline
from holdtrue.errors import FormulaError
from holdtrue.guard.analysis.level import SPELLINGS, Demand, Level, Shown, does
from holdtrue.guard.analysis.list_sizes import short_lists_suffice
from holdtrue.guard.analysis.unseen import Shapes
from holdtrue.guard.policy_parts import RuleOnTool
from holdtrue.logic.formula import Formula
from holdtrue.solving.explain.mus import mus
from holdtrue.solving.result import Core, Mus, Satisfiable, Unknown

LISTS = (3, 6, 12)
"""How many items a list without a stated bound has at most: first, and where no such call is found with that."""
TRIES = 4
"""So many calls are tried of which formulas say that they may do, and rules that they do not."""


@dataclass(frozen=True)
class Impossible:
    """No call does what was asked.

    Attributes:
        level: The formulas that prove it.
        assumptions: What no schema states and the proof takes to be so.
        bounded: How many items lists have at most in the proof, or None if it holds for lists of any length.
    """

    level: Level
    demands: tuple[Demand, ...]
    assumptions: tuple[str, ...] = ()
    bounded: int | None = None


@dataclass(frozen=True, slots=True)
class NotDecided:
    """Nothing was proved, for this reason."""

    reason: str


Answer = Shown | Impossible | NotDecided


class Inquiry:
    """Asks about rules in what their calls can depend on; a question may take a third of the time that is left."""

    def __init__(
        self, shapes: Shapes, rules: Mapping[str, RuleOnTool], budget: Budget, deadline: Deadline, lists: int = 0
    ) -> None:
        self.rules = {id: shapes.rule(rule) for id, rule in rules.items()}
        self.lists = lists
        """The place in `LISTS` of how many items a list has at first."""
        self._shapes, self._budget, self._deadline = shapes, budget, deadline
        self._levels: dict[tuple[int | None, tuple[str, ...]], Level | NotDecided] = {}
        self._known: list[Shown] = []
        """Calls that were shown, which may answer other questions, too."""

    @property
    def late(self) -> bool:
        """Return whether the time of all questions has run out."""
        return self._deadline.passed

    @property
    def limit(self) -> Budget:
        """Return what a question may take."""
        return self._budget.until(self._deadline, 3)

    def half_time(self) -> Deadline:
        """Return the moment at which half of the time that is left has passed."""
        return self._budget.until(self._deadline, 2).start()

    def ask(self, *demands: Demand) -> Answer:
        """Return a call that does all that is demanded, or that there is none."""
        for known in self._known:
            if self.late:
                return NotDecided(OUT_OF_TIME)
            if all(does(own, self.rules, known.env) for own in demands):
                return known
        return self._sought(demands, usual=False)

    def example(self, *demands: Demand) -> Shown | None:
        """Return a call that does all that is demanded, with usual days and short lists, or None if none was found."""
        found = self._sought(demands, usual=True)
        return found if isinstance(found, Shown) else None

    def minimal(self, found: Impossible) -> tuple[tuple[Demand, ...], bool]:
        """Return demands that are impossible together, and whether all of them are needed for that."""
        core = mus(found.level.engine, found.level.soft(found.demands), self.limit)
        if not isinstance(core, Core | Mus):
            return found.demands, False
        return tuple(found.demands[int(own)] for own in core.ids), isinstance(core, Mus)

    def _sought(self, demands: Sequence[Demand], *, usual: bool) -> Answer:
        nodes = [node for own in demands for node in own.nodes(self.rules)]
        bounded: Impossible | None = None
        if self.late:
            return NotDecided(OUT_OF_TIME)
        for place, items in enumerate(LISTS[self.lists :]):
            level = self.level(items, None if place == 0 else demands)
            found = level if isinstance(level, NotDecided) else self._at(level, demands, usual)
            if isinstance(found, Shown):
                self._known.append(found)
                return found
            if isinstance(found, NotDecided):
                return bounded or found
            if short_lists_suffice(nodes, items):
                return found
            needed, _ = self.minimal(found)
            if short_lists_suffice([node for own in needed for node in own.nodes(self.rules)], items):
                return replace(found, demands=needed)  # What else was asked for has no part in it.
            if bounded is not None:
                open_lists = self.level(None, demands)
                own = open_lists if isinstance(open_lists, NotDecided) else self._at(open_lists, demands, usual)
                if isinstance(own, Impossible | Shown):
                    return own
            bounded = replace(found, bounded=items)
        return bounded or NotDecided("there was nothing to look at")

    def level(self, items: int | None, demands: Sequence[Demand] | None = None) -> Level | NotDecided:
        """Return the formulas of all rules, or of those that demands are about."""
        wanted = self.rules.keys() if demands is None else {id for own in demands for id in own.rules}
        ids = tuple(id for id in self.rules if id in wanted)
        if (items, ids) not in self._levels:
            if self.late:
                return NotDecided(OUT_OF_TIME)
            rules = {id: self.rules[id] for id in ids}
            try:
                self._levels[items, ids] = Level(self._shapes, rules, items, self._deadline)
            except FormulaError as error:
                self._levels[items, ids] = NotDecided(f"no formula says this: {error}")
        return self._levels[items, ids]

    def _at(self, level: Level, demands: Sequence[Demand], usual: bool) -> Answer:
        soft: dict[str, Formula] = level.soft(demands)
        used, limit = level.used(demands), self.limit
        for attempt in range(TRIES):
            # Rules do on usual days what formulas say, if on any: nobody knows what clocks of places show in 2100.
            found = level.usual(soft, limit) if usual or attempt else level.engine.check(soft, limit)
            if isinstance(found, Unknown):
                return NotDecided(found.reason)
            if not isinstance(found, Satisfiable):
                if attempt:
                    break
                names = level.unknowns.assumptions
                taken = (names[own.name] for own in sorted(used, key=str) if own.name in names)
                told = (own for own in taken if not own.endswith("items at most"))
                return Impossible(level, tuple(demands), tuple(dict.fromkeys(told)))
            for spell in SPELLINGS:
                shown = level.completed(found.witness, spell)
                if level.does(demands, shown):
                    return shown
                if not level.unknowns.left_open:
                    break
            soft[f"another {attempt}"] = level.another(used, found.witness)
        reasons = dict.fromkeys(own.name.partition(" ")[2] for own in used if own.name[:1] == "#")
        return NotDecided(f"no formula says all of it: {'; '.join(reasons) or 'no call was found that shows it'}")
