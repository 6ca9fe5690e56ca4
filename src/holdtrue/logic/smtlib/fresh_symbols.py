"""Symbols for the names of a script, of which no two are alike and none has a meaning for a usual solver."""

from __future__ import annotations

import re
from collections.abc import Container

from holdtrue.logic.smtlib.symbols import symbol_of

_THEORIES = frozenset(
    """
    iff implies if rem divisible pi euler sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh sqrt exp
    select store const map default union intersect setminus complement subset as-array card concat extract repeat
    zero_extend sign_extend rotate_left rotate_right ext_rotate_left ext_rotate_right bit2bool is is-a cons insert nil
    head tail pair first second mk-pair fp to_fp lambda choice assert-not ite is_int RNE RNA RTP RTN RTZ NaN String
    Array Seq RegEx RegLan FloatingPoint RoundingMode BitVec Unicode Char Set Bag List Pair Tuple Relation Float16
    Float32 Float64 Float128 UnitTuple tuple member singleton roundNearestTiesToEven roundNearestTiesToAway
    roundTowardPositive roundTowardNegative roundTowardZero int2bv bv2int bv2nat nat2bv int_to_bv ubv_to_int sbv_to_int
    partial-order linear-order tree-order piecewise-linear-order transitive-closure
    """.split()
)
_FAMILIES = re.compile(r"(?:bv\w*|\^.*|(?:str|re|seq|fp|int|char|set|bag|rel|array|tuple|root|table|sep)[.-].*)", re.S)


def fresh_symbol(name: str, taken: Container[str]) -> str:
    """Return a symbol for a name that is not taken: that of the name alone, where it can be (`symbols.name_of`)."""
    symbol = symbol_of(name) or "nameless"
    if symbol in _THEORIES or _FAMILIES.fullmatch(symbol):
        symbol = f"%{ord(symbol[0]):X};{symbol[1:]}"
    found, number = symbol, 2
    while found in taken:
        found, number = f"{symbol} {number}", number + 1
    return found
