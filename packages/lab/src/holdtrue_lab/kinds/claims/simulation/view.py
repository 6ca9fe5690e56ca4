"""Recognize the step of the claims pipeline that a prompt belongs to, and read its task and its feedback.

A simulated model reads prompts with this module. It reads the prompts of claims and of baselines back from the messages
alone.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from holdtrue.language.judgements import FOUND
from holdtrue.language.sentences import split_sentences
from holdtrue.models.chat import Message
from holdtrue_claims.kind.prompts import answer_doubts as doubts
from holdtrue_claims.kind.prompts import bridges, choice, decomposition, judges, questions
from holdtrue_lab.kinds.claims.baselines.prompts import critiques, program_prompt
from holdtrue_lab.kinds.claims.simulation.world import plain
from holdtrue_lab.kit.simulation.model import last_message, messages_of

_TITLES = (questions.CLASH, questions.CHANGE, questions.KEEP, questions.WEAK, questions.ALERTS)


@dataclass(frozen=True, slots=True)
class Feedback:
    """The feedback to a model on its `previous` answer.

    Attributes:
        previous: The answer as the prompt shows it.
        change: Claims that are enough to change.
        against: Refuted claims, and all sentences of a conflict.
        doubted: Claims that were not proved, or not read.
        verdicts: Whether the feedback has verdicts, good or bad, in addition to conflicts.
        own: Whether the feedback is the model's own critique, which names no claims.
    """

    previous: str
    change: tuple[str, ...] = ()
    against: tuple[str, ...] = ()
    doubted: tuple[str, ...] = ()
    verdicts: bool = False
    own: bool = False

    def about(self, claim: str) -> str:
        """Return the kind of feedback on a claim (`names.MENDING`), or '' if the feedback names only other claims."""
        if self.own:
            return "mend_critique"
        if _is_named(claim, self.change):
            return "mend"
        if _is_named(claim, (*self.against, *self.doubted)):
            return "mend_verdicts" if self.verdicts else "mend_core"
        told_more = self.change or self.against or self.doubted or self.verdicts
        return "" if told_more else "mend_minimal"


def view_feedback(messages: Sequence[Message]) -> Feedback | None:
    """Return the feedback in the last user message, or None if it has none."""
    last = last_message(messages)
    if last.startswith(FOUND):
        return Feedback(last_message(messages, "assistant"), own=True)
    lines = last.split("\n")
    if questions.REPORT not in lines:
        return None
    report = lines[lines.index(questions.REPORT) + 1 :]
    if questions.AGAIN not in report or report[0] != questions.GIVEN:
        return None
    previous, rest = report[1], report[2 : report.index(questions.AGAIN)]
    refuted = [line.removeprefix(questions.REFUTED) for line in rest if line.startswith(questions.REFUTED)]
    listed: dict[str, list[str]] = {title: [] for title in _TITLES}
    title = ""
    for line in rest:
        title = line if line in listed else title if line.startswith("- ") else ""
        if title and line != title:
            listed[title].append(line.removeprefix("- "))
    return Feedback(
        previous,
        tuple(listed[questions.CHANGE]),
        (*refuted, *listed[questions.CLASH]),
        (*listed[questions.WEAK], *listed[questions.ALERTS]),
        verdicts=any(listed[title] for title in (questions.CHANGE, questions.KEEP, questions.WEAK, questions.ALERTS)),
    )


def _is_named(claim: str, sentences: Sequence[str]) -> bool:
    """Return whether one of the sentences is the claim, with or without a remark in brackets after it."""
    own = plain(claim)
    return any(plain(sentence) == own or plain(sentence).startswith(f"{own} (") for sentence in sentences)


_SENTENCE = re.compile(r"^Sentence: (.*)$", re.MULTILINE)
_FORMULA = re.compile(r"^Formula: (.*)$", re.MULTILINE)
_TEXT = re.compile(r"^Text: (.*)$", re.MULTILINE)
_NAMED = re.compile(r"(\w+): (.*)")
_NUMBERED = re.compile(r"\d+\) (.*)")
_BY_NAME = re.compile(r"(\w+)\) (.*)")
_LETTERED = re.compile(r"([A-Z])\) (.*)")


@dataclass(frozen=True, slots=True)
class TextTask:
    """The task to name the things of a text, or, with `words`, its predicates and functions."""

    text: str
    words: bool


@dataclass(frozen=True, slots=True)
class FormulaTask:
    """The task to write a sentence as a formula of the vocabulary that `vocabulary_text` shows."""

    sentence: str
    vocabulary_text: str


@dataclass(frozen=True, slots=True)
class RetellTask:
    """The task to say a formula in words."""

    formula: str
    vocabulary_text: str


@dataclass(frozen=True, slots=True)
class ChoiceTask:
    """The task to repeat the statement that means the same as a sentence. The last statement says that none does."""

    sentence: str
    statements: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ClaimsTask:
    """The task to split an answer, given sentence by sentence, into claims."""

    sentences: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ActTask:
    """The task to say whether a part of an answer states anything, or thanks, greets and so on."""

    part: str


@dataclass(frozen=True, slots=True)
class SaidTask:
    """The task to say whether an answer, given clause by clause, states a claim."""

    answer: tuple[str, ...]
    claim: str


@dataclass(frozen=True, slots=True)
class BridgeTask:
    """The task to find rules that connect claims without a formula to the vocabulary; `judged` has these claims by
    name.
    """

    judged: Mapping[str, str]
    vocabulary_text: str


@dataclass(frozen=True, slots=True)
class JudgeTask:
    """The task to judge a claim by a context."""

    context: str
    claim: str


@dataclass(frozen=True, slots=True)
class QuestionTask:
    """The task to answer a question about a context, or to think on, criticise an answer, or rate thoughts.

    Attributes:
        said: The answer to criticise, or the thoughts so far.
        steps: Number of steps of reasoning before an answer. A system prompt that asks for reasoning counts as one
            step, and so does each sentence of the thoughts in the prompt.
        feedback: The feedback on the previous answer.
    """

    kind: Literal["answer", "critique", "thought", "rate"]
    context: tuple[str, ...]
    question: str
    options: Mapping[str, str] = field(default_factory=dict)
    said: str = ""
    reasons: bool = True
    steps: int = 0
    feedback: Feedback | None = None


@dataclass(frozen=True, slots=True)
class ProgramTask:
    """The task to write sentences and named statements as one program in a given form."""

    form: program_prompt.ProgramForm
    sentences: tuple[str, ...]
    statements: Mapping[str, str]


ClaimTask = (
    TextTask
    | FormulaTask
    | RetellTask
    | ChoiceTask
    | ClaimsTask
    | ActTask
    | SaidTask
    | BridgeTask
    | JudgeTask
    | QuestionTask
    | ProgramTask
)


def view_claims(messages: Sequence[Message]) -> ClaimTask | None:
    """Return the task that the last user message sets, or None if it is no prompt of the pipeline."""
    last = last_message(messages)
    forms = [form for form, said in program_prompt.SYSTEM.items() if said in messages_of(messages, "system")]
    if forms:
        return _program(forms[0], messages)
    asked = [text for text in messages_of(messages, "user") if _questions(text)]
    if asked:
        return _question(messages, asked[-1], last)
    if last.startswith(choice.SAID):
        said, _, listed = last.removeprefix(choice.SAID).partition(f"\n{choice.WHICH}\n")
        return ChoiceTask(said.split("\n")[0], tuple(line.removeprefix(choice.ITEM) for line in listed.split("\n")))
    if last.startswith(doubts.QUESTION) and f"\n{doubts.PART}" in last:
        return ActTask(last.rpartition(f"\n{doubts.PART}")[2])
    if last.startswith(doubts.QUESTION) and f"\n{doubts.STATEMENT}" in last:
        answer, _, claim = last.partition(f"\n{doubts.ANSWER}")[2].rpartition(f"\n{doubts.STATEMENT}")
        return SaidTask(tuple(line.removeprefix("- ") for line in answer.split("\n") if line), claim)
    if (sentence := _SENTENCE.search(last)) is not None:
        return FormulaTask(sentence[1], last[: sentence.start()])
    if (formula := _FORMULA.search(last)) is not None:
        return RetellTask(formula[1], last[: formula.start()])
    if (text := _TEXT.search(last)) is not None:
        return TextTask(text[1], last.startswith("Things:"))
    if last.startswith(f"{bridges.JUDGED}\n"):
        return _bridges(last)
    if f"\n{judges.CLAIM}" in last and last.startswith(judges.CONTEXT):
        context, _, claim = last.removeprefix(judges.CONTEXT).rpartition(f"\n{judges.CLAIM}")
        return JudgeTask(context, claim)
    if f"{decomposition.ANSWER}\n" in last:
        lines = last.rpartition(f"{decomposition.ANSWER}\n")[2].split("\n")
        return ClaimsTask(tuple(line.removeprefix("- ") for line in lines))
    return None


def _program(form: program_prompt.ProgramForm, messages: Sequence[Message]) -> ProgramTask:
    """Return the task of the last message that does not report errors."""
    asked = [text for text in messages_of(messages, "user") if text.startswith(f"{program_prompt.SENTENCES}\n")][-1]
    told, _, stated = asked.partition(f"\n{program_prompt.STATEMENTS}\n")
    numbered = filter(None, map(_NUMBERED.fullmatch, told.split("\n")))
    named = filter(None, map(_BY_NAME.fullmatch, stated.split("\n")))
    return ProgramTask(form, tuple(found[1] for found in numbered), {found[1]: found[2] for found in named})


def _questions(text: str) -> bool:
    return text.startswith(f"{questions.CONTEXT}\n") and f"\n\n{questions.QUESTION}\n" in text


def _bridges(last: str) -> BridgeTask:
    judged = last.removeprefix(f"{bridges.JUDGED}\n").partition(f"\n{bridges.FORMAL}\n")[0]
    named = filter(None, map(_NAMED.fullmatch, judged.split("\n")))
    return BridgeTask({found[1]: found[2] for found in named}, last.rpartition(f"\n{bridges.WORDS}\n")[2])


def _question(messages: Sequence[Message], asked: str, last: str) -> QuestionTask:
    context, _, rest = asked.partition(f"\n\n{questions.QUESTION}\n")
    context_lines = context.partition("\n\n")[0].split("\n")[1:]
    question, *blocks = rest.split("\n\n")
    options = next((block.split("\n")[1:] for block in blocks if block.startswith(f"{questions.OPTIONS}\n")), [])
    thoughts = next((block for block in blocks if block.startswith(f"{critiques.THOUGHTS}\n")), "")
    system_text = messages_of(messages, "system")
    kind: Literal["answer", "critique", "thought", "rate"] = "answer"
    said = thoughts.removeprefix(f"{critiques.THOUGHTS}\n")
    if critiques.THOUGHT_SYSTEM in system_text:
        kind = "thought"
    elif critiques.RATE_SYSTEM in system_text:
        kind = "rate"
    elif last == critiques.CRITIQUE:
        kind = "critique"
        said = last_message(messages, "assistant")
    reasons = questions.QUESTION_SYSTEM["direct"] not in system_text
    shown = last_message(messages, "assistant") if last.startswith(critiques.GO_ON) else ""
    return QuestionTask(
        kind,
        tuple(line.removeprefix("- ") for line in context_lines),
        question,
        {found[1]: found[2] for line in options if (found := _LETTERED.fullmatch(line))},
        said,
        reasons,
        reasons + len(split_sentences(shown)),
        view_feedback(messages) if kind == "answer" else None,
    )
