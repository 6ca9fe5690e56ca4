from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdtrue.errors import SettingsError
from holdtrue_lab.kit.prices import NO_PRICES, Prices, read_prices

FILE = """
["openai/*"]
prompt = 2
completion = 10

["openai/small-1.5"]
prompt = 0.15
completion = 0.6

["local/*"]
prompt = 0
completion = 0
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "prices.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_name_comes_before_patterns_and_of_these_the_first(tmp_path: Path) -> None:
    prices = read_prices(written(tmp_path, FILE + '["*"]\nprompt = 7\ncompletion = 7\n'))
    assert prices.source == str(tmp_path / "prices.toml")
    assert prices.find("openai/small-1.5") == (0.15, 0.6)
    assert prices.find("openai/large") == (2.0, 10.0)
    assert prices.find("local/any") == (0.0, 0.0)
    assert prices.find("else") == (7.0, 7.0)


def test_what_has_no_price_is_named(tmp_path: Path) -> None:
    prices = read_prices(written(tmp_path, FILE))
    assert prices.missing(["sim/b", "openai/large", "sim/a"]) == ["sim/a", "sim/b"]
    assert prices.cost({"openai/large": (10, 10), "sim/a": (1, 1)}) is None
    assert prices.cost({}) == 0.0
    assert NO_PRICES.cost({"sim/a": (1, 1)}) is None


@given(st.dictionaries(st.sampled_from("abc"), st.tuples(st.integers(0, 10**9), st.integers(0, 10**9))))
def test_dollars_add_up_over_models(tokens: dict[str, tuple[int, int]]) -> None:
    prices = Prices("p", {"a": (1.0, 2.0), "b": (0.5, 0.25), "c": (0.0, 3.0)})
    expected = sum(p * prices.dollars[m][0] / 1e6 + c * prices.dollars[m][1] / 1e6 for m, (p, c) in tokens.items())
    assert prices.cost(tokens) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "there is no price"),
        ("prompt = 1", "prompt: .* in quotes"),
        ("[a]\nprompt = 1", r"a\.completion: .* in quotes"),
        ("[a]\nprompt = 1\ncompletion = 2\ninput = 3", r"a\.input: .* in quotes"),
        ("[a]\nprompt = -1\ncompletion = 2", "a: dollars .* at least 0"),
        ("[a]\nprompt = 1\ncompletion = '2'", r"a\.completion: "),
        ("[a]\nprompt = nan\ncompletion = 2", "a: dollars .* at least 0"),
        ("a = [1, 2]", "a: .* in quotes"),
        ("[a]\nprompt 1", "no TOML: .*line 2"),
    ],
)
def test_a_mistake_is_told_with_its_place(tmp_path: Path, text: str, said: str) -> None:
    path = written(tmp_path, text)
    with pytest.raises(SettingsError, match=f"{path}: {said}"):
        read_prices(path)


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="cannot be read: No such file"):
        read_prices(tmp_path / "none.toml")
