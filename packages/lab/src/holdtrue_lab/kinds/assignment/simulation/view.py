"""Read a prompt of the drift suite for a simulated model: the task, the instance, and the user's statements so far.

The instance is rebuilt from the lines that `Instance.setup_lines` wrote into the chat. This works for built-in domains
only, and only if no entity has a comma in its name.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import pairwise, takewhile
from typing import Any

from holdtrue.errors import DomainError
from holdtrue.kinds.assignment.prompts import CONFLICT, FORMAT_REQUEST, SAID
from holdtrue.language.judgements import CRITIQUE
from holdtrue.models.chat import Message
from holdtrue.world.instance import Instance
from holdtrue.world.lenient_json import objects
from holdtrue.world.logic_grid import DEFAULT_CATEGORIES
from holdtrue.world.registry import BUILTIN
from holdtrue_lab.kit.simulation.model import FormatTask, messages_of

# Larger settings are not rebuilt, so that a hostile prompt cannot exhaust time or memory.
_MOST_NAMES = 40
_DIGITS = r"([0-9]{1,2})"
# The lines of a setting, first in our words and then in those of the published code.
_TABLE = re.compile(r"Table(?: shape)?: (round|rectangular)")
_SEATS = re.compile(rf"(?:Seats: 1 to|Seat positions: 1 through) {_DIGITS}\b.*")
_SLOTS = re.compile(rf"Time slots(?:: 1 to| available: 1 through) {_DIGITS}")
_DURATIONS = re.compile(rf"(?:Durations: 1 to {_DIGITS} slots|Maximum duration per event: {_DIGITS})")
_CATEGORY = re.compile(r"(?:Category|-) ([^:]{1,80}): (.+)")
_NO_LINE = ("Categories:",)
_SHAPE_HINT = re.compile(r'\{"solution": \{"[^"\n]{1,80}": (?P<value>.+)')
_NAMES = re.compile(r"^Domain: (?P<domain>.+)\n(?:.*\n){0,3}?Entities: (?P<entities>.+)$", re.MULTILINE)
_SMALL_NUMBER = re.compile(r"\b[0-9]{1,2}\b")


def read_setting(text: str) -> Instance | None:
    """Return the instance that the first complete setup in `text` describes, or None if there is none."""
    lines = text.splitlines()
    for place, (first, second) in enumerate(pairwise(lines)):
        if first.startswith("Domain: ") and second.startswith("Entity count: "):
            place, second = place + 1, lines[place + 2] if place + 2 < len(lines) else ""
        if first.startswith("Domain: ") and second.startswith("Entities: "):
            entities = second.removeprefix("Entities: ").split(", ")
            context = _read_context(lines[place + 2 : place + 2 + _MOST_NAMES])
            made = _make(first.removeprefix("Domain: "), entities, context)
            if made is not None:
                return made
    return None


def guess_setting(prompt: str, messages: Sequence[str], answers: Sequence[str]) -> Instance | None:
    """Return a guess of the instance for a chat that no longer states it (protocol `appendix`, from the second turn).

    The prompt's hint at the shape of an answer gives the domain. The fullest earlier answer gives the entities.
    """
    names = max((_named(answer) for answer in answers), key=len, default=[])
    hint = _SHAPE_HINT.search(prompt)
    if not names or hint is None:
        return None
    shape = hint["value"]
    if shape.startswith("<seat>"):
        return _usual("seating", names, messages)
    if '"start": <start>' in shape:
        return _usual("scheduling", names, messages)
    if all(f'"{category}": "<{category}>"' in shape for category in DEFAULT_CATEGORIES):
        return _usual("logic_grid", names, messages)
    return None


def name_setting(prompt: str, messages: Sequence[str]) -> Instance | None:
    """Return a guess of the instance from a prompt that names only the domain and the entities.

    Prompts of the published extraction have this form, and under protocol `upstream` those of later turns.
    """
    found = _NAMES.search(prompt)
    return _usual(found["domain"], found["entities"].split(", "), messages) if found else None


def _usual(domain: str, entities: Sequence[str], messages: Sequence[str]) -> Instance | None:
    """Return the instance with the usual setting, made large enough for all numbers and places in the messages."""
    context: dict[str, Any] = {}
    if domain == "seating" and any("of the table" in message for message in messages):
        context["table_shape"] = "rectangular"
    if domain == "scheduling":
        mentioned = [int(number) for text in messages for number in _SMALL_NUMBER.findall(text)]
        context["num_slots"] = max([6, len(entities) + 1, *mentioned])
    return _make(domain, entities, context)


def _read_context(lines: Sequence[str]) -> dict[str, Any]:
    context: dict[str, Any] = {}
    categories: dict[str, list[str]] = {}
    for line in lines:
        if found := _TABLE.fullmatch(line):
            context["table_shape"] = found[1]
        elif found := _SEATS.fullmatch(line):
            context["num_entities"] = int(found[1])
        elif found := _SLOTS.fullmatch(line):
            context["num_slots"] = int(found[1])
        elif found := _DURATIONS.fullmatch(line):
            context["max_duration"] = int(found[1] or found[2])
        elif found := _CATEGORY.fullmatch(line):
            categories[found[1]] = found[2].split(", ")
        elif line not in _NO_LINE:
            break
    return {**context, "categories": categories} if categories else context


def _make(domain: str, entities: Sequence[str], context: Mapping[str, Any]) -> Instance | None:
    declared = BUILTIN.get(domain)
    if declared is None or len(entities) > _MOST_NAMES:
        return None
    if any(len(values) > _MOST_NAMES for values in context.get("categories", {}).values()):
        return None
    try:
        return declared.instance(entities, context)
    except DomainError:
        return None


def _named(answer: str) -> list[str]:
    """Return the entities of the last JSON answer in a text, in its order."""
    found = objects(answer)
    last = found[-1] if found else None
    solution = last.get("solution", last) if isinstance(last, dict) else None
    return [str(key) for key in solution] if isinstance(solution, dict) else []


_ANSWER = SAID
_SENTENCE = "Sentence: "
_MESSAGE = "Latest user message: "
_RESPONSE = "Assistant response: "
_ASKED = re.compile(rf"^(?:{_ANSWER}(?=\s)|{_SENTENCE}|{_MESSAGE})", re.MULTILINE)
_SAID = re.compile(rf"^{_ANSWER}\s", re.MULTILINE)
_HINT = "\nAnswer with JSON of this shape: "
_REPAIR = re.compile(r"^(?:Repair signal:\n)?REPAIR REQUIRED$", re.MULTILINE)
_PUBLISHED_LEDGER = re.compile(r"^Current ledger:\n(\[\n.*?^\])$", re.MULTILINE | re.DOTALL)
_LEDGER = re.compile(r"^Current ledger:\n((?:- .*\n)*)", re.MULTILINE)
_LEDGER_LINE = re.compile(r'^- \S+: "(.*)" \(turn \d+\)$', re.MULTILINE)
_PARTS: Mapping[str, re.Pattern[str]] = {
    "codes": re.compile(r"^Detected issues:\n- (?!check_failed:)", re.MULTILINE),
    "core": re.compile(rf"^{CONFLICT}$", re.MULTILINE),
    "broken": re.compile(r"^Your previous answer breaks these (?:constraints|rules):$", re.MULTILINE),
    "hint": re.compile(r"^Change only these entities: ", re.MULTILINE),
}
_QUOTED = re.compile(r'- \w+: "(.*)" \(turn \d+\)')
TAKEN_BACK = "Taken back: "
"""The prefix of a line of an answer in which the model takes back a reading. The misread sentence follows it."""
_CHOICE = re.compile(r"^([12]): (.+)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class AnswerTask:
    """The task to answer the current turn.

    Attributes:
        said: The user's messages, the current one last.
        feedback: The text that a repair prompt adds; empty in the first attempt.
        frame: The system message.
        ledger: The sentences of the ledger that the prompt shows.
        taken_back: The sentences that the model's earlier answers take back.
    """

    instance: Instance
    said: tuple[str, ...]
    feedback: str
    frame: str = ""
    ledger: tuple[str, ...] = ()
    taken_back: frozenset[str] = frozenset()

    @property
    def reasons(self) -> bool:
        """True if the prompt asks for reasons before the answer."""
        return "reason briefly" in self.frame

    @property
    def told(self) -> tuple[str, ...]:
        """The parts of the repair prompt, by the names of their effects (`names.EFFECTS`)."""
        return tuple(part for part, mark in _PARTS.items() if mark.search(self.feedback))

    @property
    def conflict(self) -> tuple[str, ...]:
        """The sentences that the feedback quotes as a conflict."""
        listed = self.feedback.partition(f"{CONFLICT}\n")[2].split("\n")
        quoted = takewhile(bool, map(_QUOTED.fullmatch, listed))
        return tuple(found[1] for found in quoted if found)


@dataclass(frozen=True, slots=True)
class ReadTask:
    """The task to report the constraints that `text`, a sentence or a whole message, states.

    `taken_back` are the sentences that the model's own answer to the message takes back.
    """

    instance: Instance
    text: str
    taken_back: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class ChooseTask:
    """The task to choose, of two sentences, the one with the same meaning as `sentence`."""

    instance: Instance
    sentence: str
    choices: tuple[str, str]


@dataclass(frozen=True, slots=True)
class CritiqueTask:
    """The task to find faults in `response`, the model's own answer to the task `about`."""

    about: AnswerTask
    response: str


Task = AnswerTask | ReadTask | ChooseTask | CritiqueTask | FormatTask


def view(messages: Sequence[Message]) -> Task | None:
    """Return the task that the last user message sets, or None if its instance cannot be rebuilt."""
    users = messages_of(messages, "user")
    if not users:
        return None
    last = users[-1]
    if last.startswith(FORMAT_REQUEST):
        return FormatTask(last.partition("\n\nResponse:\n")[2].strip())
    asked = _ASKED.search(last)
    kind = asked.group() if asked else _ANSWER
    if kind == _ANSWER:
        answers = messages_of(messages, "assistant")
        asks = [*users[:-1], ""] if last == CRITIQUE else users
        task = _answer_task(asks, answers)
        frame = "\n".join(messages_of(messages, "system"))
        task = task and replace(task, frame=frame, taken_back=_taken_back("\n".join(answers)))
        return CritiqueTask(task, answers[-1]) if task and last == CRITIQUE and answers else task
    return None if asked is None else _reading_task(last, kind, last[asked.end() :])


def _reading_task(prompt: str, kind: str, text: str) -> ReadTask | ChooseTask | None:
    if kind == _MESSAGE:
        said, _, response = text.partition(f"\n{_RESPONSE}")
        message = said.strip()
        instance = read_setting(prompt) or name_setting(prompt, [message])
        return None if instance is None else ReadTask(instance, message, _taken_back(response))
    instance = read_setting(prompt)
    if instance is None:
        return None
    sentence = text.split("\n")[0].strip()
    choices = dict(_CHOICE.findall(prompt))
    if len(choices) == 2:
        return ChooseTask(instance, sentence, (choices["1"], choices["2"]))
    return ReadTask(instance, sentence)


def _taken_back(answers: str) -> frozenset[str]:
    """Return the sentences that the model takes back in the text of its answers."""
    lines = (line for line in answers.split("\n") if line.startswith(TAKEN_BACK))
    return frozenset(line.removeprefix(TAKEN_BACK) for line in lines)


def _answer_task(users: Sequence[str], answers: Sequence[str]) -> AnswerTask | None:
    """Return the task to answer the current turn.

    User messages before the first prompt of this turn belong to earlier turns, and those after it are feedback.
    """
    stated = [_said_in(text) for text in users]
    prompts = [place for place, found in enumerate(stated) if found]
    last = prompts[-1] if prompts else len(users) - 1
    message, feedback = stated[last] or (users[last], "")
    first = last
    # After a failed answer, a chat may repeat the whole prompt of the turn.
    while first and (before := stated[first - 1]) and before[0] == message:
        first -= 1
    said = (*(found[0] if found else text for text, found in zip(users[:first], stated, strict=False)), message)
    settings = (read_setting(text) for text in reversed(users))
    instance = next((found for found in settings if found is not None), None)
    if instance is None:
        instance = name_setting(users[last], said) or guess_setting(users[last], said, answers)
    if instance is None:
        return None
    feedback = "\n".join([*users[first:last], feedback, *users[last + 1 :]]).strip()
    return AnswerTask(instance, said, feedback, ledger=_ledger_in(users[last]))


def _said_in(prompt: str) -> tuple[str, str] | None:
    """Return the user's words in a prompt and the text that a repair adds, or None if the text is no prompt."""
    start = _SAID.search(prompt)
    if start is None:
        return None
    body, after = _without_hint(prompt[start.end() :])
    repair = _REPAIR.search(body)
    message, added = (body[: repair.start()], body[repair.start() :]) if repair else (body, "")
    return message.strip(), f"{added}{after}".strip()


def _without_hint(text: str) -> tuple[str, str]:
    """Return the text before the last hint at the shape of the answer, and the text after that hint."""
    before, found, rest = text.rpartition(_HINT)
    return (before, rest.partition("\n")[2]) if found else (text, "")


def _ledger_in(prompt: str) -> tuple[str, ...]:
    """Return the sentences of the ledger that a prompt shows before the user's words."""
    start = _SAID.search(prompt)
    before = prompt[: start.start()] if start else ""
    if published := _PUBLISHED_LEDGER.search(before):
        with suppress(ValueError):
            return tuple(str(own["nl"]) for own in json.loads(published[1]))
    shown = _LEDGER.search(before)
    return tuple(_LEDGER_LINE.findall(shown[1])) if shown else ()
