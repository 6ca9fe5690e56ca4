"""Read the prose that a policy file names, and the sentences of it that each part of the policy stands for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from holdtrue.guard.policy_draft import At, PolicyDraft
from holdtrue.guard.policy_parts import Citing
from holdtrue.guard.policy_wire import CitingWire

if TYPE_CHECKING:
    from holdtrue.guard.prose import Prose


def read_policy_prose(draft: PolicyDraft) -> Prose | None:
    """Return the prose of a policy, or None if the policy names none or it cannot be read. Faults go to the draft."""
    own = draft.wire.prose
    if own is None:
        return None
    from holdtrue.guard.prose import read_prose  # its libraries are for policies that name a prose

    if draft.folder is None:
        draft.fault(("prose",), "it is found from the folder of a policy file, and this policy is in none")
        return None
    try:
        found = read_prose((draft.folder / own.file).read_text(encoding="utf-8-sig"))
    except (OSError, UnicodeDecodeError) as error:
        draft.fault(("prose",), f"{own.file} cannot be read: {error}")
        return None
    return replace(found, edited=own.digest not in (None, found.digest))


def citing_parts(draft: PolicyDraft, prose: Prose | None) -> tuple[Citing, ...]:
    """Return all parts that may stand for sentences. A number that the prose has not is a fault of the draft."""
    most = 0 if prose is None else len(prose.sentences)
    has = f"the prose has sentences 1 to {most}" if most else "the policy names no prose with sentences"
    found = []
    for path, name, numbers, is_open in _parts(draft):
        for place, number in enumerate(numbers):
            if not 1 <= number <= most:
                draft.fault((*path, "sentences", place), f"there is no sentence {number}; {has}")
        section = ".".join(map(str, path[:-1]))
        found.append(Citing(section, name, tuple(numbers), is_open, draft.text.place(path)))
    return tuple(found)


def _parts(draft: PolicyDraft) -> Iterator[tuple[At, str, list[int], bool]]:
    """Yield the path of each part, its name, its sentences, and whether these stay open."""
    wire = draft.wire
    yield from ((("rules", place), own.id, own.sentences, False) for place, own in enumerate(wire.rules))
    yield from ((("limits", place), own.id, own.sentences, False) for place, own in enumerate(wire.limits))
    yield from ((("obligations", place), own.id, own.sentences, False) for place, own in enumerate(wire.obligations))
    for place, own in enumerate(wire.not_checked):
        yield ("not_checked", place), own.id, own.sentences, own.open
    for place, effect in enumerate(wire.effects):
        yield ("effects", place), ", ".join(effect.on), effect.sentences, False
    for place, consent in enumerate(wire.tools.consent):
        yield ("tools", "consent", place), ", ".join(consent.on), consent.sentences, False
    yield from ((("facts", name), name, own.sentences, False) for name, own in wire.facts.items())
    yield from ((("said", name), name, own.sentences, False) for name, own in wire.said.items())
    for name, table in wire.tables.items():
        yield ("tables", name), name, _sentences_of(draft, name, table), False


def _sentences_of(draft: PolicyDraft, name: str, table: Any) -> list[int]:
    """Return the sentences of a table that is written with its type and entries."""
    if not isinstance(table, dict) or {"type", "entries", "sentences"} != set(table):
        return []
    try:
        return CitingWire(sentences=table["sentences"]).sentences
    except ValidationError:
        draft.fault(("tables", name, "sentences"), "it has to be a list of numbers of sentences")
        return []
