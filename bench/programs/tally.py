"""What the stored programs of a file say, by our readers and a solver."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from bench.programs.enumerations import read_enumerations
from bench.programs.first_order import read_first_order
from bench.programs.formalization import CheckKind, Formalization
from bench.programs.ordering import read_ordering
from bench.programs.rule_engine import read_rule_engine
from holdtrue.budget import UNLIMITED, Budget
from holdtrue.solving.engine import EngineFault
from holdtrue.solving.result import Mcs, Satisfiable, Unknown
from holdtrue.solving.route import make_engine
from holdtrue_claims.claim_record import ClaimVerdict
from holdtrue_claims.kind.context import Context, InconsistentContext
from holdtrue_claims.kind.entailment import verify_claim

BUDGET = Budget(timeout_s=60.0)
READERS: dict[str, Callable[[str], Formalization]] = {
    "AR-LSAT": read_enumerations,
    "FOLIO": read_first_order,
    "LogicalDeduction": read_ordering,
    "ProofWriter": read_rule_engine,
}
"""The reader of a file whose name has the word in it."""
LETTERS = {ClaimVerdict.ENTAILED: "A", ClaimVerdict.CONTRADICTORY: "B", ClaimVerdict.POSSIBLE: "C"}


@dataclass(slots=True)
class Tally:
    """How many programs are answered, and right, also of those without an alert; and why the others are not.

    `reasons` are the kinds of the first alert of each program that is not wholly read.
    """

    programs: int = 0
    answered: int = 0
    right: int = 0
    clean: int = 0
    clean_right: int = 0
    unread: int = 0
    inconsistent: int = 0
    undecided: int = 0
    alerts: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)
    conflicts: list[str] = field(default_factory=list)

    @property
    def counts(self) -> tuple[int, ...]:
        return (
            self.programs,
            self.answered,
            self.right,
            self.clean,
            self.clean_right,
            self.unread,
            self.inconsistent,
            self.undecided,
        )


def stored(path: Path, every: int = 1) -> Iterator[tuple[str, str, Formalization]]:
    """For each program of a file the record's id, its gold option, and what was read."""
    reader = next(reader for part, reader in READERS.items() if part in path.name)
    for record in json.loads(path.read_text(encoding="utf-8"))[::every]:
        (program,) = record["raw_logic_programs"]
        yield record["id"], record["answer"], reader(program)


def answer(read: Formalization, context: Context) -> str | None:
    """The option that the program's logic chooses; None where it does not choose one."""
    verdicts = {id: verify_claim(context, claim).verdict for id, claim in read.asked.items()}
    if read.checks:
        return _checked(read, verdicts)
    if not has_options(read):
        return LETTERS.get(*verdicts.values()) if len(verdicts) == 1 else None
    entailed = [id for id, verdict in verdicts.items() if verdict is ClaimVerdict.ENTAILED]
    return entailed[0] if len(entailed) == 1 else None


def _checked(read: Formalization, verdicts: Mapping[str, ClaimVerdict]) -> str | None:
    """The only option whose check is right, if no verdict is missing."""
    if not set(verdicts.values()) <= set(LETTERS):
        return None
    right = [id for id, verdict in verdicts.items() if _RIGHT[read.checks[id].kind](verdict) != read.checks[id].negated]
    return right[0] if len(right) == 1 else None


_RIGHT: Mapping[CheckKind, Callable[[ClaimVerdict], bool]] = {
    "sat": lambda verdict: verdict is not ClaimVerdict.CONTRADICTORY,
    "valid": lambda verdict: verdict is ClaimVerdict.ENTAILED,
    "unsat": lambda verdict: verdict is ClaimVerdict.CONTRADICTORY,
}


def has_options(read: Formalization) -> bool:
    """Whether queries are options, and not statements of which each is true, false or open."""
    return bool(read.queries) and not read.queries[0].id.startswith("Q")


def readable(read: Formalization) -> bool:
    """Whether all premises were read, and all options, or a statement that is asked about."""
    needed = (*read.premises, *(read.queries if has_options(read) else ()))
    return bool(read.premises and read.asked) and all(one.formula is not None for one in needed)


def check_conflict(read: Formalization, context: Context, status: InconsistentContext) -> Mcs:
    """The correction of an inconsistent context, with each thing that it and the MUS say proved again by z3."""
    correction = context.correction()
    if not isinstance(correction, Mcs) or not status.minimal:
        raise EngineFault(f"no minimal conflict and correction within the time: {correction}")
    z3 = make_engine(read.variables, read.laws, prefer="z3")

    def require(ids: Iterable[str], possible: bool) -> None:
        found = z3.decide({id: context.premises[id] for id in ids}, UNLIMITED)
        if isinstance(found, Satisfiable) is not possible or isinstance(found, Unknown):
            raise EngineFault(f"z3 disagrees about {' '.join(ids)}: {found}")

    if not all(context.premises[id].holds(correction.witness) for id in correction.kept):
        raise EngineFault(f"the witness breaks what is kept: {' '.join(correction.kept)}")
    for id in correction.set_aside:
        require((*correction.kept, id), False)
    require(status.premises, False)
    for id in status.premises:
        require([other for other in status.premises if other != id], True)
    return correction


def tally(path: Path) -> Tally:
    """What the programs of a file come to."""
    counted = Tally()
    for id, gold, read in stored(path):
        counted.programs += 1
        counted.alerts.update(alert.kind for alert in read.alerts)
        if not readable(read):
            counted.unread += 1
            counted.reasons[read.alerts[0].kind if read.alerts else "nothing asked"] += 1
            continue
        context = read.context(BUDGET)
        if isinstance(context.status, InconsistentContext):
            correction = check_conflict(read, context, context.status)
            counted.inconsistent += 1
            clash = " ".join(context.status.premises)
            counted.conflicts.append(f"{id}: {clash} clash; without {' '.join(correction.set_aside)} the rest holds")
            continue
        found = answer(read, context)
        if found is None:
            counted.undecided += 1
            continue
        counted.answered += 1
        counted.right += found == gold
        counted.clean += not read.alerts
        counted.clean_right += not read.alerts and found == gold
    return counted
