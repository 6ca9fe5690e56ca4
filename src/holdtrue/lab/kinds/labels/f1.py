"""The F1 score of each label, computed from counts that add up over cases, so that cases can be resampled."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from holdtrue.record import Label

if TYPE_CHECKING:
    from numpy.typing import NDArray

LABELS = tuple(Label)
_PLACE = {label.value: place for place, label in enumerate(LABELS)}


def counts(answers: Iterable[tuple[str, str | None]]) -> list[int]:
    """Return for each of `LABELS` the number of true positives, of predictions, and of gold labels.

    `answers` are pairs of the gold label and the one given, which is None for no label.
    """
    right, given, true = ([0] * len(LABELS) for _ in range(3))
    for gold, label in answers:
        true[_PLACE[gold]] += 1
        if label is not None:
            given[_PLACE[label]] += 1
            right[_PLACE[gold]] += label == gold
    return [*right, *given, *true]


def f1(sums: NDArray[Any]) -> NDArray[Any]:
    """The F1 of each label from sums of `counts`, shape (n, 9), as (n, 3); nan where it is neither true nor given."""
    import numpy as np

    right, given, true = np.split(sums.astype(np.float64), 3, axis=1)
    return np.divide(2 * right, given + true, out=np.full_like(right, np.nan), where=given + true > 0)


def unknown_f1(sums: NDArray[Any]) -> NDArray[Any]:
    """The F1 of UNKNOWN alone, shape (n,)."""
    column: NDArray[Any] = f1(sums)[:, LABELS.index(Label.UNKNOWN)]
    return column


def macro_f1(sums: NDArray[Any]) -> NDArray[Any]:
    """The mean F1 over the labels that have one, shape (n,)."""
    import numpy as np

    each = f1(sums)
    of = np.isfinite(each).sum(axis=1)
    total = np.nansum(each, axis=1)
    mean: NDArray[Any] = np.divide(total, of, out=np.full_like(total, np.nan), where=of > 0)
    return mean
