from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from holdtrue.errors import RecordError
from holdtrue.kinds.labels.case import Case
from holdtrue_lab.suites.cross_query.families import SUBDOMAINS
from holdtrue_lab.suites.cross_query.files import (
    FULL,
    benchmark_files,
    case_to_json,
    load_cases,
    read_benchmark,
    read_cases,
    write_benchmark,
)
from holdtrue_lab.suites.cross_query.generate import generate
from tests.lab.suites.cross_query.toy import TOY

ROW = {"row": TOY}


@pytest.fixture(scope="module")
def cases() -> list[Case]:
    return generate(7, {"relational": 10}, subdomains=ROW)


@pytest.fixture(scope="module")
def folder(cases: list[Case], tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("benchmark")
    write_benchmark(cases, place, {"repair": "try again"})
    return place


def test_the_same_cases_give_the_same_bytes(cases: list[Case], folder: Path, tmp_path: Path) -> None:
    write_benchmark(load_cases(folder, subdomains=ROW), tmp_path, {"repair": "try again"})
    names = [path.name for path in benchmark_files(folder)]
    assert names == [
        "benchmark_full_v2.json",
        "benchmark_train_v2.json",
        "benchmark_dev_v2.json",
        "benchmark_test_v2.json",
        "evaluation_schema_v2.json",
        "prompt_templates_v2.json",
    ]
    assert all((folder / name).read_bytes() == (tmp_path / name).read_bytes() for name in names)
    assert benchmark_files(tmp_path / "elsewhere") == []


def test_splits_are_read_where_the_whole_is_not_there(cases: list[Case], folder: Path, tmp_path: Path) -> None:
    for path in benchmark_files(folder)[1:4]:
        (tmp_path / path.name).write_text(path.read_text("utf-8"), "utf-8")
    loaded = load_cases(tmp_path, subdomains=ROW)
    assert [case.split for case in loaded] == ["train"] * 8 + ["dev", "test"]
    assert sorted(loaded, key=lambda case: case.id) == cases
    assert load_cases(tmp_path / "benchmark_dev_v2.json", subdomains=ROW) == [
        case for case in cases if case.split == "dev"
    ]


def _drop(name: str) -> Callable[[dict[str, Any]], object]:
    return lambda case: case.pop(name)


FAULTS: list[tuple[Callable[[dict[str, Any]], object], str]] = [
    (_drop("premises"), "case relational_row_0000: premises is missing"),
    (_drop("bundles"), "case relational_row_0000: bundles is missing"),
    (lambda case: case.update(subdomain="moon"), "subdomain: 'moon' is none of row"),
    (lambda case: case.update(premises=["", 3]), r"premises\[1\]: a text is needed, got 3"),
    (lambda case: case["setting"].update(entities=[]), "setting: row: a problem needs at least one entity"),
    (lambda case: case["premise_constraints"].pop(), r"premise_constraints: \d for \d premises"),
    (
        lambda case: case["premise_constraints"].__setitem__(1, {"type": "at", "args": ["Nobody", 1]}),
        "'Nobody' is none",
    ),
    (lambda case: case["bundles"][0]["queries"][2].update(label="MAYBE"), r"queries\[2\].label: 'MAYBE' is none of"),
    (lambda case: case["bundles"][0]["queries"][2].pop("query"), r"queries\[2\]: query is missing"),
    (lambda case: case["bundles"][0]["queries"][1].update(depends_on=["q0"]), r"depends_on\[0\]: a whole number"),
    (lambda case: case["bundles"][0]["queries"][1].update(constraint=None), r"queries\[1\].constraint: an object"),
]


@pytest.mark.parametrize(("spoil", "words"), FAULTS)
def test_what_cannot_be_read_is_told_with_its_place(
    folder: Path, spoil: Callable[[dict[str, Any]], object], words: str
) -> None:
    record = read_benchmark(folder / FULL)
    spoil(record["cases"][0])
    with pytest.raises(RecordError, match=words):
        read_cases(record, FULL, ROW)


@pytest.mark.parametrize("durations", [None, [[]], {"Nobody": 2}, {"Debate": "x"}, 7])
def test_a_setting_that_no_subdomain_draws_is_told(durations: object) -> None:
    name = "event_scheduling"
    (made,) = generate(3, {"temporal": 1}, subdomains={name: SUBDOMAINS[name]})
    record = case_to_json(made)
    record["setting"]["context"]["durations"] = durations
    with pytest.raises(RecordError, match=r"case temporal_event_scheduling_0000\.setting"):
        read_cases({"cases": [record]}, FULL)


def test_nothing_to_read_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="no benchmark here"):
        load_cases(tmp_path)
    with pytest.raises(RecordError, match="cannot be read"):
        load_cases(tmp_path / FULL)


def test_an_id_met_twice_is_an_error(folder: Path, tmp_path: Path) -> None:
    record = read_benchmark(folder / FULL)
    record["cases"].append(record["cases"][0])
    (tmp_path / FULL).write_text(json.dumps(record), "utf-8")
    with pytest.raises(RecordError, match="relational_row_0000' is there twice"):
        load_cases(tmp_path, subdomains=ROW)


def test_two_queries_of_one_id_are_an_error(folder: Path) -> None:
    record = read_benchmark(folder / FULL)
    first, second, *_ = record["cases"][0]["bundles"][0]["queries"]
    second["query_id"] = first["query_id"]
    with pytest.raises(RecordError, match=r"case relational_row_0000: .*query 1 and query 2 have the same id"):
        read_cases(record, FULL, ROW)
