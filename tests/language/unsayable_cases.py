"""Sentences that a domain can say, and sentences that it cannot: how many are accepted, with the check and without.

    python -m tests.language.unsayable_cases FILE [--reader llm|templates] [--model NAME] [--store FILE]

FILE has one JSON object a line: `id`, `setting`, `names`, `sentence`, `kind`, `plain`, and `categories` or `rooms`
where the setting has them; `read` may hold what a reader made of the sentence. Every sentence that has no `read`
is read once, without the check, and what was read is added to the store, so that a model is asked only once.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from holdtrue.language.extract import LlmExtractor
from holdtrue.language.message_reader import SentenceReader
from holdtrue.language.readers import TemplateExtractor
from holdtrue.language.reading import Reading
from holdtrue.language.residual_content import find_tails, hold_to_words
from holdtrue.language.sentences import split_sentences
from holdtrue.models.model_registry import open_model
from holdtrue.record import CallRecord
from holdtrue.world.domain import Attribute, AttributeName, ConstraintType, Domain, Entity, Integer, ValueOf
from holdtrue.world.instance import Instance
from holdtrue.world.registry import BUILTIN
from tests.data import read_jsonl

MODEL = "local/qwen2.5-coder-1.5b"
SEATS, SLOTS, LONGEST, DAYS = 10, 12, 6, 7

AGENDA = Domain(
    "agenda",
    attributes=[Attribute("day", low=1, high=DAYS)],
    constraint_types=[
        ConstraintType("on", (Entity(), Integer(1, DAYS)), "{0} is on day {1}", lambda w, a, k: a.day.eq(k)),
        ConstraintType("not_on", (Entity(), Integer(1, DAYS)), "{0} is not on day {1}", lambda w, a, k: a.day.ne(k)),
        ConstraintType(
            "before",
            (Entity(), Entity()),
            "{0} is before {1}",
            lambda w, a, b: a.day < b.day,
            definition="A is on an earlier day than B.",
        ),
        ConstraintType(
            "same",
            (Entity(), Entity()),
            "{0} is on the same day as {1}",
            lambda w, a, b: a.day.eq(b.day),
            symmetric=True,
        ),
        ConstraintType(
            "apart",
            (Entity(), Entity(), Integer(1, DAYS)),
            "{0} and {1} are at least {2} days apart",
            lambda w, a, b, k: abs(a.day - b.day) >= k,
            symmetric=True,
            definition="There are k or more days from A to B, whichever is first.",
        ),
    ],
)


ROOMS = Domain(
    "rooms",
    attributes=lambda context: [Attribute("room", values=tuple(context["rooms"]))],
    constraint_types=[
        ConstraintType(
            "in",
            (Entity(), AttributeName(), ValueOf(1)),
            "{0} is in {1} {2}",
            lambda w, a, name, value: a[name].eq(value),
            definition="E is in the room V.",
        ),
        ConstraintType(
            "not_in",
            (Entity(), AttributeName(), ValueOf(1)),
            "{0} is not in {1} {2}",
            lambda w, a, name, value: a[name].ne(value),
            definition="E is not in the room V.",
        ),
        ConstraintType(
            "share",
            (Entity(), Entity()),
            "{0} shares a room with {1}",
            lambda w, a, b: a.room.eq(b.room),
            symmetric=True,
        ),
        ConstraintType(
            "split",
            (Entity(), Entity()),
            "{0} and {1} are in different rooms",
            lambda w, a, b: a.room.ne(b.room),
            symmetric=True,
        ),
    ],
)


@dataclass(frozen=True)
class Case:
    """A sentence about an instance; `plain` where the domain can say it. `read`: parts of it with raw readings."""

    id: str
    setting: str
    instance: Instance
    sentence: str
    kind: str
    plain: bool
    read: tuple[tuple[str, tuple[Reading, ...]], ...] | None

    @property
    def before(self) -> list[Reading]:
        """What was read without the check."""
        return [reading for _, readings in self.read or () for reading in readings]

    @property
    def after(self) -> list[Reading]:
        """What the check leaves of it."""
        read = self.read or ()
        tails = find_tails([part for part, _ in read])
        return [
            one
            for (part, readings), tail in zip(read, tails, strict=True)
            for one in hold_to_words(self.instance, part, readings, tail)
        ]


def load_cases(file: Path, stores: Iterable[Path] = ()) -> list[Case]:
    """The cases of a file, with the readings of the stores where the file has none."""
    known = {line["id"]: line["read"] for store in stores if store.is_file() for line in read_jsonl(store)}
    instances: dict[str, Instance] = {}
    cases = []
    for line in read_jsonl(file):
        setting = setting_of(line)
        key = json.dumps(setting, sort_keys=True)
        if key not in instances:
            instances[key] = make_instance(setting)
        instance, read = instances[key], line.get("read", known.get(line["id"]))
        parts = None if read is None else tuple(_load_part(instance, part) for part in read)
        cases.append(Case(line["id"], line["setting"], instance, line["sentence"], line["kind"], line["plain"], parts))
    return cases


def setting_of(line: Mapping[str, Any]) -> dict[str, Any]:
    """The part of a line that describes its instance."""
    return {key: line[key] for key in ("setting", "names", "categories", "rooms") if key in line}


def make_instance(setting: Mapping[str, Any]) -> Instance:
    """The instance that a line describes, with room for every number that people name."""
    names = setting["names"]
    match setting["setting"]:
        case "seating":
            return BUILTIN["seating"].instance(names, {"num_entities": SEATS, "table_shape": "rectangular"})
        case "scheduling":
            return BUILTIN["scheduling"].instance(names, {"num_slots": SLOTS, "max_duration": LONGEST})
        case "logic_grid":
            categories = {name: list(values) for name, values in setting["categories"].items()}
            for name, values in categories.items():  # each value has at most one owner
                values += [f"{name} {number}" for number in range(len(values) + 1, len(names) + 1)]
            return BUILTIN["logic_grid"].instance(names, {"categories": categories})
        case "agenda":
            return AGENDA.instance(names)
        case "rooms":
            return ROOMS.instance(names, {"rooms": setting["rooms"]})
    raise ValueError(f"no setting {setting['setting']!r}")


def _load_part(instance: Instance, part: Mapping[str, Any]) -> tuple[str, tuple[Reading, ...]]:
    readings = (
        Reading(
            part["sentence"],
            one["status"],
            instance.constraint(one["type"], one["args"]) if "type" in one else None,
            one["confidence"],
            one.get("reason"),
        )
        for one in part["readings"]
    )
    return part["sentence"], tuple(readings)


def _write_reading(reading: Reading) -> dict[str, Any]:
    made = reading.constraint.to_json() if reading.constraint else {}
    reason = {"reason": reading.reason} if reading.reason else {}
    return {"status": reading.status, **made, "confidence": reading.confidence, **reason}


async def read_cases(cases: Sequence[Case], reader: SentenceReader, store: Path) -> None:
    """Read what has not been read, one setting after the other, and add it to the store."""
    with store.open("a", encoding="utf-8") as out:
        for case in sorted(cases, key=lambda case: (case.setting, id(case.instance))):
            if case.read is not None:
                continue
            parts, calls = [], list[CallRecord]()
            for part in split_sentences(case.sentence, case.instance.entities):
                readings = await reader.read_sentence(case.instance, part, calls)
                parts.append({"sentence": part, "readings": [_write_reading(one) for one in readings]})
            out.write(json.dumps({"id": case.id, "read": parts}, ensure_ascii=False) + "\n")
            out.flush()


def is_accepted(readings: Iterable[Reading]) -> bool:
    """Whether anything was taken for certain."""
    return any(reading.status == "accepted" for reading in readings)


def report(cases: Sequence[Case]) -> Iterator[str]:
    """Lines of a table: how many are accepted before and after, by kind and by setting."""
    groups: dict[str, list[Case]] = {}
    for case in cases:
        half = "odd" if int(case.id[1:]) % 2 else "even"
        side = "plain" if case.plain else "not plain"
        for group in (side, f"{side}, {half}", f"{side}, {case.setting}", *([] if case.plain else [case.kind])):
            groups.setdefault(group, []).append(case)
    yield f"{'group':28} {'n':>4} {'before':>7} {'after':>6} {'share':>7}  (plain: of those accepted before)"
    for name, members in sorted(groups.items()):
        before = sum(is_accepted(case.before) for case in members)
        after = sum(is_accepted(case.after) for case in members)
        share = after / max(1, before if name.startswith("plain") else len(members))
        yield f"{name:28} {len(members):4} {before:7} {after:6} {share:7.1%}"


def failures(cases: Sequence[Case]) -> Iterator[str]:
    """What is accepted and not plain, and what is plain and accepted no more."""
    for case in cases:
        after = is_accepted(case.after)
        if case.plain == after or not is_accepted(case.before):
            continue
        read = "; ".join(case.instance.sentence(one.constraint) for one in case.before if one.constraint)
        why = "" if after else "; ".join(dict.fromkeys(one.reason or "" for one in case.after))
        yield f"{case.id} {case.setting} {case.kind}: {case.sentence}  [{read}] {why}"


async def main(arguments: Sequence[str]) -> None:
    """Read, check and tell."""
    parser = argparse.ArgumentParser(prog="python -m tests.language.unsayable_cases", description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--reader", choices=["llm", "templates"], default="llm")
    parser.add_argument("--model", default=MODEL)
    parser.add_argument("--store", type=Path, default=Path("readings.jsonl"))
    parser.add_argument("--half", choices=["odd", "even"], help="show failures of one half only")
    given = parser.parse_args(arguments)
    cases = load_cases(given.file, [given.store])
    if any(case.read is None for case in cases):
        if given.reader == "templates":
            await read_cases(cases, TemplateExtractor(), given.store)
        else:
            model = open_model(given.model)
            await read_cases(cases, LlmExtractor(model), given.store)
            await model.aclose()
        cases = load_cases(given.file, [given.store])
    print("\n".join(report(cases)))
    parity = {"odd": 1, "even": 0}
    shown = [case for case in cases if given.half is None or int(case.id[1:]) % 2 == parity[given.half]]
    print("\n".join(failures(shown)))
    kinds = Counter(case.kind for case in cases if case.read is not None)
    print(", ".join(f"{kind} {count}" for kind, count in sorted(kinds.items())))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1:]))
