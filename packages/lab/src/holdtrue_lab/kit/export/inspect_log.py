"""This module exports a run as logs of Inspect (version 2, as JSON).

Each method gets a log. In that log, each problem is a sample.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from holdtrue.errors import RecordError, SettingsError
from holdtrue.files import write_whole
from holdtrue_lab.kit.arm import Arm, arm_of
from holdtrue_lab.kit.entry import FailureEntry, PlayedEntry
from holdtrue_lab.kit.export.data_set import split_name
from holdtrue_lab.kit.folder import open_folder, planned
from holdtrue_lab.kit.journal import read_entries
from holdtrue_lab.kit.settings import JOURNAL_FILE
from holdtrue_lab.kit.spending import Spending

LOG_VERSION = 2
SCORER = "holdtrue"
ABSTAINED = "(nothing was delivered)"


@dataclass(slots=True)
class _Sample:
    domain: str
    turns: int
    played: dict[int, PlayedEntry[Any]] = field(default_factory=dict)

    @property
    def tally(self) -> tuple[int, int] | None:
        """The number of right answers and of all answers; None if the right answers are not known."""
        known = [own.tally for own in self.played.values() if own.tally is not None]
        return (sum(right for right, _ in known), sum(answers for _, answers in known)) if known else None


@dataclass(slots=True)
class _Log:
    samples: dict[str, _Sample] = field(default_factory=dict)
    errors: dict[str, FailureEntry] = field(default_factory=dict)


def export_inspect(folder: Path, out: Path) -> list[Path]:
    """Write the logs of a run to a folder, and return their paths in the journal's order of methods.

    Raises `RecordError` if the run cannot be read or has no turn, and `SettingsError` if a log exists already.
    """
    settings, logs = open_folder(folder), dict[Arm, _Log]()
    failures, spending = list[FailureEntry](), Spending()
    for entry in spending.watch(read_entries(folder)):
        if isinstance(entry, FailureEntry):
            failures.append(entry)
            continue
        log = logs.setdefault(arm_of(entry), _Log())
        sample = log.samples.setdefault(entry.problem, _Sample(entry.domain, entry.turns))
        sample.played[entry.turn] = entry
    if not logs and not failures:
        raise RecordError(f"{folder}: the run has not finished a single turn yet")
    for failure in failures:
        mine = [log for arm, log in logs.items() if arm.method == failure.method]
        for log in mine or [logs.setdefault(_failed_arm(failure, settings), _Log())]:
            log.errors[failure.problem] = failure
    created = datetime.fromtimestamp((folder / JOURNAL_FILE).stat().st_mtime, UTC).isoformat(timespec="seconds")
    written: dict[Path, str] = {}
    for arm, log in logs.items():
        text = (
            json.dumps(_as_json(arm, log, settings, created, _usage(arm, log, spending)), indent=1, ensure_ascii=False)
            + "\n"
        )
        text = text.encode("utf-8", "replace").decode()  # Inspect cannot read lone surrogates
        # Inspect expects the name of a log to have three parts, beginning with a date.
        task = f"{split_name(arm.suite)}-{split_name(arm.method)}".replace("_", "-")
        written[out / f"{created.replace(':', '-')}_{task}_{_id(*_parts(arm))}.json"] = text
    for path in written:
        if path.exists():
            raise SettingsError(f"{path} is there already; choose another folder")
    try:
        out.mkdir(parents=True, exist_ok=True)
        for path, text in written.items():
            write_whole(path, text)
    except OSError as error:
        raise RecordError(f"{out}: cannot be written: {error.strerror}") from error
    return list(written)


def _usage(arm: Arm, log: _Log, spending: Spending) -> dict[str, dict[str, int]]:
    sums: Counter[tuple[str, str]] = Counter()
    for problem in log.samples:
        spent = spending.of(arm, problem)
        for model, (prompt, completion) in (spent.by_model if spent is not None else {}).items():
            sums[model, "input_tokens"] += prompt
            sums[model, "output_tokens"] += completion
            sums[model, "total_tokens"] += prompt + completion
    found: dict[str, dict[str, int]] = {}
    for (model, name), number in sums.items():
        found.setdefault(model, {})[name] = number
    return found


def _failed_arm(failure: FailureEntry, settings: Mapping[str, Any]) -> Arm:
    model, protocol, extractor = (str(settings.get(name) or "") for name in ("model", "protocol", "extractor"))
    return Arm(failure.suite, model, protocol, extractor, failure.method)


def _as_json(
    arm: Arm, log: _Log, settings: Mapping[str, Any], created: str, usage: Mapping[str, Any]
) -> dict[str, Any]:
    ids = list(dict.fromkeys((*log.samples, *log.errors)))
    done = [id for id, own in log.samples.items() if len(own.played) == own.turns]
    total = max(len(ids), _planned(settings))
    run = _id(*_parts(arm)[:-1], created)
    return {
        "version": LOG_VERSION,
        "status": "success" if len(done) == total else "error" if log.errors else "cancelled",
        **({"error": _error(next(iter(log.errors.values())))} if len(done) < total and log.errors else {}),
        "eval": {
            "eval_id": _id(run, arm.method),
            "run_id": run,
            "created": created,
            "task": f"{arm.suite}/{arm.method}",
            "task_id": _id(arm.suite, arm.method, arm.model),
            "task_version": 0,
            "task_args": {"method": arm.method, "protocol": arm.protocol, "extractor": arm.extractor},
            "dataset": {"name": arm.suite, "samples": len(ids), "sample_ids": ids, "shuffled": False},
            "model": arm.model,
            "model_args": {},
            "config": {"epochs": 1},
            "packages": {"holdtrue": str(settings.get("holdtrue") or version("holdtrue"))},
            "metadata": {"settings": dict(settings)},
        },
        "plan": {"name": arm.method, "steps": [{"solver": arm.method, "params": {}}], "config": {}},
        "results": {
            "total_samples": total,
            "completed_samples": len(done),
            "scores": [_scores(log.samples.values())],
        },
        "stats": {
            "started_at": created,
            "completed_at": created,
            "model_usage": usage,
        },
        "samples": [
            _sample(id, log.samples[id], log.errors.get(id)) if id in log.samples else _unplayed(id, log.errors[id])
            for id in ids
        ],
    }


def _parts(arm: Arm) -> tuple[str, ...]:
    return arm.suite, arm.model, arm.protocol, arm.extractor, arm.method


def _scores(samples: Iterable[_Sample]) -> dict[str, Any]:
    """Return the share of right answers over all samples, which is the report's accuracy."""
    known = [own.tally for own in samples if own.tally is not None]
    right, answers = (sum(each) for each in zip(*known, strict=True)) if known else (0, 0)
    metrics: dict[str, Any] = {
        "accuracy": {"name": "accuracy", "value": right / answers if answers else 0.0, "params": {}},
        "answers": {"name": "answers", "value": answers, "params": {}},
    }
    return {"name": SCORER, "scorer": SCORER, "params": {}, "metrics": metrics if answers else {}}


def _sample(id: str, sample: _Sample, failure: FailureEntry | None) -> dict[str, Any]:
    played = [sample.played[turn] for turn in sorted(sample.played)]
    last, tally = played[-1].record, sample.tally
    messages = [message for entry in played for message in _messages(id, entry)]
    score: dict[str, Any] = {
        "value": None if tally is None else tally[0] / tally[1],
        "answer": last.delivered or ABSTAINED,
        "explanation": "; ".join(f"turn {own.turn}: {_outcome(own)}" for own in played),
    }
    found = {
        "id": id,
        "epoch": 1,
        "input": played[0].record.user_message,
        "target": "",
        "messages": messages,
        "output": {
            "model": last.model,
            "choices": [{"message": messages[-1], "stop_reason": "stop"}],
            "completion": messages[-1]["content"],
        },
        "scores": {} if tally is None else {SCORER: score},
        "metadata": {
            "domain": sample.domain,
            "turns": [
                {"turn": own.turn, "outcome": _outcome(own), "right": own.tally and own.tally[0]} for own in played
            ],
        },
    }
    if failure is not None and len(played) < sample.turns:
        found["error"] = _error(failure)
    return found


def _unplayed(id: str, failure: FailureEntry) -> dict[str, Any]:
    return {"id": id, "epoch": 1, "input": "", "target": "", "messages": [], "scores": {}, "error": _error(failure)}


def _error(failure: FailureEntry) -> dict[str, str]:
    words = f"{failure.problem}, turn {failure.turn}: {failure.error}: {failure.message}"
    return {"message": words, "traceback": "", "traceback_ansi": ""}


def _planned(settings: Mapping[str, Any]) -> int:
    """Return the number of problems that each method was to play, or 0 if it is not known."""
    conversations, methods = planned(settings), settings.get("methods")
    return 0 if conversations is None or not methods else conversations // len(methods)


def _messages(id: str, entry: PlayedEntry[Any]) -> list[dict[str, Any]]:
    """Return the user's message and the delivered text. If the text was withheld, it is shown with a mark."""
    record = entry.record
    said = record.delivered if record.delivered is not None else record.withheld or ABSTAINED
    metadata = {"turn": entry.turn, "outcome": _outcome(entry), "attempts": len(record.attempts)}
    return [
        {"id": _id(id, entry.turn, "user"), "role": "user", "content": record.user_message},
        {
            "id": _id(id, entry.turn, "assistant"),
            "role": "assistant",
            "content": said,
            "model": record.model,
            "metadata": metadata | ({} if record.delivered is not None else {"withheld": True}),
        },
    ]


def _outcome(entry: PlayedEntry[Any]) -> str:
    found: str = entry.record.detail.outcome_of(entry.record).value
    return found


def _id(*parts: object) -> str:
    return hashlib.sha256("\0".join(map(str, parts)).encode("utf-8", "surrogatepass")).hexdigest()[:22]
