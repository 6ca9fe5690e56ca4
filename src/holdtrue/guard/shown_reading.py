"""Read what results show so that noise costs little: a value that does not fit is unknown, and all others stay."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction
from typing import Any

from holdtrue.rules.types import Field, Number, Type
from holdtrue.rules.values import MOST_DIGITS, NotSeen, Reader, ValueFault, show_plain


class ShownReader(Reader):
    """A `ShownReader` puts a marker in the place of each value that does not fit, and keeps the reason.

    Numbers with a step take the noise of binary floats (0.30000000000000004 is 0.30), and any number if their type is
    `rounded`. With `partial`, a field that is missing was not shown; else it had to be there.

    Attributes:
        refused: What did not fit, by the paths of the markers.
    """

    def __init__(self, *, partial: bool = False) -> None:
        self._partial = partial
        self.refused: dict[str, ValueFault] = {}

    def read(self, value: Any, type: Type, path: str) -> Any:
        """Return the value, or a marker at its path."""
        try:
            return super().read(_on_grid(value, type, path) if isinstance(type, Number) else value, type, path)
        except ValueFault as error:
            return self._unknown(error, type)

    def left_out(self, name: str, field: Field, path: str) -> dict[str, Any]:
        """Return the marker of a field that is not there."""
        if self._partial:
            return {name: NotSeen(path, field.type, None, field.required)}
        return {name: self._unknown(ValueFault(path, "it is missing"), field.type)} if field.required else {}

    def _unknown(self, error: ValueFault, type: Type) -> NotSeen:
        self.refused[error.path] = error
        return NotSeen(error.path, type)


def _on_grid(value: Any, type: Number, path: str) -> Any:
    """Return a number as a multiple of its type's step, where only noise keeps it from that or the type is rounded.

    Noise is at most two units in the last place of a double. What is rounded goes to the nearest multiple, of two as
    near to the even one. Raises `ValueFault` for another number between two multiples.
    """
    step = type.sort.step
    if step is None or isinstance(value, bool) or not isinstance(value, int | float | Decimal | Fraction):
        return value
    exact = Decimal(repr(value)) if isinstance(value, float) else value
    if isinstance(exact, Decimal):
        if not exact.is_finite() or max(abs(exact.adjusted()), len(exact.as_tuple().digits)) > MOST_DIGITS:
            return value
        exact = Fraction(exact)
    if exact.numerator * step.denominator % (exact.denominator * step.numerator) == 0:
        return value
    nearest = round(exact / step) * step
    if type.rounded:
        return nearest
    try:
        noise = min(2 * Fraction(math.ulp(float(exact))), step / 4)
    except OverflowError:
        return value
    if abs(exact - nearest) <= noise:
        return nearest
    raise ValueFault(
        path, f"{show_plain(value)} is no {type}; declare {type} rounded, and it is rounded (half to even)"
    )
