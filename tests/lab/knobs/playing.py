"""Plays what shows a setting to move, and reads the figure from the reports, of all problems and of each."""

from __future__ import annotations

import asyncio
import json
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import sqrt
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

from holdtrue.models.chat import ChatModel
from holdtrue_lab.figures.significance import Paired, paired
from holdtrue_lab.kit.json_file import read_as
from holdtrue_lab.kit.no_model import NO_MODEL, NoModel
from holdtrue_lab.kit.planning import make_plan
from holdtrue_lab.kit.playing import declare_method
from holdtrue_lab.kit.registry import find_suite
from holdtrue_lab.kit.report import open_report
from holdtrue_lab.kit.runner import run
from holdtrue_lab.kit.settings import JOURNAL_FILE, SETTINGS_FILE
from tests.lab.knobs.knob import Knob, laid_over, place_of
from tests.lab.knobs.problems import problems_of

SIGMAS = 4.0
"""Some hundred differences are looked at; by chance, one of 16,000 would be farther from what was planted."""


@dataclass(frozen=True)
class Side:
    """One value of a setting, as a plan has it: a method, and the run that it is played in."""

    suite: str
    model: str
    method: str
    settings: str
    sampling: str
    source: str
    problems: int

    @property
    def run(self) -> Side:
        """What methods that are played together have in common."""
        return replace(self, method="")


def sides(knob: Knob) -> tuple[Side, Side]:
    """Return both values of a setting as plans have them."""
    part, path = place_of(knob.setting, knob.suite)
    return (_side(knob, part, path, knob.first), _side(knob, part, path, knob.second))


def _side(knob: Knob, part: str, path: Sequence[str], value: Any) -> Side:
    parts = {name: getattr(knob, name) for name in ("method", "settings", "sampling", "source")}
    parts[part] = laid_over(parts[part], path, value)
    texts = {name: json.dumps(given, sort_keys=True, default=sorted) for name, given in parts.items()}
    return Side(
        knob.suite, knob.model, texts["method"], texts["settings"], texts["sampling"], texts["source"], knob.problems
    )


@dataclass
class Runs:
    """Runs in a folder, each played once for all settings that need it; the rows of reports are kept by side."""

    folder: Path
    methods: dict[Side, list[str]] = field(default_factory=lambda: defaultdict(list))
    _rows: dict[Side, tuple[Mapping[str, Any], Sequence[Mapping[str, Any]]]] = field(default_factory=dict)

    def want(self, knobs: Iterable[Knob]) -> None:
        """Note what has to be played, so that methods of one run are played together."""
        for knob in knobs:
            for side in sides(knob):
                if side.method not in self.methods[side.run]:
                    self.methods[side.run].append(side.method)

    def rows(self, side: Side) -> tuple[Mapping[str, Any], Sequence[Mapping[str, Any]]]:
        """Return the row of one side over all problems, and its rows over one problem each."""
        if side not in self._rows:
            self._play(side.run)
        return self._rows[side]

    def _play(self, wanted: Side) -> None:
        suite = find_suite(wanted.suite)
        playing = suite.kind.playing()
        problems = problems_of(wanted.suite, wanted.problems, **json.loads(wanted.source))
        texts = self.methods[wanted]
        tables = [{"name": f"m{number}", **json.loads(text)} for number, text in enumerate(texts)]
        methods = [declare_method(table, playing.find_method, playing.plainest) for table in tables]
        settings = read_as(playing.settings, json.loads(wanted.settings), "settings")
        sampling = replace(playing.sampling, **json.loads(wanted.sampling))
        made = make_plan(suite, problems, methods, settings, source="test", model=wanted.model, sampling=sampling)
        folder = self.folder / f"run{len(list(self.folder.iterdir()))}"
        others = [_model(wanted, name, problems) for name in playing.other_models(settings, methods)]
        model = _model(wanted, wanted.model, problems)
        standing = asyncio.run(run(made, model, folder, formalizers=others))
        assert not standing.failures, standing.failures[0].message
        whole = _rows_of(folder)
        each = [_rows_of(part) for part in _parts(folder)]
        for text, method in zip(texts, methods, strict=True):
            # A run may rename a method, or play a form of it after it.
            name = [played.name for played in made.methods if method.name in re.split(r"\W|_", played.name)][-1]
            found = [rows.get(name, {}) for rows in each]
            self._rows[replace(wanted, method=text)] = (whole[name], found)


def _model(wanted: Side, name: str, problems: Sequence[Any]) -> ChatModel:
    from holdtrue.models.model_registry import open_model

    if name == NO_MODEL:
        return NoModel()
    return find_suite(wanted.suite).kind.playing().simulated(name, problems) or open_model(name)


def _parts(folder: Path) -> list[Path]:
    """Write a run's folder for each of its problems."""
    lines: dict[str, list[str]] = defaultdict(list)
    for line in (folder / JOURNAL_FILE).read_text().splitlines(keepends=True):
        lines[json.loads(line)["problem"]].append(line)
    parts = []
    for number, problem in enumerate(sorted(lines)):
        part = folder / f"part{number}"
        part.mkdir()
        (part / JOURNAL_FILE).write_text("".join(lines[problem]))
        (part / SETTINGS_FILE).write_text((folder / SETTINGS_FILE).read_text())
        parts.append(part)
    return parts


def _rows_of(folder: Path) -> dict[str, Mapping[str, Any]]:
    """The rows of a report's JSON over all domains, by method."""
    rows = open_report([folder]).to_json()["runs"][0]["rows"]
    return {row["arm"]["method"]: row for row in rows if row["domain"] is None and row.get("difficulty") is None}


def read(row: Mapping[str, Any], figure: str) -> float | None:
    """Return a figure of a row; None where there is none."""
    found: Any = row
    for part in figure.split("/"):
        if isinstance(found, Sequence):
            found = found[int(part)] if int(part) < len(found) else None
        else:
            found = None if found is None else found.get(part)
    return None if found is None else float(found)


@dataclass(frozen=True)
class Moved:
    """The figure with both values over all problems, the paired difference over problems with its 95% interval, and by
    how much it is more than planted, with the standard error of that.
    """

    first: float
    second: float
    difference: Paired
    excess: float
    error: float


def moved(knob: Knob, runs: Runs) -> Moved:
    """Play a setting with both values, and return what its figure does."""
    (whole_one, each_one), (whole_two, each_two) = map(runs.rows, sides(knob))
    first, second = read(whole_one, knob.figure), read(whole_two, knob.figure)
    assert first is not None and second is not None, (knob.figure, whole_one, whole_two)
    pairs = [(read(one, knob.figure), read(two, knob.figure)) for one, two in zip(each_one, each_two, strict=True)]
    both = [(one, two) for one, two in pairs if one is not None and two is not None]
    difference = paired([two for _, two in both], [one for one, _ in both])
    excess, seen = _mean([two - one - knob.planted.expected(one) for one, two in both])
    # Where few are mended or left by chance, what is seen varies less than what was planted.
    planted = sqrt(sum(knob.planted.variance(one) for one, _ in both)) / len(both)
    return Moved(first, second, difference, excess, max(seen, planted))


def _mean(values: Sequence[float]) -> tuple[float, float]:
    """The mean with its standard error; where all are alike, as if one of them might have differed by 1."""
    return fmean(values), stdev(values) / sqrt(len(values)) or 1 / len(values)
