"""An operation that is none is refused where a reader makes it."""

from __future__ import annotations

from typing import Any

import pytest

from holdtrue.language.requests.operation import Operation


@pytest.mark.parametrize(
    "given",
    [
        {"do": "undo"},
        {"relation": "is not"},
        {"source": "bank"},
        {"act": None},
        {"quote": 5},
        {"confidence": 1.01},
        {"confidence": float("nan")},
    ],
)
def test_what_is_no_operation_is_refused_by_name(given: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=next(iter(given))):
        Operation(**{"do": "set", "act": "pay", "argument": "bill", "value": "B-1", **given})
