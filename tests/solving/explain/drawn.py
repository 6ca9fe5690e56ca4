"""Random problems for explanations, of formulas that every engine can take.

What explains does not look into formulas; how engines read all kinds of them is tried in `tests/solving`.
"""

from __future__ import annotations

from hypothesis import strategies as st

from holdtrue.logic.formula import Formula
from tests.solving import brute


def formulas() -> st.SearchStrategy[Formula]:
    return brute.formulas(every=False)


def theories(*, most: int = 6) -> st.SearchStrategy[dict[str, Formula]]:
    """Soft formulas with ids, often impossible together."""
    return brute.theories(most=most, every=False)
