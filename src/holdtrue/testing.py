"""Play a scripted or recorded conversation against a policy, and check the decisions on its calls.

A row of a script has a `role`. A `user` or `assistant` has a `text`; a `call` has a `tool`, its `arguments`, and the
`result` that the tool would give. A call may have the `expected` decision: `allow`, `block`, `ask` or `confirm`, or
`stop` for any of the last three. Its `why` is a note. Messages of any client may stand in place of rows.

This is also a plugin of pytest, with the marker `holdtrue_cases`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from holdtrue.fields import choice, expect, field, naming

if TYPE_CHECKING:
    from holdtrue.guard.decision import Decision, Mode
    from holdtrue.guard.guard import Guard
    from holdtrue.guard.policy import Policy
    from holdtrue.language.requests.operation import RequestReader

_MARKER = "holdtrue_cases"
_STOPS = ("block", "ask", "confirm")
_EXPECTED = ("allow", "stop", *_STOPS)


@dataclass(frozen=True, slots=True)
class PlayedCall:
    """A call of a conversation, with its `decision`. `row` is its row, and `place` the row's place."""

    place: str
    row: Mapping[str, Any]
    decision: Decision

    @property
    def fault(self) -> str:
        """Return the difference between the expected and the given decision, with all reasons, or ""."""
        expected, kind, note = self.row.get("expected"), self.decision.kind, self.row.get("why")
        if expected in (None, kind) or (expected == "stop" and kind in _STOPS):
            return ""
        return f"{self.place}: expected {expected}{f' ({note})' if note else ''}, got {self.decision.for_log}"


@dataclass(frozen=True, slots=True)
class Played:
    """`Played` are the calls of a conversation in order. `stopped` are those that a guard does not let through."""

    calls: tuple[PlayedCall, ...]

    @property
    def decisions(self) -> tuple[Decision, ...]:
        return tuple(own.decision for own in self.calls)

    @property
    def stopped(self) -> tuple[PlayedCall, ...]:
        return tuple(own for own in self.calls if own.decision.kind in _STOPS)

    def check(self) -> None:
        """Raise `AssertionError`, with all reasons, if a decision is not the expected one or if none was expected."""
        if all("expected" not in own.row for own in self.calls):
            raise AssertionError("no call of the conversation has an expected decision")
        if faults := [own.fault for own in self.calls if own.fault]:
            raise AssertionError("\n".join((f"{len(faults)} of {len(self.calls)} decisions differ:", *faults)))


def play(
    policy: Policy | str | Path,
    conversation: str | Path | Sequence[Any],
    reader: RequestReader | None = None,
    *,
    mode: Mode = "enforce",
    now: str | None = None,
) -> Played:
    """Play a conversation against a policy, and return the decisions on its calls.

    Args:
        policy: A policy, or its file.
        conversation: Rows or messages, or a file of them as JSON lines.
        reader: The reader of messages. Without one, code reads only unambiguous words.
        mode: In mode `enforce`, a stopped call shows no result. In mode `observe`, each call was made, as in a log.
        now: The moment of the conversation. The default is the one that the policy states, or else the current one.

    Raises `RecordError` for an unreadable row, with its place.
    """
    from holdtrue.guard.conversation.conversation_keeper import Background
    from holdtrue.guard.conversation.input_checks import check_time
    from holdtrue.guard.guard import Guard
    from holdtrue.guard.policy_file import load_policy

    own = load_policy(policy) if isinstance(policy, str | Path) else policy
    if now is not None:
        own = replace(own, now=check_time("now", now, own.moment))
    guard = Guard(own, reader=reader, mode=mode)
    background = Background()  # A test may already run in an event loop.
    try:
        return background.run(_play(guard, _rows(conversation)))
    finally:
        background.close()


async def _play(guard: Guard, rows: Iterable[tuple[str, dict[str, Any]]]) -> Played:
    talk, found = guard.conversation("played"), list[PlayedCall]()
    for place, row in rows:
        if row["role"] != "call":
            await talk.heard(**{row["role"]: row["text"]})
            continue
        outcome = await talk.decide(row["tool"], row.get("arguments"), call=f"call {len(found) + 1}")
        if outcome.goes_on and "result" in row:
            await talk.ran(outcome, row["result"])
        found.append(PlayedCall(place, row, outcome.decision))
    await guard.aclose()
    return Played(tuple(found))


def _rows(given: str | Path | Sequence[Any]) -> list[tuple[str, dict[str, Any]]]:
    """Return the rows of a conversation with their places."""
    where = "row "
    if isinstance(given, str | Path):
        where, text = f"{given}:", Path(given).read_text(encoding="utf-8")
        with naming(f"{where} each line is JSON", ValueError):
            given = [json.loads(line) for line in text.splitlines() if line.strip()]
    is_script = any(isinstance(own, Mapping) and own.get("role") == "call" for own in given)
    rows = enumerate(given if is_script else _recorded(given), start=1)
    found = [(f"{where}{number}", expect(own, dict, f"{where}{number}")) for number, own in rows]
    for place, own in found:
        is_call = choice(own.get("role"), ("user", "assistant", "call"), f"{place}: role") == "call"
        field(own, "tool" if is_call else "text", str, place)
        choice(own.get("expected", "allow"), _EXPECTED, f"{place}: expected")
    return found


def _recorded(messages: Sequence[Any]) -> list[dict[str, Any]]:
    """Return recorded messages as rows."""
    from holdtrue.guard.clients.message_history import read_history

    found, calls = list[dict[str, Any]](), dict[int, dict[str, Any]]()
    for own in read_history(messages):
        if own.call is None:
            found += [{"role": own.kind, "text": own.text}] if own.kind != "result" else []
        elif own.kind == "result":
            calls.get(id(own.call), {})["result"] = own.text
        else:
            calls[id(own.call)] = {"role": "call", "tool": own.call.tool, "arguments": own.call.arguments}
            found.append(calls[id(own.call)])
    return found


def pytest_configure(config: pytest.Config) -> None:
    """Declare the marker."""
    config.addinivalue_line(
        "markers", f"{_MARKER}(*patterns, policy, ...): play each file as holdtrue.testing.play does"
    )


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Give a marked test each file as a case. Patterns and the policy are found from the folder of the test's file."""
    own = metafunc.definition.get_closest_marker(_MARKER)
    if own is not None and "guard_conversation" in metafunc.fixturenames:
        folder = metafunc.definition.path.parent
        files = [file for pattern in own.args for file in sorted(folder.glob(pattern))]
        if not files or "policy" not in own.kwargs:
            raise pytest.UsageError(f"{_MARKER}: it names cases and a policy; in {folder} no file is {own.args}")
        given = {**own.kwargs, "policy": folder / own.kwargs["policy"]}
        cases = [pytest.param({**given, "conversation": file}, id=file.stem) for file in files]
        metafunc.parametrize("guard_conversation", cases, indirect=True)


@pytest.fixture
def guard_conversation(request: pytest.FixtureRequest) -> Any:
    """Return the played conversation of a test with the marker, or else the function `play`."""
    return play(**request.param) if hasattr(request, "param") else play
