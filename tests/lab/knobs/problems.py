"""The problems that settings are shown on, suite by suite."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from holdtrue.guard.policy_file import load_policy
from holdtrue_lab.suites.cegvr.generate import generate_linear
from holdtrue_lab.suites.cross_query.card import share_out
from holdtrue_lab.suites.cross_query.generate import generate as cross_query
from holdtrue_lab.suites.drift.generate import generate as drift
from holdtrue_lab.suites.guard.files import load_conversations
from holdtrue_lab.suites.reading.files import load_items
from tests.lab.kinds.claims.planted import bakers
from tests.lab.knobs.claim_items import FORMS
from tests.lab.suites.guard.library import NOVEL, conversation, label, lends, looks_up, policy, write
from tests.lab.suites.reading.messages import OWN, write_messages


@cache
def _drift(count: int, turns: int = 2, phrasing: str = "published") -> tuple[Any, ...]:
    return tuple(drift(9, count, turns=turns, phrasing=phrasing))


@cache
def _cross_query(count: int) -> tuple[Any, ...]:
    return tuple(cross_query(7, share_out(count)))


@cache
def _cegvr(count: int) -> tuple[Any, ...]:
    return tuple(generate_linear(7, count))


@cache
def _verge(count: int, form: str = "usual") -> tuple[Any, ...]:
    return tuple(map(FORMS[form], bakers(count)))


@cache
def _guard(count: int, days: int = 10) -> tuple[Any, ...]:
    """Loans of books that were looked up and are there, all sound by their labels."""
    messages = [*looks_up(NOVEL), *lends("b1", days=days)]
    with TemporaryDirectory() as name:
        folder = write(
            Path(name),
            [conversation(task, 0, messages) for task in range(count)],
            [label(task, 0, 2) for task in range(count)],
        )
        return tuple(load_conversations(folder, load_policy(policy(folder))))


@cache
def _reading(count: int) -> tuple[Any, ...]:
    with TemporaryDirectory() as name:
        return tuple(load_items(write_messages(Path(name), *({**OWN, "id": f"m{number}"} for number in range(count)))))


_PROBLEMS: dict[str, Callable[..., tuple[Any, ...]]] = {
    "drift": _drift,
    "cross_query": _cross_query,
    "cegvr": _cegvr,
    "verge": _verge,
    "guard": _guard,
    "reading": _reading,
}


def problems_of(suite: str, count: int, **source: Any) -> Sequence[Any]:
    """Return so many problems of a suite, as its source says."""
    return _PROBLEMS[suite](count, **source)
