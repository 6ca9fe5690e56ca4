"""Check an answer claim by claim against the premises of a conversation (VERGE, sections 3.2 to 3.5).

If only proof is accepted, every claim goes to the solver. Otherwise its type decides between the solver and judges. For
the solver the claim is written as a formula. A claim without a reliable formula is unproved, or goes to judges if the
settings allow that. Finally all claims are checked together, and the answer gets a score.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from holdtrue.language.asking import Asking
from holdtrue.logic.formula import Formula
from holdtrue.solving.result import Equivalent, Witness
from holdtrue_claims.claim_record import (
    CheckRecord,
    ClaimRecord,
    ClaimType,
    ClaimVerdict,
    JointVerdict,
    Route,
    SoftVerdict,
)
from holdtrue_claims.fol.meaning import sentence_of
from holdtrue_claims.fol.signature import names_in
from holdtrue_claims.fol.structure import Structure
from holdtrue_claims.kind.acceptance import REPEATED, accepts, claim_score, only_repeats
from holdtrue_claims.kind.calibration import Calibrations
from holdtrue_claims.kind.context import InconsistentContext
from holdtrue_claims.kind.entailment import correct_clauses, proved_option, verify_claim
from holdtrue_claims.kind.equivalence import same_meaning
from holdtrue_claims.kind.formula_choice import confirm_premises
from holdtrue_claims.kind.formula_gates import UNREAD, Formalized, Reader, restated_premise
from holdtrue_claims.kind.gold_logic import STATEMENT
from holdtrue_claims.kind.joint_check import Tested, check_together, to_change
from holdtrue_claims.kind.judging import JUDGE, Judges
from holdtrue_claims.kind.mentions import unmentioned
from holdtrue_claims.kind.premise_preparation import widen_for_claims
from holdtrue_claims.kind.premises import Premise, Premises, plain
from holdtrue_claims.kind.prompts.decomposition import Claim, Decomposition, decompose
from holdtrue_claims.kind.settings import CheckSettings

ALL_TRIED = "only proof counts"
"""The reason for the solver route of a claim whose type would send it to judges."""
_SHOWN = 12
"""The largest number of facts of a situation in a record."""


@dataclass(frozen=True, slots=True)
class Checked:
    """`Checked` is the record of a check, with the premises after the check.

    The vocabulary of `premises` may have grown, because an answer can name new things.
    """

    record: CheckRecord
    premises: Premises


async def check_answer(
    asking: Asking,
    premises: Premises,
    settings: CheckSettings,
    answer: str,
    *,
    question: str = "",
    option: str | None = None,
    claims: Sequence[Claim] | None = None,
    formalizers: Sequence[Asking] = (),
    judge: Asking | None = None,
    calibrations: Calibrations | None = None,
    author: str | None = None,
) -> Checked:
    """Split an answer into claims, and test each claim alone and all of them together.

    Args:
        asking: Asks the model that splits the answer. It also judges and writes formulas if no other model does.
        premises: The premises that claims are tested against.
        settings: Routing, weights, the number of judges, and the least score of an accepted answer.
        answer: The text of the answer.
        question: The question that was answered; it helps to split the answer.
        option: The letter of the option that the answer gives; it is only recorded.
        claims: The claims, if they are known already; the answer is not split then.
        formalizers: The models that take turns to write the sample formulas of a claim.
        judge: The model that judges claims.
        calibrations: Calibrations of judges; None for none.
        author: The name of the model that wrote the answer, or None.

    Raises:
        ModelError: A call to a model failed.
    """
    context = " ".join(premises.texts.values())
    found = Decomposition((), False)
    if claims is None:
        asked = premises.statements.get(STATEMENT)
        statement = None if asked is None else asked.text
        split = (asking, answer, context, question, premises.options, statement)
        found = await decompose(*split, ask_back=settings.accept == "proved")
        claims = found.claims
    routed = [(claim, *choose_route(claim.type, settings)) for claim in claims]
    hard = [claim for claim, route, _ in routed if route is Route.HARD]
    told = premises.vocabulary
    premises = await widen_for_claims(asking, settings.formal, premises, hard)
    judges = Judges(judge or asking, context, settings, calibrations or Calibrations(), author)
    check = _Check(judges, formalizers or (asking,), premises, settings)
    tested = await check.test_all(routed)
    verdicts = [each.verdict for each in tested]
    joint = await check_together(asking, check.premises, settings, tested)
    while await check.loses(joint.conflict):
        joint = await check_together(asking, check.premises, settings, tested)
    premises = check.premises
    score = claim_score(verdicts, settings.weights)
    records = tuple(each.record for each in tested)
    undrawn = sum(each.formalization.saved for each in records if each.formalization is not None)
    proven = [each.formula for each in tested if each.formula is not None and each.verdict is ClaimVerdict.ENTAILED]
    record = CheckRecord(
        claims=records,
        joint=joint,
        score=score.score,
        mean=score.mean,
        deviation=score.deviation,
        accepted=accepts(
            verdicts,
            score.score,
            settings,
            together=joint.verdict == JointVerdict.CONSISTENT,
            whole=not (found.clipped or found.untested or only_repeats(records)),
        ),
        change=to_change(joint, tested),
        option=option,
        supported=proved_option(premises, proven),
        proved=proved_option(premises),
        clipped=found.clipped,
        untested=found.untested,
        idle=found.idle,
        accept=settings.accept,
        saved={**({"formalize": undrawn} if undrawn else {}), **dict(sorted(judges.saved.items()))},
        not_asked=dict(sorted(judges.not_asked.items())),
        unheard=unmentioned(answer, (context, question), [own.name for own in told.entities]),
    )
    return Checked(record, premises)


Routed = tuple[Claim, Route, str]
"""A claim with its route and the reason for that route."""
ROUTES: Mapping[ClaimType, Route] = {
    ClaimType.MATHEMATICAL: Route.HARD,
    ClaimType.LOGICAL: Route.HARD,
    ClaimType.TEMPORAL: Route.HARD,
    ClaimType.PROBABILISTIC: Route.SOFT,
    ClaimType.COMMONSENSE: Route.SOFT,
    ClaimType.VAGUE: Route.SOFT,
}
"""The route of each claim type if types decide (VERGE, section 3.3, table 6)."""


def choose_route(type: ClaimType, settings: CheckSettings) -> tuple[Route, str]:
    """Return the route of a claim and the reason. If only proof counts, claims of every type go to the solver."""
    by_type = settings.routing == "types"
    soft = ROUTES[type] is Route.SOFT if by_type else settings.routing == "soft"
    if soft and settings.accept == "proved":
        return Route.HARD, ALL_TRIED
    return (Route.SOFT if soft else Route.HARD), ("type" if by_type else "setting")


@dataclass
class _Check:
    """A `_Check` decides single claims of one answer. The check can refuse premises, which are then removed from
    `premises`.
    """

    judges: Judges
    formalizers: Sequence[Asking]
    premises: Premises
    settings: CheckSettings
    _formalized: dict[str, Formalized] = field(default_factory=dict)
    _unsure_of: dict[str, Tested] = field(default_factory=dict)
    _widened: bool = False

    @property
    def premises_by_text(self) -> Mapping[str, Premise]:
        return {plain(premise.text): premise for premise in self.premises.stated if premise.formula is not None}

    async def test_all(self, routed: Sequence[Routed]) -> list[Tested]:
        """Decide all claims, those for the solver first, and repeat that while a premise behind a verdict is refused.

        If claims have no formula, the model is asked once for the words that they need.
        """
        hard = [(claim, why) for claim, route, why in routed if route is Route.HARD]
        found: dict[str, Tested] = {}
        changed = True
        while changed:
            found = {claim.id: await self._test(claim, Route.HARD, why) for claim, why in hard}
            changed = await self._finds_words([claim for claim, _ in hard])
            changed = changed or await self.loses(resting_on(found.values(), self.premises))
        for claim, route, why in routed:
            if claim.id not in found:
                found[claim.id] = await self._test(claim, route, why)
        return [found[claim.id] for claim, _, _ in routed]

    async def _finds_words(self, claims: Sequence[Claim]) -> bool:
        """Ask once for the words that claims without a formula need, and return whether the vocabulary grew."""
        made = self._formalized
        unread = [claim for claim in claims if claim.id in made and made[claim.id].record.refused == UNREAD]
        if self._widened or self.settings.accept != "proved" or not unread:
            return False
        self._widened, before = True, self.premises.vocabulary
        asked = (self.formalizers[-1], self.settings.formal, self.premises, unread)
        wider = await widen_for_claims(*asked, unread=True)
        if wider.vocabulary == before:
            return False
        self.premises = wider
        for claim in unread:
            del made[claim.id]
            self._unsure_of.pop(claim.id, None)
        return True

    async def loses(self, ids: Collection[str]) -> bool:
        """Confirm these premises, and return whether one of them was refused, so that verdicts from it are void."""
        before = self.premises.formulas.keys()
        self.premises = await confirm_premises(self.formalizers[-1], self.settings.formal, self.premises, ids)
        return before != self.premises.formulas.keys()

    async def _test(self, claim: Claim, route: Route, why: str) -> Tested:
        """Decide one claim on its route. `why` is the reason for the route."""
        status = self.premises.context.status
        if isinstance(status, InconsistentContext):  # such premises entail every claim and its negation
            record = self._record(claim, route, why, ClaimVerdict.INCONSISTENT_CONTEXT, 0.0)
            record = replace(record, premises=status.premises, minimal=status.minimal, reason=status.reason)
            return Tested(record, ClaimVerdict.INCONSISTENT_CONTEXT)
        if route is Route.SOFT:
            return await self._judged(claim, route, why)
        same = self.premises_by_text.get(plain(claim.text))
        # A claim that depends on earlier words may mean something else than the premise.
        if same is not None and same.formula is not None and not claim.before:
            return self._verified(claim, REPEATED, restated_premise(same), same.formula)
        if claim.id not in self._formalized:
            reader = Reader(self.formalizers, self.premises, self.settings.formal, claim.text, claim.before)
            self._formalized[claim.id] = await reader.pass_gates()
        made = self._formalized[claim.id]
        if made.formula is None:
            if claim.id not in self._unsure_of:
                why = f"{made.record.refused}: {made.record.reason}"
                self._unsure_of[claim.id] = await self._judged(claim, Route.HYBRID, why, made)
            return self._unsure_of[claim.id]
        return self._verified(claim, why, made, made.formula)

    def _verified(self, claim: Claim, why: str, formalized: Formalized, formula: Formula) -> Tested:
        found = verify_claim(self.premises.context, formula)
        holds, fails = _differing(found.holds, found.fails)
        record = replace(
            self._record(claim, Route.HARD, why, found.verdict, formalized.confidence),
            premises=found.premises,
            minimal=found.minimal,
            formalization=formalized.record,
            holds=holds,
            fails=fails,
            reason=found.reason or (self._open_because(formula) if found.verdict is ClaimVerdict.POSSIBLE else None),
            assumptions=found.assumptions,
            assuming=found.assuming,
            clauses=correct_clauses(self.premises.context, formula, found.verdict),
        )
        if found.verdict is ClaimVerdict.ENTAILED and len(found.premises) == 1 and not record.restated:
            premise, premises = self.premises.formulas[found.premises[0]], self.premises
            same = same_meaning(premise, formula, premises.vocabulary, premises.budget)
            record = replace(record, restated=isinstance(same, Equivalent))
        return Tested(record, found.verdict, formula)

    def _open_because(self, formula: Formula) -> str | None:
        """Name the premises that might decide a possible claim, because they have no formula or no confirmed one.

        The result is None if there are none. With `choice_rounds`, premises are confirmed before the verdict.
        """
        unread, why = self.premises.unread, "could not be read"
        if not unread and self.settings.accept == "proved" and not self.settings.formal.choice_rounds:
            sure = {premise.id for premise in self.premises.stated if premise.confirmed}
            unread = tuple(id for id in sharing_names(formula, self.premises) if id not in sure)
            why = "had no formula confirmed"
        return f"{', '.join(unread)} {why}, and may settle it" if unread else None

    async def _judged(self, claim: Claim, route: Route, why: str, made: Formalized | None = None) -> Tested:
        """Let judges decide a claim that is meant for them, or a claim for the solver without a reliable formula.

        For the latter, judges are asked only if their verdict counts or `ask_judges` is set; otherwise the claim is
        unproved.
        """
        judges, settings = self.judges, self.settings
        if made is not None and not settings.ask_judges:
            judged = settings.accept == "judged"
            doubt = judges.doubt(claim.type) if judged else None
            if doubt is not None or not judged:
                judges.not_asked[JUDGE] += settings.judges
                record = self._record(claim, route, why, ClaimVerdict.UNPROVED, 0.0)
                return Tested(replace(record, formalization=made.record, reason=doubt), ClaimVerdict.UNPROVED)
        found = await judges.vote(claim.text)
        verdict, doubt = judges.weigh(found, claim.type, hard=made is not None)
        counts = verdict is found.verdict
        record = replace(
            self._record(claim, route, why, verdict, found.confidence if counts else 0.0),
            formalization=None if made is None else made.record,
            votes={each.value: count for each, count in found.counts.items()},
            judged=None if counts else found.verdict,
            reason=doubt,
        )
        return Tested(record, verdict)

    def _record(
        self, claim: Claim, route: Route, why: str, verdict: ClaimVerdict | SoftVerdict, confidence: float
    ) -> ClaimRecord:
        """Return the parts of a claim's record that do not depend on who decided it."""
        return ClaimRecord(
            id=claim.id,
            text=claim.text,
            type=claim.type,
            route=route,
            routed=why,
            verdict=verdict,
            confidence=confidence,
            restated=not claim.before and plain(claim.text) in self.premises_by_text,
        )


def _differing(holds: Witness | None, fails: Witness | None) -> tuple[Mapping[str, int | str], Mapping[str, int | str]]:
    """Return the facts in which two situations differ, with the values in each; both are empty if one is unknown."""
    if not isinstance(holds, Structure) or not isinstance(fails, Structure):
        return {}, {}
    one, other = holds.shown(), fails.shown()
    names = [name for name in sorted(one) if other.get(name) != one[name]][:_SHOWN]
    return {name: one[name] for name in names}, {name: other[name] for name in names if name in other}


def resting_on(tested: Iterable[Tested], premises: Premises) -> set[str]:
    """Return the ids of the premises on which verdicts on claims depend.

    These are the premises of each proof, and those that a claim repeats word by word. A possible claim depends on all
    premises that share a name with it, because another reading of them might decide it.
    """
    found: set[str] = set()
    for claim in tested:
        found.update(claim.record.premises)
        found.update(each.id for each in premises.stated if plain(each.text) == plain(claim.record.text))
        if claim.verdict is ClaimVerdict.POSSIBLE and claim.formula is not None:
            found.update(sharing_names(claim.formula, premises))
    return found


def sharing_names(claim: Formula, premises: Premises) -> list[str]:
    """Return the ids of the premises whose formulas share a name with a claim."""
    names = names_in(sentence_of(claim))
    return [id for id, formula in premises.formulas.items() if names & names_in(formula.sentence)]
