"""The knowledge of simulated models about items and scripted dialogues: sentences, formulas, and right verdicts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from holdtrue.language.sentences import PICTURE, split_sentences
from holdtrue_claims.claim_record import SoftVerdict
from holdtrue_claims.fol.syntax import Not, Sentence
from holdtrue_claims.fol.vocabulary import Vocabulary
from holdtrue_claims.kind.gold_logic import STATEMENT
from holdtrue_claims.kind.prompts.content_words import content_words
from holdtrue_claims.kind.prompts.options import denial
from holdtrue_claims.kind.prompts.questions import option_statement, read_option
from holdtrue_claims.kind.prompts.statements import clauses
from holdtrue_lab.kinds.claims.dialogue import Dialogue
from holdtrue_lab.kinds.claims.item import Item

MOST_PREMISES = 5
"""The largest number of sentences of the context that an answer repeats as its reasoning."""


@dataclass(frozen=True, slots=True)
class Known:
    """A sentence, its formula (None without gold), and the right verdict of a judge on the sentence."""

    text: str
    sentence: Sentence | None
    verdict: SoftVerdict


@dataclass(frozen=True, slots=True)
class ClaimWorld:
    """The knowledge of a simulated model about an item or a dialogue.

    Attributes:
        known: Sentences by their plain form (see `plain`).
        context: The sentences that an answer can rest on.
        answer: The letter of the right one of `options`.
        parts: Maps the clauses of whole answers to the claims in them.
        omitted: Parts of answers that are in no claim.
        whole: Whether all sentences that state anything are known.
    """

    id: str
    vocabulary: Vocabulary
    known: Mapping[str, Known]
    context: tuple[str, ...] = ()
    question: str = ""
    options: Mapping[str, str] = field(default_factory=dict)
    answer: str = ""
    statement: str | None = None
    parts: Mapping[tuple[str, ...], tuple[str, ...]] = field(default_factory=dict)
    omitted: tuple[str, ...] = ()
    whole: bool = False

    def option_says(self, letter: str) -> str:
        """Return the sentence that an option states; it is empty for the option that something is unknown."""
        return option_statement(letter, self.options, self.statement)


_PICTURE = re.compile(f"{PICTURE}|\ufe0f")


def plain(text: str) -> str:
    """Return a sentence in lower case, without pictures and final punctuation, so that all steps can compare it."""
    return " ".join(_PICTURE.sub("", text.replace("**", "")).split()).strip(" .!?").casefold()


def answer_key(text: str) -> tuple[str, ...]:
    """Return the clauses of an answer, as they are shown by prompts that ask for its claims."""
    return tuple(plain(clause) for clause in clauses(text.replace("**", "")))


def given_option(world: ClaimWorld, said: str) -> str | None:
    """Return the letter of the option that an answer gives, or None.

    If the reply is no JSON, this is the option whose statement ends the answer, or the only option that states nothing.
    """
    stated = stated_option(world, said)
    silent = [letter for letter in world.options if not world.option_says(letter)]
    return silent[0] if stated is None and len(silent) == 1 else stated


def stated_option(world: ClaimWorld, said: str) -> str | None:
    """Return the letter of the option in a reply, or of the option whose statement ends the reply, or None."""
    read = read_option(said, world.options)
    if read is not None:
        return read
    stated = {letter: plain(text) for letter in world.options if (text := world.option_says(letter))}
    # A denial can end with the statement that it denies.
    ending = [letter for letter, text in stated.items() if plain(said).endswith(text)]
    return max(ending, key=lambda letter: len(stated[letter]), default=None)


def item_world(item: Item) -> ClaimWorld:
    """Return the knowledge of a simulated model about an item."""
    gold = item.gold
    sentences = item.sentences or tuple(split_sentences(item.context))
    known: dict[str, Known] = {}

    def add(text: str, sentence: Sentence | None, verdict: SoftVerdict) -> None:
        known.setdefault(plain(text), Known(text, sentence, verdict))

    for place, text in enumerate(sentences, start=1):
        add(text, gold.premises.get(f"P{place}") if gold else None, SoftVerdict.SUPPORTED)
    statements = {STATEMENT: item.statement} if item.statement is not None else item.options
    for name, text in statements.items():
        said = gold.statements.get(name) if gold else None
        right, denied = _verdicts(item, name)
        add(text, said, right)
        add(denial(text), None if said is None else Not(said), denied)
    vocabulary = gold.vocabulary if gold else Vocabulary()
    return ClaimWorld(item.id, vocabulary, known, sentences, item.question, item.options, item.answer, item.statement)


def dialogue_world(dialogue: Dialogue) -> ClaimWorld:
    """Return the knowledge of a simulated model about a dialogue. Judges only say whether a claim is contradicted."""
    known: dict[str, Known] = {}
    parts: dict[tuple[str, ...], tuple[str, ...]] = {}
    for statement in dialogue.context:
        known.setdefault(plain(statement.text), Known(statement.text, statement.sentence, SoftVerdict.SUPPORTED))
    for turn in dialogue.turns:
        for statement in turn.stated:
            known.setdefault(plain(statement.text), Known(statement.text, statement.sentence, SoftVerdict.SUPPORTED))
        drifting = {id for drift in turn.drifts for id in drift.claims}
        for id, claim in turn.claims.items():
            verdict = SoftVerdict.UNSUPPORTED if id in drifting else SoftVerdict.PLAUSIBLE
            known.setdefault(plain(claim.text), Known(claim.text, claim.sentence, verdict))
        for said in turn.sentences:
            known.setdefault(plain(said.text), Known(said.text, said.sentence, SoftVerdict.PLAUSIBLE))
        parts[answer_key(turn.assistant)] = tuple(claim.text for claim in turn.claims.values())
    context = tuple(statement.text for statement in dialogue.context)
    whole = any(turn.sentences for turn in dialogue.turns)
    omitted = tuple(plain(part) for turn in dialogue.turns for part in turn.omitted)
    return ClaimWorld(dialogue.id, dialogue.vocabulary, known, context, parts=parts, omitted=omitted, whole=whole)


class Library:
    """A `Library` finds the world that a text is about."""

    def __init__(self, worlds: Iterable[ClaimWorld]) -> None:
        self._worlds = tuple(worlds)
        self._of: dict[str, list[int]] = {}
        self._parts: dict[tuple[str, ...], tuple[str, ...]] = {}
        for place, world in enumerate(self._worlds):
            for text in world.known:
                self._of.setdefault(text, []).append(place)
            self._parts |= world.parts

    def claims_of(self, clauses: Iterable[str]) -> tuple[str, ...] | None:
        """Return the claims of an answer, given clause by clause, or None if the answer is not known."""
        return self._parts.get(tuple(map(plain, clauses)))

    def states_anything(self, part: str) -> bool:
        """Return whether a part of an answer is a clause of a known sentence, or is omitted from the claims.

        In a world without all sentences, one word in common with a known sentence is enough.
        """
        words, said = content_words(part), plain(part)
        omitted = (content_words(text) for world in self._worlds for text in world.omitted)
        if any(2 * len(own & words) >= len(own) for own in omitted):
            return True
        if said in self._of:
            return True
        return any(
            said in map(plain, clauses(own.text)) or (not world.whole and not words.isdisjoint(content_words(own.text)))
            for world in self._worlds
            for own in world.known.values()
        )

    def with_question(self, context: Iterable[str], question: str, options: Mapping[str, str]) -> ClaimWorld | None:
        """Return the world that this question is about, or None."""
        asked = [world for world in self._worlds if plain(world.question) == plain(question)]
        return Library(asked).with_sentences([*context, *options.values()])

    def with_vocabulary(self, vocabulary_text: str) -> list[ClaimWorld]:
        """Return the worlds with the largest share of their names in a vocabulary, as a prompt shows it."""
        shares = [(_named(world, vocabulary_text), world) for world in self._worlds]
        most = max((share for share, _ in shares), default=0.0)
        return [world for share, world in shares if share == most]

    def with_sentences(self, sentences: Iterable[str], vocabulary_text: str = "") -> ClaimWorld | None:
        """Return the world that knows most of the sentences. A tie goes to the world with the largest share of its
        names in the vocabulary.
        """
        scores: dict[int, int] = {}
        for sentence in sentences:
            for place in self._of.get(plain(sentence), ()):
                scores[place] = scores.get(place, 0) + 1
        most = max(scores.values(), default=0)
        best = [self._worlds[place] for place, score in scores.items() if score == most]
        return max(best, key=lambda world: _named(world, vocabulary_text), default=None)

    def with_text(self, text: str) -> ClaimWorld | None:
        """Return the world whose sentences cover most of a text, measured by their length."""
        whole = plain(text)
        scored = [
            (sum(len(sentence) for sentence in world.known if sentence in whole), world) for world in self._worlds
        ]
        length, found = max(scored, key=lambda pair: pair[0], default=(0, None))
        return found if length else None


def names(vocabulary: Vocabulary) -> list[str]:
    """Return all names of a vocabulary: things, predicates, functions."""
    return [
        *(entity.name for entity in vocabulary.entities),
        *(predicate.name for predicate in vocabulary.predicates),
        *(function.name for function in vocabulary.functions),
    ]


def _named(world: ClaimWorld, vocabulary_text: str) -> float:
    """Return the share of the world's names that a shown vocabulary has, in any spelling."""
    own, shown = names(world.vocabulary), vocabulary_text.casefold().replace("_", "")
    return sum(name.casefold().replace("_", "") in shown for name in own) / len(own) if own else 0.0


def _verdicts(item: Item, name: str) -> tuple[SoftVerdict, SoftVerdict]:
    """Return the right verdicts of a judge on a statement, and on its denial."""
    if name != STATEMENT:
        right = name == item.answer
    else:
        said = option_statement(item.answer, item.options, item.statement)
        if not said:
            return SoftVerdict.UNCERTAIN, SoftVerdict.UNCERTAIN
        right = said == item.statement
    both = (SoftVerdict.SUPPORTED, SoftVerdict.UNSUPPORTED)
    return both if right else (both[1], both[0])
