"""First-order programs in NLTK's notation, with the verdict that Prover9 gave each; and what ours is beside it.

Theo X. Olausson et al., "LINC: A Neurosymbolic Approach for Logical Reasoning by Combining Language Models with
First-Order Logic Provers", EMNLP 2023. A file has one JSON object on each line, with `problem`, `sample`, `premises`,
`conclusion` and `prover9`: True, False, Uncertain, or Error where Prover9 or NLTK refused the program.

Variables that nothing binds stand for all things, as for Prover9. Prover9 lets two names be of one thing; here they
are of two.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.programs.open_sorts import OpenSorts
from bench.programs.tally import BUDGET
from holdtrue.errors import FormulaError
from holdtrue.logic.formula import Formula
from holdtrue.solving.engine import EngineFault
from holdtrue_claims.claim_record import ClaimVerdict
from holdtrue_claims.fol.alert import Alert
from holdtrue_claims.fol.conventions import CONVENTIONS
from holdtrue_claims.fol.meaning import state
from holdtrue_claims.fol.signature import signature
from holdtrue_claims.fol.syntax import Sentence, closed
from holdtrue_claims.fol.vocabulary import ANY, Entity, Function, Predicate, Vocabulary
from holdtrue_claims.kind.context import Context, InconsistentContext
from holdtrue_claims.kind.entailment import verify_claim
from holdtrue_lab.kinds.claims.notations.nltk_notation import read_nltk

ERROR = "Error"
WORDS: Mapping[ClaimVerdict, str] = {
    ClaimVerdict.ENTAILED: "True",
    ClaimVerdict.CONTRADICTORY: "False",
    ClaimVerdict.POSSIBLE: "Uncertain",
}
Decide = Callable[[Sequence[Sentence], Sentence], ClaimVerdict]
"""The verdict of closed premises on a closed conclusion; raises `FormulaError` for what it gives no meaning."""


@dataclass(frozen=True, slots=True)
class Program:
    """A `Program` has closed sentences by name, P1, P2... and Q; None for those that could not be read."""

    id: str
    sentences: Mapping[str, Sentence | None]
    alerts: tuple[Alert, ...]
    prover9: str

    @property
    def premises(self) -> dict[str, Sentence]:
        return {id: said for id, said in self.sentences.items() if said is not None and id != CONCLUSION}


CONCLUSION = "Q"


@dataclass(frozen=True, slots=True)
class Compared:
    """A `Compared` is one program with our verdict, or None where it has none, and the reason of a difference."""

    program: Program
    ours: ClaimVerdict | None
    reason: str = ""

    @property
    def same(self) -> bool:
        return self.ours is not None and WORDS.get(self.ours) == self.program.prover9


def load_linc(path: Path) -> list[Program]:
    """The programs of a file."""
    return [_program(json.loads(line)) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def _program(record: Mapping[str, object]) -> Program:
    premises = record["premises"] if isinstance(record["premises"], list) else []
    texts = {f"P{place}": str(text) for place, text in enumerate(premises, start=1)}
    texts[CONCLUSION] = str(record["conclusion"])
    read = {id: read_nltk(text) for id, text in texts.items()}
    sentences = {id: None if one.sentence is None else closed(one.sentence) for id, one in read.items()}
    names = signature(sentence for sentence in sentences.values() if sentence is not None)
    alerts = (*(alert for one in read.values() for alert in one.alerts), *names.alerts)
    return Program(f"{record['problem']}/{record['sample']}", sentences, alerts, str(record["prover9"]))


def decide(premises: Sequence[Sentence], conclusion: Sentence) -> ClaimVerdict:
    """Decide over things of any number."""
    context, claim = _context(premises, conclusion)
    return verify_claim(context, claim).verdict


def compare(programs: Iterable[Program], decide: Decide = decide) -> list[Compared]:
    """Each program with our verdict beside that of Prover9."""
    return [_compare(program, decide) for program in programs]


def _compare(program: Program, decide: Decide) -> Compared:
    conclusion = program.sentences[CONCLUSION]
    if conclusion is None or len(program.premises) + 1 < len(program.sentences):
        unread = next(alert for alert in program.alerts if alert.kind in ("unparsed", "unsupported"))
        return Compared(program, None, f"not read: {unread.message} ({unread.text!r}, {unread.position})")
    try:
        ours = decide([*program.premises.values()], conclusion)
    except FormulaError as error:
        return Compared(program, None, str(error))
    if ours is ClaimVerdict.INCONSISTENT_CONTEXT:
        return Compared(program, ours, _conflict(program, conclusion))
    if WORDS.get(ours) == program.prover9 or program.prover9 == ERROR:
        return Compared(program, ours)
    free = [alert.message for alert in program.alerts if alert.kind == "free_variable" and alert.text]
    if free:
        return Compared(program, ours, f"{free[0]}: it stands for all things in the conclusion and in its negation")
    return Compared(program, ours, _shown([*program.premises.values()], conclusion))


def _context(premises: Sequence[Sentence], conclusion: Sentence) -> tuple[Context, Formula]:
    vocabulary = _vocabulary([*premises, conclusion])
    said = {f"P{place}": state(premise, vocabulary) for place, premise in enumerate(premises, start=1)}
    return Context(said, vocabulary, BUDGET), state(conclusion, vocabulary)


def _vocabulary(sentences: Sequence[Sentence]) -> Vocabulary:
    """The names of a program; its functions give things, as Prover9 has no numbers."""
    found = signature(sentences)
    return Vocabulary(
        tuple(map(Entity, found.constants)),
        tuple(Predicate(name, (ANY,) * arity) for name, arity in found.predicates.items()),
        tuple(Function(name, (ANY,) * arity, result=ANY) for name, arity in found.functions.items()),
        stated=CONVENTIONS,
    )


def _conflict(program: Program, conclusion: Sentence) -> str:
    """Which premises clash, each of them needed; proved again by z3 over things of any number.

    Raises `EngineFault` where that proof fails.
    """
    again = OpenSorts(program.premises.values(), distinct=True)
    ids = _clashing(program, conclusion, again)
    clash = [program.premises[id] for id in ids]
    fewer = [again.holds([*clash[:place], *clash[place + 1 :]]) for place in range(len(clash))]
    if again.holds(clash) is not False or not all(fewer):
        raise EngineFault(f"{program.id}: z3 does not prove that {' '.join(ids)} are a minimal conflict")
    return f"{' '.join(ids)} clash{_by_names(clash, [*program.premises.values()])}"


def _clashing(program: Program, conclusion: Sentence, again: OpenSorts) -> tuple[str, ...]:
    """A smallest conflict over the things that are named and two more, or one of z3's where these give no meaning."""
    premises = program.premises
    try:
        status = _context([*premises.values()], conclusion)[0].status
    except FormulaError:
        kept = [*premises]
        for id in premises:
            if again.holds([premises[other] for other in kept if other != id]) is False:
                kept.remove(id)
        return tuple(kept)
    if not isinstance(status, InconsistentContext) or not status.minimal:
        raise EngineFault(f"{program.id}: no minimal conflict within the time")
    return tuple([*premises][int(id.removeprefix("P")) - 1] for id in status.premises)


def _by_names(clash: Sequence[Sentence], premises: Sequence[Sentence]) -> str:
    """What the conflict owes to names being of different things, which Prover9 does not suppose."""
    if OpenSorts(clash, distinct=False).holds(clash) is False:
        return ""
    if OpenSorts(premises, distinct=False).holds(premises) is False:
        return ", as names are of different things, and other premises clash without that"
    return ", only as names are of different things"


def _shown(premises: Sequence[Sentence], conclusion: Sentence) -> str:
    """What shows our verdict: premises that it follows from, or situations that were evaluated."""
    try:
        context, claim = _context(premises, conclusion)
    except FormulaError:
        return "over things of any number"
    found = verify_claim(context, claim)
    if found.verdict is not ClaimVerdict.POSSIBLE:
        return f"{found.verdict} by {' '.join(found.premises)}"
    for witness, truth in ((found.holds, True), (found.fails, False)):
        kept = witness is not None and all(premise.holds(witness) for premise in context.premises.values())
        if witness is None or not kept or claim.holds(witness) is not truth:
            raise EngineFault("a situation does not show what it is there to show")
    return "two situations that keep all premises differ in the conclusion"


def show_linc(compared: Sequence[Compared]) -> None:
    """Print how many verdicts are the same, and each that is not with its reason."""
    decided = [one for one in compared if one.program.prover9 != ERROR]
    same = sum(one.same for one in decided)
    conflicts = [one for one in decided if one.ours is ClaimVerdict.INCONSISTENT_CONTEXT]
    print(
        f"{len(compared)} programs, {len(decided)} with a verdict of Prover9: {same} the same, "
        f"{len(conflicts)} with an inconsistent context, {len(decided) - same - len(conflicts)} different"
    )
    for one in decided:
        if not one.same:
            print(f"  {one.program.id}: Prover9 {one.program.prover9}, here {one.ours or 'none'}: {one.reason}")
    refused = [one for one in compared if one.program.prover9 == ERROR]
    kinds = Counter(kind for one in refused for kind in {alert.kind for alert in one.program.alerts})
    without = [one.program.id for one in refused if not one.program.alerts]
    print(f"{len(refused)} that Prover9 refused; alerts here (programs): {dict(kinds.most_common())}")
    print(f"  without an alert: {', '.join(without) or 'none'}")
    print(f"  verdicts here: {dict(Counter(str(one.ours or 'none') for one in refused).most_common())}")
