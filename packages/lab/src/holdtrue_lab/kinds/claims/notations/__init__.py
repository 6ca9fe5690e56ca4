"""The notations of first-order sentences in data sets, by name.

`fol` is that of FOLIO, and `nltk` that of NLTK and Prover9.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from holdtrue_claims.fol.notation import Read, read_fol
from holdtrue_lab.kinds.claims.notations.nltk_notation import read_nltk

READERS: Mapping[str, Callable[[str], Read]] = {"fol": read_fol, "nltk": read_nltk}
