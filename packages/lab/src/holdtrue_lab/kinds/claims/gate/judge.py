"""A simulated judge of minimal pairs. It knows the meaning of each sentence, and errs at a rate that its name sets."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Sequence

from holdtrue.language.asking import one_line
from holdtrue.models.chat import Reply, Request
from holdtrue.solving.result import Equivalent
from holdtrue_claims.fol.canonical import same_tree
from holdtrue_claims.fol.english import Teller
from holdtrue_claims.fol.meaning import state
from holdtrue_claims.fol.syntax import Sentence
from holdtrue_claims.fol.variants import variants
from holdtrue_claims.kind.equivalence import same_meaning
from holdtrue_claims.kind.mentions import mentions_in
from holdtrue_claims.kind.prompts.choice import NONE
from holdtrue_claims.kind.prompts.logic_text import formula_text, vocabulary_text
from holdtrue_lab.kinds.claims.gate.pairs import MinimalPair
from holdtrue_lab.kinds.claims.simulation.names import ClaimCharacter
from holdtrue_lab.kinds.claims.simulation.view import ChoiceTask, RetellTask, view_claims
from holdtrue_lab.kit.simulation.chance import draw, pick
from holdtrue_lab.kit.simulation.model import LOST, Simulated, make_reply


class PairJudge(Simulated[ClaimCharacter]):
    """A simulated model that judges the sentences and formulas of some pairs.

    `sim/claims` makes no mistake. `sim/claims:confuse=0.1@7` gives a wrong answer to one question in ten, chosen evenly
    among the wrong ones.
    """

    def __init__(self, name: str, pairs: Sequence[MinimalPair]) -> None:
        super().__init__(ClaimCharacter.read(name))
        self._by_text: dict[str, list[tuple[MinimalPair, Sentence]]] = defaultdict(list)
        for pair in pairs:
            for text, sentence in pair.said.items():
                self._by_text[one_line(text)].append((pair, sentence))
        self._pairs = tuple(pairs)
        self._words: dict[str, dict[str, Sentence]] = {}
        # Every round shows the same statements, so the result of each comparison by a solver is kept.
        self._compared: dict[tuple[str, Sentence, Sentence], bool] = {}

    def reply(self, request: Request) -> Reply:
        key = (self.character.seed, request.messages[-1].content, request.seed, request.sample)
        wrong = draw(*key, "confuse") < self.character.confuse
        found = None
        match view_claims(request.messages):
            case RetellTask(formula, vocabulary):
                found = self._retold(formula, vocabulary, wrong)
            case ChoiceTask(sentence, statements):
                found = self._chosen(sentence, statements, key, wrong)
        return make_reply(request, found or LOST, ("confuse",) if wrong else ())

    def _chosen(self, sentence: str, shown: Sequence[str], key: tuple[object, ...], wrong: bool) -> str | None:
        for pair, meant in self._by_text.get(sentence, ()):
            says = self._sayings(pair)
            if all(text in says for text in shown if text != NONE):
                right = next((text for text in shown if text != NONE and self._same(pair, says[text], meant)), NONE)
                others = [text for text in shown if text != right]
                return json.dumps({"says": pick(others, *key, "other") if wrong else right})
        return None

    def _sayings(self, pair: MinimalPair) -> dict[str, Sentence]:
        """Return the formulas of a pair and all of their variants, by their wording."""
        if pair.id not in self._words:
            teller = Teller(pair.vocabulary)
            found = [pair.formula, pair.near_miss]
            for formula in (pair.formula, pair.near_miss):
                for text in pair.said:
                    mentions = mentions_in(text, pair.vocabulary)
                    found += [each.sentence for each in variants(formula, pair.vocabulary, mentions)]
            self._words[pair.id] = {teller.say(sentence): sentence for sentence in found}
        return self._words[pair.id]

    def _same(self, pair: MinimalPair, one: Sentence, other: Sentence) -> bool:
        key = (pair.id, one, other)
        if key not in self._compared:
            self._compared[key] = _same(pair, one, other)
        return self._compared[key]

    def _retold(self, formula: str, vocabulary: str, wrong: bool) -> str | None:
        """Return the pair's sentence for a formula; if `wrong`, return the sentence of the other formula."""
        for pair in self._pairs:
            told = {formula_text(pair.formula): pair.sentence, formula_text(pair.near_miss): pair.near_sentence}
            if formula in told and vocabulary_text(pair.vocabulary) in vocabulary:
                right = told.pop(formula)
                return json.dumps({"sentence": next(iter(told.values()), right) if wrong else right})
        return None


def _same(pair: MinimalPair, one: Sentence, other: Sentence) -> bool:
    if same_tree(one, other):
        return True
    first, second = state(one, pair.vocabulary), state(other, pair.vocabulary)
    return isinstance(same_meaning(first, second, pair.vocabulary), Equivalent)
