"""A real server of PostgreSQL for tests, in a folder of its own, which they start, kill and stop."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

_FOUND = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda own: int(own.parts[-3]))
BIN = _FOUND[-1].parent if _FOUND else None


def _user() -> str | None:
    """Return the user that the server runs as: it refuses to run as root."""
    if os.geteuid() != 0:
        return None
    try:
        return pwd.getpwnam("postgres").pw_name
    except KeyError:
        return "nobody"


def missing() -> str | None:
    """Return why no server can be started, or None."""
    if BIN is None:
        return "PostgreSQL's server is not installed"
    try:
        import psycopg  # noqa: F401
    except ImportError:
        return "the extra postgres is not installed"
    return None


needs_postgres = pytest.mark.skipif(missing() is not None, reason=str(missing()))


class PostgresServer:
    """A server on a socket in its own folder, as a context manager."""

    def __init__(self, folder: Path | None = None) -> None:
        assert BIN is not None
        self._own = Path(tempfile.mkdtemp(prefix="pg-", dir=folder))
        self.data = self._own / "data"
        self._user = _user()
        if self._user is not None:
            shutil.chown(self._own, self._user)
        self._run(str(BIN / "initdb"), "-D", str(self.data), "-A", "trust", "-U", "holdtrue", "-E", "UTF8", "-N")
        self._process: subprocess.Popen[bytes] | None = None
        self.start()

    def _as_user(self, command: tuple[str, ...]) -> list[str]:
        return [*(["runuser", "-u", self._user, "--"] if self._user else []), *command]

    def _run(self, *command: str) -> None:
        done = subprocess.run(self._as_user(command), capture_output=True, text=True, cwd=self._own)
        assert done.returncode == 0, done.stderr

    def start(self) -> None:
        """Start the server, and wait until it accepts connections."""
        options = ("-c", "listen_addresses=", "-k", str(self._own), "-c", "max_connections=60")
        command = self._as_user((str(BIN) + "/postgres", "-D", str(self.data), *options))
        with (self._own / "log").open("ab") as log:
            self._process = subprocess.Popen(command, stdout=log, stderr=log, cwd=self._own)
        end = time.monotonic() + 60
        ready = [str(BIN) + "/pg_isready", "-q", "-h", str(self._own)]
        while subprocess.run(ready).returncode != 0:
            assert time.monotonic() < end and self._process.poll() is None, (self._own / "log").read_text()
            time.sleep(0.05)

    def url(self, database: str = "postgres") -> str:
        return f"postgresql://holdtrue@/{database}?host={self._own}"

    def database(self, name: str) -> str:
        """Make an empty database, and return its address."""
        self.sql(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)', f'CREATE DATABASE "{name}"')
        return self.url(name)

    @contextmanager
    def small_disk(self, megabytes: int) -> Iterator[Path | None]:
        """Make a small disk for tables, or yield None where nobody may make one."""
        place = self._own / "small"
        place.mkdir()
        uid = f",uid={pwd.getpwnam(self._user).pw_uid}" if self._user else ""
        mount = ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m,mode=700{uid}", "tmpfs", str(place)]
        if subprocess.run(mount, capture_output=True).returncode != 0:
            yield None
            return
        try:
            yield place
        finally:
            subprocess.run(["umount", "-l", str(place)], check=True)

    def sql(self, *commands: str, database: str = "postgres") -> None:
        """Run commands one by one."""
        import psycopg

        with psycopg.connect(self.url(database), autocommit=True) as connection:
            for own in commands:
                connection.execute(own.encode())

    def backends(self, database: str) -> list[int]:
        """Return the processes that serve connections to a database."""
        import psycopg

        with psycopg.connect(self.url()) as connection:
            text = "SELECT pid FROM pg_stat_activity WHERE datname = %s AND state IS NOT NULL"
            return [pid for (pid,) in connection.execute(text, (database,))]

    @contextmanager
    def stalled(self, pids: list[int]) -> Iterator[None]:
        """Stop processes of the server: they answer nothing, and the kernel still takes what is sent to them."""
        assert self._process is not None
        for pid in pids:
            os.kill(pid, signal.SIGSTOP)
        yield
        for pid in (*pids, self._process.pid):  # `runuser` stops with the server that it started.
            os.kill(pid, signal.SIGCONT)

    def pid(self) -> int:
        return int((self.data / "postmaster.pid").read_text().splitlines()[0])

    def kill(self) -> None:
        """End the server as a loss of power would end it, as far as its own memory is concerned."""
        os.kill(self.pid(), signal.SIGQUIT)
        self._wait()

    def stop(self) -> None:
        if self._process is not None and self._process.poll() is None:
            os.kill(self.pid(), signal.SIGINT)
            self._wait()
        shutil.rmtree(self._own, ignore_errors=True)

    def _wait(self) -> None:
        assert self._process is not None
        self._process.wait(60)
        (self.data / "postmaster.pid").unlink(missing_ok=True)
