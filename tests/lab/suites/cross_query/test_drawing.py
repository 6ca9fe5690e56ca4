from __future__ import annotations

import pytest

from holdtrue.errors import DomainError
from holdtrue_lab.suites.cross_query.drafts import (
    lists_of_names,
)


@pytest.mark.parametrize("given", [{}, {"traits": "abc"}, {"traits": []}, {"traits": [1]}, {"traits": ["a"], "x": 1}])
def test_a_setting_that_does_not_fit(given: dict[str, object]) -> None:
    with pytest.raises(DomainError, match="investigation"):
        lists_of_names("investigation", given, "traits")
