"""A file that grows towards a known size and hash, and survives being interrupted."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path

from holdtrue.errors import DownloadError


class SourceFailed(Exception):
    """One source cannot give the file; another may."""


class PartialFile:
    """The first bytes of `target`, kept beside it in a `.partial` file, whichever source they came from.

    `report` is called with the bytes that are there and those that there will be. Raises `DownloadError` where
    the disk fails.
    """

    def __init__(self, target: Path, size: int, report: Callable[[int, int], None]) -> None:
        self.target = target
        self.size = size
        self.path = target.with_name(f"{target.name}.partial")
        self._report = report
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            self._file = self.path.open("ab")
            self.have = self._file.tell()
        except OSError as error:
            raise self._disk_error(error) from error
        if self.have > size:
            self.restart()

    def close(self) -> None:
        """Close the file; what is there stays."""
        self._file.close()

    def append(self, data: bytes) -> None:
        """Add the next bytes; raises `SourceFailed` beyond the size that was promised."""
        if self.have + len(data) > self.size:
            raise SourceFailed(f"sends more than the {self.size} bytes of the file")
        try:
            self._file.write(data)
            self._file.flush()
        except OSError as error:
            raise self._disk_error(error) from error
        self.have += len(data)
        self._report(self.have, self.size)

    def restart(self) -> None:
        """Throw away what is there."""
        self._file.truncate(0)
        self.have = 0

    def finish(self, sha256: str) -> None:
        """Give the whole file its name, or throw it away and raise `SourceFailed` where its hash is wrong."""
        with self.path.open("rb") as file:
            found = hashlib.file_digest(file, "sha256").hexdigest()
        if found != sha256:
            self.restart()
            raise SourceFailed(f"the file's sha256 is {found}, not {sha256}; it was removed")
        self.path.replace(self.target)

    def _disk_error(self, error: OSError) -> DownloadError:
        return DownloadError(f"{self.path} cannot be written: {error.strerror}")
