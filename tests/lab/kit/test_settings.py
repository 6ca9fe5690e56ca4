from __future__ import annotations

import json
from dataclasses import asdict, fields
from pathlib import Path

import pytest

from holdtrue.errors import RecordError, SettingsError
from holdtrue_lab.kit.settings import FREE, SETTINGS_FILE, RunSettings, addresses, keep_settings, read_settings
from tests.lab.kit.entries import settings

OTHER: dict[str, object] = {
    "suite": "other",
    "source": "elsewhere",
    "problems": 3,
    "problems_sha256": "1" * 64,
    "model": "sim/other",
    "base_url": "http://127.0.0.1:1",
    "protocol": "upstream",
    "extractor": "gold",
    "seed": 1,
    "temperature": 0.5,
    "max_tokens": 9,
    "top_p": 0.9,
    "thinking_tokens": 4000,
    "extra_body": {"top_k": 20},
    "structured": False,
    "methods": ("cot",),
    "own_methods": {"mine": {"repairs": 1}},
    "limit": 1,
    "max_connections": 9,
    "token_limit": 9,
    "holdtrue": "9",
    "schema": 9,
    "play": {"k": 1},
}


def written(own: RunSettings) -> dict[str, object]:
    """The settings as a folder has them: without further fields of requests if there are none."""
    found: dict[str, object] = json.loads(json.dumps(asdict(own)))
    return {name: value for name, value in found.items() if name != "extra_body" or value is not None}


def test_settings_are_written_once_and_read_back(tmp_path: Path) -> None:
    assert read_settings(tmp_path) is None
    keep_settings(tmp_path, settings())
    first = (tmp_path / SETTINGS_FILE).stat().st_mtime_ns
    keep_settings(tmp_path, settings())
    assert (tmp_path / SETTINGS_FILE).stat().st_mtime_ns == first
    assert read_settings(tmp_path) == written(settings())
    assert [path.name for path in tmp_path.iterdir()] == [SETTINGS_FILE]


@pytest.mark.parametrize("name", [field.name for field in fields(RunSettings)])
def test_only_what_cannot_change_results_may_differ(tmp_path: Path, name: str) -> None:
    keep_settings(tmp_path, settings())
    changed = settings(**{name: OTHER[name]})
    if name in FREE:
        keep_settings(tmp_path, changed)
        assert read_settings(tmp_path) == written(changed)
    else:
        with pytest.raises(SettingsError, match=f"  {'k' if name == 'play' else name}: was "):
            keep_settings(tmp_path, changed)
        assert read_settings(tmp_path) == written(settings())


def test_a_run_goes_on_at_another_address_and_nothing_else(tmp_path: Path) -> None:
    here, there = settings(base_url="http://127.0.0.1:1"), settings(base_url="http://127.0.0.1:2")
    assert addresses(tmp_path, here) == ("http://127.0.0.1:1",) * 2
    keep_settings(tmp_path, here)
    assert addresses(tmp_path, there) == ("http://127.0.0.1:1", "http://127.0.0.1:2")
    with pytest.raises(SettingsError, match="  seed: was 42, now 1\n"):
        addresses(tmp_path, settings(base_url="http://127.0.0.1:2", seed=1))
    assert read_settings(tmp_path) == written(here), "looking writes nothing"


def test_where_problems_differ_their_source_says_how(tmp_path: Path) -> None:
    keep_settings(tmp_path, settings(source="cases, split test"))
    with pytest.raises(SettingsError, match='  source: was "cases, split test", now "cases, split dev"\n'):
        keep_settings(tmp_path, settings(source="cases, split dev", problems_sha256="other"))


def test_a_method_of_one_s_own_must_stay_what_it_was_and_others_may_join(tmp_path: Path) -> None:
    keep_settings(tmp_path, settings(own_methods={"mine": {"repairs": 1, "ledger": True}}))
    keep_settings(tmp_path, settings(own_methods={"other": {"repairs": 2, "ledger": True}}))
    kept = (tmp_path / SETTINGS_FILE).read_text()
    assert json.loads(kept)["own_methods"].keys() == {"mine", "other"}
    with pytest.raises(SettingsError, match=r"  mine\.repairs: was 1, now 3\n") as refused:
        keep_settings(tmp_path, settings(own_methods={"mine": {"repairs": 3, "ledger": True}}))
    assert "ledger" not in str(refused.value)
    assert (tmp_path / SETTINGS_FILE).read_text() == kept


def test_a_setting_of_another_version_is_a_difference(tmp_path: Path) -> None:
    keep_settings(tmp_path, settings())
    path = tmp_path / SETTINGS_FILE
    path.write_text(json.dumps({**json.loads(path.read_text()), "novelty": True}))
    with pytest.raises(SettingsError, match="novelty: was true, now null"):
        keep_settings(tmp_path, settings())


@pytest.mark.parametrize("text", ["", "[]", "{"])
def test_damaged_settings_are_named(tmp_path: Path, text: str) -> None:
    (tmp_path / SETTINGS_FILE).write_text(text)
    with pytest.raises(RecordError, match=SETTINGS_FILE):
        read_settings(tmp_path)
