"""Split an answer into claims: statements that can be understood and tested one by one."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice

from holdtrue.language.asking import Asking, one_line
from holdtrue.models.chat import Message, assistant, system, user
from holdtrue.world.answer_shape import object_schema
from holdtrue.world.lenient_json import Json, objects, strip_thinking
from holdtrue_claims.claim_record import ClaimType
from holdtrue_claims.kind.prompts.answer_doubts import says, states_anything
from holdtrue_claims.kind.prompts.content_words import content_words
from holdtrue_claims.kind.prompts.covered_clauses import is_composed, is_in_answer, statement_key, uncovered
from holdtrue_claims.kind.prompts.logic_text import list_schema
from holdtrue_claims.kind.prompts.options import spell_options, spell_truth
from holdtrue_claims.kind.prompts.statements import (
    as_sentence,
    asks,
    clauses,
    clean_statement,
    refers_back,
    split_answer,
)

MEANINGS: Mapping[ClaimType, str] = {
    ClaimType.LOGICAL: "a plain fact, or a rule with all, no, some, if, and, or, not: "
    '"No member of the choir plays chess."',
    ClaimType.MATHEMATICAL: 'numbers, counts, sums, comparisons: "Nine of the twelve chairs are taken."',
    ClaimType.TEMPORAL: "order, dates, durations, what is before, after or next to what: "
    '"The tram leaves two hours after the ferry."',
    ClaimType.COMMONSENSE: "what everybody knows of the world, causes, how things behave: "
    '"Wet shoes dry near a stove."',
    ClaimType.VAGUE: "opinions, qualities without a measure, many, few, figures of speech: "
    '"Lena gave a lovely speech."',
    ClaimType.PROBABILISTIC: "only with words such as probably, likely, perhaps, chance: "
    '"The bridge will probably stay closed."',
}
"""The description of each type in prompts, with an example."""

TYPE_LIST = "\n".join(f"{type.value}: {meaning}" for type, meaning in MEANINGS.items())
TYPE_SCHEMA = {"type": "string", "enum": [type.value for type in ClaimType]}


def read_type(value: object) -> ClaimType | None:
    """Return the type that a model named, with any text around it; None if it named none."""
    word = str(value).strip().lower()
    return next((type for type in ClaimType if word.startswith(type.value)), None)


MOST_CLAIMS = 12

# These lines separate the parts of the prompt; simulated models read them too.
CONTEXT = "Context: "
QUESTION = "Question: "
ANSWER = "Answer:"

DECOMPOSE_SYSTEM = (
    "You take an answer apart into claims that can be checked one by one, and say which type each has.\n"
    "A claim is one short sentence that says a single thing and can be understood alone: it, they, this and he are "
    "replaced by what they stand for. Keep the answer's words, and say nothing that the answer does not say. "
    "Follow the answer's order. Leave out questions, instructions, and talk about the answer itself.\n"
    f"Types:\n{TYPE_LIST}\nReturn only JSON."
)
_EXAMPLE = (
    "If Nora is in the band, then she practises every day. Nora is in the band, so she practises every day. Ben is "
    "younger than Nora. This means that neither Ben nor Nora can be the oldest. Since Ida is older than Nora, he is "
    "the youngest, which answers the question. It will probably be a wonderful concert."
)
_EXAMPLE_CLAIMS = (
    ("If Nora is in the band, then Nora practises every day.", ClaimType.LOGICAL),
    ("Nora is in the band.", ClaimType.LOGICAL),
    ("Nora practises every day.", ClaimType.LOGICAL),
    ("Ben is younger than Nora.", ClaimType.MATHEMATICAL),
    ("Ben is not the oldest.", ClaimType.MATHEMATICAL),
    ("Nora is not the oldest.", ClaimType.MATHEMATICAL),
    ("Ida is older than Nora.", ClaimType.MATHEMATICAL),
    ("Ben is the youngest.", ClaimType.MATHEMATICAL),
    ("The concert will probably be wonderful.", ClaimType.PROBABILISTIC),
)
_LONGEST_CLAIM = 400
_TOKENS = 700
_FEWEST_WORDS = 4
_MOST_ASKED = 12


@dataclass(frozen=True, slots=True)
class Claim:
    """A `Claim` is one statement of an answer; `id` is C1, C2 in the order of the answer.

    A sentence that cannot be understood alone has the text `before` it: the question and the preceding part of the
    answer.
    """

    id: str
    text: str
    type: ClaimType
    before: str = ""


@dataclass(frozen=True, slots=True)
class Decomposition:
    """A `Decomposition` holds the claims of an answer. `fallback`: the claims are the answer's sentences, because the
    reply was unreadable.

    `untested` are clauses that no claim covers and that cannot be claims. `doubtful` clauses may state nothing more
    than the claims, such as courtesy. The model found that `idle` clauses state nothing. `unsaid` are listed claims
    that were dropped, because the answer does not say them in its words. `clipped`: the answer states more than
    `MOST_CLAIMS` things.
    """

    claims: tuple[Claim, ...]
    fallback: bool
    untested: tuple[str, ...] = ()
    clipped: bool = False
    doubtful: tuple[str, ...] = ()
    idle: tuple[str, ...] = ()
    unsaid: tuple[str, ...] = ()


async def decompose(
    asking: Asking,
    answer: str,
    context: str = "",
    question: str = "",
    options: Mapping[str, str] | None = None,
    statement: str | None = None,
    *,
    ask_back: bool = False,
) -> Decomposition:
    """Ask a model to split an answer into at most `MOST_CLAIMS` claims. Raises `ModelError`.

    The answer chooses from `options`, by letter. If they are truth values, the answer says which of them applies to
    `statement`. `context` and `question` are shown only with a short answer. A claim may only repeat the answer, except
    that a name from context or question may replace a pronoun. If `ask_back` is true, the model is asked whether
    doubtful clauses state anything, and uncovered sentences are tested as well.
    """
    answer = strip_thinking(answer).replace("**", "").strip()
    answer = (
        spell_options(answer, options or {}) if statement is None else spell_truth(answer, options or {}, statement)
    )
    if not answer:
        return Decomposition((), False)
    messages = decompose_messages(answer, context, question)
    reply = await asking.ask("decompose", messages, DECOMPOSE_SCHEMA, max_tokens=_TOKENS, frame=len(messages) - 1)
    found = read_decomposition(reply, answer, context, question)
    if not ask_back:
        return found
    meant = [text for text in found.unsaid[:_MOST_ASKED] if await says(asking, text, clauses(answer), question)]
    if meant:
        found = read_decomposition(reply, answer, context, question, meant=meant)
    idle = [part for part in found.doubtful[:_MOST_ASKED] if not await states_anything(asking, part, question)]
    return read_decomposition(reply, answer, context, question, idle, meant)


def decompose_messages(answer: str, context: str = "", question: str = "") -> tuple[Message, ...]:
    """Return the prompt with one example."""
    # One sentence a line, so that none is skipped. Small models turn a shown question into a claim, so it is shown only
    # if the answer is unintelligible without it.
    short = len(content_words(answer)) < _FEWEST_WORDS
    around = "".join(f"{name}{one_line(text)}\n" for name, text in ((CONTEXT, context), (QUESTION, question)) if text)
    asked = (around if short else "") + ANSWER + _lines(answer)
    shown = {"claims": [{"text": text, "type": type.value} for text, type in _EXAMPLE_CLAIMS]}
    return (
        system(DECOMPOSE_SYSTEM),
        user(ANSWER + _lines(_EXAMPLE)),
        assistant(json.dumps(shown, separators=(",", ":"))),
        user(asked),
    )


_CLAIM = object_schema({"text": {"type": "string", "maxLength": _LONGEST_CLAIM}, "type": TYPE_SCHEMA})
DECOMPOSE_SCHEMA = object_schema({"claims": list_schema(_CLAIM, MOST_CLAIMS)})


def _lines(text: str) -> str:
    return "".join(f"\n- {one_line(clause)}." for clause in clauses(text))


def read_decomposition(
    reply: str,
    answer: str,
    context: str = "",
    question: str = "",
    idle: Collection[str] | None = None,
    meant: Collection[str] = (),
) -> Decomposition:
    """Return the claims of a reply that the answer really makes, or the answer's sentences if there are none.

    Context and question may provide names for pronouns. A clause that the claims do not cover becomes a claim itself,
    word for word. The clause stays untested if it refers back, or is no statement. If the `idle` clauses, which state
    nothing, are given, the whole sentence becomes the claim instead, with the text before it. A claim that is not in
    the answer's words must be among those that the answer is known to have `meant`.
    """
    around = (question, context)
    matter = content_words(" ".join(around))
    sentences = split_answer(answer, " ".join(around))
    parts = [part for own in sentences.values() for part in own]
    told: dict[str, ClaimType | None] = {}
    for text, type in _listed(reply, " ".join((answer, *around))):
        told.setdefault(text, type)
    said = {text for text in told if text in meant or is_in_answer(text, parts, around)}
    listed = _distinct((text, type) for text, type in told.items() if text in said)
    left = uncovered(parts, [*listed], context, question)
    own: dict[str, str] = {}
    if idle is None:
        stated = (clean_statement(part, matter) for part in left)
        own = {text: "" for text in stated if text is not None and not refers_back(text)}
        untested = [*uncovered(parts, [*listed, *own], context, question)]
    else:
        missing = [part for part in left if one_line(part) not in idle]
        own = _in_their_places(sentences, missing, question, matter)
        untested = [part for part in missing if asks(part)]
    claims = [(text, type, "") for text, type in listed.items()]
    claims += [(text, ClaimType.LOGICAL, before) for text, before in own.items() if text not in listed]
    return Decomposition(
        tuple(Claim(f"C{number}", *each) for number, each in enumerate(islice(claims, MOST_CLAIMS), 1)),
        not listed,
        untested=tuple(map(one_line, untested)),
        clipped=len(claims) > MOST_CLAIMS,
        unsaid=tuple(text for text in told if text not in said),
        doubtful=tuple(one_line(part) for part, is_doubtful in left.items() if is_doubtful),
        idle=tuple(part for part in map(one_line, left) if part in (idle or ())),
    )


def _in_their_places(
    sentences: Mapping[str, Collection[str]], missing: Collection[str], question: str, matter: Collection[str]
) -> dict[str, str]:
    """Return the sentences that contain a missing clause other than a question, each with the text before it.

    A single clause that is understood alone needs no text before it.
    """
    found: dict[str, str] = {}
    before = [question] if question else []
    for sentence, own in sentences.items():
        if any(part in missing and not asks(part) for part in own):
            alone = clean_statement(sentence, matter) if len(own) == 1 else None
            if alone != as_sentence(sentence) or refers_back(alone):
                found.setdefault(as_sentence(sentence), "\n".join(before) or sentence)
            else:
                found.setdefault(alone, "")
        before.append(as_sentence(sentence))
    return found


def _listed(reply: str, around: str) -> Iterator[tuple[str, ClaimType | None]]:
    """Yield all statements in a reply, even if it is cut off or lacks the object around the list."""
    waiting: list[Json] = list(objects(strip_thinking(reply)))
    while waiting:
        value = waiting.pop(0)
        if isinstance(value, Mapping):
            text = next((value[key] for key in ("text", "claim", "statement") if isinstance(value.get(key), str)), None)
            if text is not None:
                type = read_type(value.get("type"))
                yield from (
                    (part, type) for part in map(clean_statement, clauses(text[:_LONGEST_CLAIM], around)) if part
                )
            waiting[:0] = [inner for inner in value.values() if isinstance(inner, list)]
        elif isinstance(value, list):
            waiting[:0] = value


def _distinct(found: Iterable[tuple[str, ClaimType | None]]) -> dict[str, ClaimType]:
    """Return the types of the statements, each once. A statement that others together say is dropped."""
    types: dict[str, tuple[str, ClaimType]] = {}
    for statement, type in found:
        types.setdefault(statement_key(statement), (statement, type or ClaimType.LOGICAL))
    kept = dict(types.values())
    return {own: type for own, type in kept.items() if not is_composed(own, [other for other in kept if other != own])}
