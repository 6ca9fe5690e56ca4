"""A kind of answer and a suite in one folder: the sum of two numbers, asked once."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

from holdtrue.figures.cells import coverage, percent, rate_interval
from holdtrue.figures.statistics import Rate, wilson
from holdtrue.figures.table import Column
from holdtrue.lab.kit.arm import Arm
from holdtrue.lab.kit.entry import Entry, PlayedEntry
from holdtrue.lab.kit.flat import FlatRows
from holdtrue.lab.kit.folder import Measured
from holdtrue.lab.kit.headline import Figure
from holdtrue.lab.kit.kind import Kind
from holdtrue.lab.kit.played import by_arm
from holdtrue.lab.kit.playing import PlayedTurn, Player, Playing
from holdtrue.lab.kit.plays import ArmPlays, Play
from holdtrue.lab.kit.reporting import Reporting
from holdtrue.lab.kit.runs import Runs, read_runs
from holdtrue.lab.kit.suite import Loaded, Suite
from holdtrue.lab.kit.tables import BY_METHOD, Contents, ReportTable
from holdtrue.lab.kit.transcript import title_of
from holdtrue.models.chat import ChatModel, Request, call, user
from holdtrue.options import NoOptions, Option
from holdtrue.record import AnswerStatus, AttemptRecord, LedgerStatus, TurnRecord, VerdictRecord, turn_outcome


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
    """Nothing but what a sum comes to."""

    def outcome_of(self, record: TurnRecord[Any, Any]) -> AnswerStatus:
        status: AnswerStatus = record.final.verdict.answer
        return status


@dataclass(frozen=True, slots=True)
class SumScore:
    """What the sum is, and whether that was said."""

    gold: int
    correct: bool


@dataclass(frozen=True, slots=True)
class SumEntry(PlayedEntry[SumScore]):
    """One sum under one method."""

    record: TurnRecord[SumDetail, AttemptRecord]
    score: SumScore | None
    kind: str = field(default="sums", kw_only=True)


class SumPlayer(Player[Sum, SumMethod]):
    """Plays sums: one question each."""

    async def play(self, problem: Sum, method: SumMethod, model: ChatModel) -> AsyncIterator[PlayedTurn]:
        question, text, calls = f"{problem.left} + {problem.right} = ?", "7", []
        if method.asks:
            reply, made = await call(model, Request((user(question),), purpose="answer"))
            text, calls = reply.text, [made]
        status = AnswerStatus.RESPECTING if text.strip().isdecimal() else AnswerStatus.UNPARSED
        verdict = VerdictRecord(LedgerStatus.SAT, status, turn_outcome(LedgerStatus.SAT, status))
        attempt = AttemptRecord(1, "answer", text, None, verdict, tuple(calls))
        record = TurnRecord(1, question, method.name, model.name, "once", "none", (attempt,), text, detail=SumDetail())
        gold = problem.left + problem.right
        yield PlayedTurn(record, SumScore(gold, text.strip() == str(gold)), "none")


class SumPlaying(Playing[Sum, SumMethod]):
    """Every sum is asked once."""

    problem = "sum"
    plainest = "ask"
    presets = METHODS
    player = SumPlayer


@dataclass(frozen=True, slots=True)
class SumRow:
    """How many sums of an arm are right."""

    arm: Arm
    domain: str | None
    finished: int
    accuracy: Rate

    @property
    def title(self) -> str:
        return self.arm.method


def _is_right(entry: SumEntry) -> bool:
    return entry.score is not None and entry.score.correct


def _measure(entries: Iterable[Entry], settings: Mapping[str, Any]) -> Measured[SumRow]:
    arms = by_arm(entries, SumEntry, lambda before, entry: entry)
    rows = [SumRow(a.arm, None, len(a.facts), wilson(sum(map(_is_right, a.facts)), len(a.facts))) for a in arms]
    plays = [
        ArmPlays(a.arm, True, {(each.problem, 0): Play("sums", 1, {1: _is_right(each)}) for each in a.facts})
        for a in arms
    ]
    return Measured(rows=tuple(rows), plays=tuple(plays), controls=frozenset({"seven"}))


def _figure(report: Runs[SumRow], row: SumRow) -> Figure:
    return Figure(row.title, percent(row.accuracy.value), "", "sums")


RIGHT = ReportTable[SumRow](
    "accuracy",
    "Sums",
    "Right sums, with 95% Wilson intervals.",
    BY_METHOD,
    {
        Column("right %"): lambda row: percent(row.accuracy.value),
        Column("interval"): lambda row: rate_interval(row.accuracy),
        Column("sums"): lambda row: coverage(row.accuracy.of, row.finished),
    },
)
REPORTING = Reporting(
    read=lambda suite, folders: Runs(suite=suite, runs=read_runs(folders, _measure)),
    contents=lambda report: Contents((("Results", (RIGHT,)),), (RIGHT,)),
    package="tests.toys.sums",
    template="sums.html.jinja",
    figure=_figure,
    rows=FlatRows(
        SumEntry,
        {"problem": (str, "problem"), "method": (str, "method"), "correct": (bool, "score.correct")},
        lambda folder, entries: entries,
    ),
)


class SumTeller:
    """Tells sums one by one."""

    def tell(self, entry: SumEntry) -> list[str]:
        return [title_of(entry), f"  {entry.record.user_message} {entry.record.delivered}"]


KIND = Kind("sums", SumEntry, SumPlaying, lambda: REPORTING, SumTeller)


@dataclass(frozen=True, slots=True)
class Source:
    """Which sums are asked."""

    most: Annotated[int, Option("The largest number.", least=1)] = 3


def _load(source: Source, *, seed: int, model: str) -> Loaded:
    sums = [Sum(f"{a}+{b}", a, b) for a in range(source.most + 1) for b in range(source.most + 1)]
    return Loaded(f"numbers up to {source.most}", sums)


def _make(recipe: NoOptions, out: Path) -> Iterator[str]:
    yield "sums are made when they are asked"


SUITE = Suite("adding", KIND, "Ask for sums.", methods="ask,seven", load=_load, source=Source, make=_make)
