from __future__ import annotations

from typing import Any

import pytest

from holdtrue.errors import SettingsError
from holdtrue.models.sampling import Sampling


def test_whatever_a_model_can_be_asked_with_is_let_through() -> None:
    sampling = Sampling(temperature=2, seed=-1, max_tokens=1, structured=False)
    assert (sampling.temperature, sampling.seed, sampling.max_tokens) == (2, -1, 1)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"temperature": float("nan")}, "temperature must be a number of at least 0, not nan"),
        ({"temperature": -1}, "temperature must be a number of at least 0, not -1"),
        ({"temperature": "0"}, "temperature must be a number of at least 0, not '0'"),
        ({"seed": "x"}, "seed must be a whole number, not 'x'"),
        ({"seed": 1.5}, "seed must be a whole number, not 1.5"),
        ({"max_tokens": "100"}, "max_tokens must be a whole number of at least 1, not '100'"),
        ({"max_tokens": 0}, "max_tokens must be a whole number of at least 1, not 0"),
        ({"structured": "yes"}, "structured must be True or False, not 'yes'"),
    ],
)
def test_what_no_model_can_be_asked_with_is_refused(given: dict[str, Any], words: str) -> None:
    with pytest.raises(SettingsError, match=f"^{words}"):
        Sampling(**given)
