"""Logs are cut at the ends of lines and at row groups, in buckets too, and every row keeps its number."""

from __future__ import annotations

import bz2
import gzip
import importlib.util
import json
import lzma
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, ClassVar

import fsspec
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from fsspec.implementations.memory import MemoryFileSystem
from hypothesis import given
from hypothesis import strategies as st

from holdtrue.audit.audit_run import Pool, in_process, plan_audit, run_audit
from holdtrue.audit.log_row import LogRow
from holdtrue.audit.overview import look_at
from holdtrue.audit.shard_job import AuditSettings
from holdtrue.audit.shards import BadRow, _texts_of_lists, cut_sources, find_sources, read_rows
from holdtrue.audit.turn_checker import Checker
from holdtrue.errors import SettingsError
from holdtrue.world.registry import BUILTIN
from tests.audit.logs import log_of, row, write_lines
from tests.audit.test_audit_run import rows


def written(turn: dict[str, Any]) -> dict[str, Any]:
    """Return a turn with its lists as JSON texts."""
    return {key: json.dumps(value) if isinstance(value, list) else value for key, value in turn.items()}


@given(st.lists(st.text(alphabet="ab \u00e4", max_size=9)), st.integers(1, 12), st.booleans())
def test_shards_have_every_line_once_with_its_number(lines: list[str], block: int, ends: bool) -> None:
    text = "\n".join(lines) + ("\n" if ends else "")
    fsspec.filesystem("memory").pipe("/cut/log.jsonl", text.encode())
    shards = list(cut_sources(["memory://cut/log.jsonl"], block))
    found = [(number, line) for shard in shards for number, line in read_rows(shard)]
    assert found == [(at, line.encode()) for at, line in enumerate(text.split("\n"), 1) if line.strip()]
    assert [own.number for own in shards] == list(range(len(shards)))
    assert [own.stop for own in shards[:-1]] == [own.start for own in shards[1:]]


def test_a_mark_of_the_byte_order_is_no_part_of_the_first_line(tmp_path: Path) -> None:
    (tmp_path / "log.jsonl").write_bytes(b"\xef\xbb\xbf{}\n{}")
    shards = cut_sources([str(tmp_path / "log.jsonl")])
    assert [own for shard in shards for own in read_rows(shard)] == [(1, b"{}"), (2, b"{}")]


def test_row_groups_are_shards(tmp_path: Path) -> None:
    rows = [written(row(at)) for at in range(7)]
    pq.write_table(pa.Table.from_pylist(rows), tmp_path / "log.parquet", row_group_size=3)
    shards = list(cut_sources([str(tmp_path / "log.parquet")]))
    assert [(own.start, own.first_row) for own in shards] == [(0, 1), (1, 4), (2, 7)]
    checker = Checker(BUILTIN)
    for shard in shards:
        for number, turn in read_rows(shard):
            assert isinstance(turn, LogRow)
            assert checker.check_turn(turn).id == f"t{number - 1}"
    assert checker.slow == 0


def test_columns_may_be_nested_or_json(tmp_path: Path) -> None:
    nested = row(1)
    nested["constraints"] = [{"type": "adjacent", "args": nested["entities"][:2]}]
    for name, own in (("nested", nested), ("written", written(nested))):
        pq.write_table(pa.Table.from_pylist([own]), tmp_path / f"{name}.parquet")
    shards = list(cut_sources(find_sources([str(tmp_path)])))
    found = [
        Checker(BUILTIN).check_turn(turn).to_json()
        for own in shards
        for _, turn in read_rows(own)
        if isinstance(turn, LogRow)
    ]
    assert len(found) == 2 and found[0] == found[1] and found[0]["outcome"] == "consistent"


def test_sources_are_files_folders_and_patterns(tmp_path: Path) -> None:
    names = [tmp_path / "a" / "x.jsonl", tmp_path / "a" / "b" / "y.parquet", tmp_path / "a" / "z.txt"]
    for name in names:
        name.parent.mkdir(parents=True, exist_ok=True)
        name.touch()
    folder = find_sources([str(tmp_path / "a")])
    assert sorted(folder) == sorted(map(str, names[:2]))
    assert find_sources([str(tmp_path / "a" / "*.jsonl")]) == [str(names[0])]
    assert find_sources([str(names[0]), str(names[0])]) == [str(names[0])]
    for missing in ("none.jsonl", "none/*.jsonl", "a/z"):
        with pytest.raises(SettingsError, match="no log is there"):
            find_sources([str(tmp_path / missing)])
    with pytest.raises(SettingsError, match="nosuch"):
        find_sources(["nosuch://a/b.jsonl"])


@pytest.mark.parametrize("damaged", [lambda raw: b"no table", lambda raw: raw[:-20], lambda raw: raw[:60]])
@pytest.mark.parametrize("whole", [True, False])
def test_a_table_that_is_damaged_is_one_unreadable_row_and_stops_no_other_file(
    tmp_path: Path, damaged: Callable[[bytes], bytes], whole: bool
) -> None:
    for name in ("bad", "good"):
        pq.write_table(pa.table({"answer": ["a", "b"]}), tmp_path / f"{name}.parquet")
    bad = tmp_path / "bad.parquet"
    bad.write_bytes(damaged(bad.read_bytes()))
    shards = cut_sources([str(bad), str(tmp_path / "good.parquet")])
    [one], good = (list(read_rows(own, whole=whole)) for own in shards)
    assert isinstance(one[1], BadRow) and "bad.parquet" in one[1].reason and [row for row, _ in good] == [1, 2]


def test_rows_beside_those_that_are_read_of_a_document_are_told_by_their_key(tmp_path: Path) -> None:
    log = tmp_path / "log.json"
    rows: list[Any] = [{"messages": []}]
    given = {"samples": [], "conversations": rows, "rows": rows, "episodes": rows, "tasks": [{"input": "text"}]}
    log.write_text(json.dumps(given))
    [read, *told] = [row for _, row in read_rows(next(iter(cut_sources([str(log)]))))]
    assert isinstance(read, bytes) and json.loads(read) == rows[0]
    assert [isinstance(own, BadRow) and own.reason.partition(":")[0] for own in told] == ["rows", "episodes"]


@given(
    st.lists(st.none() | st.lists(st.text(max_size=3), max_size=3), max_size=8), st.integers(0, 8), st.integers(1, 3)
)
def test_lists_of_texts_are_read_as_they_are(values: list[list[str] | None], start: int, size: int) -> None:
    array = pa.array(values, pa.list_(pa.string())).slice(start)
    chunks = pa.chunked_array([array.slice(at, size) for at in range(0, len(array), size)], pa.list_(pa.string()))
    assert _texts_of_lists(chunks) == chunks.to_pylist()


class HostedFiles(MemoryFileSystem):  # type: ignore[misc]
    """Files of a host, whose name stands in the URL before the path, as sftp and hdfs have it."""

    protocol = "hosted"
    store: ClassVar[dict[str, Any]] = {}
    pseudo_dirs: ClassVar[list[str]] = [""]

    def __init__(self, host: str = "", **more: Any) -> None:
        super().__init__(**more)
        self.host = host

    @classmethod
    def _strip_protocol(cls, path: str) -> str:
        plain = "/" + path.split("://", 1)[-1].partition("/")[2] if "://" in path else path
        return plain.rstrip("/")

    @staticmethod
    def _get_kwargs_from_urls(path: str) -> dict[str, str]:
        return {"host": path.split("://", 1)[1].partition("/")[0]}


@pytest.mark.parametrize("end", ["", "/", "/*.jsonl", "/a.jsonl"])
def test_the_host_of_an_url_is_kept(end: str) -> None:
    fsspec.register_implementation("hosted", HostedFiles, clobber=True)
    HostedFiles("one").pipe("/logs/a.jsonl", b'{"id": 1}\n')
    assert find_sources([f"hosted://one/logs{end}"]) == ["hosted://one/logs/a.jsonl"]
    [shard] = cut_sources(["hosted://one/logs/a.jsonl"])
    assert list(read_rows(shard)) == [(1, b'{"id": 1}')]


PACKERS: dict[str, Callable[[bytes], bytes]] = {"gz": gzip.compress, "bz2": bz2.compress, "xz": lzma.compress}


@pytest.mark.parametrize("end", PACKERS)
def test_a_packed_log_is_read_as_the_log_is(tmp_path: Path, end: str) -> None:
    text = b'\xef\xbb\xbf{"id": 1}\n\n{"id": 2}\r\n  \n{"id": 3}'
    (tmp_path / "log.jsonl").write_bytes(text)
    (tmp_path / f"log.jsonl.{end}").write_bytes(PACKERS[end](text))
    plain = [own for shard in cut_sources([f"{tmp_path / 'log.jsonl'}"], 4) for own in read_rows(shard)]
    [packed] = cut_sources(find_sources([f"{tmp_path / 'log.jsonl'}.{end}"]))
    assert list(read_rows(packed)) == plain and len(plain) == 3
    assert len(find_sources([str(tmp_path)])) == 2


@pytest.mark.parametrize("end", PACKERS)
def test_a_packed_log_that_is_damaged_is_read_as_far_as_it_is_sound(tmp_path: Path, end: str) -> None:
    whole = PACKERS[end](b"".join(b'{"id": %d}\n' % own for own in range(50_000)))
    for name, data in (("cut", whole[: len(whole) // 2]), ("plain", b'{"id": 1}\n')):
        path = tmp_path / f"{name}.jsonl.{end}"
        path.write_bytes(data)
        [shard] = cut_sources([str(path)])
        *rows, (number, last) = read_rows(shard)
        assert isinstance(last, BadRow) and "cannot be unpacked" in last.reason
        assert rows == [(own + 1, b'{"id": %d}' % own) for own in range(len(rows))] and number == len(rows) + 1


def test_a_cell_that_no_value_can_hold_is_kept_apart_alone(tmp_path: Path) -> None:
    far = pa.array([2**60, 0, 1], pa.int64()).cast(pa.timestamp("ms"))
    odd = pa.array([b"\xff\xfe", b"ok", b"fine"], pa.binary()).cast(pa.string(), safe=False)
    for name, column in (("answer", far), ("id", odd), ("context", far)):
        table = pa.table({"entities": [["Ann"]] * 3, name: column})
        pq.write_table(table, tmp_path / f"{name}.parquet")
        [shard] = cut_sources([str(tmp_path / f"{name}.parquet")])
        [first, *others] = [row for _, row in read_rows(shard)]
        assert isinstance(first, BadRow) and "cannot be read" in first.reason
        assert all(isinstance(own, LogRow) for own in others) and len(others) == 2


def test_moments_within_messages_are_texts(tmp_path: Path) -> None:
    at = pa.array([1, 2], pa.int64()).cast(pa.timestamp("ns"))
    messages = pa.array([[{"role": "user", "at": own}] for own in at.to_pylist()])
    pq.write_table(pa.table({"messages": messages}), tmp_path / "log.parquet")
    [shard] = cut_sources([str(tmp_path / "log.parquet")])
    for _, own in read_rows(shard):
        assert isinstance(own, LogRow) and b"1970-01-01" in bytes(own.messages)


needs_bucket = pytest.mark.skipif(
    any(importlib.util.find_spec(name) is None for name in ("moto", "flask", "s3fs")),
    reason="there is no server of buckets: pip install 'moto[server]' s3fs",
)


@pytest.fixture
def bucket(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Yield the URL of an empty bucket."""
    from moto.server import ThreadedMotoServer

    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    keys = dict.fromkeys(("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"), "nobody")
    for name, value in {**keys, "AWS_DEFAULT_REGION": "us-east-1", "AWS_ENDPOINT_URL": f"http://{host}:{port}"}.items():
        monkeypatch.setenv(name, value)
    fsspec.filesystem("s3", skip_instance_cache=True).mkdir("audits")
    yield "s3://audits"
    server.stop()


@needs_bucket
@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::DeprecationWarning")
def test_a_log_in_a_bucket_is_audited_where_it_is(tmp_path: Path, bucket: str) -> None:
    log = write_lines(tmp_path / "log.jsonl", log_of(60))
    system = fsspec.filesystem("s3")
    system.pipe("audits/logs/log.jsonl", log.read_bytes())
    out = f"{bucket}/out"
    plan = plan_audit([f"{bucket}/logs"], AuditSettings(), out, block=2_000)
    assert len(plan.shards) > 3 and run_audit(plan, out, Pool(2)).rows == 60
    here = tmp_path / "here"
    run_audit(plan_audit([str(log)], AuditSettings(), str(here), block=2_000), str(here), in_process)
    there = [
        own
        for name in sorted(system.glob("audits/out/verdicts/part-*"))
        for own in pq.read_table(system.open(name)).to_pylist()
    ]
    assert [{**own, "source": ""} for own in there] == [{**own, "source": ""} for own in rows(here)]
    assert look_at(out).outcomes == look_at(str(here)).outcomes
    # A finished shard is not done again.
    assert json.loads(system.cat("audits/out/summary.json"))["rows"] == 60
    assert run_audit(plan_audit([f"{bucket}/logs"], AuditSettings(), out, block=2_000), out, in_process).rows == 60
