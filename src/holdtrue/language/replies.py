"""Read the constraints in a model's reply; whatever the model wrote, this never raises."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from holdtrue.errors import ConstraintError
from holdtrue.language.candidate_constraints import Candidates
from holdtrue.world.instance import Constraint, Instance
from holdtrue.world.jsonscan import objects, strip_thinking, unread


@dataclass(frozen=True, slots=True)
class Rejected:
    """The reason why an item of a reply is no constraint; `code` is `ConstraintError.code` if its form was right."""

    reason: str
    code: str | None = None


@dataclass(frozen=True, slots=True)
class ReplyReading:
    """A `ReplyReading` holds what one reply states: constraints in normal form and order, and what was rejected."""

    stated: tuple[Constraint, ...]
    rejected: tuple[Rejected, ...] = ()

    @property
    def useless(self) -> bool:
        """Return whether something was written and nothing of it can be used."""
        return bool(self.rejected) and not self.stated

    def because(self, reason: str | None) -> ReplyReading:
        """Return the same reading; if the reply held no list, its rejection also gives the `reason`, if any."""
        if reason is None or not any(one.reason.startswith(NO_LIST) for one in self.rejected):
            return self
        return ReplyReading(self.stated, (Rejected(f"{NO_LIST}: {reason}"),))


NO_LIST = "the model's reply holds no list of constraints"


def no_list(text: str) -> Rejected:
    """Return the rejection of a reply without a list; the reason says so if only a part of it was looked at."""
    part = unread(strip_thinking(text))
    return Rejected(NO_LIST if part is None else f"{NO_LIST}: {part}")


def reply_object(text: str, *keys: str) -> Mapping[str, Any]:
    """The last JSON object of a reply that has one of the keys; empty where there is none."""
    found = [item for item in objects(strip_thinking(text)) if isinstance(item, Mapping)]
    return next((item for item in reversed(found) if any(key in item for key in keys)), {})


def read_item(instance: Instance, item: object) -> Constraint | Rejected:
    """Return the constraint of an item `{"type": ..., "args": [...]}`, or the reason why it is none."""
    args = item.get("args") if isinstance(item, Mapping) else None
    if not isinstance(item, Mapping) or not isinstance(args, list):
        return Rejected(f"the model's reply holds what is no constraint: {item!r:.80}")
    try:
        return instance.constraint(str(item.get("type")), args)
    except ConstraintError as error:
        return Rejected(f"{error.code}: {error}", error.code)


def read_reply(
    instance: Instance, text: str, candidates: Candidates | None, said: Mapping[str, Constraint | None]
) -> ReplyReading:
    """Return the constraints in a reply; with `candidates`, only those that the sentence can have stated.

    If a reply has only a `meaning`, it states the constraint that `said` gives for these words.
    """
    reply = reply_object(text, "constraints", "meaning")
    items, meaning = reply.get("constraints"), reply.get("meaning")
    if items is None and isinstance(meaning, str) and meaning in said:
        meant = said[meaning]
        return ReplyReading(() if meant is None else (instance.canonical(meant),))
    if not isinstance(items, list):
        return ReplyReading((), (no_list(text),))
    stated: set[Constraint] = set()
    rejected: dict[Rejected, None] = {}
    for item in items:
        made = read_item(instance, item)
        if isinstance(made, Rejected):
            rejected[made] = None
        elif candidates is not None and not candidates.hold(instance, made):
            rejected[Rejected(f"not in the sentence: {instance.sentence(made)}")] = None
        else:
            stated.add(instance.canonical(made))
    return ReplyReading(tuple(sorted(stated, key=lambda c: (c.type, *map(str, c.args)))), tuple(rejected))
