"""Ask a question about a context, report claims that failed the check, and read the option that a reply gives.

A prompt holds the system prompt, the conversation, the question with its options, and the last answer with verdicts
about it. Nothing else can get in, because there are no other parameters.
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
# These lines separate the parts of the prompt; simulated models read them too.
CONTEXT = "Context:"
TAKEN_BACK = "This was taken back, and does not hold any more:"
QUESTION = "Question:"
OPTIONS = "Options:"
SHAPE = "Answer with JSON of this shape: "
NO_MESSAGE = "(no message)"
FREE = "Answer in plain sentences."
# The limit of reasoning in an enforced schema: small models repeat themselves without end.
LONGEST_REASONING = 2000
_TRUTHS = {"true": True, "yes": True, "false": False, "no": False}
_ANSWER_KEYS = ("answer", "option", "choice")
# A letter alone, or before its text: "B", "(b).", "Option B", "**B) The cat**".
_LETTER = re.compile(r"\W{0,4}(?:option\s{1,4})?\W{0,4}([A-Za-z])(?:\W{0,4}\Z|[).:\]]\W)", re.IGNORECASE)
_SAID = re.compile(
    r"\b(?:answer|option|choice|statement)\s{0,4}(?:[:=]|\b(?:is|must be|should be)\b)(?=([^\n]{0,300}))", re.IGNORECASE
)
# Within a sentence a letter is a capital, and the following text shows that it is no other word.
_NAMED = re.compile(
    r"\W{0,4}(?:[Oo]ption\s{1,4})?\W{0,4}([A-Z])(?=\W{0,4}\Z|\s?[).:,;\]*]|\s(?:because|since|as|and|which|is)\b)"
)
_CLAUSE = re.compile(r"[.,;]")
_CLIPPED = re.compile(r'\s*(?:```(?:json)?)?\s*\{\s*"reasoning"\s*:\s*"', re.IGNORECASE)
# The number of characters at the end of a reply that are searched for an option in prose.
_TAIL = 2000


@dataclass(frozen=True, slots=True)
class QuestionPrompt:
    """A `QuestionPrompt` has everything that a prompt for an answer may depend on.

    The sentences of `context` are shown without numbers, because models would cite these, and citations are no testable
    claims. `history` has earlier messages of the user with the delivered answers, and `taken_back` withdrawn sentences
    of these messages. `previous` is the model's last answer, with `feedback` on it.
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
        """Return the chat messages: the system prompt, the history, and one message that begins with the context."""
        earlier = [
            message for asked, answered in self.history for message in (user(asked or NO_MESSAGE), assistant(answered))
        ]
        blocks = [self.opening()]
        if self.feedback is not None:
            blocks.append("\n".join(signal_lines(self.feedback, self.previous)))
        blocks.append(f"{SHAPE}{answer_hint(self.options, self.frame == 'cot')}" if self.options else FREE)
        return (system(QUESTION_SYSTEM[self.frame]), *earlier, user("\n\n".join(blocks)))

    def schema(self) -> dict[str, Any] | None:
        """Return the JSON schema of a reply that gives an option; None if there are no options."""
        return answer_schema(self.options, self.frame == "cot") if self.options else None

    def opening(self) -> str:
        """Return the context, the question and its options, with which every such prompt begins."""
        blocks = {
            CONTEXT: [f"- {one_line(text)}" for text in self.context],
            TAKEN_BACK: [f"- {one_line(text)}" for text in self.taken_back],
            QUESTION: [one_line(self.question)],
            OPTIONS: [f"{letter}) {one_line(text)}" for letter, text in self.options.items()],
        }
        return "\n\n".join("\n".join((title, *own)) for title, own in blocks.items() if own or title == CONTEXT)


def answer_schema(options: Mapping[str, str], reasons: bool = True) -> dict[str, Any]:
    """Return the JSON schema of `{"reasoning": text, "answer": letter}`, or of the answer alone."""
    reasoning = {"reasoning": {"type": "string", "maxLength": LONGEST_REASONING}} if reasons else {}
    return object_schema({**reasoning, "answer": {"type": "string", "enum": list(options)}})


def answer_hint(options: Mapping[str, str], reasons: bool = True) -> str:
    """Return one line in the form of a reply, with placeholders."""
    reasoning = '"reasoning": "<your reasoning>", ' if reasons else ""
    return f'{{{reasoning}"answer": "<{" | ".join(options)}>"}}'


@dataclass(frozen=True, slots=True)
class Answer:
    """An `Answer` is a reply that was read: its prose, ending with the text of its option, and the option's letter.

    `none` says why the reply is no answer; its text is not tested then.
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
    """Return the answer in any reply. `statement` is the statement that the options call true, false or unknown.

    `option` is the letter that the reply gives; if it is None, it is read from the reply.
    """
    bare = strip_thinking(reply).strip()
    found = reply_object(bare, "reasoning", *_ANSWER_KEYS)
    reasoning = found.get("reasoning")
    prose = reasoning.strip() if isinstance(reasoning, str) else "" if found else bare
    if not found and (start := _CLIPPED.match(bare)):  # reasoning of JSON that was cut off
        prose = bare[start.end() :].replace("\\n", "\n").replace('\\"', '"').strip()
    option = option or read_option(reply, options)
    return Answer(with_option(prose, option, options, statement), option)


def with_option(text: str, option: str | None, options: Mapping[str, str], statement: str | None = None) -> str:
    """Return the text, with the text of its option as the last line if it is not there already."""
    said = option_statement(option, options, statement) if option is not None else ""
    return text if not said or _plain(said) in _plain(text) else f"{text}\n{said}".strip()


def option_statement(option: str, options: Mapping[str, str], statement: str | None = None) -> str:
    """Return the text of an option as a sentence; "" if it says that something is unknown."""
    text = options.get(option, "")
    if statement is None:
        return text
    truth = _TRUTHS.get(_plain(text))
    if truth is None:
        return ""
    return statement if truth else denial(statement)


def read_option(text: str, options: Mapping[str, str]) -> str | None:
    """Return the letter of the option that a reply gives, the last one of several, or None if it gives none.

    The reply may be JSON with an `answer`, a line with a letter and perhaps its text, or "the answer is B". An option's
    text as the last line counts, too. Never raises.
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
    """Return the option with this text or letter."""
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


# --- the report on an answer, after the refinement step of VERGE (E.2.3) --------------------------------------------

Status = Literal["refuted", "clash", "weak", "no_claims", "context", "failed"]

# These lines separate the parts of the prompt; simulated models read them too.
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
# The number of characters of an answer that are shown again.
SHOWN_ANSWER = 2000


@dataclass(frozen=True, slots=True)
class Refuted:
    """A `Refuted` is a contradicted claim, the sentences that contradict it, and the parts of it to `drop`."""

    claim: str
    because: tuple[str, ...] = ()
    drop: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ClaimSignal:
    """A `ClaimSignal` is the feedback to the model about its answer's claims; every entry is a sentence.

    Attributes:
        status: The fault of the whole answer; `STATUSES` has its words.
        refuted: The contradicted claims, each with the sentences against it.
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
