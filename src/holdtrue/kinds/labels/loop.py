"""Play one turn about queries under a label method: ask, check, ask again, and revise beliefs."""

from __future__ import annotations

import json

from holdtrue.kinds.labels.method import LabelAnswerer, LabelMethod
from holdtrue.kinds.labels.prompts import LabelPrompt, LabelRepair, label_format_retry, label_schema
from holdtrue.kinds.labels.record import LabelAttempt
from holdtrue.kinds.labels.replies import LabelReading, read_labels
from holdtrue.kinds.labels.turn import LabelPlayed, LabelTurn
from holdtrue.kinds.labels.verdict import verify_labels
from holdtrue.language.asking import Asking, Prompt, ask_within_retries, most_voted
from holdtrue.language.retries import Retries, say
from holdtrue.ledger.belief_revision import revise
from holdtrue.ledger.beliefs import Belief, BeliefBase, commit, entailed_label
from holdtrue.record import RETRIED, AnswerStatus, Label, ReplyKind, Satisfiability


async def play_labels(method: LabelMethod, turn: LabelTurn) -> LabelPlayed:
    """Play one turn. Raises `ModelError` if the model fails."""
    loop = _Loop(method, turn)
    if method.answerer == "model":
        await loop.answer()
        await loop.repair()
    else:
        loop.take("answer", control_labels(method.answerer, turn))
    return loop.finish()


class _Loop:
    def __init__(self, method: LabelMethod, turn: LabelTurn) -> None:
        self.method = method
        self.turn = turn
        self.asking = Asking(turn.model, turn.sampling)
        self.retries = Retries.of(method, turn.sampling)
        self.attempts: list[LabelAttempt] = []
        self.reading = LabelReading({}, {}, tuple(turn.queries))

    async def answer(self) -> None:
        """Ask for the first answer, or for several and take their vote."""
        if self.method.samples == 1:
            await self._ask("answer", self._prompt())
            return
        drawn = []
        for sample in range(self.method.samples):
            await self._ask("sample", self._prompt(), sample)
            drawn.append(self.reading)
        self.take("vote", vote(drawn, tuple(self.turn.queries)))

    async def repair(self) -> None:
        """Send clashing labels back to the model, at most as often as the method says."""
        for _ in range(self.method.repairs):
            signal = self._signal()
            if signal is None:
                return
            # A repair prompt quotes all given labels.
            await self._ask("repair", self._prompt(signal), again=self._again(quoted=True))

    def _again(self, *, quoted: bool) -> str:
        """Return the sentence about earlier attempts. `quoted` says whether the next prompt shows the last labels."""
        return self.retries.after(self.attempts, self.attempts[-1] if quoted else None)

    def take(self, kind: str, reading: LabelReading, text: str | None = None) -> None:
        """Record an attempt with its verdict and calls. Its labels become the current answer."""
        self.reading = reading
        turn = self.turn
        new = {belief.id: belief.formula for belief in self._commitments()}
        base, missing = turn.base, reading.missing
        verdict = verify_labels(
            base.rules, base.soft, new, turn.budget, missing=missing, none=reading.none, not_read=turn.not_read
        )
        answer = {id: label.value for id, label in reading.labels.items()}
        self.attempts.append(
            LabelAttempt(
                attempt=len(self.attempts) + 1,
                kind=kind,
                text=json.dumps(answer) if text is None else text,
                answer=answer or None,
                verdict=verdict,
                calls=self.asking.take_calls(),
                confidence=dict(reading.confidence),
            )
        )

    def finish(self) -> LabelPlayed:
        """Revise the beliefs by the last labels, and return the result."""
        turn, base = self.turn, self.turn.base.fork()
        possible = self.attempts[-1].verdict.basis is not Satisfiability.UNSAT
        revision = (
            revise(base, self._commitments(), self.method.policy, turn.budget, turn.approve) if possible else None
        )
        return LabelPlayed(tuple(self.attempts), self.reading.labels, tuple(self._commitments()), base, revision)

    def _commitments(self) -> list[Belief]:
        turn, reading = self.turn, self.reading
        made = (
            commit(id, label, turn.formulas[id], turn.statements[id], turn.number, reading.confidence.get(id, 1.0))
            for id, label in reading.labels.items()
            if id in turn.formulas
        )
        return [belief for belief in made if belief is not None]

    def _signal(self) -> LabelRepair | None:
        """Return the feedback about the labels, or None if there is nothing that the model could mend."""
        verdict, turn = self.attempts[-1].verdict, self.turn
        if verdict.answer is not AnswerStatus.VIOLATING:
            return None
        failing = verdict.refuted or verdict.blame
        named = tuple(id for id in turn.queries if id in failing)
        if not named:
            return None
        conflict: tuple[str, ...] = ()
        if self.method.feedback == "conflict":
            said = {**turn.base.active, **{belief.id: belief for belief in self._commitments()}}
            conflict = tuple(
                turn.premise_texts[id] if id in turn.premise_texts else f"{said[id].sentence} (your answer)"
                for id in verdict.mus or ()
            )
        return LabelRepair(dict(self.reading.labels), named, conflict)

    def _prompt(self, repair: LabelRepair | None = None) -> LabelPrompt:
        turn = self.turn
        return LabelPrompt(
            self.method.frame, turn.premises, tuple(turn.queries.items()), turn.beliefs, turn.words, repair
        )

    async def _ask(self, kind: str, prompt: LabelPrompt, sample: int = 0, again: str = "") -> None:
        """Ask once, and again within the limits of the method if the text was cut or labels are missing."""
        turn, method = self.turn, self.method
        ids = tuple(turn.queries)

        async def attempt(kind: str, messages: Prompt) -> ReplyKind:
            # A retry asks for JSON alone, even in a frame that reasons first.
            plain = kind in ("format", "truncation")
            schema = label_schema(prompt.ids, prompt.words) if plain else prompt.schema()
            draw = self.retries.draw(len(self.attempts), sample) if kind in RETRIED else sample
            asked = await self.asking.send(kind, messages, schema, temperature=method.temperature, sample=draw)
            self.take(kind, read_labels(asked.text, ids, turn.words), asked.reply.text)
            return asked.reply.kind

        def format_again(replied: ReplyKind) -> Prompt | None:
            # A refusal is not requested again in another format, and a cut draft is not an answer.
            text = self.attempts[-1].text
            cut = replied is ReplyKind.CUT and not read_labels(text, ids, turn.words).labels
            garbled = self.reading.missing and (replied is ReplyKind.ANSWER or cut)
            if not garbled:
                return None
            return label_format_retry(text, prompt.ids, prompt.words, self._again(quoted=True))

        await ask_within_retries(
            attempt,
            kind,
            say(prompt.messages(), again),
            format_again,
            truncations=method.truncation_retries,
            formats=method.format_retries,
            again=lambda: self._again(quoted=False),
        )


def vote(drawn: list[LabelReading], ids: tuple[str, ...]) -> LabelReading:
    """Return for each query the most frequent label, or the first of equals.

    Its confidence is its share of all draws, including those without a label. If no draw has a label, the vote has the
    reason of the first draw.
    """
    labels: dict[str, Label] = {}
    confidence: dict[str, float] = {}
    for id in ids:
        label, votes = most_voted(reading.labels.get(id) for reading in drawn)
        if label is not None:
            labels[id], confidence[id] = label, votes / len(drawn)
    none = None if labels or not drawn else drawn[0].none
    return LabelReading(labels, confidence, tuple(id for id in ids if id not in labels), none)


def control_labels(answerer: LabelAnswerer, turn: LabelTurn) -> LabelReading:
    """Return the labels of a control.

    `always_unknown` says UNKNOWN to everything, which is always consistent. `one_model` takes all labels from one
    witness of the premises, which is consistent too. `solver_only` gives the labels that the solver proves from the
    premises. A query without a formula, or without a verdict in time, is UNKNOWN.
    """
    return LabelReading({id: _label(answerer, turn, id) for id in turn.queries}, {}, ())


def _label(answerer: LabelAnswerer, turn: LabelTurn, id: str) -> Label:
    formula = turn.formulas.get(id)
    if answerer == "always_unknown" or formula is None or turn.witness is None:
        return Label.UNKNOWN
    if answerer == "one_model":
        return Label.ENTAILED if formula.holds(turn.witness) else Label.CONTRADICTED
    found = entailed_label(BeliefBase(turn.base.rules), formula, turn.budget)
    return found if isinstance(found, Label) else Label.UNKNOWN
