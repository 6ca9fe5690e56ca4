"""The programs that models really wrote: what our readers and a solver make of them (`pytest -s -m slow` prints it)."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import pytest

from holdtrue.budget import UNLIMITED, Budget
from holdtrue.claim_record import ClaimVerdict
from holdtrue.kinds.claims.context import Context, InconsistentContext
from holdtrue.kinds.claims.entailment import verify_claim
from holdtrue.lab.suites.verge.programs.first_order import read_first_order
from holdtrue.lab.suites.verge.programs.formalization import Formalization
from holdtrue.lab.suites.verge.programs.ordering import read_ordering
from holdtrue.lab.suites.verge.programs.rule_engine import read_rule_engine
from holdtrue.solving.result import Mcs, Satisfiable, Unsatisfiable
from holdtrue.solving.route import make_engine
from tests.data import DATA

FOLDER = DATA / "llm_formalizations"
needs_programs = pytest.mark.skipif(not FOLDER.is_dir(), reason="the stored programs are not beside the repository")
BUDGET = Budget(timeout_s=10.0)
READERS: dict[str, Callable[[str], Formalization]] = {
    "FOLIO": read_first_order,
    "LogicalDeduction": read_ordering,
    "ProofWriter": read_rule_engine,
}
LETTERS = {ClaimVerdict.ENTAILED: "A", ClaimVerdict.CONTRADICTORY: "B", ClaimVerdict.POSSIBLE: "C"}

# Programs; answered, and right; answered without any alert, and right; not wholly read; inconsistent; no single answer.
FILES: dict[str, tuple[int, ...]] = {
    "FOLIO_dev_gpt-3.5-turbo.json": (96, 85, 50, 55, 32, 9, 1, 1),
    "FOLIO_dev_text-davinci-003.json": (96, 88, 56, 52, 32, 6, 2, 0),
    "llama3_FOLIO_dev_NousResearch-Meta-Llama-3-70B-GGUF.json": (96, 71, 52, 55, 43, 24, 1, 0),
    "llama3_FOLIO_dev_meta-llama-Meta-Llama-3-8B.json": (96, 70, 37, 36, 18, 21, 4, 1),
    "LogicalDeduction_dev_gpt-3.5-turbo.json": (150, 116, 96, 116, 96, 0, 24, 10),
    "LogicalDeduction_dev_text-davinci-003.json": (150, 113, 91, 113, 91, 0, 27, 10),
    "llama3_LogicalDeduction_dev_NousResearch-Meta-Llama-3-70B-GGUF.json": (150, 130, 110, 130, 110, 0, 11, 9),
    "llama3_LogicalDeduction_dev_meta-llama-Meta-Llama-3-8B.json": (150, 110, 87, 110, 87, 0, 29, 11),
    "ProofWriter_dev_gpt-3.5-turbo.json": (600, 482, 398, 340, 286, 96, 21, 1),
}


@dataclass(slots=True)
class Tally:
    programs: int = 0
    answered: int = 0
    right: int = 0
    clean: int = 0
    clean_right: int = 0
    unread: int = 0
    inconsistent: int = 0
    undecided: int = 0
    alerts: Counter[str] = field(default_factory=Counter)
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


def stored(name: str, every: int = 1) -> Iterator[tuple[str, str, Formalization]]:
    """For each program of a file the record's id, its gold option, and what was read."""
    reader = next(reader for part, reader in READERS.items() if part in name)
    for record in json.loads((FOLDER / name).read_text(encoding="utf-8"))[::every]:
        (program,) = record["raw_logic_programs"]
        yield record["id"], record["answer"], reader(program)


def answer(read: Formalization, context: Context) -> str | None:
    """The option that the program's logic chooses; None where it does not choose one."""
    verdicts = {id: verify_claim(context, claim).verdict for id, claim in read.asked.items()}
    if not has_options(read):
        return LETTERS.get(*verdicts.values()) if len(verdicts) == 1 else None
    entailed = [id for id, verdict in verdicts.items() if verdict is ClaimVerdict.ENTAILED]
    return entailed[0] if len(entailed) == 1 else None


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
    assert isinstance(correction, Mcs) and status.minimal
    assert all(context.premises[id].holds(correction.witness) for id in correction.kept)
    z3 = make_engine(read.variables, read.laws, prefer="z3")
    kept = {id: context.premises[id] for id in correction.kept}
    for id in correction.set_aside:
        assert isinstance(z3.decide({**kept, id: context.premises[id]}, UNLIMITED), Unsatisfiable)
    clash = {id: context.premises[id] for id in status.premises}
    assert isinstance(z3.decide(clash, UNLIMITED), Unsatisfiable)
    for id in clash:
        rest = {other: formula for other, formula in clash.items() if other != id}
        assert isinstance(z3.decide(rest, UNLIMITED), Satisfiable)
    return correction


def tally(name: str) -> Tally:
    counted = Tally()
    for id, gold, read in stored(name):
        counted.programs += 1
        counted.alerts.update(alert.kind for alert in read.alerts)
        if not readable(read):
            assert read.alerts, id
            counted.unread += 1
            continue
        context = Context(read.theory, read.variables, BUDGET, read.laws)
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


@needs_programs
@pytest.mark.slow
@pytest.mark.parametrize("name", FILES)
def test_what_stored_programs_say(name: str) -> None:
    counted = tally(name)
    print(
        f"\n{name}: {counted.programs} programs, "
        f"{counted.answered} answered ({counted.answered / counted.programs:.1%}), "
        f"{counted.right} right ({counted.right / counted.answered:.1%}); without any alert {counted.clean}, "
        f"{counted.clean_right} right; not wholly read {counted.unread}, inconsistent {counted.inconsistent}, "
        f"no single answer {counted.undecided}\n  alerts: {dict(counted.alerts.most_common())}"
    )
    print("\n".join(f"  {conflict}" for conflict in counted.conflicts))
    assert counted.counts == FILES[name]


@needs_programs
def test_programs_are_read_without_a_crash() -> None:
    files = [path.name for path in sorted(FOLDER.glob("*.json")) if "CoT" not in path.name]
    assert set(files) == set(FILES)
    for name in files:
        for id, _, read in stored(name, every=10):
            assert not read.unread or read.alerts, id


@needs_programs
def test_readers_take_each_others_programs_without_a_crash() -> None:
    for name in FILES:
        programs = [record["raw_logic_programs"][0] for record in json.loads((FOLDER / name).read_text("utf-8"))[::50]]
        for reader in (reader for part, reader in READERS.items() if part not in name):
            assert all(reader(program).alerts for program in programs)
