from __future__ import annotations

import errno
import resource
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from holdtrue.errors import JournalError, RecordError, SettingsError
from holdtrue_lab.kit.entry import Entry
from holdtrue_lab.kit.journal import Journal, encode, read_entries
from holdtrue_lab.kit.settings import JOURNAL_FILE
from tests.lab.kit.entries import failure, settings, turn

ENTRIES: list[Entry] = [turn("p1", 1), turn("p1", 2), failure("p2"), turn("p2", 1)]


def write(folder: Path, entries: list[Entry]) -> Path:
    with Journal(folder, settings()) as journal:
        for entry in entries:
            journal.append(entry)
    return folder / JOURNAL_FILE


@contextmanager
def disk_of(size: int) -> Iterator[None]:
    """Let no file grow beyond `size` bytes."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_entries_come_back_in_order(tmp_path: Path) -> None:
    write(tmp_path / "deep" / "run", ENTRIES)
    assert list(read_entries(tmp_path / "deep" / "run")) == ENTRIES


def test_reopening_goes_on_at_the_end(tmp_path: Path) -> None:
    write(tmp_path, ENTRIES[:2])
    write(tmp_path, ENTRIES[2:])
    assert list(read_entries(tmp_path)) == ENTRIES


def test_every_torn_last_line_is_dropped_and_nothing_else(tmp_path: Path) -> None:
    whole = write(tmp_path, ENTRIES).read_bytes()
    ends = [i + 1 for i, byte in enumerate(whole) if byte == ord("\n")]
    for cut in [*range(ends[-2] - 2, len(whole), 97), len(whole) - 1]:
        (tmp_path / JOURNAL_FILE).write_bytes(whole[:cut])
        committed = sum(end <= cut for end in ends)
        assert list(read_entries(tmp_path)) == ENTRIES[:committed]
        with Journal(tmp_path, settings()) as journal:
            assert list(journal.entries()) == ENTRIES[:committed]
            for entry in ENTRIES[committed:]:
                journal.append(entry)
        assert (tmp_path / JOURNAL_FILE).read_bytes() == whole


def test_a_torn_line_longer_than_a_block_is_dropped(tmp_path: Path) -> None:
    path = write(tmp_path, ENTRIES[:1])
    kept = path.read_bytes()
    path.write_bytes(kept + b"x" * 200_000)
    Journal(tmp_path, settings()).close()
    assert path.read_bytes() == kept


def test_a_journal_of_one_torn_line_is_empty(tmp_path: Path) -> None:
    path = write(tmp_path, [])
    path.write_bytes(b'{"kind": "tu')
    Journal(tmp_path, settings()).close()
    assert path.read_bytes() == b""


@pytest.mark.parametrize("damage", [b"", b"{", b"\0\0\0", b'{"kind": "turn"}', b"[]"])
def test_a_line_damaged_in_the_middle_is_named(tmp_path: Path, damage: bytes) -> None:
    path = write(tmp_path, ENTRIES)
    lines = path.read_bytes().split(b"\n")
    lines[1] = damage
    path.write_bytes(b"\n".join(lines))
    with pytest.raises(RecordError, match=f"{JOURNAL_FILE}, line 2: "):
        list(read_entries(tmp_path))


def test_a_turn_that_is_there_twice_is_named(tmp_path: Path) -> None:
    path = write(tmp_path, ENTRIES)
    path.write_bytes(path.read_bytes() + encode(ENTRIES[0]))
    with pytest.raises(RecordError, match="line 5: turn 1 of p1 is there twice"):
        list(read_entries(tmp_path))


def test_no_journal_is_a_clear_error(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="No such file"):
        list(read_entries(tmp_path))


def test_two_runs_cannot_write_one_folder(tmp_path: Path) -> None:
    with Journal(tmp_path, settings()), pytest.raises(JournalError, match="held by another run"):
        Journal(tmp_path, settings())
    Journal(tmp_path, settings()).close()


def test_a_killed_process_leaves_no_lock(tmp_path: Path) -> None:
    code = (
        "import sys, time; from pathlib import Path; from holdtrue_lab.kit.journal import Journal\n"
        "from tests.lab.kit.entries import settings\n"
        "journal = Journal(Path(sys.argv[1]), settings()); print('held', flush=True); time.sleep(60)"
    )
    with subprocess.Popen([sys.executable, "-c", code, str(tmp_path)], stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        with pytest.raises(JournalError, match="held by another run"):
            Journal(tmp_path, settings())
        holder.send_signal(signal.SIGKILL)
    Journal(tmp_path, settings()).close()


def test_other_settings_are_refused_and_shown(tmp_path: Path) -> None:
    write(tmp_path, ENTRIES)
    with pytest.raises(SettingsError) as caught:
        Journal(tmp_path, settings(model="sim/other", seed=7, limit=3))
    assert 'model: was "sim/test", now "sim/other"' in str(caught.value)
    assert "seed: was 42, now 7" in str(caught.value)
    assert "limit" not in str(caught.value)
    Journal(tmp_path, settings()).close()


def test_a_journal_without_settings_is_refused(tmp_path: Path) -> None:
    write(tmp_path, ENTRIES)
    (tmp_path / "settings.json").unlink()
    with pytest.raises(RecordError, match="cannot be resumed"):
        Journal(tmp_path, settings())


def test_a_full_disk_loses_nothing_that_was_committed(tmp_path: Path) -> None:
    path = write(tmp_path, ENTRIES[:1])
    before = path.read_bytes()
    journal = Journal(tmp_path, settings())
    # Room for a part of the next line only: the write that fails has begun.
    with disk_of(len(before) + 100), pytest.raises(JournalError, match="cannot be written"):
        journal.append(ENTRIES[1])
    assert path.read_bytes() == before
    with pytest.raises(JournalError, match="cannot be written"):
        journal.append(ENTRIES[1])
    journal.close()
    write(tmp_path, ENTRIES[1:])
    assert list(read_entries(tmp_path)) == ENTRIES


def test_a_disk_that_refuses_to_cut_a_torn_line_is_told_like_a_full_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = write(tmp_path, ENTRIES[:1]).read_bytes()
    with Journal(tmp_path, settings()) as journal:
        with monkeypatch.context() as broken, disk_of(len(before) + 100):
            broken.setattr("os.ftruncate", refuse)
            with pytest.raises(JournalError, match="cannot be written: File too large"):
                journal.append(ENTRIES[1])
        with pytest.raises(JournalError, match="cannot be written"):
            journal.append(ENTRIES[1])
    write(tmp_path, ENTRIES[1:])
    assert list(read_entries(tmp_path)) == ENTRIES


def refuse(*given: object) -> None:
    raise OSError(errno.EIO, "Input/output error")


@pytest.mark.parametrize("call", ["fcntl.flock", "os.pread"])
def test_a_disk_that_refuses_while_a_journal_is_opened_is_told_and_the_file_is_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    write(tmp_path, ENTRIES)
    with monkeypatch.context() as broken:
        broken.setattr(call, refuse)
        with pytest.raises(JournalError, match="cannot be opened: Input/output error"):
            Journal(tmp_path, settings())
    # The lock would be held as long as the file is open.
    Journal(tmp_path, settings()).close()


def test_a_deleted_folder_is_noticed(tmp_path: Path) -> None:
    with Journal(tmp_path, settings()) as journal:
        (tmp_path / JOURNAL_FILE).unlink()
        with pytest.raises(JournalError, match="deleted"):
            journal.append(ENTRIES[0])


def test_a_folder_that_cannot_be_made_is_a_clear_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(JournalError, match="cannot be opened"):
        Journal(tmp_path / "file" / "run", settings())


def test_closing_twice_is_harmless(tmp_path: Path) -> None:
    journal = Journal(tmp_path, settings())
    journal.close()
    journal.close()
    assert list(read_entries(tmp_path)) == []
