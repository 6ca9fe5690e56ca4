"""Tests with many values, of which the normal run takes the first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest


def first_of(values: Sequence[Any], quick: int) -> list[Any]:
    """Return values for a parameter of a test, of which all but the first `quick` are slow ones.

    A tuple has a value for each of several parameters.
    """
    own = [value if isinstance(value, tuple) else (value,) for value in values[quick:]]
    return [*values[:quick], *(pytest.param(*each, marks=pytest.mark.slow) for each in own)]
