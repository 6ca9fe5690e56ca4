"""An `Inquiry` finds a call that keeps some rules and breaks others, or proves that there is none.

A `Demand` says of some rules whether the call has to keep or break them. A found call counts only if the rules,
evaluated on it, confirm it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from holdtrue.budget import OUT_OF_TIME, Budget, Deadline
from holdtrue.errors import FormulaError
from holdtrue.guard.analysis.analysis_results import OpenCode
from holdtrue.guard.analysis.call_shapes import Shapes
from holdtrue.guard.analysis.list_sizes import short_lists_suffice
from holdtrue.guard.analysis.rule_formulas import MOST_TRIED, SPELLINGS, Demand, RuleFormulas, Shown, does
from holdtrue.guard.analysis.sample_values import SampleValues
from holdtrue.guard.policy_parts import RuleOnTool
from holdtrue.logic.formula import Formula
from holdtrue.solving.explain.mus import mus
from holdtrue.solving.result import Core, Mus, Satisfiable, Unknown

LISTS = (3, 6, 12)
"""The maximum lengths that are tried for lists without a stated maximum, until a call is found."""
SIZE = "#size"
"""The end of the names of variables that are the lengths of lists."""
TRIES = 4
"""The search stops after this many calls that satisfy the formulas but not the rules."""


@dataclass(frozen=True)
class Impossible:
    """No call satisfies the demands.

    Attributes:
        formulas: The formulas that prove it.
        assumptions: Assumptions of the proof beyond the schema.
        bounded: The largest number of items of lists in the proof, or None if it holds for lists of any length.
        lists: The lists without a stated bound in the proof.
    """

    formulas: RuleFormulas
    demands: tuple[Demand, ...]
    assumptions: tuple[str, ...] = ()
    bounded: int | None = None
    lists: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class NotDecided:
    """Nothing was proved. `code` and `by` say why, as in `Undecided`, and `reason` is the text beside them."""

    code: OpenCode
    reason: str
    by: tuple[str, ...] = ()


LATE = NotDecided("time", OUT_OF_TIME)
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
        self._start: Mapping[str, int] = {}
        self._answers: dict[tuple[Demand, ...], Answer] = {}

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
        found = self._kept(demands) or self._answers.get(demands)
        if found is None:
            found = self._answers[demands] = self._sought(demands, usual=False)
        return found

    def glimpse(self, *demands: Demand) -> Shown | None:
        """Return a call with the shortest lists that satisfies all demands, or None if none was found at once."""
        found = self._kept(demands) or self._within(LISTS[0], demands, usual=False, tries=1)
        return found if isinstance(found, Shown) else None

    def _kept(self, demands: Sequence[Demand]) -> Shown | None:
        """Return a call of an earlier question that satisfies all demands."""
        known = (own for own in self._known if not self.late and all(does(one, self.rules, own.env) for one in demands))
        return next(known, None)

    def example(self, *demands: Demand) -> Shown | None:
        """Return a call that satisfies all demands, with typical days and short lists, or None if none was found."""
        found = self._sought(demands, usual=True)
        return found if isinstance(found, Shown) else None

    def within(self, items: int, *demands: Demand, usual: bool = False) -> Answer:
        """Return a call with lists of so many items at most, or the proof that there is none with such lists."""
        known = None if usual else self._kept(demands)
        found = known or self._within(items, demands, usual, of_all=True)
        return replace(found, bounded=items) if isinstance(found, Impossible) else found

    def minimal(self, found: Impossible) -> tuple[tuple[Demand, ...], bool]:
        """Return demands that are impossible together, and whether all of them are necessary for that."""
        core = mus(found.formulas.engine, found.formulas.soft(found.demands), self.limit)
        if not isinstance(core, Core | Mus):
            return found.demands, False
        return tuple(found.demands[int(own)] for own in core.ids), isinstance(core, Mus)

    def _sought(self, demands: Sequence[Demand], *, usual: bool) -> Answer:
        bounded: Impossible | None = None
        for items in LISTS:
            found = self._within(items, demands, usual)
            if not isinstance(found, Impossible):
                return found if isinstance(found, Shown) else bounded or found
            if self._suffices(items, demands):
                return found
            found = replace(found, demands=self.minimal(found)[0])  # The other demands play no part.
            if self._suffices(items, found.demands):
                return found
            # Few demands are quick to ask about, and longer lists show nothing where these already exclude it.
            longest = self._within(LISTS[-1], found.demands, usual) if bounded is None else bounded
            if isinstance(longest, Impossible) and self._suffices(LISTS[-1], longest.demands):
                return replace(longest, bounded=None)
            if isinstance(longest, Impossible):
                own = self._within(None, demands, usual)
                if isinstance(own, Impossible | Shown):
                    return own
                if bounded is None:
                    return replace(longest, bounded=LISTS[-1])
            bounded = replace(found, bounded=items)
        return bounded or LATE

    def _suffices(self, items: int, demands: Sequence[Demand]) -> bool:
        """Return whether what no lists of up to `items` items show for these demands, no longer ones show either."""
        return short_lists_suffice([node for own in demands for node in own.nodes(self.rules)], items)

    def _within(
        self, items: int | None, demands: Sequence[Demand], usual: bool, tries: int = TRIES, *, of_all: bool = False
    ) -> Answer:
        """Return the answer for lists with at most `items` items. A call that is found is kept for later questions.

        If `of_all` is true, the formulas are those of all rules, which other questions use, too.
        """
        if self.late:
            return LATE
        formulas = self.formulas(items, None if of_all or items == LISTS[0] else demands)
        found = formulas if isinstance(formulas, NotDecided) else self._at(formulas, demands, usual, tries)
        if isinstance(found, Shown):
            self._known.append(found)
        return found

    def formulas(self, items: int | None, demands: Sequence[Demand] | None = None) -> RuleFormulas | NotDecided:
        """Return the formulas of all rules, or only of those in the demands."""
        wanted = self.rules.keys() if demands is None else {id for own in demands for id in own.rules}
        ids = tuple(id for id in self.rules if id in wanted)
        if (items, ids) not in self._formulas:
            if self.late:
                return LATE
            rules = {id: self.rules[id] for id in ids}
            try:
                made = RuleFormulas(self._shapes, rules, items, self._deadline, self._samples)
                made.start = self._start
                self._formulas[items, ids] = made
            except FormulaError as error:
                reason = f"no formula says this: {error}"
                self._formulas[items, ids] = LATE if self._deadline.passed else NotDecided("formula", reason, ids)
        return self._formulas[items, ids]

    def _at(self, formulas: RuleFormulas, demands: Sequence[Demand], usual: bool, tries: int) -> Answer:
        soft: dict[str, Formula] = formulas.soft(demands)
        used, limit = formulas.used(demands), self.limit
        deadline, failed = limit.start(), tuple[str, ...]()
        for attempt in range(tries):
            # On typical days rules and formulas agree most: local clocks of the far future are unknown.
            if usual or attempt:
                found = formulas.usual(soft, limit, MOST_TRIED if usual else 0)
            else:
                found = formulas.near(soft, limit)
            if isinstance(found, Unknown):
                return NotDecided("time" if deadline.passed else "solver", found.reason)
            if not isinstance(found, Satisfiable):
                if attempt:
                    break
                names = formulas.unknowns.assumptions
                taken = [own.name for own in sorted(used, key=str) if own.name in names]
                lists = (re.sub(r"\[\d+\]", "[]", own[: -len(SIZE)]) for own in taken if own.endswith(SIZE))
                told = (names[own] for own in taken if not own.endswith(SIZE))
                every = (tuple(dict.fromkeys(own)) for own in (told, lists))
                return Impossible(formulas, tuple(demands), next(every), lists=next(every))
            for spell in SPELLINGS:
                shown = formulas.completed(found.witness, spell)
                if formulas.does(demands, shown):
                    formulas.start = self._start = formulas.start or found.witness
                    return shown
                failed = failed or tuple(own for one in demands if not formulas.does([one], shown) for own in one.rules)
                if not formulas.unknowns.left_open:
                    break
            soft[f"another {attempt}"] = formulas.another(used, found.witness)
        reasons = dict.fromkeys(own.name.partition(" ")[2] for own in used if own.name[:1] == "#")
        text = f"no formula says all of it: {'; '.join(reasons) or 'no call was found that shows it'}"
        return NotDecided("formula" if reasons else "no call", text, tuple(dict.fromkeys(failed)))
