"""The fixed frames of prompts that ask for an answer.

System prompts, retry prompts and the fields of messages are those of DRIFT-Bench (paper, appendix A.1 to A.6). Its code
sends other parts in some turns, and so does protocol `upstream`. A prompt
holds the frame, the user's messages, the model's earlier output, verdicts about it, and delivered answers. It can hold
nothing else, because these are the only parameters here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from textwrap import indent

from holdtrue.language.asking import FORMAT_SYSTEM, TRUNCATION, truncation_retry
from holdtrue.language.readers import Protocol
from holdtrue.models.chat import Message, assistant, system, user
from holdtrue.world.instance import Instance
from holdtrue.world.world import Setting

SYSTEM: dict[str, str] = {
    "direct": (
        "You solve multi-turn logical constraint satisfaction problems. Track all prior commitments and keep the "
        "final assignment consistent with every active constraint. Return only the final JSON solution."
    ),
    "cot": (
        "You solve multi-turn logical constraint satisfaction problems. Track all prior commitments and reason "
        "briefly before answering. Output at most 3 short bullets, then the final JSON solution."
    ),
    "ledger": (
        "You solve a multi-turn logical constraint problem with an explicit ledger. Treat the ledger as committed "
        "state and keep your answer consistent with it and the new turn constraints. Return only JSON."
    ),
    "repair": (
        "You solve a multi-turn logical constraint problem with formal consistency checks and targeted repair "
        "signals. Use the ledger as committed state, address any repair signal directly, and provide a complete "
        "consistent solution. Return only JSON."
    ),
}
FORMAT_REQUEST = "Reformat the response as JSON only; preserve required entities as keys and add no commentary."
SAID = "New constraints from user:"
# The line that introduces a conflict. Simulated models read it too.
CONFLICT = "These constraints cannot all hold together:"
PROJECTED_NOTE = "(This answer was completed by the constraint checker.)"


@dataclass(frozen=True, slots=True)
class Exchange:
    """One finished turn as the history shows it: the user's message and the delivered answer.

    If `projected` is true, the answer came from the solver. The history then says so, and quotes the commitments that
    this answer does not keep (`set_aside`).
    """

    message: str
    answer: str
    projected: bool = False
    set_aside: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RepairSignal:
    """A `RepairSignal` is all that a repair prompt may say about the failed answer.

    `issues` are (trigger code, detail). `conflict` and `broken` are quoted commitments, and `laws` are broken laws in
    words. `answer` is the failed answer, and `change` has names of entities, never values.
    """

    issues: tuple[tuple[str, str], ...]
    conflict: tuple[str, ...] = ()
    broken: tuple[str, ...] = ()
    laws: tuple[str, ...] = ()
    answer: str | None = None
    change: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class AnswerPrompt:
    """All that a prompt for an answer may depend on."""

    instance: Setting
    frame: str
    protocol: Protocol
    history: tuple[Exchange, ...]
    message: str
    ledger: tuple[str, ...] | None = None
    repair: RepairSignal | None = None

    def messages(self) -> tuple[Message, ...]:
        """Return the chat messages: system prompt, history, and the current turn."""
        return (system(SYSTEM[self.frame]), *_history(self.history), user(self._turn()))

    def _turn(self) -> str:
        if self.protocol == "upstream":
            return self._published_turn()
        blocks: list[str] = []
        if self.protocol == "stated":
            blocks += [*self.instance.setup_lines(), _listing("Rules:", self.instance.convention_lines())]
        elif not self.history:
            blocks += self.instance.setup_lines()
        if self.ledger is not None:
            blocks.append(_listing("Current ledger:", self.ledger or ("empty",)))
        blocks.append(f"{SAID} {self.message}")
        if self.repair is not None:
            blocks.append(_repair(self.repair))
        blocks.append(self._hint())
        return "\n".join(block for block in blocks if block)

    def _published_turn(self) -> str:
        """Return the message of a turn with the parts that the code of DRIFT-Bench sends (`src/prompts.py`)."""
        world = self.instance
        setup = world.published_setup_lines() if isinstance(world, Instance) else world.setup_lines()
        parts = [*self._names()] if self.history else ["\n".join(("Problem setup:", *setup))]
        if self.ledger is not None:
            shown = indent(",\n".join(self.ledger), "  ")
            parts.append("Current ledger:\n" + (f"[\n{shown}\n]" if shown else "(empty ledger)"))
        parts.append(f"{SAID}\n{self.message}")
        if self.repair is not None:
            parts.append(f"Repair signal:\n{_repair(self.repair)}")
        return "\n\n".join((*parts, self._hint()))

    def _names(self) -> tuple[str, ...]:
        return self.instance.name_lines() if isinstance(self.instance, Instance) else ()

    def _hint(self) -> str:
        return f"Answer with JSON of this shape: {self.instance.answer_hint()}"

    def format_retry(self, answer: str, again: str = "") -> tuple[Message, ...]:
        """Return the published prompt that asks for the same answer as clean JSON (paper, A.6).

        `again` is a sentence about earlier attempts, which makes the prompt differ from theirs. Under protocol
        `upstream` the prompt names all entities and the shape of the answer.
        """
        asked = f"{FORMAT_REQUEST}\n\n{again}" if again else FORMAT_REQUEST
        if self.protocol == "upstream":
            asked = "\n\n".join((asked, *self._names(), self._hint()))
        return (system(FORMAT_SYSTEM), user(f"{asked}\n\nResponse:\n{answer}"))

    def truncation_retry(self, prompt: Sequence[Message]) -> tuple[Message, ...]:
        """Return the prompt after a cut answer to another one. Protocol `upstream` asks in a message of its own."""
        if self.protocol != "upstream":
            return truncation_retry(prompt)
        return (*prompt, user(f"{TRUNCATION}\n\n{self._hint()}"))


def _history(history: Sequence[Exchange]) -> list[Message]:
    messages: list[Message] = []
    for past in history:
        notes = [PROJECTED_NOTE] if past.projected else []
        if past.set_aside:
            notes.append(f"(Not kept, because not all can be: {'; '.join(past.set_aside)}.)")
        messages += [user(past.message), assistant("\n".join([past.answer, *notes]))]
    return messages


def _listing(title: str, lines: Sequence[str]) -> str:
    return "\n".join([title, *(f"- {line}" for line in lines)]) if lines else ""


def _repair(signal: RepairSignal) -> str:
    parts = ["REPAIR REQUIRED", _listing("Detected issues:", [f"{code}: {detail}" for code, detail in signal.issues])]
    if signal.answer is not None:
        parts.append(f"Your previous answer: {signal.answer}")
    parts += [
        _listing(CONFLICT, signal.conflict),
        _listing("Your previous answer breaks these constraints:", signal.broken),
        _listing("Your previous answer breaks these rules:", signal.laws),
    ]
    if signal.change:
        parts.append(f"Change only these entities: {', '.join(signal.change)}. Keep the others as they are.")
    parts.append("Return a revised JSON solution that resolves all listed issues.")
    return "\n".join(part for part in parts if part)
