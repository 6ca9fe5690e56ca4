"""Ask a question about a context, tell which claims of an answer did not pass, and read the option that a reply gives.

A prompt holds the frame, what was said so far, the question with its options, and, of the model's own previous answer,
its text and verdicts about it. Nothing else can get in, because nothing else is a parameter here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from holdtrue.language.asking import one_line
from holdtrue.language.replies import reply_object
from holdtrue.models.chat import Message, assistant, system, user
from holdtrue.record import AnswerStatus
from holdtrue.world.answer import Unparsed
from holdtrue.world.answer_shape import object_schema
from holdtrue.world.lenient_json import strip_thinking
from holdtrue_claims.kind.prompts.options import denial

_TASK = "You answer a question about a context by what the context says, and by what follows from it."
QUESTION_SYSTEM: dict[str, str] = {
    "direct": f"{_TASK} Answer at once, without an explanation.",
    "cot": (
        f"{_TASK} Reason step by step first, then give the answer. Write your reasoning as one paragraph of full "
        "sentences, each of which says one thing: first facts that matter, then what follows from them. Speak of the "
        "things themselves, not of the context. No introduction and no list."
    ),
}
# The lines by which a prompt's parts are told apart; simulated models read them too.
CONTEXT = "Context:"
TAKEN_BACK = "This was taken back, and does not hold any more:"
QUESTION = "Question:"
OPTIONS = "Options:"
SHAPE = "Answer with JSON of this shape: "
NO_MESSAGE = "(no message)"
FREE = "Answer in plain sentences."
# Where a schema is enforced, reasoning ends here: small models repeat themselves without end.
LONGEST_REASONING = 2000
_TRUTHS = {"true": True, "yes": True, "false": False, "no": False}
_ANSWER_KEYS = ("answer", "option", "choice")
# A letter alone, or before its text: "B", "(b).", "Option B", "**B) The cat**".
_LETTER = re.compile(r"\W{0,4}(?:option\s{1,4})?\W{0,4}([A-Za-z])(?:\W{0,4}\Z|[).:\]]\W)", re.IGNORECASE)
_SAID = re.compile(
    r"\b(?:answer|option|choice|statement)\s{0,4}(?:[:=]|\b(?:is|must be|should be)\b)(?=([^\n]{0,300}))", re.IGNORECASE
)
# In a sentence a letter is a capital, and what follows tells it from the first word of something else.
_NAMED = re.compile(
    r"\W{0,4}(?:[Oo]ption\s{1,4})?\W{0,4}([A-Z])(?=\W{0,4}\Z|\s?[).:,;\]*]|\s(?:because|since|as|and|which|is)\b)"
)
_CLAUSE = re.compile(r"[.,;]")
_CLIPPED = re.compile(r'\s*(?:```(?:json)?)?\s*\{\s*"reasoning"\s*:\s*"', re.IGNORECASE)
# So much of a reply's end is searched for an option that is told in prose.
_TAIL = 2000


@dataclass(frozen=True, slots=True)
class QuestionPrompt:
    """All that a prompt for an answer may depend on.

    `context` are sentences, shown without numbers: models take to citing these, and what they say of them is no claim
    that can be tested. `history` are earlier messages of the user, each with the answer that was delivered;
    `taken_back` are sentences of them that hold no more. `previous` is the model's own last answer, with `feedback` on
    it.
    """

    frame: str
    context: tuple[str, ...]
    question: str
    options: Mapping[str, str] = field(default_factory=dict)
    history: tuple[tuple[str, str], ...] = ()
    taken_back: tuple[str, ...] = ()
    previous: str = ""
    feedback: ClaimSignal | None = None

    def messages(self) -> tuple[Message, ...]:
        """The chat messages: the system prompt, what was said before, and one message that begins with the context."""
        earlier = [
            message for asked, answered in self.history for message in (user(asked or NO_MESSAGE), assistant(answered))
        ]
        blocks = [self.opening()]
        if self.feedback is not None:
            blocks.append("\n".join(signal_lines(self.feedback, self.previous)))
        blocks.append(f"{SHAPE}{answer_hint(self.options, self.frame == 'cot')}" if self.options else FREE)
        return (system(QUESTION_SYSTEM[self.frame]), *earlier, user("\n\n".join(blocks)))

    def schema(self) -> dict[str, Any] | None:
        """The JSON schema of a reply that gives an option; None where there are no options."""
        return answer_schema(self.options, self.frame == "cot") if self.options else None

    def opening(self) -> str:
        """The context, the question and its options, as every prompt about them begins."""
        blocks = {
            CONTEXT: [f"- {one_line(text)}" for text in self.context],
            TAKEN_BACK: [f"- {one_line(text)}" for text in self.taken_back],
            QUESTION: [one_line(self.question)],
            OPTIONS: [f"{letter}) {one_line(text)}" for letter, text in self.options.items()],
        }
        return "\n\n".join("\n".join((title, *own)) for title, own in blocks.items() if own or title == CONTEXT)


def answer_schema(options: Mapping[str, str], reasons: bool = True) -> dict[str, Any]:
    """The JSON schema of `{"reasoning": text, "answer": letter}`, or of the answer alone."""
    reasoning = {"reasoning": {"type": "string", "maxLength": LONGEST_REASONING}} if reasons else {}
    return object_schema({**reasoning, "answer": {"type": "string", "enum": list(options)}})


def answer_hint(options: Mapping[str, str], reasons: bool = True) -> str:
    """One line in the shape of a reply, with placeholders."""
    reasoning = '"reasoning": "<your reasoning>", ' if reasons else ""
    return f'{{{reasoning}"answer": "<{" | ".join(options)}>"}}'


@dataclass(frozen=True, slots=True)
class Answer:
    """An `Answer` is what a reply says: `text` in prose, with what its option says at the end, and the option's letter.

    `none` says why the reply is no answer, where it is none; nothing is tested of its text then.
    """

    text: str
    option: str | None = None
    none: Unparsed | None = None

    @property
    def refused(self) -> bool:
        """Return whether the model or a filter declined to answer."""
        return self.none is not None and self.none.status is AnswerStatus.REFUSED


def read_answer(
    reply: str, options: Mapping[str, str], statement: str | None = None, option: str | None = None
) -> Answer:
    """The answer in a reply, whatever the model wrote; `statement` is what options call true, false or unknown.

    `option` is the letter that it gives where that is known; else it is read from the reply.
    """
    bare = strip_thinking(reply).strip()
    found = reply_object(bare, "reasoning", *_ANSWER_KEYS)
    reasoning = found.get("reasoning")
    prose = reasoning.strip() if isinstance(reasoning, str) else "" if found else bare
    if not found and (start := _CLIPPED.match(bare)):  # the reasoning of JSON that was clipped before its end
        prose = bare[start.end() :].replace("\\n", "\n").replace('\\"', '"').strip()
    option = option or read_option(reply, options)
    return Answer(with_option(prose, option, options, statement), option)


def with_option(text: str, option: str | None, options: Mapping[str, str], statement: str | None = None) -> str:
    """The text, with what its option says as the last line, unless that is there already."""
    said = option_statement(option, options, statement) if option is not None else ""
    return text if not said or _plain(said) in _plain(text) else f"{text}\n{said}".strip()


def option_statement(option: str, options: Mapping[str, str], statement: str | None = None) -> str:
    """Return what an option says, as a sentence; empty where it says that something is unknown."""
    text = options.get(option, "")
    if statement is None:
        return text
    truth = _TRUTHS.get(_plain(text))
    if truth is None:
        return ""
    return statement if truth else denial(statement)


def read_option(text: str, options: Mapping[str, str]) -> str | None:
    """The letter of the option that a reply gives, None where it gives none; of several the last one counts.

    Read are JSON with an `answer`, a letter with or without its text on a line of its own, "the answer is B", and an
    option's text as the last line. Never raises.
    """
    bare = strip_thinking(text)
    found = reply_object(bare, *_ANSWER_KEYS)
    for key in _ANSWER_KEYS:
        if key in found:
            return _option_of(found[key], options)
    tail = bare[-_TAIL:]
    for said in reversed(list(_SAID.finditer(tail))):
        letter, short = _NAMED.match(said[1]), _CLAUSE.split(said[1], maxsplit=1)[0]
        named = letter[1] if letter and letter[1] in options else None
        if option := named or _option_of(said[1], options) or _option_of(short, options):
            return option
    lines = [line for line in tail.splitlines() if line.strip()]
    return _option_of(lines[-1], options) if lines else None


def _option_of(value: object, options: Mapping[str, str]) -> str | None:
    """The option that a value is the text of, or the letter of."""
    if not isinstance(value, str | bool):
        return None
    answer = str(value).strip()
    same = [letter for letter, text in options.items() if _plain(answer) and _plain(text) == _plain(answer)]
    if len(same) == 1:
        return same[0]
    if answer in options:
        return answer
    letter = _LETTER.match(answer)
    return letter[1].upper() if letter and letter[1].upper() in options else None


def _plain(text: str) -> str:
    return " ".join(text.casefold().split()).strip(" .:!*`'\"")


# --- the report on an answer: the refinement step of VERGE (E.2.3) in words of our own --------------------------------

Status = Literal["refuted", "clash", "weak", "no_claims", "context", "failed"]

# The lines by which a prompt's parts are told apart; simulated models read them too.
REPORT = "VERIFICATION REPORT on your previous answer"
GIVEN = "You answered:"
STATUS = "Status: "
REFUTED = "This claim is contradicted by what was said: "
BECAUSE = "  It cannot be true together with:"
DROP = "  It is enough to take back this part of it:"
CLASH = "These cannot all be true together:"
CHANGE = "It is enough to change these claims:"
KEEP = "These claims follow from what was said, keep them:"
WEAK = "These claims were not proved:"
ALERTS = "These claims could not be read as logic without doubt, say them more simply:"
STATUSES: dict[Status, str] = {
    "refuted": "contradicted. A solver proved that what was said rules out some of your claims.",
    "clash": "unsatisfiable. A solver proved that your claims cannot all be true together.",
    "weak": "not proved. Nothing contradicts your claims, but too little of them follows from what was said.",
    "no_claims": "nothing to check. No statement was found in your answer that can be true or false.",
    "context": "not checked. What was said cannot all be true, so nothing could be proved about your claims.",
    "failed": "your answer did not pass the check.",
}
VERDICTS: dict[str, str] = {
    "possible": "possible, but it does not follow",
    "assumed": "it follows, or is ruled out, only if more is assumed than was said",
    "unproved": "it could not be said in logic without doubt",
    "unknown": "the solver could not tell in time",
    "plausible": "plausible, and no more",
    "unsupported": "nothing supports it",
    "uncertain": "judges could not tell",
}
SAID_BY = {"user": "the user said this", "claim": "you said this before", "bridge": "this is assumed"}
YOURS = "your claim"
AGAIN = (
    "Write your answer again so that all of it holds. Do not weaken or change what was said in the context: "
    "correct your own reasoning."
)
# Of an answer so much is shown again (characters).
SHOWN_ANSWER = 2000


@dataclass(frozen=True, slots=True)
class Refuted:
    """A contradicted claim, the sentences that it cannot be true together with, and the parts of it to `drop`."""

    claim: str
    because: tuple[str, ...] = ()
    drop: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ClaimSignal:
    """All that the model may be told about its answer's claims; every entry is a sentence.

    Attributes:
        status: What is wrong with the answer as a whole; `STATUSES` says it in words.
        refuted: The claims that are contradicted, each with what contradicts it.
        clash: Claims and sentences of the context that cannot all be true together.
        change: Claims that are enough to change so that the rest can be true.
        keep: Claims that follow from the context.
        weak: Claims that were not proved, each with its verdict.
        alerts: Claims that could not be read as logic without doubt, each with the reason.
    """

    status: Status
    refuted: tuple[Refuted, ...] = ()
    clash: tuple[str, ...] = ()
    change: tuple[str, ...] = ()
    keep: tuple[str, ...] = ()
    weak: tuple[str, ...] = ()
    alerts: tuple[str, ...] = ()


def signal_lines(signal: ClaimSignal, previous: str) -> list[str]:
    """Return the lines of the report, which quotes the first `SHOWN_ANSWER` characters of the `previous` answer."""
    lines = [REPORT, GIVEN, one_line(previous)[:SHOWN_ANSWER], f"{STATUS}{STATUSES[signal.status]}"]
    for refuted in signal.refuted:
        lines.append(f"{REFUTED}{one_line(refuted.claim)}")
        if refuted.because:
            lines += [BECAUSE, *_listed(refuted.because, indent="  ")]
        if refuted.drop:
            lines += [DROP, *_listed(refuted.drop, indent="  ")]
    parts = (
        (CLASH, signal.clash),
        (CHANGE, signal.change),
        (KEEP, signal.keep),
        (WEAK, signal.weak),
        (ALERTS, signal.alerts),
    )
    for title, sentences in parts:
        if sentences:
            lines += [title, *_listed(sentences)]
    return [*lines, AGAIN]


def _listed(sentences: Iterable[str], indent: str = "") -> list[str]:
    return [f"{indent}- {one_line(sentence)}" for sentence in sentences]
