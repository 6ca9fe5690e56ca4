"""A kind of answer and a suite in one folder: the sum of two numbers, asked once."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Annotated, Any

from holdtrue.errors import SettingsError
from holdtrue.figures.cells import coverage, percent, rate_interval
from holdtrue.figures.parquet import stream_rows
from holdtrue.figures.statistics import Rate, wilson
from holdtrue.figures.table import Column, Table, with_lines
from holdtrue.lab.kit.arm import Arm, arm_of
from holdtrue.lab.kit.by_row import line_by_row
from holdtrue.lab.kit.entry import FailureEntry, PlayedEntry
from holdtrue.lab.kit.folder import Run, named, open_folder, planned, progress
from holdtrue.lab.kit.groups import Names, group
from holdtrue.lab.kit.headline import Figure, Headline
from holdtrue.lab.kit.journal import each_of, read_entries
from holdtrue.lab.kit.kind import Page
from holdtrue.lab.kit.options import NoOptions, Option
from holdtrue.lab.kit.plan import Job, Plan, Prepared
from holdtrue.lab.kit.players import PlayedTurn, Player
from holdtrue.lab.kit.plays import ArmPlays, Play
from holdtrue.lab.kit.runs import Runs
from holdtrue.lab.kit.suite import Loaded, Suite
from holdtrue.lab.kit.transcript import title_of
from holdtrue.models.chat import ChatModel, Request, call, user
from holdtrue.models.sampling import Sampling
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


class SumPlayer:
    """Plays sums: one question each."""

    def __init__(self, plan: Plan) -> None:
        self._suite = plan.settings.suite

    async def play(self, job: Job, model: ChatModel) -> AsyncIterator[PlayedTurn]:
        problem, method = job.problem, job.method
        if not isinstance(problem, Sum) or not isinstance(method, SumMethod):
            raise TypeError(f"{problem.id} is no sum")
        question, text, calls = f"{problem.left} + {problem.right} = ?", "7", []
        if method.asks:
            reply, made = await call(model, Request((user(question),), purpose="answer"))
            text, calls = reply.text, [made]
        status = AnswerStatus.RESPECTING if text.strip().isdecimal() else AnswerStatus.UNPARSED
        verdict = VerdictRecord(LedgerStatus.SAT, status, turn_outcome(LedgerStatus.SAT, status))
        attempt = AttemptRecord(1, "answer", text, None, verdict, tuple(calls))
        record = TurnRecord(1, question, method.name, model.name, "once", "none", (attempt,), text, detail=SumDetail())
        gold = problem.left + problem.right
        score = SumScore(gold, text.strip() == str(gold))
        yield PlayedTurn(SumEntry(self._suite, problem.id, "sums", method.name, 1, 1, record, score), "none")


@dataclass(frozen=True, slots=True)
class SumRow:
    """How many sums of an arm are right."""

    arm: Arm
    domain: str | None
    finished: int
    failed: int
    accuracy: Rate


class SumReport(Runs[SumRow]):
    """Runs of sums, side by side."""

    def to_json(self) -> dict[str, Any]:
        return {"suite": self.suite, "rows": [asdict(row) for run in self.runs for row in run.rows]}


def _is_right(entry: PlayedEntry[Any]) -> bool:
    return entry.score is not None and bool(entry.score.correct)


def _read_run(folder: Path) -> Run[SumRow]:
    settings, arms, failed = open_folder(folder), dict[Arm, list[PlayedEntry[Any]]](), 0
    for entry in read_entries(folder):
        if isinstance(entry, FailureEntry):
            failed += 1
        else:
            arms.setdefault(arm_of(entry), []).append(entry)
    rows = [
        SumRow(arm, None, len(played), failed, wilson(sum(map(_is_right, played)), len(played)))
        for arm, played in arms.items()
    ]
    finished, failures = progress(folder, settings, rows)
    plays = [
        ArmPlays(arm, True, {(each.problem, 0): Play("sums", 1, {1: _is_right(each)}) for each in played})
        for arm, played in arms.items()
    ]
    shown = tuple(named(row, settings) for row in rows)
    return Run(
        folder=folder,
        settings=settings,
        planned=planned(settings),
        finished=finished,
        failed=failures,
        rows=shown,
        plays=tuple(plays),
    )


def _accuracy(report: SumReport) -> Table:
    cells = {
        Column("right %"): lambda row: percent(row.accuracy.value),
        Column("interval"): lambda row: rate_interval(row.accuracy),
        Column("sums"): lambda row: coverage(row.accuracy.of, row.finished),
    }
    return line_by_row(report, "accuracy", "Sums", "Right sums, with 95% Wilson intervals.", cells)


class SumsKind:
    """The kind of answer."""

    name, problem = "sums", "sum"
    entry = SumEntry
    settings = NoOptions
    sampling = Sampling()

    def find_method(self, name: str) -> SumMethod:
        if name not in METHODS:
            raise SettingsError(f"unknown method {name!r}; there are {', '.join(METHODS)}")
        return METHODS[name]

    def declare_method(self, table: object) -> SumMethod:
        raise SettingsError("sums have no methods of one's own")

    def describe_method(self, method: SumMethod) -> dict[str, Any]:
        return asdict(method)

    def is_preset(self, method: SumMethod) -> bool:
        return method in METHODS.values()

    def choose_methods(self, methods: Sequence[SumMethod], settings: NoOptions) -> Sequence[SumMethod]:
        return methods

    def other_models(self, settings: NoOptions) -> Sequence[str]:
        return ()

    def prepare(
        self,
        suite: Suite,
        problems: Sequence[Sum],
        methods: Sequence[SumMethod],
        settings: NoOptions,
        model: str,
        given: Mapping[str, Any] | None,
    ) -> Prepared:
        return Prepared([(each,) for each in problems], methods, lambda each: 1, "once", "none", {})

    def describe_problem(self, problem: Sum) -> object:
        return [problem.id, problem.left, problem.right]

    def simulated(self, name: str, problems: Sequence[Sum]) -> ChatModel | None:
        return None

    def player(self, plan: Plan, others: Sequence[ChatModel]) -> Player:
        return SumPlayer(plan)

    def tally(self, entry: SumEntry) -> tuple[int, int]:
        return (0, 0) if entry.score is None else (int(entry.score.correct), 1)

    def teller(self) -> SumsKind:
        return self

    def tell(self, entry: SumEntry) -> list[str]:
        return [title_of(entry), f"  {entry.record.user_message} {entry.record.delivered}"]

    def open_report(self, suite: str, folders: Sequence[Path]) -> SumReport:
        runs = tuple(map(_read_run, folders))
        names = Names((run.folder, [row.arm for row in run.rows]) for run in runs)
        groups = group([(run.folder, run.rows) for run in runs], names)
        return SumReport(suite=suite, runs=runs, names=names, groups=groups, controls=frozenset({"seven"}))

    def sections(self, report: SumReport) -> list[tuple[str, list[Table]]]:
        return [("Results", self.short_tables(report))]

    def short_tables(self, report: SumReport) -> list[Table]:
        return with_lines([_accuracy(report)])

    def page(self, report: SumReport, transcripts: int) -> Page:
        cards = [
            Headline(
                each.label,
                tuple(Figure(row.arm.method, percent(row.accuracy.value), "", "sums") for row in each.whole),
                "",
            )
            for each in report.groups
        ]
        return Page("tests.toys.sums", "sums.html.jinja", {"headlines": cards, "sections": self.sections(report)})

    def write_rows(self, folders: Sequence[Path], path: Path) -> None:
        columns = {"problem": str, "method": str, "correct": bool}
        stream_rows(
            lambda: (
                (each.problem, each.method, None if each.score is None else each.score.correct)
                for _, each in each_of(folders, SumEntry)
            ),
            columns,
            path,
        )


@dataclass(frozen=True, slots=True)
class Source:
    """Which sums are asked."""

    most: Annotated[int, Option("The largest number.", least=1)] = 3


def _load(source: Source, *, seed: int, model: str) -> Loaded:
    sums = [Sum(f"{a}+{b}", a, b) for a in range(source.most + 1) for b in range(source.most + 1)]
    return Loaded(f"numbers up to {source.most}", sums)


def _make(recipe: NoOptions, out: Path) -> Iterator[str]:
    yield "sums are made when they are asked"


SUITE = Suite("adding", SumsKind(), "Ask for sums.", methods="ask,seven", load=_load, source=Source, make=_make)
