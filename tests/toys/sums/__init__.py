"""A kind of answer and a suite in one folder: the sum of two numbers, asked once."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import holdtrue_lab as lab
from holdtrue import ChatModel, Request, TurnRecord
from holdtrue.models import call, user
from holdtrue.record import AnswerStatus, AttemptRecord, Satisfiability, VerdictRecord


@dataclass(frozen=True, slots=True)
class Sum:
    """Two numbers to add."""

    id: str
    left: int
    right: int
    domain: str = "sums"


@dataclass(frozen=True, slots=True)
class SumMethod:
    """Asks, or says 7 whatever is asked."""

    name: str
    asks: bool = True


METHODS = {method.name: method for method in (SumMethod("ask"), SumMethod("seven", asks=False))}


@dataclass(frozen=True, slots=True)
class SumDetail:
    """The result of a sum, and nothing else."""

    def outcome_of(self, record: TurnRecord[Any, Any]) -> AnswerStatus:
        status: AnswerStatus = record.final.verdict.answer
        return status


@dataclass(frozen=True, slots=True)
class SumScore:
    """The right sum, and whether the answer gave it."""

    gold: int
    correct: bool


@dataclass(frozen=True, slots=True)
class SumEntry(lab.PlayedEntry[SumScore]):
    """One sum under one method."""

    record: TurnRecord[SumDetail, AttemptRecord]
    score: SumScore | None
    kind: str = field(default="sums", kw_only=True)


class SumPlayer(lab.Player[Sum, SumMethod]):
    """Plays sums: one question each."""

    async def play(self, problem: Sum, method: SumMethod, model: ChatModel) -> AsyncIterator[lab.PlayedTurn]:
        question, text, calls = f"{problem.left} + {problem.right} = ?", "7", []
        if method.asks:
            reply, made = await call(model, Request((user(question),), purpose="answer"))
            text, calls = reply.text, [made]
        status = AnswerStatus.RESPECTING if text.strip().isdecimal() else AnswerStatus.UNPARSED
        verdict = VerdictRecord(Satisfiability.SAT, status)
        attempt = AttemptRecord(1, "answer", text, None, verdict, tuple(calls))
        record = TurnRecord(1, question, method.name, model.name, "once", "none", (attempt,), text, detail=SumDetail())
        gold = problem.left + problem.right
        yield lab.PlayedTurn(record, SumScore(gold, text.strip() == str(gold)), "none")


class SumPlaying(lab.Playing[Sum, SumMethod]):
    """Every sum is asked once."""

    problem = "sum"
    plainest = "ask"
    presets = METHODS
    player = SumPlayer


@dataclass(frozen=True, slots=True)
class SumRow:
    """How many sums of an arm are right."""

    arm: lab.Arm
    domain: str | None
    finished: int
    accuracy: lab.Rate

    @property
    def title(self) -> str:
        return self.arm.method


def _is_right(entry: SumEntry) -> bool:
    return entry.score is not None and entry.score.correct


def _measure(entries: Iterable[lab.Entry], settings: Mapping[str, Any]) -> lab.Measured[SumRow]:
    arms = lab.by_arm(entries, SumEntry, lambda before, entry: entry)
    rows = [SumRow(a.arm, None, len(a.facts), lab.wilson(sum(map(_is_right, a.facts)), len(a.facts))) for a in arms]
    plays = [
        lab.ArmPlays(a.arm, True, {(each.problem, 0): lab.Play("sums", 1, {1: _is_right(each)}) for each in a.facts})
        for a in arms
    ]
    return lab.Measured(rows=tuple(rows), plays=tuple(plays), controls=frozenset({"seven"}))


def _figure(report: lab.Runs[SumRow], row: SumRow) -> lab.Figure:
    return lab.Figure(row.title, lab.percent(row.accuracy.value), "", "sums")


RIGHT = lab.ReportTable[SumRow](
    "accuracy",
    "Sums",
    "Right sums, with 95% Wilson intervals.",
    lab.BY_METHOD,
    {
        lab.Column("right %"): lambda row: lab.percent(row.accuracy.value),
        lab.Column("interval"): lambda row: lab.rate_interval(row.accuracy),
        lab.Column("sums"): lambda row: lab.coverage(row.accuracy.of, row.finished),
    },
)
REPORTING = lab.Reporting(
    measure=_measure,
    contents=lambda report: lab.Contents((("Results", (RIGHT,)),), (RIGHT,)),
    package="tests.toys.sums",
    template="sums.html.jinja",
    figure=_figure,
    rows=lab.FlatRows(
        SumEntry,
        {"problem": (str, "problem"), "method": (str, "method"), "correct": (bool, "score.correct")},
        lambda folder, entries: entries,
    ),
)


class SumTeller:
    """Tells sums one by one."""

    def tell(self, entry: SumEntry) -> list[str]:
        return [lab.title_of(entry), f"  {entry.record.user_message} {entry.record.delivered}"]


KIND = lab.Kind("sums", SumEntry, SumPlaying, lambda: REPORTING, SumTeller)


@dataclass(frozen=True, slots=True)
class Source:
    """Which sums are asked."""

    most: Annotated[int, lab.Option("The largest number.", least=1)] = 3


def _load(source: Source, *, seed: int, model: str) -> lab.Loaded:
    sums = [Sum(f"{a}+{b}", a, b) for a in range(source.most + 1) for b in range(source.most + 1)]
    return lab.Loaded(f"numbers up to {source.most}", sums)


def _make(recipe: lab.NoOptions, out: Path) -> Iterator[str]:
    """Make nothing."""
    yield "sums are made when they are asked"


SUITE = lab.Suite("adding", KIND, "Ask for sums.", methods="ask,seven", load=_load, make=_make)
