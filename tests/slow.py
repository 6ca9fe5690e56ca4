"""Parameters with many values. The normal run takes only the first ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest


def first_of(values: Sequence[Any], quick: int) -> list[Any]:
    """Return values for a parameter of a test. All but the first `quick` are marked as slow.

    A tuple has a value for each of several parameters.
    """
    own = [value if isinstance(value, tuple) else (value,) for value in values[quick:]]
    return [*values[:quick], *(pytest.param(*each, marks=pytest.mark.slow) for each in own)]
