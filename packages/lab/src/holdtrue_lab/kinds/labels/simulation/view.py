"""Read a prompt that asks for labels: its premises, its queries, and what was said before.

A simulated model reads prompts with this; it is the inverse of `LabelPrompt.messages`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from holdtrue.kinds.labels import prompts
from holdtrue.language.retries import GIVEN_BEFORE, NUMBERED
from holdtrue.models.chat import Message
from holdtrue.record import Label
from holdtrue_lab.kit.simulation.model import FormatTask, last_message, messages_of


@dataclass(frozen=True, slots=True)
class LabelTask:
    """Answer `queries` (id, text) about the premises.

    `beliefs` are sentences that were said earlier. A repair prompt adds `feedback`, its own
    text with what it says of earlier attempts, and `kept`: the
    labels that it does not ask for again.
    """

    frame: str
    premises: tuple[str, ...]
    queries: tuple[tuple[str, str], ...]
    words: prompts.Words
    beliefs: tuple[str, ...] = ()
    feedback: str = ""
    kept: Mapping[str, Label] = field(default_factory=dict)

    @property
    def told(self) -> str:
        """Return the kind of feedback, as effects call it (`LabelCharacter`), or '' in a first prompt."""
        if not self.feedback:
            return ""
        return "quoted" if prompts.CONFLICT in self.feedback.split("\n") else "names"


def view_labels(messages: Sequence[Message]) -> LabelTask | FormatTask | None:
    """The task that the last user message sets; None where it asks for no labels."""
    last = last_message(messages)
    if last.startswith(prompts.FORMAT_REQUEST):
        return FormatTask(last.partition("\n\nResponse:\n")[2])
    blocks: dict[str, list[str]] = {}
    for block in last.split("\n\n"):
        title, *lines = block.split("\n")
        blocks.setdefault(title, lines)
    for words, title in prompts.QUERIES.items():
        if prompts.PREMISES in blocks and title in blocks:
            return _label_task(_frame(messages), blocks, words, _named_lines(blocks[title]))
    return None


def _label_task(
    frame: str, blocks: Mapping[str, list[str]], words: prompts.Words, queries: tuple[tuple[str, str], ...]
) -> LabelTask:
    repair = blocks.get(prompts.REPAIR, [])
    given, asked_again = _after(prompts.GIVEN, repair), _after(prompts.AGAIN, repair)
    again = [title for title in blocks if title.startswith((NUMBERED, GIVEN_BEFORE))]
    labels = {name: label for label, name in prompts.WORDING[words].items()}
    said = (item.rpartition(" ") for item in given)
    return LabelTask(
        frame,
        tuple(text for _, text in _named_lines(blocks[prompts.PREMISES])),
        queries,
        words,
        tuple(line.removeprefix("- ") for line in blocks.get(prompts.BELIEFS, [])),
        "\n".join([*repair, *again]),
        {id: labels[word] for id, _, word in said if word in labels and id not in asked_again},
    )


def _frame(messages: Sequence[Message]) -> str:
    system_text = "\n".join(messages_of(messages, "system"))
    return next((frame for frame, text in prompts.LABEL_SYSTEM.items() if system_text.startswith(text)), "direct")


def _named_lines(lines: Sequence[str]) -> tuple[tuple[str, str], ...]:
    parts = (line.partition(": ") for line in lines)
    return tuple((name, text) for name, _, text in parts)


def _after(start: str, lines: Sequence[str]) -> list[str]:
    """The items of the list that a line gives after `start`."""
    found = next((line.removeprefix(start) for line in lines if line.startswith(start)), "")
    return found.removesuffix(".").split(", ") if found else []
