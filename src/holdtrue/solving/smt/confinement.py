"""What a worker process may not do, enforced by the system: outgrow its memory, write or open files, run on alone."""

from __future__ import annotations

import math
import time

try:
    import resource
except ImportError:  # Windows has no such limits; there z3's own memory limit and the deadline remain.
    resource = None  # type: ignore[assignment]

OWN_BYTES = 512 * 2**20
"""Address space for Python, z3's code and the script, on top of what z3 may use for its work."""

SPARE_S = 5
"""Processor seconds beyond a question's budget after which a worker that nobody watches any more ends."""


def limit_memory(bytes: int) -> None:
    """No more address space than `bytes` and what the process itself needs; no core file."""
    if resource is not None:
        _lower(resource.RLIMIT_AS, bytes + OWN_BYTES)
        _lower(resource.RLIMIT_CORE, 0)


def close_doors() -> None:
    """From now on no file can be opened, and none can grow; what is open stays open."""
    if resource is not None:
        _lower(resource.RLIMIT_FSIZE, 0)
        _lower(resource.RLIMIT_NOFILE, 0)


def limit_time(seconds: float | None) -> None:
    """The system ends the process when it has worked for so long, and `SPARE_S`, from now on; None: it does not."""
    if resource is not None:
        _, hard = resource.getrlimit(resource.RLIMIT_CPU)
        used = time.process_time()
        soft = hard if seconds is None else math.ceil(used + seconds + SPARE_S)
        resource.setrlimit(resource.RLIMIT_CPU, (soft, hard))


def _lower(limit: int, value: int) -> None:
    _, hard = resource.getrlimit(limit)
    value = value if hard == resource.RLIM_INFINITY else min(value, hard)
    resource.setrlimit(limit, (value, value))
