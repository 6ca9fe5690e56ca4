"""The notations in which people give first-order sentences as text, by their names.

`fol` is that of FOLIO, `nltk` that of NLTK and Prover9, and `tptp` TPTP's first-order form.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from holdtrue_claims.fol.notation import Read, read_fol
from holdtrue_lab.kinds.claims.notations.nltk_notation import read_nltk
from holdtrue_lab.kinds.claims.notations.tptp_notation import read_tptp

READERS: Mapping[str, Callable[[str], Read]] = {"fol": read_fol, "nltk": read_nltk, "tptp": read_tptp}
