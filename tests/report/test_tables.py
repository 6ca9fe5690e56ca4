from __future__ import annotations

import io
import re
from pathlib import Path

from rich.console import Console

from holdtrue.evaluation.entry import Entry
from holdtrue.evaluation.journal import Journal
from holdtrue.report.read import RunReport, read_run
from holdtrue.report.tables import show
from tests.evaluation.entries import DRIFTING, RESPECTING, settings, turn

ENTRIES: list[Entry] = [
    *(turn("p", n, DRIFTING, correct=False, turns=2) for n in (1, 2)),
    turn("q", 1, domain="scheduling"),
    turn("q", 2, domain="scheduling", correct=False),
    *(
        turn("p", n, DRIFTING, RESPECTING, first_correct=False, method="project", projected=True, churn=(1, 4))
        for n in (1, 2)
    ),
]


def make(folder: Path, entries: list[Entry], **changes: object) -> RunReport:
    with Journal(folder, settings(methods=("direct", "project"), **changes)) as journal:
        for entry in entries:
            journal.append(entry)
    return read_run(folder)


def shown(*runs: RunReport, width: int = 200) -> str:
    console = Console(file=io.StringIO(), width=width, no_color=True, highlight=False)
    show(runs, console)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def line(text: str, title: str, name: str) -> list[str]:
    """The cells of the line that begins with `name`, in the table of that title."""
    table = text.partition(title)[2].partition("\n\n")[0]
    found = next(row for row in table.splitlines() if row.startswith(name))
    return found.removeprefix(name).split()


def test_the_tables_say_what_was_measured(tmp_path: Path) -> None:
    text = shown(make(tmp_path, ENTRIES))
    assert "UNFINISHED: 3 of 4 conversations" in text
    accuracy = line(text, "Accuracy of turns", "direct")
    assert (accuracy[0], accuracy[1], accuracy[2], accuracy[4], accuracy[5]) == ("2", "4", "25.0", "25.0", "100.0")
    assert line(text, "Accuracy of turns", "  scheduling")[:3] == ["1", "2", "50.0"]
    assert line(text, "Channels", "direct") == ["25.0", "3", "0.0", "0.0", "0.0", "0.0", "66.7", "33.3"]
    assert line(text, "As published", "direct") == ["25.0", "33.3", "25.0", "100.0", "0.0", "0.0"]
    assert line(text, "Harm and help", "project") == ["100.0", "100.0", "2", "2", "0", "0", "0"]
    assert line(text, "what was delivered", "project") == ["0.00", "0.0", "0.00", "0.0", "25.0", "100.0"]
    assert line(text, "Accuracy by turn", "direct") == ["50.0", "0.0"]
    assert line(text, "Triggers", "project")[-3:] == ["2", ">", "0"]
    assert line(text, "Cost", "project") == ["2.00", "20", "2", "1.00", "1.00", "5", "5", "0.25"]


def test_drift_is_never_shown_without_accuracy_and_ledger_gap(tmp_path: Path) -> None:
    _, *tables = shown(make(tmp_path, ENTRIES)).split("\n\n")
    heads = ["\n".join(table.splitlines()[:3]) for table in tables]
    showing = [head for head in heads if re.search(r"\bdrift\b", head)]
    assert len(showing) == 2
    for head in showing:
        assert "accu-" in head
        assert "gap" in head


def test_oracle_rows_say_so_and_simulated_models_keep_their_name(tmp_path: Path) -> None:
    text = shown(make(tmp_path, [turn("p", 1, extractor="gold")], extractor="gold"))
    assert "sim/test" in text
    assert line(text, "Accuracy of turns", "oracle: direct")[:2] == ["1", "1"]


def test_several_runs_are_told_apart(tmp_path: Path) -> None:
    first = make(tmp_path / "first", ENTRIES)
    second = make(tmp_path / "second", ENTRIES[:2])
    text = shown(first, second)
    table = text.partition("Accuracy of turns")[2].partition("\n\n")[0]
    begins = [row.split()[0] for row in table.splitlines()[4:]]
    assert begins == [str(first.folder), "direct", "seating", "scheduling", "project", str(second.folder), "direct"]


def test_numbers_are_whole_in_a_narrow_terminal(tmp_path: Path) -> None:
    run = make(tmp_path, [turn("p", n, turns=10) for n in range(1, 11)])
    narrow, wide = shown(run, width=80), shown(run, width=300)
    assert max(map(len, narrow.partition("Accuracy of turns")[2].splitlines())) <= 80
    for title in ("Accuracy of turns", "Channels", "Harm and help", "Accuracy by turn", "Cost"):
        assert line(narrow, title, "direct") == line(wide, title, "direct")
