"""Check an answer claim by claim against the premises of a conversation (VERGE, sections 3.2 to 3.5).

Each claim goes to a solver or to judges. For the solver it is written as a formula; if no formula of it can be trusted,
judges decide after all. Then all claims are checked together, and the answer gets a score.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from holdtrue.claim_record import (
    CheckRecord,
    ClaimRecord,
    ClaimVerdict,
    JointVerdict,
    Route,
    SoftVerdict,
)
from holdtrue.kinds.claims.context import InconsistentContext
from holdtrue.kinds.claims.entailment import proved_option, supported_option, verify_claim
from holdtrue.kinds.claims.equivalence import same_meaning
from holdtrue.kinds.claims.formula_gates import Formalized, formalize_claim, restated_premise
from holdtrue.kinds.claims.gold_logic import STATEMENT
from holdtrue.kinds.claims.joint_check import Tested, check_together, to_change, verify_joint
from holdtrue.kinds.claims.premises import Premise, Premises, plain
from holdtrue.kinds.claims.prompts.decomposition import Claim, decompose
from holdtrue.kinds.claims.prompts.judges import judge, vote
from holdtrue.kinds.claims.prompts.routing import choose_route
from holdtrue.kinds.claims.score import claim_score
from holdtrue.kinds.claims.settings import CheckSettings
from holdtrue.kinds.claims.vocabulary_extension import widen_for_claims
from holdtrue.language.asking import Asking
from holdtrue.logic.fol.signature import names_in
from holdtrue.logic.fol.stated import sentence_of
from holdtrue.logic.fol.structure import Structure
from holdtrue.logic.formula import Formula
from holdtrue.solving.result import Equivalent, Witness

_SHOWN = 12
"""So many facts of a situation are written down."""


@dataclass(frozen=True, slots=True)
class Checked:
    """`Checked` is what a check found, and the premises as it left them.

    The vocabulary of `premises` may be wider than before, since an answer can name things that the premises do not.
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
) -> Checked:
    """Take an answer apart into claims, and test each claim alone and all of them together.

    Args:
        asking: Asks the model that splits the answer, judges, and, without `formalizers`, writes formulas.
        premises: What claims are tested against.
        settings: Routing, weights, the number of judges, and the score from which an answer is accepted.
        answer: The answer's text.
        question: The question that was answered; it helps to split the answer.
        option: The letter of the option that the answer gives; it is recorded as it is.
        claims: The claims, where they are known already; the answer is not split then.
        formalizers: The models that write the sample formulas of a claim, taken in turn.

    Raises:
        ModelError: A call to a model failed.
    """
    context = " ".join(premises.texts.values())
    clipped = False
    if claims is None:
        asked = premises.statements.get(STATEMENT)
        statement = None if asked is None else asked.text
        found = await decompose(asking, answer, context, question, premises.options, statement)
        claims, clipped = found.claims, found.clipped
    routed = [(claim, *choose_route(claim.text, claim.type, settings.routing)) for claim in claims]
    hard = [claim for claim, route, _ in routed if route is Route.HARD]
    premises = await widen_for_claims(asking, settings.formal, premises, answer, hard)
    check = _Check(asking, formalizers or (asking,), premises, settings, context)
    tested = [await check.test(claim, route, why) for claim, route, why in routed]
    joint = await check_together(asking, premises, settings, tested)
    score = claim_score([each.verdict for each in tested], settings.weights)
    records = tuple(each.record for each in tested)
    proven = [each.formula for each in tested if each.formula is not None and each.verdict is ClaimVerdict.ENTAILED]
    record = CheckRecord(
        claims=records,
        joint=joint,
        score=score.score,
        mean=score.mean,
        deviation=score.deviation,
        accepted=bool(records) and score.score >= settings.accept and joint.verdict == JointVerdict.CONSISTENT,
        change=to_change(joint, tested),
        option=option,
        supported=supported_option(premises, proven),
        proved=proved_option(premises),
        clipped=clipped,
    )
    return Checked(record, premises)


@dataclass(frozen=True)
class _Check:
    """Decides single claims of one answer; all of them share its premises and settings."""

    asking: Asking
    formalizers: Sequence[Asking]
    premises: Premises
    settings: CheckSettings
    context: str

    @cached_property
    def premises_by_text(self) -> Mapping[str, Premise]:
        return {plain(premise.text): premise for premise in self.premises.entries}

    async def test(self, claim: Claim, route: Route, why: str) -> Tested:
        """Decide one claim on its route; `why` is the reason for the route, for the record."""
        if isinstance(self.premises.context.status, InconsistentContext):
            return self._undecidable(claim, route, why)
        if route is Route.SOFT:
            return await self._judged(claim, Route.SOFT, why)
        if not self.premises.consistent:
            return self._undecidable(claim, route, why)
        same = self.premises_by_text.get(plain(claim.text))
        if same is not None and same.formula is not None:
            return self._verified(claim, why, restated_premise(same), same.formula)
        made = await formalize_claim(self.formalizers, self.premises, self.settings.formal, claim.text, claim.type)
        if made.formula is None:
            return await self._judged(claim, Route.HYBRID, f"{made.record.refused}: {made.record.reason}", made)
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
            reason=found.reason or (self._unread() if found.verdict is ClaimVerdict.POSSIBLE else None),
        )
        if not record.restated and self._says_the_same(formula):
            record = replace(record, restated=True)
        return Tested(record, found.verdict, formula)

    def _unread(self) -> str | None:
        """Name the premises without a formula, which might have settled an open claim; None if there are none."""
        unread = [premise.id for premise in self.premises.entries if premise.formula is None]
        return f"{', '.join(unread)} could not be read, and may settle it" if unread else None

    def _says_the_same(self, formula: Formula) -> bool:
        """Return whether a single premise is equivalent to this formula."""
        names = names_in(sentence_of(formula))
        return any(
            isinstance(same_meaning(premise, formula, self.premises.vocabulary, self.premises.budget), Equivalent)
            for premise in self.premises.formulas.values()
            if names & names_in(premise.sentence)
        )

    async def _judged(self, claim: Claim, route: Route, why: str, formalized: Formalized | None = None) -> Tested:
        judgements = [
            await judge(
                self.asking, self.context, claim.text, temperature=self.settings.judge_temperature, sample=number
            )
            for number in range(self.settings.judges)
        ]
        found = vote(judgements)
        record = replace(
            self._record(claim, route, why, found.verdict, found.confidence),
            formalization=formalized.record if formalized is not None else None,
            votes={verdict.value: count for verdict, count in found.counts.items()},
        )
        return Tested(record, found.verdict)

    def _undecidable(self, claim: Claim, route: Route, why: str) -> Tested:
        """Record a claim that cannot be decided: the premises are inconsistent, and so entail its opposite as well, or
        it is not known whether they are consistent.
        """
        found = verify_joint(self.premises.context, {})
        clash = found.verdict is JointVerdict.INCONSISTENT_CONTEXT
        verdict = ClaimVerdict.INCONSISTENT_CONTEXT if clash else ClaimVerdict.UNKNOWN
        record = replace(
            self._record(claim, route, why, verdict, 0.0),
            premises=found.conflict,
            minimal=found.minimal,
            reason=found.reason,
        )
        return Tested(record, verdict)

    def _record(
        self, claim: Claim, route: Route, why: str, verdict: ClaimVerdict | SoftVerdict, confidence: float
    ) -> ClaimRecord:
        """Return the part of a claim's record that does not depend on who decided it."""
        return ClaimRecord(
            id=claim.id,
            text=claim.text,
            type=claim.type,
            route=route,
            routed=why,
            verdict=verdict,
            confidence=confidence,
            restated=plain(claim.text) in self.premises_by_text,
        )


def _differing(holds: Witness | None, fails: Witness | None) -> tuple[Mapping[str, int | str], Mapping[str, int | str]]:
    """Return the facts in which two situations differ, with the values of each; both are empty if one is not known."""
    if not isinstance(holds, Structure) or not isinstance(fails, Structure):
        return {}, {}
    one, other = holds.shown(), fails.shown()
    names = [name for name in sorted(one) if other.get(name) != one[name]][:_SHOWN]
    return {name: one[name] for name in names}, {name: other[name] for name in names if name in other}
