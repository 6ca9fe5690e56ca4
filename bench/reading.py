"""How well sentences are read: every step of reading left out or put in, on sentences whose meaning is known.

    python -m bench.reading --sentences FILE --problems FOLDER --model local/NAME

FILE has one JSON object a line: `problem_id`, `sentence` and what it states, as `type` and `args` or as a list
`constraints` of such objects, which may be empty; FOLDER holds the problems' settings as `<problem_id>.json` in
DRIFT-Bench's layout. Only counts are printed, never a sentence, so that a test file stays a test file. With
`--log` calls are kept, and a study that was stopped goes on where it was.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Literal

from holdtrue.errors import InputError, RecordError
from holdtrue.language.extract import LlmExtractor, ReadingSettings
from holdtrue.language.readers import TemplateExtractor
from holdtrue.language.reading import Extraction, Extractor, MessageContext
from holdtrue.models.cache import CallLog, LoggedModel
from holdtrue.models.chat import ChatModel
from holdtrue.models.model_registry import open_model
from holdtrue.record import Usage, total
from holdtrue.world.instance import Constraint, Instance
from holdtrue.world.registry import BUILTIN
from holdtrue_lab.figures.statistics import Rate, wilson
from holdtrue_lab.suites.drift.files import CONTEXT_FIELDS

Outcome = Literal["exact", "wrong", "doubtful_right", "doubtful_wrong", "rejected"]

_ALONE = ReadingSettings(views=("plain",), tie_break=None, direction_check="none")
ABLATIONS: Mapping[str, ReadingSettings | None] = {
    "templates": None,
    "few_shot": replace(_ALONE, definitions=False, examples=1, grounded=False),
    "definitions": replace(_ALONE, examples=1, grounded=False),
    "examples": replace(_ALONE, grounded=False),
    "grounded": _ALONE,
    "restate": replace(_ALONE, views=("restate",)),
    "agreement": replace(_ALONE, views=("plain", "restate")),
    "direction_choice": replace(_ALONE, views=("plain", "restate"), direction_check="choice"),
    "direction_cues": replace(_ALONE, views=("plain", "restate"), direction_check="cues"),
    "default": ReadingSettings(),
}


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence and the constraints that it states, in normal form."""

    instance: Instance
    text: str
    gold: frozenset[Constraint]

    @property
    def kind(self) -> str:
        """The types of what it states, in one word."""
        return "+".join(sorted(made.type for made in self.gold)) or "nothing"


@dataclass(frozen=True, slots=True)
class Row:
    """What one way of reading came to. `by_type` counts outcomes by what the sentences state."""

    name: str
    outcomes: Mapping[Outcome, int]
    usage: Usage
    by_type: Mapping[str, Mapping[Outcome, int]] = field(default_factory=dict)

    @property
    def of(self) -> int:
        return sum(self.outcomes.values())

    @property
    def exact(self) -> Rate:
        """Accepted and right, out of all sentences."""
        return wilson(self.outcomes.get("exact", 0), self.of)

    @property
    def right(self) -> Rate:
        """Right, whether accepted or doubtful, out of all sentences."""
        return wilson(self.outcomes.get("exact", 0) + self.outcomes.get("doubtful_right", 0), self.of)

    @property
    def wrong_of_accepted(self) -> Rate:
        """Wrong among the accepted."""
        wrong = self.outcomes.get("wrong", 0)
        return wilson(wrong, wrong + self.outcomes.get("exact", 0))


def load_sentences(file: Path, problems: Path) -> list[Sentence]:
    """The sentences of a file, grouped by domain and problem; raises `RecordError` with the line's number."""
    instances: dict[str, Instance] = {}
    sentences: list[Sentence] = []
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), start=1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
            name = str(record["problem_id"])
            if name not in instances:
                instances[name] = _instance(json.loads((problems / f"{name}.json").read_text(encoding="utf-8")))
            instance = instances[name]
            stated = record.get("constraints", [record])
            gold = frozenset(instance.canonical(instance.constraint(c["type"], c["args"])) for c in stated)
            sentences.append(Sentence(instance, str(record["sentence"]), gold))
        except (InputError, ValueError, KeyError, TypeError, OSError) as error:
            raise RecordError(f"{file}:{number}: {error}") from error
    order = list(instances.values())
    return sorted(sentences, key=lambda s: (s.instance.domain.name, order.index(s.instance)))


def _instance(record: Mapping[str, object]) -> Instance:
    domain = str(record["domain"])
    entities = [str(entity) for entity in list(record["entities"])]  # type: ignore[call-overload]
    return BUILTIN[domain].instance(entities, {k: record[k] for k in CONTEXT_FIELDS[domain] if k in record})


async def study(sentences: Sequence[Sentence], name: str, extractor: Extractor) -> Row:
    """Read every sentence, one after the other, and compare."""
    outcomes: Counter[Outcome] = Counter()
    by_type: dict[str, Counter[Outcome]] = {}
    usages: list[Usage] = []
    for sentence in sentences:
        read = await extractor.read(sentence.instance, sentence.text, MessageContext())
        outcome = judge(sentence, read)
        outcomes[outcome] += 1
        by_type.setdefault(sentence.kind, Counter())[outcome] += 1
        usages += [call.usage for call in read.calls]
    return Row(name, dict(outcomes), total(usages), {kind: dict(counts) for kind, counts in by_type.items()})


def judge(sentence: Sentence, read: Extraction) -> Outcome:
    """Exact only if what was accepted is what the sentence states, no more and no less.

    Of a sentence that states nothing, reading nothing is exact, with or without a rejection.
    """
    canonical = sentence.instance.canonical
    accepted = {canonical(r.constraint) for r in read.readings if r.status == "accepted" and r.constraint}
    doubtful = {canonical(r.constraint) for r in read.readings if r.status == "doubtful" and r.constraint}
    if accepted or not (doubtful or sentence.gold):
        return "exact" if accepted == sentence.gold else "wrong"
    if doubtful:
        return "doubtful_right" if doubtful == sentence.gold else "doubtful_wrong"
    return "rejected"


def table(rows: Iterable[Row]) -> str:
    """The rows as a Markdown table; shares in percent with 95% Wilson intervals."""
    head = "| reading | n | exact | right at all | doubtful | rejected | wrong | wrong of accepted | calls | s |"
    lines = [head, "|---" * 10 + "|"]
    for row in rows:
        doubtful = row.outcomes.get("doubtful_right", 0) + row.outcomes.get("doubtful_wrong", 0)
        cost = f"{row.usage.calls / row.of:.2f} | {row.usage.latency_s / row.of:.2f}"
        lines.append(
            f"| {row.name} | {row.of} | {_percent(row.exact)} | {_percent(row.right)} | {doubtful} "
            f"| {row.outcomes.get('rejected', 0)} | {row.outcomes.get('wrong', 0)} "
            f"| {_percent(row.wrong_of_accepted)} | {cost} |"
        )
    return "\n".join(lines)


def _percent(rate: Rate) -> str:
    if rate.value is None or rate.low is None or rate.high is None:
        return "-"
    return f"{100 * rate.value:.1f} ({100 * rate.low:.1f}-{100 * rate.high:.1f})"


async def _run(sentences: Sequence[Sentence], names: Sequence[str], model: ChatModel) -> list[Row]:
    rows = []
    for name in names:
        settings = ABLATIONS[name]
        extractor: Extractor = TemplateExtractor() if settings is None else LlmExtractor(model, settings)
        rows.append(await study(sentences, name, extractor))
        sys.stderr.write(table(rows[-1:]).splitlines()[-1] + "\n")
    await model.aclose()
    return rows


def main(argv: Sequence[str] | None = None) -> None:
    """The command line."""
    parser = argparse.ArgumentParser(prog="bench.reading", description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--sentences", type=Path, required=True)
    parser.add_argument("--problems", type=Path, required=True)
    parser.add_argument("--model", required=True, help="local/NAME, openai/NAME, ...")
    parser.add_argument("--ablations", nargs="*", choices=list(ABLATIONS), default=list(ABLATIONS))
    parser.add_argument("--every", type=int, default=1, help="read only every so manieth sentence")
    parser.add_argument("--log", type=Path, help="keep calls in this file, and use those that it holds")
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    options = parser.parse_args(argv)
    sentences = load_sentences(options.sentences, options.problems)[:: options.every]
    model = open_model(options.model)
    if options.log is None:
        rows = asyncio.run(_run(sentences, options.ablations, model))
    else:
        with closing(CallLog(options.log)) as log:
            rows = asyncio.run(_run(sentences, options.ablations, LoggedModel(model, log)))
    shown = json.dumps([asdict(row) for row in rows], indent=1) if options.json else table(rows)
    sys.stdout.write(shown + "\n")


if __name__ == "__main__":
    main()
