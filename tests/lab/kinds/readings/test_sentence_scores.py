"""Sentences are scored once by the constraints that they leave to choose from, kept at once, and gone on with."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from holdtrue.cli.main import app
from holdtrue.errors import RecordError, SettingsError
from holdtrue.language.reading_weights import read_reading_weights, shipped_reading_weights
from holdtrue.models import model_registry
from holdtrue.models.scripted import ScriptModel
from holdtrue.world.seating import SEATING
from holdtrue_lab.kinds.readings.problem import MessageItem
from holdtrue_lab.kinds.readings.sentence_fitting import choice_example
from holdtrue_lab.kinds.readings.sentence_scores import (
    SentenceChoice,
    ask_scores,
    choices_of,
    commitments_in,
    read_scores,
)
from holdtrue_lab.suites.reading.files import load_items
from tests.lab.suites.reading.messages import message, write_messages
from tests.language.test_likelihood import Channel, prefers

TABLE: dict[str, Any] = {"domain": "seating", "entities": ["Nora", "Omar", "Tara"], "context": {}}
BESIDE, APART = ["adjacent", "Nora", "Omar"], ["not_adjacent", "Nora", "Omar"]
HUGS = message("hugs", "single", "Nora hugs Omar's chair", BESIDE, **TABLE)
SHUNS = message("shuns", "single", "Nora shuns Omar's chair", APART, **TABLE)
UNASKED = (
    message("own", "single", "Nora must sit next to Omar.", BESIDE, **TABLE),
    message("none", "hedged", "Does Nora hug Omar's chair?", **TABLE),
    message("both", "multi", "Nora hugs Omar's chair. Tara hugs Omar's chair.", BESIDE, APART, **TABLE),
)


def items(folder: Path) -> list[MessageItem]:
    return load_items(write_messages(folder, HUGS, *UNASKED, SHUNS))


def shown(choices: list[SentenceChoice]) -> list[tuple[str, str, str]]:
    return [(own.message, own.sentence, own.among[own.right].type) for own in choices]


async def test_a_choice_is_a_sentence_that_leaves_one(tmp_path: Path) -> None:
    assert shown(choices_of(await commitments_in(items(tmp_path)))) == [
        ("seating/hugs", "Nora hugs Omar's chair", "adjacent"),
        ("seating/shuns", "Nora shuns Omar's chair", "not_adjacent"),
    ]


async def test_what_was_scored_before_is_not_asked_again(tmp_path: Path) -> None:
    choices, path = choices_of(await commitments_in(items(tmp_path))), tmp_path / "scores"
    view = json.dumps({"constraints": [{"type": "adjacent", "args": ["Nora", "Omar"]}]})
    model, told = Channel(prefers("must sit next to", 9.0), view), list[tuple[int, int]]()
    first = await ask_scores(model, choices, path, lambda number, of: told.append((number, of)))
    asked = len(model.asked)
    assert told == [(1, 2), (2, 2)] and len(read_scores(path)) == 2
    assert [max(own.scores) - min(own.scores) for own in first] == [9.0, 9.0]
    assert await ask_scores(model, choices, path, lambda number, of: None) == first and len(model.asked) == asked
    path.write_bytes(path.read_bytes()[:-10])  # killed in the middle of a line
    assert (
        await ask_scores(model, choices, path, lambda number, of: None) == first and len(model.asked) == asked * 3 // 2
    )
    features = choice_example(choices[0], (0.5, -0.5), first[0]).features
    assert {name for own in features for name in own} == {"phrasing", "likelihood", "cue", "words left", "view"}
    assert sum(own["view"] for own in features) == 1
    unasked = choice_example(choices[0], (0.5, -0.5), None)
    assert not unasked.asked and {name for own in unasked.features for name in own} == {
        "phrasing",
        "cue",
        "words left",
    }


async def test_a_model_without_probabilities_and_a_line_that_does_not_fit_are_refused(tmp_path: Path) -> None:
    choices, path = choices_of(await commitments_in(items(tmp_path))), tmp_path / "scores"
    with pytest.raises(SettingsError, match="gives no probabilities"):
        await ask_scores(ScriptModel(["{}"]), choices, path, lambda number, of: None)
    path.write_text('{"message": "seating/hugs"}\n', encoding="utf-8")
    with pytest.raises(RecordError, match="line 1: these are no scores"):
        read_scores(path)


def test_the_command_fits_on_messages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write_messages(tmp_path, HUGS, *UNASKED, SHUNS)
    monkeypatch.setattr(model_registry, "open_model", lambda name: Channel(prefers("must sit next to", 9.0)))
    words = ["study", "reading", "--data", f"{path}", "--out", f"{tmp_path / 'fit'}"]
    result = CliRunner().invoke(app, [*words, "--model", "script/channel"], terminal_width=200)
    assert result.exit_code == 0, (result.output, result.exception)
    assert "leave one family out: 2 sentences of 5 messages" in result.output
    assert "as a reader uses them: right" in result.output
    weights = json.loads((tmp_path / "fit" / "weights.json").read_text(encoding="utf-8"))
    assert set(weights["choice"]["likelihood alone"]) == {"likelihood", "cue", "words left"}
    assert set(weights["choice with phrasings"]["words alone"]) == {"phrasing", "cue", "words left"}
    assert "view" in weights["choice"]["with a view"] and "2 of them scored by script/channel" in weights["provenance"]
    assert SEATING.fingerprint in weights["phrasings"]
    assert "commitment: as in the package" in result.output
    assert read_reading_weights(json.dumps(weights)).committed == shipped_reading_weights().committed
    again = CliRunner().invoke(
        app, [*words[:-1], f"{tmp_path / 'one'}", "--model", "script/channel", "--most-asked", "1"]
    )
    assert again.exit_code == 0 and "; 1 scored" in again.output, (again.output, again.exception)
    write_messages(tmp_path, *UNASKED)
    with pytest.raises(SettingsError, match="no two families"):
        CliRunner().invoke(app, [*words, "--model", "script/channel"], catch_exceptions=False)
