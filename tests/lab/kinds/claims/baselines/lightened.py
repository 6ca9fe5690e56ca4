"""Methods of the laboratory whose check takes few calls."""

from __future__ import annotations

from holdtrue_lab.kinds.claims.method import METHODS, BaselineMethod
from tests.claims.kind import world


def light(name: str, **changes: object) -> BaselineMethod:
    """The preset of a name, checked with as few calls as can be."""
    return BaselineMethod.of(world.light(METHODS[name], **changes))
