"""Generate the problems of a kind and style: sparse and dense linear ones, and the transfer sets."""

from __future__ import annotations

from holdtrue.errors import SettingsError
from holdtrue.kinds.search.problem import SearchProblem
from holdtrue.lab.suites.cegvr.generate import generate_linear
from holdtrue.lab.suites.cegvr.line import LINEAR
from holdtrue.lab.suites.cegvr.upstream import generate_upstream

STYLES = {"sparse": generate_linear, "upstream": generate_upstream}
"""The styles of linear problems: our sparse ones, and the dense form of the published study."""
SAT_RATIO = 0.6
"""The default share of satisfiable problems among linear ones."""


def make_problems(
    seed: int, count: int, *, kind: str = LINEAR, style: str = "sparse", sat_ratio: float | None = None
) -> list[SearchProblem]:
    """Return `count` problems: linear ones in a style of `STYLES`, or those of a transfer set.

    Raises `SettingsError` for settings that cannot be met: only linear problems have a style and a share.
    """
    if style not in STYLES:
        raise SettingsError(f"unknown style {style!r}; there are {', '.join(STYLES)}")
    if kind == LINEAR:
        return STYLES[style](seed, count, SAT_RATIO if sat_ratio is None else sat_ratio)
    if style != "sparse" or sat_ratio is not None:
        raise SettingsError(f"--style and --sat-ratio are for kind {LINEAR}; {kind} has neither")
    if count < 1:
        raise SettingsError("there has to be one problem at least")
    from holdtrue.lab.suites.cegvr.transfer import make_transfer

    return make_transfer(kind, seed, count)
