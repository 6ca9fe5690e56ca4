"""Calibration of readings of requests, measured on a dialogue with gold."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from bench.request_odds import measured
from holdtrue.models.scripted import ScriptModel
from holdtrue_lab.suites.guard.dialogue_files import load_dialogues
from tests.lab.suites.guard.test_dialogues import DIALOGUE, write


async def test_right_and_wrong_readings_are_counted_by_their_kinds(tmp_path: Path) -> None:
    first: list[Any] = [["Table.guests", "is", "for 4", "new"], ["Table.day", "is", "on March 6th", "new"]]
    second: list[Any] = [["Table.guests", "not", "5 guests", "1"], ["Table.day", "is", "on March 6th", "1"]]
    model = ScriptModel([json.dumps({"operations": own}) for own in (first, second)])
    found = await measured(load_dialogues(write(tmp_path, [DIALOGUE], []), "ask"), model)
    # A value that the message does not state is no reading. The prior draws each kind to two of three.
    counted = {kind.split(",")[0]: (own["right"], own["of"], own["probability"]) for kind, own in found.items()}
    assert counted == {
        "number is": (1, 1, round(7 / 9, 4)),
        "number not": (0, 1, round(4 / 9, 4)),
        "date is": (1, 1, round(7 / 9, 4)),
    }
