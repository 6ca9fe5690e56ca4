"""Record the readings of messages, by rules and by models that know the gold."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.frozen.playing import ROOT, Records, door, holdtrue, lines, plain, write_lines

SENTENCES = ROOT / "tests/language/data"


def tell_readings() -> Records:
    """Yield the readings of each message, by rules and by a model that knows its gold."""
    for path in sorted(SENTENCES.glob("*_sentences.jsonl")):
        messages = lines(path)
        script, some = Path(f"{path.stem}_script.jsonl"), Path(path.name)
        write_lines(script, _gold_replies(messages))
        write_lines(some, messages[::8])
        run, model = f"read_{path.stem}", f"script/{script}"
        words = ("run", "reading", "--max-connections", 1, "-q")
        yield run, holdtrue(*words, "--data", path, "--method", "rules", "--out", run)
        asked = ("--method", "llm", "--model", model, "--out", f"{run}_told")
        yield f"{run}/told", holdtrue(*words, "--data", some, *asked)
        for own in [*lines(Path(run, "journal.jsonl")), *lines(Path(f"{run}_told", "journal.jsonl"))]:
            record = own["record"]
            calls = [own["purpose"] for own in record["extraction"]]
            told = {"message": record["user_message"], "readings": record["readings"], "score": own["score"]}
            yield f"{run}/{own['problem']}/{own['method']}", plain({**told, "calls": calls})
    yield from _changes()
    yield from _unsayable()
    yield from _slot_values()
    for phrasing in ("published", "varied"):
        out = f"drift_{phrasing}"
        holdtrue("generate", "drift", "--count", 18, "--seed", 9, "--phrasing", phrasing, "--out", out)
        for extractor in ("templates", "llm"):
            run = f"{out}_{extractor}"
            played = ("--problems", out, "--method", "ledger", "--extractor", extractor, "--max-connections", 1, "-q")
            yield run, holdtrue("run", "drift", *played, "--model", "sim/drop:0.2@3", "--out", run)
            for own in lines(Path(run, "journal.jsonl")) if Path(run).exists() else ():
                read = {key: plain(own["record"][key]) for key in ("user_message", "readings", "events", "holds")}
                yield f"{run}/{own['problem']}/{own['turn']}", read


def _gold_replies(messages: Sequence[Mapping[str, Any]]) -> Iterator[dict[str, str]]:
    """Replies of a model that says the gold of the whole message of whatever sentence of it is asked about."""
    for own in messages:
        made = [{"type": kind, "args": args} for kind, *args in own["gold"]]
        reply = json.dumps({"meaning": own["message"], "constraints": made})
        for part in re.split(r"[.!?;]\s+|[.!?]$", own["message"]):
            if part.strip():
                yield {"match": f"Sentence: {part.strip()}", "text": reply}
    yield {"match": "", "text": '{"meaning": "nothing", "constraints": []}'}


def _changes() -> Records:
    from tests.language.changes_by_name import play, read_cases

    for path in sorted(SENTENCES.glob("changes_*.jsonl")):
        yield from ((f"changes/{own['id']}", plain(play(own))) for own in read_cases(path)[::6])


def _unsayable() -> Records:
    from holdtrue import TemplateExtractor
    from tests.language.unsayable_cases import make_instance, setting_of

    reader = TemplateExtractor()
    for own in [*lines(SENTENCES / "unsayable.jsonl"), *lines(SENTENCES / "unsayable_unread.jsonl")[::4]]:
        context = door("holdtrue.language.reading:MessageContext")()
        found = asyncio.run(reader.read(make_instance(setting_of(own)), own["sentence"], context))
        yield f"unsayable/{own['id']}", plain([each.record() for each in found.readings])


def _slot_values() -> Records:
    from tests.language.slot_values.test_slot_value import PHRASES, readings

    yield from ((f"values/{own['id']}", plain(sorted(map(str, readings(own)[1])))) for own in lines(PHRASES))
