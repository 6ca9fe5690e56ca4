"""Turn a claim into a formula that has passed four gates: three of VERGE (section 3.3) and the choice among variants.

Several samples must agree. Translating the formula back to words must yield the claim. The formula must be neither
always true nor always false. Finally a model must choose it among its near variants (`formula_choice`). If a formula
fails, the model writes another, at most `corrections` times. The solver must prove that the new one entails the old
one. A claim that fails again is unproved, or goes to judges.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from holdtrue.errors import FormulaError
from holdtrue.language.asking import Asking
from holdtrue.logic.formula import Formula
from holdtrue_claims.claim_record import ClaimVerdict, FormalizationRecord
from holdtrue_claims.fol.alert import Alert
from holdtrue_claims.fol.notation import write_fol
from holdtrue_claims.fol.signature import names_in
from holdtrue_claims.fol.syntax import Sentence
from holdtrue_claims.kind.context import Context
from holdtrue_claims.kind.entailment import verify_claim
from holdtrue_claims.kind.equivalence import Agreement, Consensus, consensus, is_settled, strengthens
from holdtrue_claims.kind.formula_choice import choose_formula
from holdtrue_claims.kind.plain_mismatch import plain_mismatch
from holdtrue_claims.kind.premises import Premise, Premises, alert_records
from holdtrue_claims.kind.prompts.back_translation import back_translate, similarity
from holdtrue_claims.kind.prompts.formalization import Formalization, Refused, formalize
from holdtrue_claims.kind.prompts.logic_text import formula_text
from holdtrue_claims.kind.settings import FormalSettings

UNREAD = "unread"
"""The gate at which a claim without any readable formula fails."""


@dataclass(frozen=True, slots=True)
class Formalized:
    """A `Formalized` is a claim after formalization. `formula` is None if no formula was accepted."""

    record: FormalizationRecord
    formula: Formula | None = None

    @property
    def confidence(self) -> float:
        record = self.record
        drawn = len(record.samples)
        # It is unknown whether the omitted samples would agree.
        share = record.clique / (drawn + record.saved) if drawn else 0.0
        return share * (1.0 if record.similarity is None else record.similarity)


def restated_premise(premise: Premise) -> Formalized:
    """Return the formula of a premise for a claim that repeats it word by word, without asking a model."""
    formula = "" if premise.sentence is None else write_fol(premise.sentence)
    record = FormalizationRecord((formula,), 1, clique=1, agreed=True, similarity=1.0, formula=formula)
    return Formalized(record, premise.formula)


@dataclass(frozen=True, slots=True)
class Reader:
    """A `Reader` finds the formula of one sentence in the vocabulary of the premises. Its methods raise `ModelError`.

    The `formalizers` take turns to write samples. The first one also translates formulas back to words and corrects
    them; the last one chooses among near variants. `before` is the text before the sentence, if the sentence depends on
    it.
    """

    formalizers: Sequence[Asking]
    premises: Premises
    settings: FormalSettings
    text: str
    before: str = ""

    async def read_once(self, purpose: str = "formalize") -> tuple[Sentence | None, tuple[Alert, ...]]:
        """Return the likeliest formula, or the majority of several samples, if it has a meaning, and its alerts."""
        samples = await self._draw(self.settings.context_samples, purpose)
        agreed = self._consensus(samples)
        read = samples[agreed.clique[0] if agreed.accepted else 0]
        sound = read.sound and (agreed.accepted or len(samples) == 1)
        return read.sentence if sound else None, read.alerts

    async def read_anew(self, purpose: str, old: Sentence, why: str, number: int) -> Formalization | None:
        """Ask for another formula, with the reason `why` the old one is wrong. `number` distinguishes several draws.

        The result is None if the new formula is unusable or unchanged.
        """
        refused = Refused(formula_text(old), why)
        asked = (self.formalizers[0], purpose, self.settings.temperature, number)
        new = await self._ask(*asked, refused=refused)
        return new if new.sound and new.sentence != old else None

    async def _ask(
        self, asking: Asking, purpose: str, temperature: float, sample: int, refused: Refused | None = None
    ) -> Formalization:
        return await formalize(
            asking,
            self.premises.vocabulary,
            self.text,
            temperature=temperature,
            sample=sample,
            purpose=purpose,
            refused=refused,
            before=self.before,
        )

    async def _draw(self, count: int, purpose: str) -> list[Formalization]:
        """Return up to `count` samples, or fewer if further ones could not change the choice. A single sample is drawn
        at temperature 0.
        """
        samples: list[Formalization] = []
        temperature, models = self.settings.temperature if count > 1 else 0.0, self.formalizers
        for number in range(count):
            if self.settings.stop_early and 2 * number > count and is_settled(self._consensus(samples), count):
                break
            asking, sample = models[number % len(models)], number // len(models)
            samples.append(await self._ask(asking, purpose, temperature, sample))
        return samples

    def _consensus(self, samples: Sequence[Formalization]) -> Consensus:
        sound = [sample.sentence if sample.sound else None for sample in samples]
        return consensus(sound, self.premises.vocabulary)

    async def pass_gates(self) -> Formalized:
        """Return the claim with its accepted formula, or with the gate that it failed."""
        samples = await self._draw(self.settings.samples, "formalize")
        agreed = self._consensus(samples)
        record = FormalizationRecord(
            samples=tuple(sample.text for sample in samples),
            readable=sum(sample.sound for sample in samples),
            same_tree=agreed.rate(Agreement.SAME_TREE),
            equivalent=agreed.rate(Agreement.EQUIVALENT),
            aligned=agreed.rate(Agreement.ALIGNED),
            clique=len(agreed.clique),
            agreed=agreed.accepted,
            alerts=alert_records(list(dict.fromkeys(alert for sample in samples for alert in sample.alerts))),
            saved=self.settings.samples - len(samples),
        )
        if not agreed.clique:
            return Formalized(replace(record, refused=UNREAD, reason="no sample could be read"))
        chosen = samples[agreed.clique[0]]
        refused, why = (None, "") if agreed.accepted else ("consensus", "several readings of it differ")
        if refused is None:
            record, refused, why = await self._pass(chosen, record)
        for number in range(self.settings.corrections):
            if refused is None:
                break
            corrected = await self._correct(chosen, why, number)
            if corrected is None:
                continue
            tried, still, _ = await self._pass(corrected, replace(record, corrected=True))
            if still is None:
                chosen, record, refused = corrected, tried, None
        if refused is not None or chosen.sentence is None:
            return Formalized(replace(record, refused=refused, reason=why))
        return Formalized(replace(record, formula=write_fol(chosen.sentence)), self.premises.say(chosen.sentence))

    async def _pass(
        self, tried: Formalization, record: FormalizationRecord
    ) -> tuple[FormalizationRecord, str | None, str]:
        """Try the gates after consensus; return the record, the gate that refuses it, if any, and the reason."""
        vocabulary, sentence = self.premises.vocabulary, tried.sentence
        if sentence is None:
            return record, "meaning", "it could not be read"
        empty = self._empty(sentence)
        if empty is not None:
            return record, "meaning", empty
        if self.settings.round_trip is not None:
            # A plain mismatch is found without a call; choosing would find it, too.
            plain = (
                plain_mismatch(self.text, sentence, vocabulary, self.before) if self.settings.choice_rounds else None
            )
            if plain is not None:
                return record, "choice", plain
            # Reading may have repaired faults, so the formula is translated as it was read.
            retold = await back_translate(self.formalizers[0], vocabulary, formula_text(sentence))
            close = similarity(self.text, retold)
            record = replace(record, retold=retold, similarity=close)
            if close < self.settings.round_trip:
                return record, "round_trip", f"told in words again it says: {retold}"
        if not self.settings.choice_rounds:
            return record, None, ""
        found = await choose_formula(self.formalizers[-1], vocabulary, self.text, sentence, self.settings, self.before)
        record = replace(record, said=found.words or None, choices=record.choices + found.calls, instead=found.instead)
        return record, None if found.accepted else "choice", found.reason or ""

    def _empty(self, sentence: Sentence) -> str | None:
        """Return the reason why a formula says nothing about this context, or None if it says something.

        A formula that is always true or always false says nothing, unless it is about numbers alone.
        """
        try:
            formula = self.premises.say(sentence)
            alone = Context({}, self.premises.vocabulary, self.premises.budget)
        except FormulaError as error:
            return str(error)
        verdict = verify_claim(alone, formula).verdict if names_in(sentence) else ClaimVerdict.POSSIBLE
        if verdict is ClaimVerdict.ENTAILED:
            return "the formula is true whatever the sentences say"
        return "the formula can never be true" if verdict is ClaimVerdict.CONTRADICTORY else None

    async def _correct(self, old: Formalization, why: str, number: int) -> Formalization | None:
        """Ask for another formula that entails the old one; return None if there is none, or if it is unchanged."""
        new = None if old.sentence is None else await self.read_anew("correct", old.sentence, why, number)
        if new is None or new.sentence is None or old.sentence is None:
            return None
        try:
            said = (self.premises.say(new.sentence), self.premises.say(old.sentence))
            return new if strengthens(*said, self.premises.vocabulary) else None
        except FormulaError:
            return None
